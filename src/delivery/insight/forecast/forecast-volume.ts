import { CURVE_DAYS, hourOfWeek } from '../../../domain/pacing/traffic-curve.ts';
import type { HourlyRequests, TrafficCurve } from '../../../domain/pacing/traffic-curve.ts';
import { zoneOffsetMs } from '../../../domain/time/time-zone.ts';

const HOUR_MS = 3_600_000;
const DAY_HOURS = 24;
const DAY_MS = DAY_HOURS * HOUR_MS;
/** With fewer whole days of history, nothing is said about the volume to come. */
const DAYS_MIN = 3;
/** Candidates for the time after which a day counts half, longest first. */
const HALF_LIVES = [28, 14, 7, 3] as const;
/** A shorter memory has to be better by this much, because on few days chance prefers it. */
const SHORTER_GAIN = 0.8;
/** Errors of the past are those of this many days ahead. */
const AHEAD_DAYS = 7;
/** Busy and quiet spells are drawn as wholes of this many days. */
const BLOCK_DAYS = 5;
const DRAWS = 400;
/** The quantile of a normal distribution that leaves 2.5 % above it. */
const NORMAL_UPPER = 1.96;
/** The part of the past errors that the band holds at least. */
const PAST_HELD = 0.9;

/** The traffic to come, as multiples of the traffic of the sample at the same hours of the week. */
export interface VolumeForecast {
  readonly expected: number;
  /** Bounds of a 95 % interval. */
  readonly low: number;
  readonly high: number;
}

/** The input of {@link forecastVolume}. */
export interface VolumeInput {
  /** Requests of the network in the last weeks, in any order; hours without requests may be left out. */
  readonly hours: readonly HourlyRequests[];
  readonly curve: TrafficCurve;
  readonly nowMs: number;
  /** The time of the sample, whose traffic is 1. */
  readonly sampled: { readonly fromMs: number; readonly untilMs: number };
  readonly flight: { readonly fromMs: number; readonly toMs: number };
  readonly random: () => number;
}

/**
 * The volume of a flight by exponential smoothing of the last 28 days, free of the pattern of the week. The interval is the wider one of
 * two: a bootstrap of whole spells of days (the history and the flight are drawn again, so that it knows both what the history does not
 * tell and how flights differ), and the errors that the same method made on the history. Trends are not continued.
 * @returns null with less than three days of history
 */
export function forecastVolume(input: VolumeInput): VolumeForecast | null {
  const days = dailyLevels(input);
  if (days.length < DAYS_MIN) return null;
  const halfLife = chooseHalfLife(days);
  const level = smooth(days, halfLife);
  const sampled = levelBetween(input, input.sampled.fromMs, input.sampled.untilMs) ?? level;
  if (!(level > 0) || !(sampled > 0)) return null;
  const flightDays = Math.max(1, Math.round((input.flight.toMs - input.flight.fromMs) / DAY_MS));
  const drawn = spreadOfDraws(
    days.map((day) => day / level),
    { halfLife, flightDays, random: input.random },
  );
  const spread = Math.max(drawn, pastError(days, halfLife, flightDays));
  const expected = level / sampled;
  return { expected, low: expected * Math.exp(-spread), high: expected * Math.exp(spread) };
}

/** Requests in an hour of mean weight, for each whole day of the history up to now, the latest last. */
function dailyLevels(input: VolumeInput): number[] {
  const untilMs = Math.floor(input.nowMs / HOUR_MS) * HOUR_MS;
  const firstMs = input.hours.reduce((first, { startMs }) => Math.min(first, startMs), untilMs);
  const count = Math.min(CURVE_DAYS, Math.floor((untilMs - firstMs) / DAY_MS));
  return Array.from({ length: count }, (_none, at) => {
    const fromMs = untilMs - (count - at) * DAY_MS;
    return levelBetween(input, fromMs, fromMs + DAY_MS) ?? 0;
  });
}

