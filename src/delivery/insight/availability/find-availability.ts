import { AVAILABILITY_LINE_ITEMS_MAX } from '../../../domain/booking/availability.ts';
import type {
  AdUnitDays,
  Availability,
  AvailabilityLineItem,
  AvailableDay,
  BookedLineItem,
} from '../../../domain/booking/availability.ts';
import type { AdUnit } from '../../../domain/booking/inventory.ts';
import { unitsOf } from './booked-units.ts';

const DAY_MS = 86_400_000;
/** The quantile of Student's distribution that leaves 2.5 % above it, by degrees of freedom; four weekdays have three. */
const STUDENT: readonly number[] = [0, 12.71, 4.3, 3.18, 2.78];

/** The input of {@link findAvailability}. Pure data. */
export interface AvailabilityInput {
  /** Of the network, in use. */
  readonly adUnits: readonly AdUnit[];
  /** Those to show. */
  readonly chosen: ReadonlySet<string>;
  readonly traffic: readonly AdUnitDays[];
  readonly booked: readonly BookedLineItem[];
  /** The days, each with its first instant and its end. */
  readonly days: readonly { readonly day: string; readonly startMs: number; readonly endMs: number }[];
  readonly nowMs: number;
}

/**
 * Sold, reserved and free impressions by day. A day is expected to have the mean of the last weeks' same weekday. What is left of a goal spreads
 * evenly over the time that is left, and over the ad units that the targeting leaves, by their traffic; a share of voice takes its share.
 */
export function findAvailability(input: AvailabilityInput): Availability {
  const { adUnits, traffic, booked, days } = input;
  const weekdays = new Map(traffic.map(({ adUnitId, days: own }) => [adUnitId, requestsByWeekday(own)]));
  const history = historyOf(traffic);
  const shownShare = shownShareOf(traffic);
  const expected = days.map((day) => scaleDay(expectDay(input, weekdayOf(day.day), history), leftOf(day, input.nowMs)));
  const sums = days.map(() => ({ sold: 0, reserved: 0 }));
  const taken: AvailabilityLineItem[] = [];
  for (const lineItem of booked) {
    const units = unitsOf(lineItem.targeting, adUnits);
    let impressions = 0;
    for (const [at, day] of days.entries()) {
      const mean = ({ id }: AdUnit): number => meanOf(weekdays.get(id)?.[weekdayOf(day.day)] ?? [], history.weeks);
      const part = countTaken(lineItem, day, input.nowMs, { units, chosen: input.chosen, mean, shownShare });
      impressions += part;
      const sum = sums[at] as { sold: number; reserved: number };
      sum[lineItem.isReserved ? 'reserved' : 'sold'] += part;
    }
    if (impressions < 0.5) continue;
    const { id, name, isReserved } = lineItem;
    taken.push({ lineItemId: id, name, isReserved, impressions: Math.round(impressions) });
  }
  return {
    days: days.map(({ day }, at) => {
      const { sold, reserved } = sums[at] as { sold: number; reserved: number };
      return describeDay(day, expected[at] ?? null, { sold, reserved, shownShare });
    }),
    lineItems: taken
      .toSorted((one, other) => other.impressions - one.impressions)
      .slice(0, AVAILABILITY_LINE_ITEMS_MAX),
    historyDays: history.days,
    shownShare,
    notes: listNotes(input, history.days),
  };
}

/** Opportunities of a day with the bounds of a 95 % interval of a single day. */
interface ExpectedDay {
  readonly mean: number;
  readonly spread: number | null;
}

/** The part of a day that is still to come: of today, what is over is neither sold nor free. */
function leftOf({ startMs, endMs }: AvailabilityInput['days'][number], nowMs: number): number {
  return Math.min(1, Math.max(0, endMs - nowMs) / (endMs - startMs));
}

function scaleDay(expected: ExpectedDay | null, part: number): ExpectedDay | null {
  if (expected === null) return null;
  return { mean: expected.mean * part, spread: expected.spread === null ? null : expected.spread * part };
}

function describeDay(
  day: string,
  expected: ExpectedDay | null,
  { sold, reserved, shownShare }: { readonly sold: number; readonly reserved: number; readonly shownShare: number },
): AvailableDay {
  const booked = { sold: Math.round(sold), reserved: Math.round(reserved) };
  if (expected === null) return { day, expected: null, low: null, high: null, ...booked, free: null };
  const { mean, spread } = expected;
  const shown = Math.round(mean * shownShare);
  return {
    day,
    expected: shown,
    low: spread === null ? null : Math.max(0, Math.round((mean - spread) * shownShare)),
    high: spread === null ? null : Math.round((mean + spread) * shownShare),
    ...booked,
    free: Math.max(0, shown - booked.sold - booked.reserved),
  };
}

