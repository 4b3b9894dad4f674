import type { CompiledLineItem } from '../decision/index/compile-line-items.ts';
import type { CompiledWorkspace } from '../decision/index/compiled-workspace.ts';
import { competingHeaderBid } from '../decision/header-bids.ts';
import { fitValuesOf, ownFloorOf } from '../decision/slot-context.ts';
import { isInDayPart } from '../decision/eligibility.ts';
import { targetingFacts } from '../decision/index/targeting.ts';
import type { TargetingFacts } from '../decision/index/targeting.ts';
import type { Opportunity, Slot } from '../../domain/requests/opportunity.ts';

/** The line items that a slot admits by targeting, format and day-parts, at any time of their flights. Positions are ascending. */
export interface Admitted {
  readonly sponsors: readonly number[];
  /** STANDARD line items with a goal. */
  readonly goals: readonly number[];
  /** The highest CPM, in micros, of a PRICE line item whose price never changes, or of a header bidder; 0 = none. */
  readonly valueMicros: number;
}

/** A slot, the time of its day-parts, and the time at which flights of PRICE count: those of the past may not have begun then. */
export interface AdmissionRequest {
  readonly opportunity: Opportunity;
  readonly slot: Slot;
  readonly atMs: number;
  readonly flightMs: number;
}

/** Finds the line items that one slot of an opportunity admits. */
export function findAdmitted(compiled: CompiledWorkspace, request: AdmissionRequest): Admitted {
  const { index, matches, memory, lineItems, competition } = compiled;
  const { opportunity, slot, atMs, flightMs } = request;
  const facts = targetingFacts(opportunity, slot, (timezone) => memory.clock.at(atMs, timezone));
  index.setRequest(facts, fitValuesOf(slot, memory));
  const count = index.collect({ from: 0, to: lineItems.length }, matches);
  const sponsors: number[] = [];
  const goals: number[] = [];
  let valueMicros = competingHeaderBid({ slot, ownFloorMicros: ownFloorOf(compiled, slot) })?.cpmMicros ?? 0;
  for (let at = 0; at < count; at += 1) {
    const position = matches[at] as number;
    const type = competition.typeAt(position);
    if (type === 'HOUSE') continue;
    if (type === 'STANDARD' && !competition.hasGoalAt(position)) continue;
    const price = competition.priceAt(position);
    // Later PRICE line items pay less; NaN is a price that changes.
    if (type === 'PRICE' && !(price > valueMicros && competition.isInFlightAt(position, flightMs))) continue;
    if (!isOpen(lineItems.at(position), facts)) continue;
    if (type === 'PRICE') valueMicros = price;
    else if (type === 'STANDARD') goals.push(position);
    else sponsors.push(position);
  }
  return { sponsors, goals, valueMicros };
}

function isOpen(lineItem: CompiledLineItem, facts: TargetingFacts): boolean {
  if (lineItem.residual !== null && !lineItem.residual(facts)) return false;
  return lineItem.dayParts.length === 0 || isInDayPart(lineItem, facts.localMoment(lineItem.booked.timezone));
}
