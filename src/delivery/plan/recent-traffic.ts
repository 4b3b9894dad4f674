import { HOURS_PER_WEEK, hourOfWeek } from '../../domain/pacing/traffic-curve.ts';
import type { TrafficCurve } from '../../domain/pacing/traffic-curve.ts';
import { zoneOffsetMs } from '../../domain/time/time-zone.ts';

const HOUR_MS = 3_600_000;
/** The weight of an hour halves in so many hours. */
const HALF_LIFE_HOURS = 3;
/** How many hours are looked at. */
export const RECENT_HOURS = 12;
/** So many slots as expected are added to those that came: a quiet site says little within hours. */
const PRIOR_SLOTS = 30;
/** A deviation is a third of itself after this time. */
const LASTS_MS = 12 * HOUR_MS;
const SHARE_MIN = 0.2;

/** Slots that came within a time. */
export interface RecentSlots {
  readonly fromMs: number;
  readonly untilMs: number;
  readonly slots: number;
}

/**
 * The traffic of the last hours as a share of that of the curve, from 0.2 to 1. A lack of traffic is expected to last for a while; more than
 * usual is not counted on.
 */
export function recentShareOf(
  recent: readonly RecentSlots[],
  { curve, slotsPerHour }: { readonly curve: TrafficCurve; readonly slotsPerHour: number },
  nowMs: number,
): number {
  let came = PRIOR_SLOTS;
  let expected = PRIOR_SLOTS;
  for (const { fromMs, untilMs, slots } of recent) {
    const middleMs = (fromMs + untilMs) / 2;
    const weight = 2 ** ((middleMs - nowMs) / (HALF_LIFE_HOURS * HOUR_MS));
    const hour = hourOfWeek(middleMs, zoneOffsetMs(curve.timezone, middleMs)) % HOURS_PER_WEEK;
    came += weight * slots;
    expected += (weight * (curve.weights[hour] as number) * slotsPerHour * (untilMs - fromMs)) / HOUR_MS;
  }
  return Math.min(1, Math.max(SHARE_MIN, came / expected));
}

/** The share of the curve's traffic that is expected after so long. */
export function expectedShare(recentShare: number, afterMs: number): number {
  return 1 + (recentShare - 1) * Math.exp(-Math.max(0, afterMs) / LASTS_MS);
}
