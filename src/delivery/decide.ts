import type { CompiledWorkspace } from './compile.ts';
import type { CompiledCreative, CompiledLineItem } from './compile-rows.ts';
import type { DeliveryState } from './delivery-state.ts';
import { AnswerSoFar, checkLineItem } from './eligibility.ts';
import type { Candidate, LoserReason, SlotContext } from './eligibility.ts';
import type { Opportunity, Slot } from './opportunity.ts';
import { beginTogether, continueRoadblock } from './roadblock.ts';
import type { SlotsAhead } from './roadblock.ts';
import { rotateCreatives } from './rotation.ts';
import { makeSlotContext } from './slot-context.ts';
import { findFailedDimension } from './targeting.ts';
import { pickCandidate } from './tiers.ts';

/** An ad for a slot. */
export interface Placement {
  readonly slot: Slot;
  readonly row: CompiledLineItem;
  readonly creative: CompiledCreative;
  /** CPM micros of the network's currency. */
  readonly bidMicros: number;
  /** CSS pixels of the creative; of the slot where the creative fits any size. 0 × 0 = unknown. */
  readonly width: number;
  readonly height: number;
  /** '' when the ad was not sold under a deal. */
  readonly dealCode: string;
}

/** Why a whole request got nothing, as the ad request API says it. */
export type NoFill = 'no_match' | 'capped' | 'budget' | 'floor' | 'network_paused';

/** A line item that did not get a slot, and why. */
export interface Loser {
  readonly slotId: string;
  readonly lineItemId: string;
  readonly reason: LoserReason;
}

/** The answer to one opportunity: for each slot, in order, an ad or null. */
export interface Decision {
  readonly placements: readonly (Placement | null)[];
  /** Null when any slot was filled. */
  readonly noFill: NoFill | null;
  /** Empty unless asked for. */
  readonly losers: readonly Loser[];
}

/** What a decision depends on besides the snapshot and the request. */
export interface DecideContext {
  readonly state: DeliveryState;
  readonly nowMs: number;
  /** Uniform in [0, 1). */
  readonly random: () => number;
  /** Collect the reason of every loser: costs a look at every line item. */
  readonly explain?: boolean;
}

const NO_SLOTS: readonly Slot[] = [];

/**
 * Decides who gets the slots of one request, all slots together: no creative twice, caps and exclusions count what earlier
 * slots took. Pure: the same arguments give the same answer.
 */
export function decide(compiled: CompiledWorkspace, opportunity: Opportunity, context: DecideContext): Decision {
  if (compiled.snapshot.workspace.status !== 'ACTIVE') {
    return { placements: opportunity.slots.map(() => null), noFill: 'network_paused', losers: [] };
  }
  const answer = new AnswerSoFar();
  const losers: Loser[] = [];
  const seen = new SeenReasons();
  const placements: (Placement | null)[] = [];
  let roadblock: CompiledLineItem | null = null;
  const lastPosition = opportunity.slots.length - 1;
  for (const [position, slot] of opportunity.slots.entries()) {
    const slotContext = makeSlotContext(compiled, opportunity, { slot, answer, context });
    const ahead = {
      seen,
      laterSlots: position === lastPosition ? NO_SLOTS : opportunity.slots.slice(position + 1),
      context,
    };
    const continued: Candidate | null = roadblock === null ? null : continueRoadblock(roadblock, slotContext, ahead);
    const candidate: Candidate | null = continued ?? pickFor(slotContext, ahead);
    if (context.explain === true) losers.push(...explainLosers(slotContext, candidate));
    const placement: Placement | null = candidate === null ? null : place(candidate, slotContext, context);
    placements.push(placement);
    if (placement === null) continue;
    if (position === lastPosition) continue;
    answer.add(placement.row, placement.creative.creative.id, placement.bidMicros);
    if (placement.row.lineItem.roadblock !== 'ONE') roadblock = placement.row;
  }
  const isEmpty = placements.every((placement) => placement === null);
  if (!isEmpty) return { placements, noFill: null, losers };
  if (seen.metPacing)
    for (const slot of opportunity.slots)
      noteAll(makeSlotContext(compiled, opportunity, { slot, answer, context }), seen);
  return { placements, noFill: seen.summarize(), losers };
}

/** Which kinds of refusal were met, for the summary of an empty answer. */
class SeenReasons {
  #floor = false;
  #budget = false;
  #capped = false;
  /** Some line items were turned away by their pacing before anything else was asked. */
  metPacing = false;

