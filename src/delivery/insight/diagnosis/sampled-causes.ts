import { toCause } from './cause.ts';
import type { Outcome } from './outcomes.ts';

/** What would be gained by passing one test. */
export interface Gain {
  /** A failed test, with what requests wanted most often behind its colon. */
  readonly test: string;
  /** Opportunities that failed this test alone. */
  readonly opportunities: number;
  /** Who had them, most first. */
  readonly winners: readonly { readonly lineItemId: string; readonly opportunities: number }[];
}

/** What a sample of decisions says of a line item. Numbers are opportunities. */
export interface SampledCauses {
  readonly total: number;
  readonly won: number;
  /** Opportunities that match what it is booked for: targeting, day-parts, sizes and formats. */
  readonly inReach: number;
  /** In reach and lost. */
  readonly lost: number;
  /** Most first: of the opportunities in reach, then of the others. */
  readonly obstacles: readonly Gain[];
  readonly widenings: readonly Gain[];
  /**
   * The smallest set of tests that must all be passed, each with what the whole set gains; empty where single tests are enough. The inventory where the line
   * item is sold belongs to it only where every request failed it.
   */
  readonly together: readonly Gain[];
  /** The kind of inventory that no request asked for, of that where the line item is sold; null: requests asked for it. */
  readonly unasked: Unasked | null;
}

/** Kinds of inventory that a line item may be sold on, the narrowest first. */
const UNASKED = ['adUnit', 'area', 'site'] as const;
export type Unasked = (typeof UNASKED)[number];

/** Families of tests that say what a line item is booked for. */
const REACH = ['targeting', 'daypart', 'size', 'format'];

/** Whether passing the test would widen what the line item is booked for. */
export function isReach(test: string): boolean {
  return REACH.includes(test.split(/[.:]/)[0] ?? '') || test === 'consent.segments';
}

/**
 * Where nothing is in reach, several tests may each keep all of it out. The one that is blamed is least likely to be meant: first formats,
 * sizes, deals, consent and times, last the inventory where the line item is sold.
 */
const BLAMED_FIRST = ['size', 'format', 'consent.segments', 'targeting.deal', 'daypart', 'targeting.dayPart'];
const BLAMED_LAST = ['targeting.site', 'targeting.area', 'targeting.adUnit', 'targeting.domain'];
/** A test counts as enough if it alone gains this share of the lost opportunities. */
const ALONE_SHARE = 0.1;

function blame(test: string): number {
  const { code } = toCause(test);
  if (BLAMED_FIRST.includes(code)) return 0;
  return BLAMED_LAST.includes(code) ? 2 : 1;
}

/** Tests that were not made, bookings that have changed since, and reasons of requests that no line item could serve. */
const isUnknown = (test: string): boolean => test === '?';

/**
 * Sums the outcomes of a line item and finds the tests whose passing would gain most.
 * @param forAll outcomes of all line items together: requests that none could serve
 */
export function sumOutcomes(outcomes: readonly Outcome[], forAll: readonly Outcome[]): SampledCauses {
  const live = outcomes.filter(({ failed }) => !failed.some((test) => test.startsWith('idle.')));
  const sum = (of: readonly Outcome[]): number => of.reduce((total, { quantity }) => total + quantity, 0);
  const won = sum(live.filter(({ failed }) => failed.length === 0));
  const lost = live.filter(({ failed }) => failed.length > 0);
  const within = lost.filter(({ failed }) => !failed.some((test) => isReach(test) || isUnknown(test)));
  const beyond = lost.filter((one) => !within.includes(one));
  return {
    total: sum(live) + sum(forAll),
    won,
    inReach: won + sum(within),
    lost: sum(within),
    obstacles: rank(within, () => true),
    // Requests that nobody could serve may be out of reach: they count only where nothing else is known.
    widenings: live.length === 0 ? rank(forAll, () => true) : rankWidenings(beyond, won + sum(within)),
    together: won + sum(within) > 0 ? findTogether(within) : findTogether(nearestTo(beyond)),
    unasked: won > 0 ? null : findUnasked(lost),
  };
}

function findUnasked(lost: readonly Outcome[]): Unasked | null {
  if (lost.length === 0) return null;
  return UNASKED.find((kind) => lost.every(({ failed }) => failed.includes(`targeting.${kind}`))) ?? null;
}

