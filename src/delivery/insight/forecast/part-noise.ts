import { LocalClock } from '../../decision/index/local-clock.ts';
import type { CompiledWorkspace } from '../../decision/index/compiled-workspace.ts';
import { compilePredicate, targetingFacts } from '../../decision/index/targeting.ts';
import type { Predicate } from '../../decision/index/targeting.ts';
import type { Targeting } from '../../../domain/targeting/targeting.ts';
import type { Opportunity } from '../../../domain/requests/opportunity.ts';
import type { SampleEntry, TrafficSample } from '../../traffic/parse-sample.ts';

const DAY_MS = 86_400_000;
const WEEK_DAYS = 7;
/** With fewer days, nothing is said about the days of parts. */
const DAYS_MIN = 3;
/** Traffic is divided by the targeting of so many line items, the draft first, into at most so many parts; the rest is a part, too. */
const TARGETINGS_MAX = 24;
const PARTS_MAX = 32;
/** How many days of its own the mean of all parts weighs in the variance of one. */
const PRIOR_DAYS = 6;
const CORRELATION_MAX = 0.8;
/** Where days deviate by less than two hundredths, replays of them tell nothing. */
const VARIANCE_MIN = 0.02 ** 2;
/** Signs of eight futures: of any two days, each pair of signs comes equally often, so that the futures vary as the days did. */
const SIGNS: readonly (readonly number[])[] = Array.from({ length: 8 }, (_none, future) =>
  Array.from({ length: WEEK_DAYS }, (_one, day) => (bitCount(future & (day + 1)) % 2 === 0 ? 1 : -1)),
);

/** Eight ways in which parts of the traffic may be busier or quieter than the network is, in a flight. */
export interface PartNoise {
  /** Each returns by how much to multiply an opportunity of the sample. Their spread is one standard deviation. */
  readonly futures: readonly ((opportunity: Opportunity) => number)[];
  /** By how much an interval is wider because few days were seen: the ratio of Student's t to the normal distribution. */
  readonly fewDays: number;
}

/** The input of {@link findPartNoise}. */
export interface PartNoiseInput {
  readonly sample: TrafficSample;
  /** The world with the draft. */
  readonly compiled: CompiledWorkspace;
  readonly draftId: string;
  /** The days of the sample that are replayed. */
  readonly days: number;
  readonly flightDays: number;
}

/** Requests by day, in two halves of the users: the sample's own noise differs between them, busy days are the same. */
interface Part {
  readonly halves: readonly [Float64Array, Float64Array];
}

/**
 * Finds how much the days of sections, sites, countries and the like differ on their own, beside the network: parts are what line items target. A part's variance
 * is the covariance of two halves of the users, shrunk toward the mean of all parts. The futures combine whole days of all parts, so that parts
 * that are busy together stay so. Both the days that were sampled and those of the flight deviate.
 * @returns null where nothing shows that parts deviate, or too few days tell it
 */
export function findPartNoise(input: PartNoiseInput): PartNoise | null {
  const { days, flightDays } = input;
  if (days < DAYS_MIN) return null;
  const { parts, partOf } = divide(input);
  if (parts.length < 2) return null;
  const all = sumOf(parts, days);
  const found = parts.map((part) => deviationsOf(part, all));
  const known = degreesOf(days);
  const total = sum(all.halves[0]) + sum(all.halves[1]);
  const shares = parts.map(({ halves }) => (sum(halves[0]) + sum(halves[1])) / total);
  const pooled = found.reduce((mean, one, at) => mean + (shares[at] as number) * one.own, 0);
  if (!(pooled > VARIANCE_MIN)) return null;
  const correlation = correlationOf(found, shares, pooled);
  const spells = (1 + correlation) / (1 - correlation);
  const scale = Math.sqrt(Math.min(1, spells / flightDays) + Math.min(1, spells / days));
  const steps = found.map(({ both, own, seen }) => {
    const variance = (Math.max(0, own) * known + pooled * PRIOR_DAYS) / (known + PRIOR_DAYS);
    const kept = seen <= 0 ? 0 : Math.sqrt(Math.min(1, variance / seen));
    return both.map((deviation) => (kept * scale * deviation) / Math.sqrt(known));
  });
  const futures = SIGNS.map((signs) => {
    const factors = steps.map((ofDays) =>
      Math.exp(ofDays.reduce((log, one, day) => log + one * (signs[day] as number), 0)),
    );
    return (opportunity: Opportunity) => factors[partOf.get(opportunity) ?? -1] ?? 1;
  });
  return { futures, fewDays: 1 + 1.4 / Math.max(0.7, known - 0.8) };
}

function divide({ sample, compiled, draftId, days }: PartNoiseInput): {
  readonly parts: readonly Part[];
  readonly partOf: ReadonlyMap<Opportunity, number>;
} {
  const tests = listTests(compiled, draftId);
  const signatures = new Map<string, SampleEntry[]>();
  const clock = new LocalClock();
  // In order of time, so that the clock asks the calendar once in a quarter of an hour.
  for (const entry of sample.entries.toSorted((one, other) => one.atMs - other.atMs)) {
    const { atMs, opportunity } = entry;
    const [slot] = opportunity.slots;
    if (slot === undefined) continue;
    const facts = targetingFacts(opportunity, slot, (timezone) => clock.at(atMs, timezone));
    const signature = tests.map((test) => (test(facts) ? '1' : '0')).join('');
    const known = signatures.get(signature);
    if (known === undefined) signatures.set(signature, [entry]);
    else known.push(entry);
  }
  const sorted = [...signatures.values()].toSorted((one, other) => other.length - one.length);
  const groups = [...sorted.slice(0, PARTS_MAX), sorted.slice(PARTS_MAX).flat()].filter(({ length }) => length > 0);
  const partOf = new Map(groups.flatMap((group, at) => group.map(({ opportunity }) => [opportunity, at] as const)));
  const startMs = sample.untilMs - days * DAY_MS;
  return { partOf, parts: groups.map((group) => countDays(group, startMs, days)) };
}