  note(reason: LoserReason): void {
    if (reason === 'pacing') this.metPacing = true;
    else if (reason === 'floor') this.#floor = true;
    else if (reason.startsWith('budget.')) this.#budget = true;
    else if (reason.startsWith('capped.')) this.#capped = true;
  }

  summarize(): NoFill {
    if (this.#floor) return 'floor';
    if (this.#budget) return 'budget';
    return this.#capped ? 'capped' : 'no_match';
  }
}

interface PickInput extends SlotsAhead {
  readonly seen: SeenReasons;
}

/** Goes through the groups from the top; the first that has a taker wins. */
function pickFor(slotContext: SlotContext, input: PickInput): Candidate | null {
  const { compiled, facts } = slotContext;
  const { rows, matches } = compiled;
  const count = compiled.index.collect(facts, fitValuesOf(slotContext.slot), matches);
  let start = 0;
  while (start < count) {
    const group = (rows[matches[start] as number] as CompiledLineItem).group;
    let end = start + 1;
    while (end < count && (rows[matches[end] as number] as CompiledLineItem).group === group) end += 1;
    const check = (at: number, leastUrgency: number): Candidate | null => {
      const row = rows[matches[at] as number] as CompiledLineItem;
      if (row.residual !== null && !row.residual(facts)) return null;
      const found = checkLineItem(row, slotContext, leastUrgency);
      if (typeof found === 'string') {
        input.seen.note(found);
        return null;
      }
      return row.lineItem.roadblock === 'ALL' ? beginTogether(found, slotContext, input) : found;
    };
    const picked = pickCandidate(rows[matches[start] as number] as CompiledLineItem, {
      start,
      end,
      check,
      random: input.context.random,
    });
    if (picked !== null) return picked;
    start = end;
  }
  return null;
}

/** Notes why every matching line item was refused, pacing last: who is ahead of plan may be capped as well. */
function noteAll(slotContext: SlotContext, seen: SeenReasons): void {
  const { compiled, facts, slot } = slotContext;
  const count = compiled.index.collect(facts, fitValuesOf(slot), compiled.matches);
  for (let at = 0; at < count; at += 1) {
    const row = compiled.rows[compiled.matches[at] as number] as CompiledLineItem;
    if (row.residual !== null && !row.residual(facts)) continue;
    const found = checkLineItem(row, slotContext);
    if (typeof found === 'string') seen.note(found);
  }
}

/** The values of the index's `fit` field that a slot offers. */
function fitValuesOf(slot: Slot): string[] {
  const values: string[] = [];
  for (const mediaType of slot.mediaTypes) {
    if (mediaType !== 'banner' || slot.sizes.length === 0) values.push(mediaType);
    else values.push('banner:0x0', ...slot.sizes.map((size) => `banner:${size.width}x${size.height}`));
  }
  return values;
}

function place(candidate: Candidate, slotContext: SlotContext, context: DecideContext): Placement {
  const { row, bidMicros } = candidate;
  const { slot } = slotContext;
  const creative = rotateCreatives(candidate, slotContext, context);
  const { width, height } = creative.creative;
  const anySize = width === 0 && height === 0 ? slot.sizes[0] : undefined;
  return {
    slot,
    row,
    creative,
    bidMicros,
    width: anySize?.width ?? width,
    height: anySize?.height ?? height,
    dealCode: row.deal?.code ?? '',
  };
}

/** The reason of every line item that is not the winner. Looks at all of them, past the index. */
function explainLosers(slotContext: SlotContext, winner: Candidate | null): Loser[] {
  const { compiled, facts, slot } = slotContext;
  const losers: Loser[] = compiled.idle.map(({ lineItem, reason }) => ({
    slotId: slot.slotId,
    lineItemId: lineItem.id,
    reason,
  }));
  for (const row of compiled.rows) {
    if (row === winner?.row) continue;
    const failed = findFailedDimension(row.lineItem.targeting, row.lineItem.timezone, facts);
    const found = failed === null ? checkLineItem(row, slotContext) : (`targeting.${failed}` as const);
    const reason = typeof found === 'string' ? found : lostTo(found, winner);
    losers.push({ slotId: slot.slotId, lineItemId: row.lineItem.id, reason });
  }
  return losers;
}

function lostTo(loser: Candidate, winner: Candidate | null): LoserReason {
  if (winner === null) return loser.row.lineItem.roadblock === 'ALL' ? 'roadblock' : 'lost.draw';
  if (loser.row.group > winner.row.group) return 'lost.tier';
  const isPrice = loser.row.lineItem.type === 'PRICE' && loser.row.group === winner.row.group;
  return isPrice && loser.valueMicros < winner.valueMicros ? 'lost.price' : 'lost.draw';
}
