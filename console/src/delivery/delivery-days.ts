import type { Goal, GoalKind } from '../api/bookings/desk-list.ts';
import type { GoalCourse } from '../api/bookings/desk-object.ts';
import { addDays, type CalendarDate, clockIn, countDays, dateIn } from '../reports/calendar.ts';
import type { CubeQuery } from '../reports/lens-query.ts';
import { type ReportRow, toNumber } from '../reports/report-rows.ts';
import type { Flight } from '../format/desk-format.ts';

/** One day or hour of a chart. Null: nothing to draw at that time. */
export interface DeliveryDay {
  /** A day, or for hours what clocks show at its beginning (`2026-11-24T14:00:00.000`). */
  readonly date: string;
  readonly delivered: number | null;
  readonly plan: number | null;
  readonly projected: number | null;
  readonly low: number | null;
  readonly high: number | null;
}

/** The input of a chart. */
export interface DeliveryDaysInput {
  readonly goal: Goal | null;
  /** The plan of a flight, from the server; null: the flight has no end. */
  readonly course: GoalCourse | null;
  /** By the counters; null: they are not known. */
  readonly delivered: number | null;
  /** Counted events by day, or by hour where the course is by hour. */
  readonly counts: ReadonlyMap<string, number>;
  readonly range: DayRange;
  readonly timezone: string;
  readonly nowMs: number;
}

/** The days to show, both included, and today. */
export interface DayRange {
  readonly from: CalendarDate;
  readonly today: CalendarDate;
}

/** The Reports API accepts no more days at a time. */
const DAYS_MAX = 90;
/** Hours of a course by hour: a week, with cut days and an hour that clocks repeat. */
const HOURS_MAX = 240;
/** Days of a chart that is not of a whole flight. */
export const USUAL_DAYS = 30;

const MEASURES: Readonly<Record<GoalKind, string>> = {
  IMPRESSIONS: 'campaign_overview.impressions',
  VIEWABLE_IMPRESSIONS: 'campaign_overview.viewable_impressions',
  CLICKS: 'campaign_overview.clicks',
  CONVERSIONS: 'campaign_overview.activities',
};
const TIME = 'campaign_overview.time';

/** Which days a chart of a line item shows: the whole flight for a goal of the flight, otherwise the last thirty. */
export function daysOf(goal: Goal | null, { startsAt }: Flight, at: { timezone: string; nowMs: number }): DayRange {
  const today = dateIn(at.timezone, at.nowMs);
  const usual = addDays(today, 1 - USUAL_DAYS);
  if (!isCumulative(goal) || startsAt === null) return { from: usual, today };
  const start = dateIn(at.timezone, Date.parse(startsAt));
  const first = addDays(today, 1 - DAYS_MAX);
  return { from: start < first ? first : start > today ? today : start, today };
}

/** Whether a chart adds the days up: only a goal of the whole flight is reached by a sum. */
export function isCumulative(goal: Goal | null): boolean {
  return goal?.period === 'LIFETIME';
}

/** The report that a chart of some line items needs: what a goal counts, by day or by hour. */
export function dayQuery(
  lineItemIds: readonly string[],
  goal: Pick<Goal, 'kind'> | null,
  range: DayRange,
  { timezone, granularity = 'day' }: { readonly timezone: string; readonly granularity?: 'day' | 'hour' },
): CubeQuery {
  return {
    measures: [measureOf(goal)],
    dimensions: [],
    timeDimensions: [{ dimension: TIME, dateRange: [range.from, range.today], granularity }],
    filters: [{ member: 'campaign_overview.line_item_id', operator: 'equals', values: [...lineItemIds] }],
    order: [[TIME, 'asc']],
    timezone,
    limit: granularity === 'hour' ? HOURS_MAX : DAYS_MAX + 1,
  };
}

/** The counts of a report by day, or by hour. */
export function countsOf(
  rows: readonly ReportRow[],
  goal: Pick<Goal, 'kind'> | null,
  granularity: 'day' | 'hour' = 'day',
): ReadonlyMap<string, number> {
  const keyOf = (row: ReportRow): string => {
    const bucket = String(row[`${TIME}.${granularity}`]);
    return granularity === 'day' ? bucket.slice(0, 10) : bucket;
  };
  return new Map(rows.map((row) => [keyOf(row), toNumber(row[measureOf(goal)] ?? null) ?? 0] as const));
}

