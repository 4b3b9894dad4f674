import {
  addDays,
  addMonths,
  type CalendarDate,
  countDays,
  isCalendarDate,
  startOfMonth,
  startOfWeek,
} from './calendar.ts';

/** Two dates, both included. */
export interface DateRange {
  readonly from: CalendarDate;
  readonly to: CalendarDate;
}

/** Longest span of one query (Reports API). */
export const RANGE_DAYS_MAX = 90;

/** Ranges that move with the day they are looked at. */
export const RANGE_PRESETS = [
  'today',
  'yesterday',
  'last_7_days',
  'last_14_days',
  'last_30_days',
  'last_90_days',
  'this_week',
  'last_week',
  'this_month',
  'last_month',
] as const;
export type RangePreset = (typeof RANGE_PRESETS)[number];

/** The person's choice: a moving preset, or fixed dates. */
export type RangeChoice = RangePreset | DateRange;

const RESOLVERS: Readonly<Record<RangePreset, (today: CalendarDate) => DateRange>> = {
  today: (today) => ({ from: today, to: today }),
  yesterday: (today) => ({ from: addDays(today, -1), to: addDays(today, -1) }),
  last_7_days: (today) => trailing(today, 7),
  last_14_days: (today) => trailing(today, 14),
  last_30_days: (today) => trailing(today, 30),
  last_90_days: (today) => trailing(today, 90),
  this_week: (today) => ({ from: startOfWeek(today), to: today }),
  last_week: (today) => ({ from: addDays(startOfWeek(today), -7), to: addDays(startOfWeek(today), -1) }),
  this_month: (today) => ({ from: startOfMonth(today), to: today }),
  last_month: (today) => ({ from: addMonths(startOfMonth(today), -1), to: addDays(startOfMonth(today), -1) }),
};

/** Whole days before today. */
function trailing(today: CalendarDate, days: number): DateRange {
  return { from: addDays(today, -days), to: addDays(today, -1) };
}

/** The dates that a choice means on a given day. */
export function resolveRange(choice: RangeChoice, today: CalendarDate): DateRange {
  return typeof choice === 'string' ? RESOLVERS[choice](today) : choice;
}

/** Whether a text names a preset. */
export function isRangePreset(text: string): text is RangePreset {
  return (RANGE_PRESETS as readonly string[]).includes(text);
}

/** Why a range cannot be asked: null when it can. */
export type RangeProblem =
  | { readonly kind: 'invalid' }
  | { readonly kind: 'reversed' }
  | { readonly kind: 'too_long'; readonly days: number };

/** Checks a range before it is sent, by the rules of the Reports API. */
export function checkRange({ from, to }: DateRange): RangeProblem | null {
  if (!isCalendarDate(from) || !isCalendarDate(to)) return { kind: 'invalid' };
  if (to < from) return { kind: 'reversed' };
  const days = countDays(from, to);
  return days > RANGE_DAYS_MAX ? { kind: 'too_long', days } : null;
}

/** The comparison of a result. `weekdays`: shifted by whole weeks, so that Mondays are compared with Mondays. */
export const COMPARISONS = [
  'none',
  'previous_period',
  'previous_period_weekdays',
  'previous_year',
  'previous_year_weekdays',
] as const;
export type Comparison = (typeof COMPARISONS)[number];

/** The range to compare with, always as many days long as the first; null for `none`. */
export function comparisonRange(range: DateRange, comparison: Comparison): DateRange | null {
  const days = countDays(range.from, range.to);
  const startingAt = (from: CalendarDate): DateRange => ({ from, to: addDays(from, days - 1) });
  switch (comparison) {
    case 'none':
      return null;
    case 'previous_period':
      return startingAt(addDays(range.from, -days));
    case 'previous_period_weekdays':
      return startingAt(addDays(range.from, -Math.ceil(days / 7) * 7));
    case 'previous_year':
      return startingAt(addMonths(range.from, -12));
    case 'previous_year_weekdays':
      return startingAt(addDays(range.from, -364));
  }
}