/** The part of a line item's goal, or of its share, that falls on the chosen ad units in a day: impressions. */
function countTaken(
  lineItem: BookedLineItem,
  day: AvailabilityInput['days'][number],
  nowMs: number,
  on: {
    readonly units: readonly AdUnit[];
    readonly chosen: ReadonlySet<string>;
    readonly mean: (unit: AdUnit) => number;
    readonly shownShare: number;
  },
): number {
  const fromMs = Math.max(nowMs, lineItem.startsAtMs ?? nowMs);
  const endMs = lineItem.endsAtMs ?? fromMs + 365 * DAY_MS;
  const overlapMs = Math.min(day.endMs, endMs) - Math.max(day.startMs, fromMs);
  if (overlapMs <= 0) return 0;
  let all = 0;
  let own = 0;
  let ownUnits = 0;
  for (const unit of on.units) {
    const mean = on.mean(unit);
    all += mean;
    if (!on.chosen.has(unit.id)) continue;
    own += mean;
    ownUnits += 1;
  }
  const { goal, sharePercent, type, delivered } = lineItem;
  if (type === 'SPONSORSHIP' && sharePercent !== null && goal === null)
    return (own * on.shownShare * sharePercent * overlapMs) / (100 * (day.endMs - day.startMs));
  if (goal === null || goal.kind === 'CLICKS' || goal.kind === 'CONVERSIONS') return 0;
  const part = all > 0 ? own / all : on.units.length === 0 ? 0 : ownUnits / on.units.length;
  if (goal.period === 'DAY') return (goal.amount * part * overlapMs) / (day.endMs - day.startMs);
  return (Math.max(0, goal.amount - delivered) * part * overlapMs) / Math.max(1, endMs - fromMs);
}

/** Days with requests, and how often each weekday lies between the first and the last of them. */
interface History {
  readonly days: number;
  readonly weeks: ReadonlyMap<number, number>;
}

function historyOf(traffic: readonly AdUnitDays[]): History {
  const days = new Set(traffic.flatMap((one) => one.days.filter(({ requests }) => requests > 0).map(({ day }) => day)));
  const weeks = new Map<number, number>();
  for (const day of days) weeks.set(weekdayOf(day), (weeks.get(weekdayOf(day)) ?? 0) + 1);
  return { days: days.size, weeks };
}

/** Requests by weekday, each with its weekday as the first number. */
type Weekdays = Readonly<Record<number, readonly { readonly weekday: number; readonly requests: number }[]>>;

function requestsByWeekday(days: AdUnitDays['days']): Weekdays {
  const found: Record<number, { weekday: number; requests: number }[]> = {};
  for (const { day, requests } of days) {
    const weekday = weekdayOf(day);
    (found[weekday] ??= []).push({ weekday, requests });
  }
  return found;
}

/** The mean of a weekday; days of the history without requests of this ad unit count as 0. */
function meanOf(own: Weekdays[number] & {}, weeks: History['weeks']): number {
  const [first] = own;
  if (first === undefined) return 0;
  const sum = own.reduce((total, { requests }) => total + requests, 0);
  return sum / Math.max(own.length, weeks.get(first.weekday) ?? 1);
}

/** @returns null where the history has no such weekday */
function expectDay({ traffic, chosen }: AvailabilityInput, weekday: number, history: History): ExpectedDay | null {
  const weeks = history.weeks.get(weekday) ?? 0;
  if (weeks === 0) return null;
  const byDay = new Map<string, number>();
  for (const { adUnitId, days } of traffic) {
    if (!chosen.has(adUnitId)) continue;
    for (const { day, requests } of days)
      if (weekdayOf(day) === weekday) byDay.set(day, (byDay.get(day) ?? 0) + requests);
  }
  const values = [...byDay.values(), ...Array.from({ length: Math.max(0, weeks - byDay.size) }, () => 0)];
  const mean = values.reduce((sum, one) => sum + one, 0) / values.length;
  if (values.length < 2) return { mean, spread: null };
  const variance = values.reduce((sum, one) => sum + (one - mean) ** 2, 0) / (values.length - 1);
  const student = STUDENT[Math.min(STUDENT.length - 1, values.length - 1)] as number;
  return { mean, spread: student * Math.sqrt(variance * (1 + 1 / values.length)) };
}

/** Impressions of served ads; all of them while nothing was served. */
function shownShareOf(traffic: readonly AdUnitDays[]): number {
  let served = 0;
  let impressions = 0;
  for (const { days } of traffic) {
    for (const day of days) {
      served += day.served;
      impressions += day.impressions;
    }
  }
  return served === 0 ? 1 : Math.min(1, impressions / served);
}

/** 0 = Sunday. */
function weekdayOf(day: string): number {
  return new Date(`${day}T00:00:00Z`).getUTCDay();
}

function listNotes({ booked }: AvailabilityInput, historyDays: number): string[] {
  const leftOut = booked.filter(({ goal }) => goal?.kind === 'CLICKS' || goal?.kind === 'CONVERSIONS').length;
  return [
    ...(historyDays === 0 ? ['There is no traffic yet, so nothing can be expected.'] : []),
    ...(historyDays > 0 && historyDays < 7
      ? [`The history has ${historyDays} days only: weekdays that it lacks have no expectation.`]
      : []),
    ...(leftOut === 0 ? [] : [`${leftOut} line items with goals of clicks or conversions are left out.`]),
  ];
}
