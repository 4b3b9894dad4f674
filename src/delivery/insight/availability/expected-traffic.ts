import type { AdUnitDays } from '../../../domain/booking/availability.ts';
import type { WorkSteps } from '../../decision/index/work-steps.ts';

/** The quantile of Student's distribution that leaves 2.5 % above it, by degrees of freedom; four weekdays have three. */
const STUDENT: readonly number[] = [0, 12.71, 4.3, 3.18, 2.78];
export const WEEKDAYS = 7;
/** Ad units between two steps, each with four weeks of days. */
const UNITS_PER_STEP = 20;

/** Opportunities of a day with the bounds of a 95 % interval of a single day. */
export interface ExpectedDay {
  readonly mean: number;
  readonly spread: number | null;
}

/** What the traffic of the last weeks lets expect. Weekdays begin with Sunday. */
export interface ExpectedTraffic {
  /** Days with requests. */
  readonly historyDays: number;
  /** Impressions of served ads; all of them while nothing was served. */
  readonly shownShare: number;
  /** Of the chosen ad units together, by weekday; null where the history has no such weekday. */
  readonly chosen: readonly (ExpectedDay | null)[];
  /** Mean requests of each ad unit with traffic, by weekday. */
  readonly means: ReadonlyMap<string, Float64Array>;
  /** The same of the asked countries and devices alone. */
  readonly askedMeans: ReadonlyMap<string, Float64Array>;
}

type AdUnitDay = AdUnitDays['days'][number];

function askedOf({ asked, requests }: AdUnitDay): number {
  return asked ?? requests;
}

/** Finds the weekday of days, each once. 0 = Sunday. */
export class WeekdayFinder {
  readonly #known = new Map<string, number>();

  find(day: string): number {
    const known = this.#known.get(day);
    if (known !== undefined) return known;
    const weekday = new Date(`${day}T00:00:00Z`).getUTCDay();
    this.#known.set(day, weekday);
    return weekday;
  }
}

/** Learns from the traffic of ad units by day, in steps. */
export function* expectTraffic(
  traffic: readonly AdUnitDays[],
  chosen: ReadonlySet<string>,
  weekdays: WeekdayFinder,
): WorkSteps<ExpectedTraffic> {
  const historyDays = new Set<string>();
  /** Requests of the chosen ad units by day, by weekday. */
  const byDay = Array.from({ length: WEEKDAYS }, () => new Map<string, number>());
  let [served, impressions] = [0, 0];
  for (const [at, { adUnitId, days }] of traffic.entries()) {
    const isChosen = chosen.has(adUnitId);
    for (const one of days) {
      served += one.served;
      impressions += one.impressions;
      if (one.requests > 0) historyDays.add(one.day);
      if (!isChosen) continue;
      const ofWeekday = byDay[weekdays.find(one.day)] as Map<string, number>;
      ofWeekday.set(one.day, (ofWeekday.get(one.day) ?? 0) + askedOf(one));
    }
    if (at % UNITS_PER_STEP === 0) yield;
  }
  const weeks = new Float64Array(WEEKDAYS);
  for (const day of historyDays) weeks[weekdays.find(day)] = (weeks[weekdays.find(day)] as number) + 1;
  return {
    historyDays: historyDays.size,
    shownShare: served === 0 ? 1 : Math.min(1, impressions / served),
    chosen: byDay.map((ofWeekday, weekday) => expectDay([...ofWeekday.values()], weeks[weekday] as number)),
    means: yield* findMeans(traffic, weeks, { weekdays, read: ({ requests }) => requests }),
    askedMeans: yield* findMeans(traffic, weeks, { weekdays, read: askedOf }),
  };
}

/** @param weeks how many such weekdays the history has; those without requests of the chosen ad units count as 0 */
function expectDay(requests: readonly number[], weeks: number): ExpectedDay | null {
  if (weeks === 0) return null;
  const values = [...requests, ...Array.from({ length: Math.max(0, weeks - requests.length) }, () => 0)];
  const mean = values.reduce((sum, one) => sum + one, 0) / values.length;
  if (values.length < 2) return { mean, spread: null };
  const variance = values.reduce((sum, one) => sum + (one - mean) ** 2, 0) / (values.length - 1);
  const student = STUDENT[Math.min(STUDENT.length - 1, values.length - 1)] as number;
  return { mean, spread: student * Math.sqrt(variance * (1 + 1 / values.length)) };
}

/** Days of the history without requests of an ad unit count as 0. */
function* findMeans(
  traffic: readonly AdUnitDays[],
  weeks: Float64Array,
  { weekdays, read }: { readonly weekdays: WeekdayFinder; readonly read: (one: AdUnitDay) => number },
): WorkSteps<Map<string, Float64Array>> {
  const means = new Map<string, Float64Array>();
  for (const [at, { adUnitId, days }] of traffic.entries()) {
    const mean = new Float64Array(WEEKDAYS);
    const counts = new Float64Array(WEEKDAYS);
    for (const one of days) {
      const weekday = weekdays.find(one.day);
      mean[weekday] = (mean[weekday] as number) + read(one);
      counts[weekday] = (counts[weekday] as number) + 1;
    }
    for (const [weekday, count] of counts.entries())
      if (count > 0) mean[weekday] = (mean[weekday] as number) / Math.max(count, weeks[weekday] || 1);
    means.set(adUnitId, mean);
    if (at % UNITS_PER_STEP === 0) yield;
  }
  return means;
}
