import { paceOf } from './eligibility.ts';
import type { Candidate, SlotContext } from './eligibility.ts';
import { checkForSlot, GroupPicker, isGreedy, urgencyFor, valueFor } from './group-picker.ts';
import type { PickInput } from './group-picker.ts';
import { fitValuesOf } from './slot-context.ts';
import { NOT_ELIGIBLE } from './tiers.ts';

/** The tiers whose winners take slots of a pod one by one. */
export type PodTier = 'above STANDARD' | 'STANDARD' | 'below PRICE';

/** The winner of a slot among the line items of a tier. */
export function pickInTier(slotContext: SlotContext, input: PickInput, tier: PodTier): Candidate | null {
  const { index, memory, competition } = slotContext.compiled;
  const { standard, price } = competition;
  const ranges = {
    'above STANDARD': { from: 0, to: standard.from },
    STANDARD: standard,
    'below PRICE': { from: price.to, to: Number.POSITIVE_INFINITY },
  };
  index.setRequest(slotContext.facts, fitValuesOf(slotContext.slot, memory));
  return new GroupPicker(slotContext, input).pickWithin(ranges[tier]);
}

/** A candidate, and what it is worth in the slot, in micros. */
export interface WeighedCandidate {
  readonly candidate: Candidate;
  readonly worthMicros: number;
}

/**
 * All candidates of a slot that compete by what they are worth: those of PRICE, and those of STANDARD where goals bid. A line item of STANDARD
 * that takes all it can get is worth more than any of PRICE.
 */
export function weighCandidates(slotContext: SlotContext, input: PickInput): WeighedCandidate[] {
  const { compiled } = slotContext;
  const { index, memory, competition, matches } = compiled;
  const { standard, price, usualCpmMicros } = competition;
  index.setRequest(slotContext.facts, fitValuesOf(slotContext.slot, memory));
  const from = input.hasWorths ? standard.from : price.from;
  const count = index.collect({ from, to: price.to }, matches);
  const found: WeighedCandidate[] = [];
  let dearest = 0;
  // PRICE stands behind STANDARD: the dearest price is known before a line item that takes all it can get.
  for (const position of matches.slice(0, count).reverse()) {
    const isGoal = position < standard.to;
    if (isGoal && urgencyFor(position, slotContext, input) === NOT_ELIGIBLE) continue;
    const candidate = checkForSlot(competition.lineItemAt(position), slotContext, input);
    if (candidate === null) continue;
    const paid = isGoal ? 0 : valueFor(position, slotContext, input.context.random);
    dearest = Math.max(dearest, paid);
    const worth = isGoal ? (paceOf(candidate.lineItem, slotContext).worth ?? 1) * usualCpmMicros : paid;
    const worthMicros = isGoal && isGreedy(candidate.lineItem) ? worth + dearest : worth;
    found.push({ candidate, worthMicros });
  }
  return found.reverse();
}
