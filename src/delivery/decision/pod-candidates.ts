import { isPlayed } from '../../domain/booking/creative.ts';
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

/** Line items of a tier that are checked for a slot, the dearest first. */
const CHECKED_MAX = 1_000;
/** Of those that may play: so many that are worth most, and so many that are worth most for each second. */
const WORTH_MOST = 150;
const WORTH_MOST_BY_TIME = 150;

/**
 * The candidates of a slot that compete by what they are worth: those of PRICE, and those of STANDARD where goals bid; of many, the best. A line
 * item of STANDARD that takes all it can get is worth more than any of PRICE.
 */
export function weighCandidates(slotContext: SlotContext, input: PickInput): WeighedCandidate[] {
  const { index, memory, competition } = slotContext.compiled;
  const { standard, price, usualCpmMicros } = competition;
  index.setRequest(slotContext.facts, fitValuesOf(slotContext.slot, memory));
  const paid = bestOf(slotContext, input, {
    range: price,
    scoreAt: (position) => valueFor(position, slotContext, input.context.random),
    worthOf: (_candidate, score) => score,
  });
  if (!input.hasWorths) return paid;
  const dearest = paid.reduce((most, { worthMicros }) => Math.max(most, worthMicros), 0);
  const goals = bestOf(slotContext, input, {
    range: standard,
    scoreAt: (position) => urgencyFor(position, slotContext, input),
    worthOf: ({ lineItem }) =>
      (paceOf(lineItem, slotContext).worth ?? 1) * usualCpmMicros + (isGreedy(lineItem) ? dearest : 0),
  });
  return [...goals, ...paid];
}

interface Contest {
  readonly range: { readonly from: number; readonly to: number };
  /** By which line items are checked first. */
  readonly scoreAt: (position: number) => number;
  readonly worthOf: (candidate: Candidate, score: number) => number;
}

/** In the order of their positions. */
function bestOf(slotContext: SlotContext, input: PickInput, { range, scoreAt, worthOf }: Contest): WeighedCandidate[] {
  const { index, matches, competition } = slotContext.compiled;
  const scored = Array.from(matches.subarray(0, index.collect(range, matches)), (position) => ({
    position,
    score: scoreAt(position),
  })).filter(({ score }) => score !== NOT_ELIGIBLE);
  const found: (WeighedCandidate & { readonly position: number; readonly bySecond: number })[] = [];
  for (const { position, score } of highest(scored, CHECKED_MAX, (one) => one.score)) {
    const candidate = checkForSlot(competition.lineItemAt(position), slotContext, input);
    if (candidate === null) continue;
    const worthMicros = worthOf(candidate, score);
    found.push({ position, candidate, worthMicros, bySecond: worthMicros / shortestMsOf(candidate) });
  }
  const best = new Set([
    ...highest(found, WORTH_MOST, ({ worthMicros }) => worthMicros),
    ...highest(found, WORTH_MOST_BY_TIME, ({ bySecond }) => bySecond),
  ]);
  return [...best].toSorted((one, other) => one.position - other.position);
}

/** The `max` elements with the highest numbers; all, where there are no more. */
function highest<One>(all: readonly One[], max: number, numberOf: (one: One) => number): readonly One[] {
  return all.length <= max ? all : all.toSorted((one, other) => numberOf(other) - numberOf(one)).slice(0, max);
}

function shortestMsOf({ creatives }: Candidate): number {
  return creatives.reduce(
    (least, { creative: { content } }) => (isPlayed(content) ? Math.min(least, content.durationMs) : least),
    Number.POSITIVE_INFINITY,
  );
}