function levelBetween({ hours, curve }: VolumeInput, fromMs: number, toMs: number): number | null {
  const [first, end] = [Math.ceil(fromMs / HOUR_MS), Math.floor(toMs / HOUR_MS)];
  let weights = 0;
  for (let hour = first; hour < end; hour += 1) {
    const atMs = hour * HOUR_MS;
    weights += curve.weights[hourOfWeek(atMs, zoneOffsetMs(curve.timezone, atMs))] ?? 1;
  }
  if (!(weights > 0)) return null;
  const requests = hours
    .filter(({ startMs }) => startMs >= first * HOUR_MS && startMs < end * HOUR_MS)
    .reduce((sum, hour) => sum + hour.requests, 0);
  return requests / weights;
}

function smooth(days: readonly number[], halfLife: number): number {
  let [sum, weights] = [0, 0];
  for (const [at, day] of days.entries()) {
    const weight = 2 ** ((at + 1 - days.length) / halfLife);
    sum += weight * day;
    weights += weight;
  }
  return sum / weights;
}

/** The memory that would have foretold the next days of the history best. */
function chooseHalfLife(days: readonly number[]): number {
  const errorOf = (halfLife: number): number => {
    const errors = pastErrors(days, halfLife, AHEAD_DAYS);
    return errors.reduce((sum, error) => sum + error ** 2, 0) / Math.max(1, errors.length);
  };
  let best: number = HALF_LIVES[0];
  let least = errorOf(best);
  for (const halfLife of HALF_LIVES.slice(1)) {
    const error = errorOf(halfLife);
    if (error < least * SHORTER_GAIN) [best, least] = [halfLife, error];
  }
  return best;
}

/** By how much, in logarithms, each span of some days differed from what the days before it foretold. */
function pastErrors(days: readonly number[], halfLife: number, ahead: number): number[] {
  const errors: number[] = [];
  for (let known = AHEAD_DAYS; known + ahead <= days.length; known += 1) {
    const expected = smooth(days.slice(0, known), halfLife);
    const actual = meanOf(days.slice(known, known + ahead));
    if (expected > 0 && actual > 0) errors.push(Math.log(actual / expected));
  }
  return errors;
}

function pastError(days: readonly number[], halfLife: number, flightDays: number): number {
  const errors = pastErrors(days, halfLife, Math.min(flightDays, AHEAD_DAYS)).map(Math.abs);
  errors.sort((left, right) => left - right);
  return errors[Math.floor(PAST_HELD * errors.length)] ?? 0;
}

/** Half the width of a 95 % interval, in logarithms, of a flight's mean day over the level that a history tells. */
function spreadOfDraws(
  days: readonly number[],
  { halfLife, flightDays, random }: { halfLife: number; flightDays: number; random: () => number },
): number {
  let [sum, squares] = [0, 0];
  for (let draw = 0; draw < DRAWS; draw += 1) {
    const history = smooth(drawDays(days, days.length, random), halfLife);
    const flight = meanOf(drawDays(days, flightDays, random));
    const ratio = Math.log(Math.max(1e-9, flight) / Math.max(1e-9, history));
    sum += ratio;
    squares += ratio ** 2;
  }
  const deviation = Math.sqrt(Math.max(0, squares / DRAWS - (sum / DRAWS) ** 2));
  return NORMAL_UPPER * fewSpells(days.length / BLOCK_DAYS) * deviation;
}

/**
 * Few spells tell their own spread badly: about the ratio of Student's t to the normal distribution, and of the deviation from a mean that
 * is known to that from the mean of the spells.
 */
function fewSpells(spells: number): number {
  return (1 + 1.4 / Math.max(0.7, spells - 0.8)) * Math.sqrt(spells / Math.max(0.5, spells - 1));
}

/** Spells of days that follow each other; the first day follows the last. */
function drawDays(days: readonly number[], count: number, random: () => number): number[] {
  const drawn: number[] = [];
  while (drawn.length < count) {
    const start = Math.floor(random() * days.length);
    for (let step = 0; step < BLOCK_DAYS && drawn.length < count; step += 1) {
      drawn.push(days[(start + step) % days.length] ?? 1);
    }
  }
  return drawn;
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