/** Of outcomes out of reach, those on the inventory where the line item is sold; where there are none, those that fail fewest conditions on it. */
function nearestTo(beyond: readonly Outcome[]): Outcome[] {
  const offOf = ({ failed }: Outcome): number =>
    new Set(failed.map((test) => toCause(test).code).filter((code) => BLAMED_LAST.includes(code))).size;
  const fewest = Math.min(...beyond.map(offOf));
  return beyond.filter((one) => offOf(one) === fewest);
}

/** The set whose members gain most each; sets are those that some request failed. */
function findTogether(lost: readonly Outcome[]): Gain[] {
  const known = lost.map((one) => ({ ...one, failed: one.failed.filter((test) => !isUnknown(test)) }));
  const keys = known.map(({ failed }) => new Set(failed.map(keyOf)));
  const all = known.reduce((total, { quantity }) => total + quantity, 0);
  const gainOf = (set: ReadonlySet<string>): number =>
    known.reduce((total, { quantity }, at) => total + (keys[at]?.isSubsetOf(set) === true ? quantity : 0), 0);
  const sets = [...new Map(keys.map((set) => [[...set].sort().join('+'), set])).values()].filter(
    ({ size }) => size > 0,
  );
  if (sets.some((set) => set.size === 1 && gainOf(set) >= ALONE_SHARE * all)) return [];
  const ranked = sets
    .map((set) => ({ set, gain: gainOf(set) }))
    .toSorted((one, other) => other.gain / other.set.size - one.gain / one.set.size || one.set.size - other.set.size);
  const [best] = ranked;
  if (best === undefined || best.set.size < 2) return [];
  const parts = known.flatMap(({ failed, ...one }, at) =>
    keys[at]?.isSubsetOf(best.set) === true ? failed.map((test) => ({ ...one, failed: [test] })) : [],
  );
  return gather(parts)
    .map((gain) => ({ ...gain, opportunities: best.gain }))
    .toSorted((one, other) => blame(one.test) - blame(other.test) || (one.test < other.test ? -1 : 1));
}

/** The tests by what passing each alone would gain; where no single one gains anything, by their parts in the smallest sets. */
function rank(outcomes: readonly Outcome[], isOffered: (test: string) => boolean): Gain[] {
  const alone = outcomes.filter(({ failed }) => failed.length === 1 && isOffered(failed[0] as string));
  if (alone.length > 0) return gather(alone);
  const known = outcomes.map((one) => ({ ...one, failed: one.failed.filter((test) => !isUnknown(test)) }));
  const fewest = Math.min(...known.map(({ failed }) => failed.length));
  const smallest = known.filter(({ failed }) => failed.length === fewest);
  const parts = smallest.flatMap((one) => one.failed.filter(isOffered).map((test) => ({ ...one, failed: [test] })));
  return gather(parts).map((gain) => ({ ...gain, opportunities: 0 }));
}

function rankWidenings(beyond: readonly Outcome[], inReach: number): Gain[] {
  const gains = rank(beyond, isReach);
  return inReach > 0 ? gains : gains.toSorted((one, other) => blame(one.test) - blame(other.test));
}

function gather(outcomes: readonly Outcome[]): Gain[] {
  const byCode = new Map<string, { sum: number; tests: Map<string, number>; winners: Map<string, number> }>();
  for (const { failed, winnerId, quantity } of outcomes) {
    const [test = ''] = failed;
    const key = keyOf(test);
    const found = byCode.get(key) ?? { sum: 0, tests: new Map(), winners: new Map() };
    byCode.set(key, found);
    found.sum += quantity;
    found.tests.set(test, (found.tests.get(test) ?? 0) + quantity);
    if (winnerId !== null) found.winners.set(winnerId, (found.winners.get(winnerId) ?? 0) + quantity);
  }
  return [...byCode.values()]
    .map(({ sum, tests, winners }) => ({
      test: mostFirst(tests)[0]?.[0] ?? '',
      opportunities: sum,
      winners: mostFirst(winners).map(([lineItemId, opportunities]) => ({ lineItemId, opportunities })),
    }))
    .sort((one, other) => other.opportunities - one.opportunities || (one.test < other.test ? -1 : 1));
}

/** Each key of a key-value is a condition of its own; what requests wanted of others makes no difference. */
function keyOf(test: string): string {
  const { code } = toCause(test);
  return code === 'targeting.keyValue' ? test : code;
}

function mostFirst(counts: ReadonlyMap<string, number>): [string, number][] {
  return [...counts].sort(([, one], [, other]) => other - one);
}
