import { zoneOffsetMs } from '../time/time-zone.ts';

/** Hours of a week; index 0 = Monday 00:00 by the clock on the wall. */
export const HOURS_PER_WEEK = 168;
/** How far back a network's own traffic is looked at. */
export const CURVE_DAYS = 28;
/** How much a flat week weighs against one observed day, and the same hour of all days against one observed week. */
const FLAT_WEIGHT = 0.25;
const LIKE_HOURS_WEIGHT = 0.25;
const HOURS_PER_DAY = 24;
/** No hour is expected to be emptier than this share of the mean: a plan must always move on. */
const WEIGHT_MIN = 0.02;
const HOUR_MS = 3_600_000;
/** 1970-01-01 was a Thursday. */
const EPOCH_DAY_HOURS = 3 * 24;

/** How a network's traffic is spread over its week. Immutable; workers compare curves by identity. */
export interface TrafficCurve {
  /** IANA name; the week is a week there. */
  readonly timezone: string;
  /** Expected traffic by hour of the local week, mean 1, all positive. */
  readonly weights: readonly number[];
}

/** Kinds of inventory that have curves of their own. */
export const INVENTORY_KINDS = ['site', 'area', 'adUnit'] as const;
export type InventoryKind = (typeof INVENTORY_KINDS)[number];

/** The subjects of curves: inventory, and line items that target only a part of its traffic. */
export type CurveKind = InventoryKind | 'lineItem';

/** A curve of one network environment, of one site, area or ad unit in it, or of the traffic that one line item is meant for. */
export interface InventoryCurve extends TrafficCurve {
  readonly workspaceId: number;
  readonly kind: CurveKind;
  /** The site '0' is all sites together. */
  readonly inventoryId: string;
  /** Mean over the time observed. */
  readonly requestsPerHour: number;
}

/** Requests that came in one hour of UTC. */
export interface HourlyRequests {
  readonly startMs: number;
  readonly requests: number;
}

const flatWeights: readonly number[] = Object.freeze(Array.from({ length: HOURS_PER_WEEK }, () => 1));
const flatCurves = new Map<string, TrafficCurve>();
/** More than there are time zones. */
const FLAT_CURVES_MAX = 1_000;

/** The curve while no data is known: the same traffic in every hour. One object for each time zone. */
export function flatCurve(timezone: string): TrafficCurve {
  const known = flatCurves.get(timezone);
  if (known !== undefined) return known;
  const made = Object.freeze({ timezone, weights: flatWeights });
  if (flatCurves.size < FLAT_CURVES_MAX) flatCurves.set(timezone, made);
  return made;
}

/** Hour of the local week, 0…167, of an instant with this offset. */
export function hourOfWeek(atMs: number, offsetMs: number): number {
  return (Math.floor((atMs + offsetMs) / HOUR_MS) + EPOCH_DAY_HOURS) % HOURS_PER_WEEK;
}

/**
 * The curve of observed traffic: for each hour of the week the mean of its observations, without the highest and the lowest
 * where there are three (a spike or an outage does not repeat), shrunk toward the same hour of other days, and that toward a flat day: after one day, all
 * days are expected to be like it. Hours since the first one with requests
 * and without any count as empty.
 */
export function buildCurve(observed: readonly HourlyRequests[], timezone: string, untilMs: number): TrafficCurve {
  const byHour = new Map(observed.map(({ startMs, requests }) => [Math.floor(startMs / HOUR_MS), requests]));
  const lastHour = Math.floor(untilMs / HOUR_MS);
  const firstHour = Math.max(Math.min(...byHour.keys()), lastHour - CURVE_DAYS * 24);
  const observations: number[][] = Array.from({ length: HOURS_PER_WEEK }, () => []);
  for (let hour = firstHour; hour < lastHour; hour += 1) {
    const atMs = hour * HOUR_MS;
    observations[hourOfWeek(atMs, zoneOffsetMs(timezone, atMs))]?.push(byHour.get(hour) ?? 0);
  }
  const all = observations.flat();
  const mean = all.reduce((sum, value) => sum + value, 0) / Math.max(1, all.length);
  if (!(mean > 0)) return flatCurve(timezone);
  const shares = observations.map((values) => ({ share: meanOf(trimmed(values)) / mean, count: values.length }));
  const ofDay = Array.from({ length: HOURS_PER_DAY }, (_none, hour) => {
    const like = shares.filter((_share, at) => at % HOURS_PER_DAY === hour);
    const count = like.reduce((sum, one) => sum + one.count, 0);
    return (like.reduce((sum, one) => sum + one.share * one.count, 0) + FLAT_WEIGHT) / (count + FLAT_WEIGHT);
  });
  const weights = shares.map(({ share, count }, at) => {
    const like = LIKE_HOURS_WEIGHT * (ofDay[at % HOURS_PER_DAY] as number);
    return Math.max(WEIGHT_MIN, (share * count + like) / (count + LIKE_HOURS_WEIGHT));
  });
  const weightMean = weights.reduce((sum, weight) => sum + weight, 0) / HOURS_PER_WEEK;
  return { timezone, weights: weights.map((weight) => weight / weightMean) };
}

/** 0 without any. */
function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}

function trimmed(values: readonly number[]): readonly number[] {
  return values.length < 3 ? values : [...values].sort((left, right) => left - right).slice(1, -1);
}

/** The joined traffic of several parts of the inventory; null when one of them is unknown, or there is none. */
export function mergeCurves(parts: readonly (InventoryCurve | undefined)[]): TrafficCurve | null {
  const known = parts.filter((part) => part !== undefined);
  const [first] = known;
  if (first === undefined || known.length < parts.length) return null;
  if (known.length === 1) return first;
  const total = known.reduce((sum, { requestsPerHour }) => sum + requestsPerHour, 0);
  if (!(total > 0)) return null;
  const weights = first.weights.map((_weight, hour) =>
    known.reduce((sum, part) => sum + ((part.weights[hour] ?? 1) * part.requestsPerHour) / total, 0),
  );
  return { timezone: first.timezone, weights };
}