function measureOf(goal: Pick<Goal, 'kind'> | null): string {
  return MEASURES[goal?.kind ?? 'IMPRESSIONS'];
}

/** The days of a chart, in order. */
export function arrangeDays(input: DeliveryDaysInput): DeliveryDay[] {
  return isCumulative(input.goal) ? arrangeFlight(input) : arrangeSingle(input);
}

/** A day for itself, beside the goal of a day. */
function arrangeSingle({ goal, counts, range }: DeliveryDaysInput): DeliveryDay[] {
  return listDays(range.from, range.today).map((date) => ({
    date,
    delivered: counts.get(date) ?? 0,
    plan: goal?.amount ?? null,
    projected: null,
    low: null,
    high: null,
  }));
}

/** The delivery up to the end of each hour or day of a flight, beside the plan of the server, and the projection from now on. */
function arrangeFlight(input: DeliveryDaysInput): DeliveryDay[] {
  const { goal, course, delivered, counts, range, timezone, nowMs } = input;
  if (goal === null || course === null) return arrangeSum(input);
  const keyOf = keyOfStep(course.step, timezone);
  const points = course.points
    .map((point) => ({ ...point, date: keyOf(Date.parse(point.startsAt)) }))
    .filter(({ date }) => date.slice(0, 10) >= range.from);
  const counted = [...counts].toSorted(([one], [other]) => (one < other ? -1 : 1));
  // The counters say how much is delivered; what is from before the first point comes first.
  let total = Math.max(0, (delivered ?? 0) - counted.reduce((sum, [, count]) => sum + count, 0));
  let next = 0;
  return points.map(({ date, startsAt, planned, projected }, at) => {
    const until = points[at + 1]?.date ?? null;
    for (; next < counted.length && (until === null || (counted[next]?.[0] ?? '') < until); next += 1)
      total += counted[next]?.[1] ?? 0;
    return {
      date,
      delivered: Date.parse(startsAt) <= nowMs ? total : null,
      plan: planned,
      projected: projected?.projected ?? null,
      low: projected?.low ?? null,
      high: projected?.high ?? null,
    };
  });
}

/** The sum of a flight without an end, which has no plan. */
function arrangeSum({ delivered, counts, range }: DeliveryDaysInput): DeliveryDay[] {
  const counted = [...counts.values()].reduce((sum, count) => sum + count, 0);
  let total = Math.max(0, (delivered ?? counted) - counted);
  return listDays(range.from, range.today).map((date) => {
    total += counts.get(date) ?? 0;
    return { date, delivered: total, plan: null, projected: null, low: null, high: null };
  });
}

/** The name of the time that begins at an instant, as reports name it. */
function keyOfStep(step: GoalCourse['step'], timezone: string): (atMs: number) => string {
  return step === 'HOUR' ? (atMs) => clockIn(timezone, atMs) : (atMs) => dateIn(timezone, atMs);
}

/** The days from one to another, both included; empty where the second is before the first. */
export function listDays(from: CalendarDate, to: CalendarDate): CalendarDate[] {
  return Array.from({ length: Math.max(0, countDays(from, to)) }, (_none, at) => addDays(from, at));
}

/** Money of a goal: what it earns when it is reached; null where the price is not for what the goal counts. */
export function goalValue(goal: Goal | null, price: string, pricingModel: string): string | null {
  if (goal === null) return null;
  const per = PAID_FOR[pricingModel];
  if (per === undefined || per.kind !== goal.kind) return null;
  const value = (Number(price) * goal.amount) / per.units;
  return Number.isFinite(value) ? value.toFixed(2) : null;
}

const PAID_FOR: Readonly<Record<string, { readonly kind: GoalKind; readonly units: number }>> = {
  CPM: { kind: 'IMPRESSIONS', units: 1_000 },
  VCPM: { kind: 'VIEWABLE_IMPRESSIONS', units: 1_000 },
  CPC: { kind: 'CLICKS', units: 1 },
  CPA: { kind: 'CONVERSIONS', units: 1 },
};
