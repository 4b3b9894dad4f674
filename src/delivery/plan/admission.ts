import type { CompiledLineItem } from '../decision/index/compile-line-items.ts';
import type { CompiledWorkspace } from '../decision/index/compiled-workspace.ts';
import { fitValuesOf } from '../decision/slot-context.ts';
import { isInDayPart } from '../decision/eligibility.ts';
import { targetingFacts } from '../decision/index/targeting.ts';
import type { TargetingFacts } from '../decision/index/targeting.ts';
import type { Opportunity, Slot } from '../../domain/requests/opportunity.ts';

/** The line items that a slot admits by targeting, format and day-parts, at any time of their flights. Positions are ascending. */
export interface Admitted {
  readonly sponsors: readonly number[];
  /** STANDARD line items with a goal. */
  readonly goals: readonly number[];
}

/** A slot, and the time of its day-parts. */
export interface AdmissionRequest {
  readonly opportunity: Opportunity;
  readonly slot: Slot;
  readonly atMs: number;
}

/** Finds the line items that one slot of an opportunity admits. */
export function findAdmitted(compiled: CompiledWorkspace, request: AdmissionRequest): Admitted {
  const { index, matches, memory, lineItems, competition } = compiled;
  const { opportunity, slot, atMs } = request;
  const facts = targetingFacts(opportunity, slot, (timezone) => memory.clock.at(atMs, timezone));
  index.setRequest(facts, fitValuesOf(slot, memory));
  const count = index.collect({ from: 0, to: lineItems.length }, matches);
  const sponsors: number[] = [];
  const goals: number[] = [];
  for (let at = 0; at < count; at += 1) {
    const position = matches[at] as number;
    const type = competition.typeAt(position);
    if (type === 'HOUSE' || type === 'PRICE') continue;
    if (type === 'STANDARD' && !competition.hasGoalAt(position)) continue;
    if (!isOpen(lineItems.at(position), facts)) continue;
    if (type === 'STANDARD') goals.push(position);
    else sponsors.push(position);
  }
  return { sponsors, goals };
}

function isOpen(lineItem: CompiledLineItem, facts: TargetingFacts): boolean {
  if (lineItem.residual !== null && !lineItem.residual(facts)) return false;
  return lineItem.dayParts.length === 0 || isInDayPart(lineItem, facts.localMoment(lineItem.booked.timezone));
}
