import { zoneOffsetMs } from '../time/time-zone.ts';
import type { Timeline } from './pacing-timeline.ts';
import type { TrafficCurve } from './traffic-curve.ts';

const HOUR_MS = 3_600_000;
const HOURS_PER_DAY = 24;

/** An older plan is not used: goals then count on all of their traffic. */
export const PLAN_KEPT_MS = 24 * 3_600_000;

/** A plan that needs more than so many times its traffic counts as if it needed so many. */
export const TIGHTNESS_MAX = 2;

/** Up to an instant, the part of its opportunities that other goals are expected to leave to a goal: above 0, at most 1. */
export interface FreeShare {
  readonly untilMs: number;
  readonly share: number;
}

/** What other goals are expected to leave to a goal. */
export interface FreeTraffic {
  /** The earliest first; an empty list leaves everything. */
  readonly shares: readonly FreeShare[];
  /** How much more of each hour of the UTC day is free than of all hours: 24 factors; null: about the same of all. */
  readonly hours: readonly number[] | null;
  /** The part of this free traffic that the goal's plan needs up to its end; at most {@link TIGHTNESS_MAX}, 0 where no traffic is known. */
  readonly tightness: number;
}

/** The curve of the free traffic. The hours of the day are those of the offset at an instant: half hours are rounded. */
export function freeCurve(curve: TrafficCurve, { hours }: Pick<FreeTraffic, 'hours'>, atMs: number): TrafficCurve {
  if (hours === null) return curve;
  const offset = Math.round(zoneOffsetMs(curve.timezone, atMs) / HOUR_MS);
  const factorAt = (local: number) => hours[(local - offset + 2 * HOURS_PER_DAY) % HOURS_PER_DAY] ?? 1;
  const weights = curve.weights.map((weight, hour) => weight * factorAt(hour % HOURS_PER_DAY));
  const mean = weights.reduce((sum, weight) => sum + weight, 0) / weights.length;
  return { timezone: curve.timezone, weights: weights.map((weight) => Math.max(WEIGHT_MIN, weight / mean)) };
}

/** A plan must always move on, as in `buildCurve`. */
const WEIGHT_MIN = 0.02;

/** The traffic that other goals leave: that of a timeline, times the share that is free at each time. The last share lasts for ever. */
export class FreeTimeline implements Pick<Timeline, 'between'> {
  readonly #all: Pick<Timeline, 'between'>;
  readonly #shares: readonly FreeShare[];

  /** @param shares the earliest first; an empty list leaves everything */
  constructor(all: Pick<Timeline, 'between'>, shares: readonly FreeShare[]) {
    this.#all = all;
    this.#shares = shares;
  }

  between(fromMs: number, toMs: number): number {
    let sum = 0;
    let atMs = fromMs;
    for (const { untilMs, share } of this.#shares) {
      if (atMs >= toMs) return sum;
      if (untilMs <= atMs) continue;
      const endMs = Math.min(untilMs, toMs);
      sum += share * this.#all.between(atMs, endMs);
      atMs = endMs;
    }
    return atMs < toMs ? sum + (this.#shares.at(-1)?.share ?? 1) * this.#all.between(atMs, toMs) : sum;
  }
}
