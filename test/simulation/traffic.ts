import { HOURS_PER_WEEK, hourOfWeek } from '../../src/domain/pacing/traffic-curve.ts';
import type { HourlyRequests } from '../../src/domain/pacing/traffic-curve.ts';
import { zoneOffsetMs } from '../../src/domain/time/time-zone.ts';
import { drawNormal, drawPoisson } from '../../src/delivery/insight/forecast/seeded-random.ts';

const HOUR_MS = 3_600_000;
/** The hourly traffic deviates from its pattern by about this share. */
const NOISE = 0.1;

/** A deviation that no curve predicts. */
export interface Surprise {
  readonly fromMs: number;
  readonly toMs: number;
  /** 5 = five times the traffic; 0 = none. */
  readonly factor: number;
}

/** Traffic of a simulated network. */
export interface Traffic {
  readonly timezone: string;
  readonly requestsPerHour: number;
  readonly surprises: readonly Surprise[];
  /** Absent: each hour deviates on its own, by about a tenth. */
  readonly drift?: Drift;
  /** A factor of an instant, also of the past; absent: 1. */
  readonly levelAt?: (atMs: number) => number;
}

/** How hours deviate together: a busy hour is followed by busy ones. */
export interface Drift {
  /** The standard deviation, as a share of the traffic. */
  readonly share: number;
  /** How much of the deviation of one hour is left in the next, from 0 to 1. */
  readonly persistence: number;
}

/** A publisher's week: quiet nights, a noon and an evening peak, quieter weekends. Mean 1. */
export const PUBLISHER_WEEK: readonly number[] = normalize(
  Array.from({ length: HOURS_PER_WEEK }, (_none, hour) => {
    const ofDay = hour % 24;
    const isWeekend = hour >= 5 * 24;
    const peak = (at: number, width: number) => Math.exp(-((ofDay - at) ** 2) / (2 * width ** 2));
    return (isWeekend ? 0.75 : 1) * (0.15 + peak(12, 3) + 1.3 * peak(20, 2.2));
  }),
);

/** The share of {@link PUBLISHER_WEEK}'s distant users by hour: they live nine hours behind, and come more at weekends. Mean 1. */
export const DISTANT_WEEK: readonly number[] = normalize(
  PUBLISHER_WEEK.map((_weight, hour) => {
    const isWeekend = hour >= 5 * 24;
    return (PUBLISHER_WEEK[(hour + HOURS_PER_WEEK - 9) % HOURS_PER_WEEK] as number) * (isWeekend ? 2 : 1);
  }),
);

function normalize(weights: readonly number[]): number[] {
  const mean = weights.reduce((sum, weight) => sum + weight, 0) / weights.length;
  return weights.map((weight) => weight / mean);
}

/** The expected requests per hour at an instant, without noise. */
export function trafficAt(traffic: Traffic, atMs: number): number {
  const weight = PUBLISHER_WEEK[hourOfWeek(atMs, zoneOffsetMs(traffic.timezone, atMs))] as number;
  const factor = traffic.surprises.reduce(
    (product, surprise) => (atMs >= surprise.fromMs && atMs < surprise.toMs ? product * surprise.factor : product),
    1,
  );
  return traffic.requestsPerHour * weight * factor * (traffic.levelAt?.(atMs) ?? 1);
}

/** Draws the factors by which hours deviate from their pattern, one hour after another. */
export function noiseOf({ drift }: Traffic, random: () => number): () => number {
  if (drift === undefined) return () => Math.max(0.3, 1 + NOISE * drawNormal(random));
  const { share, persistence } = drift;
  let deviation = share * drawNormal(random);
  return () => {
    deviation = persistence * deviation + Math.sqrt(1 - persistence ** 2) * share * drawNormal(random);
    return Math.exp(deviation - share ** 2 / 2);
  };
}

/** The history that the analytics store would return. */
export function drawHistory(traffic: Traffic, untilMs: number, days: number, random: () => number): HourlyRequests[] {
  const drawNoise = noiseOf(traffic, random);
  return Array.from({ length: days * 24 }, (_none, hour) => {
    const startMs = untilMs - (hour + 1) * HOUR_MS;
    return { startMs, requests: drawPoisson(trafficAt(traffic, startMs) * drawNoise(), random) };
  });
}
