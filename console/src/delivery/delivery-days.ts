import type { Goal, GoalKind, GoalProgress } from '../api/bookings/desk-list.ts';
import { addDays, type CalendarDate, countDays, dateIn } from '../reports/calendar.ts';
import type { CubeQuery } from '../reports/lens-query.ts';
import { type ReportRow, toNumber } from '../reports/report-rows.ts';
import { type Flight, lastInstant } from '../format/desk-format.ts';

/** One day of a chart. Null: nothing to draw on that day. */
export interface DeliveryDay {
  readonly date: CalendarDate;
  readonly delivered: number | null;
  readonly plan: number | null;
  readonly projected: number | null;
  readonly low: number | null;
  readonly high: number | null;
}

/** The input of a chart. */
export interface DeliveryDaysInput {
  readonly goal: Goal | null;
  readonly progress: GoalProgress | null;
  readonly flight: Flight;
  /** Counted events by day. */
  readonly counts: ReadonlyMap<CalendarDate, number>;
  readonly range: DayRange;
  readonly timezone: string;
}

/** The days to show, both included, and today. */
export interface DayRange {
  readonly from: CalendarDate;
  readonly today: CalendarDate;
}

/** The Reports API accepts no more days at a time. */
const DAYS_MAX = 90;
/** Days of a chart that is not of a whole flight. */
export const USUAL_DAYS = 30;
/** A flight that goes on for longer is drawn to here. */
const AHEAD_DAYS = 120;

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

/** The report that a chart of some line items needs: what a goal counts, by day. */
export function dayQuery(
  lineItemIds: readonly string[],
  goal: Pick<Goal, 'kind'> | null,
  range: DayRange,
  timezone: string,
): CubeQuery {
  return {
    measures: [measureOf(goal)],
    dimensions: [],
    timeDimensions: [{ dimension: TIME, dateRange: [range.from, range.today], granularity: 'day' }],
    filters: [{ member: 'campaign_overview.line_item_id', operator: 'equals', values: [...lineItemIds] }],
    order: [[TIME, 'asc']],
    timezone,
    limit: DAYS_MAX + 1,
  };
}

/** The counts of a report by day. */
export function countsOf(
  rows: readonly ReportRow[],
  goal: Pick<Goal, 'kind'> | null,
): ReadonlyMap<CalendarDate, number> {
  return new Map(
    rows.map((row) => [String(row[`${TIME}.day`]).slice(0, 10), toNumber(row[measureOf(goal)] ?? null) ?? 0] as const),
  );
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

/** What is delivered up to the end of each day, beside the plan, and what is projected from today on. */
function arrangeFlight({ goal, progress, flight, counts, range, timezone }: DeliveryDaysInput): DeliveryDay[] {
  const { from, today } = range;
  const start = flight.startsAt === null ? from : dateIn(timezone, Date.parse(flight.startsAt));
  const end = flight.endsAt === null ? null : dateIn(timezone, Date.parse(lastInstant(flight.endsAt)));
  const last =
    end === null || end < today ? today : end > addDays(today, AHEAD_DAYS) ? addDays(today, AHEAD_DAYS) : end;
  const counted = [...counts.values()].reduce((sum, count) => sum + count, 0);
  // The counters say how much is delivered; those from before the first day come first.
  let total = Math.max(0, (progress?.delivered ?? counted) - counted);
  return listDays(from, last).map((date) => {
    if (date <= today) total += counts.get(date) ?? 0;
    const isPast = date <= today && (end === null || date <= end);
    return {
      date,
      delivered: isPast ? total : null,
      plan: end === null || goal === null ? null : planAt({ date, start, today, end, goal: goal.amount, progress }),
      ...projectAt({ date, today, end, delivered: total, progress }),
    };
  });
}

interface PlanPoint {
  readonly date: CalendarDate;
  readonly start: CalendarDate;
  readonly today: CalendarDate;
  readonly end: CalendarDate;
  readonly goal: number;
  readonly progress: GoalProgress | null;
}

/** The plan by the end of a day: straight from nothing to what is expected by now, and from there to the goal. */
function planAt({ date, start, today, end, goal, progress }: PlanPoint): number {
  const expected = progress?.expected ?? null;
  if (expected === null || today < start || today >= end)
    return between({ date, from: addDays(start, -1), to: end, at: [0, goal] });
  return date <= today
    ? between({ date, from: addDays(start, -1), to: today, at: [0, expected] })
    : between({ date, from: today, to: end, at: [expected, goal] });
}

function projectAt({
  date,
  today,
  end,
  delivered,
  progress,
}: Pick<PlanPoint, 'date' | 'today' | 'progress'> & {
  readonly end: CalendarDate | null;
  readonly delivered: number;
}): Pick<DeliveryDay, 'projected' | 'low' | 'high'> {
  const projected = progress?.projected ?? null;
  if (projected === null || end === null || date < today || date > end || today >= end)
    return { projected: null, low: null, high: null };
  const to = (value: number): number =>
    between({ date, from: today, to: end, at: [delivered, Math.max(value, delivered)] });
  return { projected: to(projected.projected), low: to(projected.low), high: to(projected.high) };
}

function between({
  date,
  from,
  to,
  at: [first, last],
}: {
  readonly date: CalendarDate;
  readonly from: CalendarDate;
  readonly to: CalendarDate;
  readonly at: readonly [number, number];
}): number {
  const span = countDays(from, to) - 1;
  const share = span <= 0 ? 1 : Math.min(1, Math.max(0, (countDays(from, date) - 1) / span));
  return Math.round(first + (last - first) * share);
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
