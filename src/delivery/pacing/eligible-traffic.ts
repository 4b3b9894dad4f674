import { isTimeZone } from '../../domain/time/calendar.ts';
import type { Targeting } from '../../domain/targeting/targeting.ts';
import { HourlyOffsets } from '../../domain/time/time-zone.ts';
import { HOURS_PER_WEEK, hourOfWeek } from '../../domain/pacing/traffic-curve.ts';
import type { TrafficCurve } from '../../domain/pacing/traffic-curve.ts';
import { LocalClock } from '../decision/index/local-clock.ts';
import { compilePredicate, targetingFacts } from '../decision/index/targeting.ts';
import type { Predicate, TargetingFacts } from '../decision/index/targeting.ts';
import type { Opportunity } from '../../domain/requests/opportunity.ts';

const HOURS_PER_DAY = 24;
const WORKING_HOURS = 5 * HOURS_PER_DAY;
/** With fewer eligible slots in the sample, a line item uses the curve of its inventory. */
const MATCHED_MIN = 30;
/** The weight of the hour before and the hour after, relative to the hour itself. */
const NEIGHBOUR_WEIGHT = 0.5;
/** The weight, in eligible slots, of the mean against the same hour of like days, and of these against the hour itself. */
const MEAN_WEIGHT = 2;
const LIKE_DAYS_WEIGHT = 8;
/** As in curves of inventory: a plan must always advance. */
const WEIGHT_MIN = 0.02;

/** The targeting of a line item, with the time zone of its day-parts. */
export interface Aim {
  readonly targeting: Targeting;
  readonly timezone: string;
}

/** The part of the traffic that is eligible for line items, by hour of the week, from a sample of opportunities. */
export class EligibleTraffic {
  readonly #base: TrafficCurve;
  readonly #offsets: HourlyOffsets;
  readonly #clock = new LocalClock();
  readonly #tests: readonly (Predicate | null)[];
  /** Slots by hour of the local week: of the whole sample, and of each aim. */
  readonly #all = new Float64Array(HOURS_PER_WEEK);
  readonly #matched: readonly Float64Array[];

  /** @param base the curve of all traffic. Aims that cannot be compiled (malformed, unknown time zone) match nothing. */
  constructor(aims: readonly Aim[], base: TrafficCurve) {
    this.#base = base;
    this.#offsets = new HourlyOffsets(base.timezone);
    this.#tests = aims.map(compileAim);
    this.#matched = aims.map(() => new Float64Array(HOURS_PER_WEEK));
  }

  /** Adds one opportunity of the sample. */
  record(opportunity: Opportunity, atMs: number): void {
    const hour = hourOfWeek(atMs, this.#offsets.at(atMs));
    const localMoment: TargetingFacts['localMoment'] = (timezone) => this.#clock.at(atMs, timezone);
    for (const facts of opportunity.slots.map((one) => targetingFacts(opportunity, one, localMoment))) {
      this.#all[hour] = (this.#all[hour] as number) + 1;
      for (const [at, test] of this.#tests.entries()) {
        const matched = this.#matched[at] as Float64Array;
        if (test?.(facts) === true) matched[hour] = (matched[hour] as number) + 1;
      }
    }
  }

  /** The curve of the traffic that is eligible for the aim at this position of the list; null when the sample has too little of it. */
  curveOf(at: number): TrafficCurve | null {
    const matched = this.#matched[at] as Float64Array;
    return matched.reduce(add, 0) < MATCHED_MIN ? null : shapeCurve(this.#base, this.#all, matched);
  }

  /** The share of the sample's slots that is eligible for that aim, 0…1. */
  shareOf(at: number): number {
    return (this.#matched[at] as Float64Array).reduce(add, 0) / Math.max(1, this.#all.reduce(add, 0));
  }
}

function compileAim({ targeting, timezone }: Aim): Predicate | null {
  if (!isTimeZone(timezone)) return null;
  try {
    return compilePredicate(targeting, timezone);
  } catch {
    return null;
  }
}

/**
 * The base, times the eligible share of each hour. A sample is small: the share of an hour is shrunk toward that of the same and the
 * neighbouring hours of like days (working days, weekends), and that toward the mean of the week.
 */
function shapeCurve(base: TrafficCurve, all: Float64Array, matched: Float64Array): TrafficCurve {
  const mean = matched.reduce(add, 0) / all.reduce(add, 0);
  const weights = base.weights.map((weight, hour) => {
    let [likeAll, likeMatched] = [MEAN_WEIGHT / mean, MEAN_WEIGHT];
    for (const [other, closeness] of likeHours(hour)) {
      likeAll += closeness * (all[other] as number);
      likeMatched += closeness * (matched[other] as number);
    }
    const like = likeMatched / likeAll;
    const own = LIKE_DAYS_WEIGHT / like;
    const share = ((matched[hour] as number) + LIKE_DAYS_WEIGHT) / ((all[hour] as number) + own);
    return weight * (share / mean);
  });
  const first = weights.reduce(add, 0) / HOURS_PER_WEEK;
  const bounded = weights.map((weight) => Math.max(WEIGHT_MIN, weight / first));
  const second = bounded.reduce(add, 0) / HOURS_PER_WEEK;
  return { timezone: base.timezone, weights: bounded.map((weight) => weight / second) };
}

function* likeHours(hour: number): Generator<[hour: number, closeness: number]> {
  const [from, to] = hour < WORKING_HOURS ? [0, WORKING_HOURS] : [WORKING_HOURS, HOURS_PER_WEEK];
  for (let other = from + (hour % HOURS_PER_DAY); other < to; other += HOURS_PER_DAY) {
    yield [other, 1];
    yield [(other + HOURS_PER_WEEK - 1) % HOURS_PER_WEEK, NEIGHBOUR_WEIGHT];
    yield [(other + 1) % HOURS_PER_WEEK, NEIGHBOUR_WEIGHT];
  }
}

function add(sum: number, value: number): number {
  return sum + value;
}
