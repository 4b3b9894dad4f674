import type { Goal, GoalKind, LineItem } from '../api/bookings/desk-list.ts';
import { addDays, type CalendarDate, countDays, dateIn } from '../reports/calendar.ts';
import { type DayRange, type DeliveryDay, listDays, USUAL_DAYS } from './delivery-days.ts';
import { flightOf, lastInstant } from '../format/desk-format.ts';

/** A line item as far as its plan needs it. */
export type PlannedItem = Pick<LineItem, 'id' | 'goal' | 'startsAt' | 'endsAt' | 'timezone' | 'campaign'>;

/** The line items of a campaign that have a plan, all in the same unit. */
export interface CampaignPlan<Item extends PlannedItem> {
  readonly kind: GoalKind;
  readonly items: readonly Item[];
}

/** The days that a chart of a campaign shows. */
export function campaignRange(timezone: string, nowMs: number): DayRange {
  const today = dateIn(timezone, nowMs);
  return { from: addDays(today, 1 - USUAL_DAYS), today };
}

/** The line items whose plan can be added up: those with a goal of the kind that most of them have, spread over days that are known. */
export function plannedItems<Item extends PlannedItem>(items: readonly Item[]): CampaignPlan<Item> {
  const planned = items.flatMap((item) =>
    item.goal !== null && hasDays(item, item.goal) ? [{ item, goal: item.goal }] : [],
  );
  const byKind = Map.groupBy(planned, ({ goal }) => goal.kind);
  const [most] = [...byKind].toSorted(([, one], [, other]) => other.length - one.length);
  return { kind: most?.[0] ?? 'IMPRESSIONS', items: (most?.[1] ?? []).map(({ item }) => item) };
}

/** A goal of the whole flight needs both ends of it. */
function hasDays(item: PlannedItem, { period }: Goal): boolean {
  const { startsAt, endsAt } = flightOf(item);
  return period === 'DAY' || (startsAt !== null && endsAt !== null);
}

/** Each day of a campaign: what its planned line items have delivered, and what their goals come to. */
export function arrangeCampaign({
  items,
  counts,
  range,
  timezone,
}: {
  readonly items: readonly PlannedItem[];
  /** Counted events by day, of these line items together. */
  readonly counts: ReadonlyMap<CalendarDate, number>;
  readonly range: DayRange;
  readonly timezone: string;
}): DeliveryDay[] {
  return listDays(range.from, range.today).map((date) => ({
    date,
    delivered: counts.get(date) ?? 0,
    plan: Math.round(items.reduce((sum, item) => sum + planOn(item, date, timezone), 0)),
    projected: null,
    low: null,
    high: null,
  }));
}

/** The goal of a day; a goal of the whole flight is spread evenly over its days. */
function planOn(item: PlannedItem, date: CalendarDate, timezone: string): number {
  const { goal } = item;
  const { startsAt, endsAt } = flightOf(item);
  const zone = item.timezone ?? timezone;
  const first = startsAt === null ? null : dateIn(zone, Date.parse(startsAt));
  const last = endsAt === null ? null : dateIn(zone, Date.parse(lastInstant(endsAt)));
  if (goal === null || (first !== null && date < first) || (last !== null && date > last)) return 0;
  if (goal.period === 'DAY') return goal.amount;
  return first === null || last === null ? 0 : goal.amount / Math.max(1, countDays(first, last));
}