/** The draft's targeting, then that of guarantees, then of others: each tree once. */
function listTests({ lineItems }: CompiledWorkspace, draftId: string): Predicate[] {
  const rank = (id: string, isGuaranteed: boolean): number => (id === draftId ? 0 : isGuaranteed ? 1 : 2);
  const trees = new Map<string, { readonly tree: Targeting; readonly timezone: string; readonly rank: number }>();
  for (const { booked } of lineItems) {
    const { targeting, timezone, type, id } = booked;
    if (targeting === null) continue;
    const key = JSON.stringify(targeting);
    const found = rank(id, type === 'STANDARD' || type === 'SPONSORSHIP');
    if ((trees.get(key)?.rank ?? Number.POSITIVE_INFINITY) > found)
      trees.set(key, { tree: targeting, timezone, rank: found });
  }
  return [...trees.values()]
    .toSorted((one, other) => one.rank - other.rank)
    .slice(0, TARGETINGS_MAX)
    .map(({ tree, timezone }) => compilePredicate(tree, timezone));
}

function countDays(entries: readonly SampleEntry[], startMs: number, days: number): Part {
  const halves = [new Float64Array(days), new Float64Array(days)] as const;
  for (const [at, { atMs, opportunity }] of entries.entries()) {
    const day = Math.floor((atMs - startMs) / DAY_MS);
    if (day < 0 || day >= days) continue;
    const half = halves[halfOf(opportunity.userHash, at)] as Float64Array;
    half[day] = (half[day] as number) + 1;
  }
  return { halves: [halves[0], halves[1]] };
}

function halfOf(userHash: string, at: number): 0 | 1 {
  return ((userHash === '' ? at : Number.parseInt(userHash.slice(-1), 16)) & 1) as 0 | 1;
}

function sumOf(parts: readonly Part[], days: number): Part {
  const add = (half: 0 | 1): Float64Array =>
    Float64Array.from({ length: days }, (_none, day) =>
      parts.reduce((total, { halves }) => total + (halves[half][day] as number), 0),
    );
  return { halves: [add(0), add(1)] };
}

/** How the days of a part deviate from its mean share of the network's days. */
interface Deviations {
  readonly one: readonly number[];
  readonly other: readonly number[];
  readonly both: readonly number[];
  /** The variance of a day without the noise of the sample, which may come out negative, and with it. */
  readonly own: number;
  readonly seen: number;
}

function deviationsOf({ halves }: Part, all: Part): Deviations {
  const [one, other] = ([0, 1] as const).map((half) => deviate(halves[half], all.halves[half])) as [number[], number[]];
  const both = deviate(add(halves), add(all.halves));
  const known = degreesOf(halves[0].length);
  return {
    one,
    other,
    both,
    own: one.reduce((total, deviation, day) => total + deviation * (other[day] as number), 0) / known,
    seen: both.reduce((total, deviation) => total + deviation ** 2, 0) / known,
  };
}

function add([one, other]: Part['halves']): Float64Array {
  return one.map((count, day) => count + (other[day] as number));
}

/** Two weeks are compared weekday by weekday; otherwise all days are. */
function deviate(counts: Float64Array, all: Float64Array): number[] {
  const weeks = counts.length / WEEK_DAYS;
  if (weeks < 2) {
    const share = sum(counts) / Math.max(1, sum(all));
    return [...counts].map((count, day) => ratio(count, share * (all[day] as number)));
  }
  // The two deviations of a weekday are opposite: their size, as that of one day.
  return Array.from({ length: WEEK_DAYS }, (_none, day) => {
    const [first, last] = [day, day + WEEK_DAYS];
    const share =
      ((counts[first] as number) + (counts[last] as number)) /
      Math.max(1, (all[first] as number) + (all[last] as number));
    return (
      (ratio(counts[last] as number, share * (all[last] as number)) -
        ratio(counts[first] as number, share * (all[first] as number))) /
      Math.SQRT2
    );
  });
}

const ratio = (count: number, expected: number): number => (expected <= 0 ? 0 : count / expected - 1);

/** How many deviations tell a variance. */
function degreesOf(days: number): number {
  return days >= 2 * WEEK_DAYS ? WEEK_DAYS : days - 1;
}

/** Of a day with the next, of all parts. A mean that is taken from the days themselves hides a part of it. */
function correlationOf(found: readonly Deviations[], shares: readonly number[], pooled: number): number {
  const [first] = found;
  const days = first?.one.length ?? 0;
  const products = found.reduce((total, { one, other }, at) => {
    let of = 0;
    for (let day = 1; day < days; day += 1) of += (one[day - 1] as number) * (other[day] as number);
    return total + (shares[at] as number) * (of / Math.max(1, days - 1));
  }, 0);
  return Math.min(CORRELATION_MAX, Math.max(0, products / pooled + 1 / Math.max(1, days)));
}

function sum(counts: Float64Array): number {
  return counts.reduce((total, count) => total + count, 0);
}

function bitCount(number: number): number {
  let count = 0;
  for (let left = number; left > 0; left >>= 1) count += left & 1;
  return count;
}
