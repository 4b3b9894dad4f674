import type { DayPart } from '../booking/line-item.ts';
import { hourOfWeek } from './traffic-curve.ts';
import type { TrafficCurve } from './traffic-curve.ts';
import { zoneOffsets } from '../time/time-zone.ts';

const QUARTER_MS = 900_000;
const QUARTERS_PER_DAY = 96;
const QUARTERS_PER_WEEK = 672;
const WEEK_MS = 7 * 86_400_000;
const MINUTES_PER_QUARTER = 15;
/** A timeline is exact for this long before and behind the moment it is made for; beyond, traffic is taken as even. */
const EXACT_WEEKS = 9;
/** A timeline is rebuilt when the present has moved this far from its middle. */
const RENEW_AFTER_MS = WEEK_MS;
/** Timelines of one worker; each takes about 100 kB. */
const TIMELINES_MAX = 200;

/**
 * Expected eligible traffic as a running sum over time: the network's curve where the line item's day-parts are open, nothing
 * where they are closed. One unit is an hour of mean traffic.
 */
export class Timeline {
  readonly #originMs: number;
  readonly #sums: Float64Array;
  readonly #meanPerMs: number;

  /** @throws RangeError for an unknown time zone */
  constructor(
    curve: TrafficCurve,
    open: { readonly timezone: string; readonly dayParts: readonly DayPart[] },
    nowMs: number,
  ) {
    const count = 2 * EXACT_WEEKS * QUARTERS_PER_WEEK;
    this.#originMs = Math.floor(nowMs / QUARTER_MS) * QUARTER_MS - EXACT_WEEKS * WEEK_MS;
    const grid = { stepMs: QUARTER_MS, count };
    const curveOffsets = zoneOffsets(curve.timezone, this.#originMs, grid);
    const ownOffsets =
      open.timezone === curve.timezone ? curveOffsets : zoneOffsets(open.timezone, this.#originMs, grid);
    const mask = open.dayParts.length === 0 ? null : weeklyMask(open.dayParts);
    this.#sums = new Float64Array(count + 1);
    let sum = 0;
    for (let at = 0; at < count; at += 1) {
      const atMs = this.#originMs + at * QUARTER_MS;
      const share = mask === null ? 1 : (mask[quarterOfWeek(atMs, ownOffsets[at] as number)] as number);
      sum += (share * (curve.weights[hourOfWeek(atMs, curveOffsets[at] as number)] as number)) / 4;
      this.#sums[at + 1] = sum;
    }
    this.#meanPerMs = sum / (count * QUARTER_MS);
  }

  /** Expected traffic up to an instant, counted from some moment in the past. Never falls. */
  at(ms: number): number {
    const position = (ms - this.#originMs) / QUARTER_MS;
    const last = this.#sums.length - 1;
    if (position <= 0) return position * QUARTER_MS * this.#meanPerMs;
    if (position >= last) return (this.#sums[last] as number) + (position - last) * QUARTER_MS * this.#meanPerMs;
    const at = Math.floor(position);
    const before = this.#sums[at] as number;
    return before + (position - at) * ((this.#sums[at + 1] as number) - before);
  }

  between(fromMs: number, toMs: number): number {
    return this.at(toMs) - this.at(fromMs);
  }
}

function quarterOfWeek(atMs: number, offsetMs: number): number {
  return (Math.floor((atMs + offsetMs) / QUARTER_MS) + 3 * QUARTERS_PER_DAY) % QUARTERS_PER_WEEK;
}

/** Which share of each quarter hour of the week is open, by its minutes. */
function weeklyMask(dayParts: readonly DayPart[]): Float64Array {
  const minutes = new Uint8Array(QUARTERS_PER_WEEK * MINUTES_PER_QUARTER);
  for (const { days, startMinute, endMinute } of dayParts) {
    for (const day of days) minutes.fill(1, (day - 1) * 1_440 + startMinute, (day - 1) * 1_440 + endMinute);
  }
  return Float64Array.from({ length: QUARTERS_PER_WEEK }, (_none, quarter) => {
    const start = quarter * MINUTES_PER_QUARTER;
    const openMinutes = minutes.subarray(start, start + MINUTES_PER_QUARTER).reduce((sum, minute) => sum + minute, 0);
    return openMinutes / MINUTES_PER_QUARTER;
  });
}

interface Kept {
  readonly timeline: Timeline;
  readonly curve: TrafficCurve;
  readonly madeAtMs: number;
}

/** Timelines by curve, time zone and day-parts: line items that share them share one. */
export class Timelines {
  readonly #kept = new Map<string, Kept>();

  find(
    curve: TrafficCurve,
    open: { readonly timezone: string; readonly dayParts: readonly DayPart[] },
    nowMs: number,
  ): Timeline {
    const key = `${curveNumber(curve)}/${open.timezone}/${open.dayParts.length === 0 ? '' : JSON.stringify(open.dayParts)}`;
    const known = this.#kept.get(key);
    if (known !== undefined && Math.abs(nowMs - known.madeAtMs) < RENEW_AFTER_MS) return known.timeline;
    const made = new Timeline(curve, open, nowMs);
    this.#kept.delete(key);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size >= TIMELINES_MAX && oldest !== undefined) this.#kept.delete(oldest);
    this.#kept.set(key, { timeline: made, curve, madeAtMs: nowMs });
    return made;
  }
}

const numbers = new WeakMap<TrafficCurve, number>();
let lastNumber = 0;

/** Curves are compared by identity. */
function curveNumber(curve: TrafficCurve): number {
  const known = numbers.get(curve);
  if (known !== undefined) return known;
  lastNumber += 1;
  numbers.set(curve, lastNumber);
  return lastNumber;
}
