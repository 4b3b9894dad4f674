import { addDays, type CalendarDate, dateIn } from '../reports/calendar.ts';
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

function clockOf(timezone: string, nowMs: number): { readonly hour: number; readonly part: number } {
  const parts = new Intl.DateTimeFormat('en-GB', {
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
