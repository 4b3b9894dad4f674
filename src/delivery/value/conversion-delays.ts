import type { ConversionAges } from '../../domain/events/conversion-ages.ts';

const HOUR_MS = 3_600_000;
/** Delays are a mixture of exponential ones with these means. Together they are close to any delay up to a month. */
const MEANS_MS = [HOUR_MS / 6, 2 * HOUR_MS, 12 * HOUR_MS, 48 * HOUR_MS, 144 * HOUR_MS] as const;
/** What is believed of a network without conversions, in conversions of each kind of delay. */
const USUAL = [1, 0.5, 0.5, 0.5, 0.5] as const;
/** How many conversions the delays of its network weigh in those of an advertiser. */
const NETWORK_WEIGHT = 10;
const ROUNDS = 40;

/** The part of a line item's impressions whose conversions have come: their count times this is what they tell of the rate. From 0 to 1. */
export type Maturities = ReadonlyMap<string, number>;

/** The key of a line item. */
export const maturityOfLineItem = (id: string): string => `li/${id}`;
/** The key of all line items of an advertiser. */
export const maturityOfAdvertiser = (id: string): string => `ad/${id}`;

/**
 * Which part of each line item's conversions has come. Delays are learnt from those that came so far, though the latest have not come yet: an impression counts for
 * the part of each delay that has passed (as Chapelle, "Modeling delayed feedback in display advertising", 2014, with a mixture for the one exponential
 * delay), by expectation and maximisation.
 */
export function learnMaturities(lineItems: readonly ConversionAges[]): Map<string, number> {
  const known = lineItems.map(learntFrom);
  const network = mixDelays(known, USUAL);
  const found = new Map<string, number>();
  for (const [advertiserId, own] of Map.groupBy(known, (one) => one.advertiserId)) {
    const parts = mixDelays(
      own,
      network.map((part) => part * NETWORK_WEIGHT),
    );
    let [shown, mature] = [0, 0];
    for (const { lineItemId, count, exposures } of own) {
      const matured = dot(exposures, parts);
      found.set(maturityOfLineItem(lineItemId), count === 0 ? 0 : Math.min(1, matured / count));
      shown += count;
      mature += matured;
    }
    found.set(maturityOfAdvertiser(advertiserId), shown === 0 ? 0 : Math.min(1, mature / shown));
  }
  return found;
}

interface Learnt {
  readonly lineItemId: string;
  readonly advertiserId: string;
  readonly count: number;
  readonly conversions: number;
  /** By kind of delay: impressions, each by the part of such delays that has passed. */
  readonly exposures: readonly number[];
  readonly delays: ConversionAges['converted'];
}

function learntFrom({ lineItemId, advertiserId, shown, converted }: ConversionAges): Learnt {
  return {
    lineItemId,
    advertiserId,
    count: sum(shown.map(({ count }) => count)),
    conversions: sum(converted.map(({ count }) => count)),
    exposures: MEANS_MS.map((meanMs) => sum(shown.map(({ ageMs, count }) => count * -Math.expm1(-ageMs / meanMs)))),
    delays: converted,
  };
}

/** The parts of the kinds of delay among all conversions, also those that are still to come. They add up to 1. @param before conversions that are assumed beside */
function mixDelays(lineItems: readonly Learnt[], before: readonly number[]): number[] {
  const converting = lineItems.filter(({ conversions, exposures }) => conversions > 0 && sum(exposures) > 0);
  const assumed = sum(before);
  // Which kind a conversion is of follows from its delay alone, whatever the rate of its line item.
  const delays = new Map<number, { count: number; readonly densities: readonly number[] }>();
  for (const { delayMs, count } of converting.flatMap((one) => one.delays)) {
    const known = delays.get(delayMs);
    if (known === undefined)
      delays.set(delayMs, { count, densities: MEANS_MS.map((mean) => densityAt(delayMs, mean)) });
    else known.count += count;
  }
  let parts = before.map((one) => one / assumed);
  for (let round = 0; round < ROUNDS; round += 1) {
    const conversions = [...before];
    const chances = parts.map(() => assumed);
    for (const one of converting) {
      const rate = one.conversions / dot(one.exposures, parts);
      for (const [kind, exposure] of one.exposures.entries()) chances[kind] = (chances[kind] ?? 0) + rate * exposure;
    }
    for (const { count, densities } of delays.values()) {
      const odds = parts.map((part, kind) => part * (densities[kind] as number));
      const all = sum(odds);
      if (!(all > 0)) continue;
      for (const [kind, odd] of odds.entries()) conversions[kind] = (conversions[kind] ?? 0) + (count * odd) / all;
    }
    const next = conversions.map((count, kind) => count / (chances[kind] as number));
    const all = sum(next);
    parts = next.map((part) => part / all);
  }
  return parts;
}

function densityAt(delayMs: number, meanMs: number): number {
  return Math.exp(-delayMs / meanMs) / meanMs;
}

function dot(some: readonly number[], others: readonly number[]): number {
  return some.reduce((total, one, at) => total + one * (others[at] ?? 0), 0);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}
