import { addDays, type CalendarDate, dateIn } from '../reports/calendar.ts';
import { dateFormat } from '../format/intl-formats.ts';
import type { CubeQuery } from '../reports/lens-query.ts';
import { type ReportRow, toNumber } from '../reports/report-rows.ts';

const TIME = 'campaign_overview.time';
/** The numbers of a day, and the measure of each. */
export const TODAY_MEASURES = {
  impressions: 'campaign_overview.impressions',
  clicks: 'campaign_overview.clicks',
  revenue: 'campaign_overview.revenue',
  requests: 'campaign_overview.requests',
  served: 'campaign_overview.served',
} as const;
export type TodayMeasure = keyof typeof TODAY_MEASURES;

/** The numbers that are shown: sums, and rates of two sums. */
export const TODAY_NUMBERS = {
  impressions: { of: 'impressions', per: null, times: 1 },
  revenue: { of: 'revenue', per: null, times: 1 },
  fill: { of: 'served', per: 'requests', times: 100 },
  ecpm: { of: 'revenue', per: 'impressions', times: 1_000 },
  clicks: { of: 'clicks', per: null, times: 1 },
} as const satisfies Readonly<Record<string, { of: TodayMeasure; per: TodayMeasure | null; times: number }>>;
export type TodayNumber = keyof typeof TODAY_NUMBERS;

const HOURS_OF_EIGHT_DAYS = 8 * 25;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const DAYS_OF_WEEK = 7;

/** A number of today, and of two earlier days up to the same hour. */
export interface TodayFigure {
  readonly today: number;
  readonly yesterday: number;
  readonly lastWeek: number;
}

/** The report of the last eight days by hour. */
export function todayQuery(timezone: string, nowMs: number): CubeQuery {
  const today = dateIn(timezone, nowMs);
  return {
    measures: Object.values(TODAY_MEASURES),
    dimensions: [],
    timeDimensions: [{ dimension: TIME, dateRange: [addDays(today, -7), today], granularity: 'hour' }],
    filters: [],
    order: [[TIME, 'asc']],
    timezone,
    limit: HOURS_OF_EIGHT_DAYS,
  };
}

/** The figures of a number; a rate without anything to divide by is 0. */
export function numberOf(
  rows: readonly ReportRow[],
  number: TodayNumber,
  moment: { readonly timezone: string; readonly nowMs: number },
): TodayFigure {
  const { of, per, times } = TODAY_NUMBERS[number];
  const sum = figuresOf(rows, of, moment);
  if (per === null) return sum;
  const whole = figuresOf(rows, per, moment);
  const rate = (day: keyof TodayFigure): number => (whole[day] === 0 ? 0 : (times * sum[day]) / whole[day]);
  return { today: rate('today'), yesterday: rate('yesterday'), lastWeek: rate('lastWeek') };
}

/** The figures of a report. An hour that has only begun counts as the part of it that is over. */
export function figuresOf(
  rows: readonly ReportRow[],
  measure: TodayMeasure,
  { timezone, nowMs }: { readonly timezone: string; readonly nowMs: number },
): TodayFigure {
  const today = dateIn(timezone, nowMs);
  const { hour, part } = clockOf(timezone, nowMs);
  const sums = new Map<CalendarDate, number>();
  for (const row of rows) {
    const bucket = String(row[`${TIME}.hour`]);
    const date = bucket.slice(0, 10);
    const at = Number(bucket.slice(11, 13));
    const share = date === today || at < hour ? 1 : at === hour ? part : 0;
    const value = toNumber(row[TODAY_MEASURES[measure]] ?? null) ?? 0;
    sums.set(date, (sums.get(date) ?? 0) + share * value);
  }
  const of = (date: CalendarDate): number => sums.get(date) ?? 0;
  return { today: of(today), yesterday: of(addDays(today, -1)), lastWeek: of(addDays(today, -7)) };
}

/** A number by hour of today until now, and of the same weekday of last week; a rate without anything to divide by is 0. */
export interface HourSeries {
  readonly today: readonly number[];
  readonly lastWeek: readonly number[];
}

const HOURS_OF_A_DAY = 24;

/** The course of a number by the hours of the clock. */
export function seriesOf(
  rows: readonly ReportRow[],
  number: TodayNumber,
  { timezone, nowMs }: { readonly timezone: string; readonly nowMs: number },
): HourSeries {
  const { of, per, times } = TODAY_NUMBERS[number];
  const today = dateIn(timezone, nowMs);
  const { hour } = clockOf(timezone, nowMs);
  const hoursOf = (date: CalendarDate, count: number): number[] =>
    Array.from({ length: count }, (_none, at) => {
      const bucket = `${date}T${String(at).padStart(2, '0')}`;
      const sum = (measure: TodayMeasure): number =>
        rows
          .filter((row) => String(row[`${TIME}.hour`]).startsWith(bucket))
          .reduce((total, row) => total + (toNumber(row[TODAY_MEASURES[measure]] ?? null) ?? 0), 0);
      if (per === null) return sum(of);
      const whole = sum(per);
      return whole === 0 ? 0 : (times * sum(of)) / whole;
    });
  return { today: hoursOf(today, hour + 1), lastWeek: hoursOf(addDays(today, -7), HOURS_OF_A_DAY) };
}

/** Whether ad requests come: none in eight days, none since an hour (as the clock writes it), or still. */
export type Traffic =
  | { readonly kind: 'NEVER' }
  | { readonly kind: 'FLOWS' }
  | { readonly kind: 'STOPPED'; readonly date: CalendarDate; readonly hour: number };

/** Hours without a request after which traffic has stopped, unless the same hours of last week had none either. */
const SILENT_HOURS = 2;

/** What a report of eight days by hour says of the traffic. */
export function trafficOf(
  rows: readonly ReportRow[],
  { timezone, nowMs }: { readonly timezone: string; readonly nowMs: number },
): Traffic {
  const asked = rows.filter((row) => (toNumber(row[TODAY_MEASURES.requests] ?? null) ?? 0) > 0);
  const hours = asked.map((row) => String(row[`${TIME}.hour`]).slice(0, 13));
  const last = hours.toSorted().at(-1);
  if (last === undefined) return { kind: 'NEVER' };
  const bucketAt = (atMs: number): string =>
    `${dateIn(timezone, atMs)}T${String(clockOf(timezone, atMs).hour).padStart(2, '0')}`;
  const quiet = Array.from({ length: SILENT_HOURS }, (_none, at) => nowMs - at * HOUR_MS);
  const isQuiet = quiet.every((atMs) => !hours.includes(bucketAt(atMs)));
  const isUsual = quiet.every((atMs) => !hours.includes(bucketAt(atMs - DAYS_OF_WEEK * DAY_MS)));
  if (!isQuiet || isUsual) return { kind: 'FLOWS' };
  return { kind: 'STOPPED', date: last.slice(0, 10), hour: Number(last.slice(11, 13)) };
}

function clockOf(timezone: string, nowMs: number): { readonly hour: number; readonly part: number } {
  const parts = dateFormat('en-GB', {
    hour: 'numeric',
    minute: 'numeric',
    hourCycle: 'h23',
    timeZone: timezone,
  }).formatToParts(nowMs);
  const of = (type: string): number => Number(parts.find((one) => one.type === type)?.value ?? 0);
  return { hour: of('hour'), part: of('minute') / 60 };
}

/** By how many percent a number has grown; null from nothing. */
export function changeOf(now: number, before: number): number | null {
  return before === 0 ? null : (100 * (now - before)) / before;
}
