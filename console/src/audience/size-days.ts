import type { SegmentSize } from '../api/inventory/segments.ts';
import { addDays, type CalendarDate, countDays } from '../reports/calendar.ts';

/** The size of a segment on one day; null where it was not recorded. */
export interface SizeDay {
  readonly date: CalendarDate;
  readonly size: number | null;
}

/** By how many members the size has moved in so many days. */
export interface SizeChange {
  readonly by: number;
  readonly days: number;
}

/** The sizes that a chart draws, day by day without gaps: those at the beginning of past days, and the present one for today. */
export function sizeDays(history: readonly SegmentSize[], today: CalendarDate, present: number): SizeDay[] {
  const sizes = new Map(history.map(({ day, size }) => [day, size]));
  const first = history[0]?.day ?? today;
  const count = Math.max(1, countDays(first, today));
  return Array.from({ length: count }, (_one, at) => {
    const date = addDays(today, at + 1 - count);
    return { date, size: date === today ? present : (sizes.get(date) ?? null) };
  });
}

/** How far the size has moved since the first day that is shown; null with one day alone. */
export function sizeChange(days: readonly SizeDay[]): SizeChange | null {
  const [first, last] = [days[0], days.at(-1)];
  if (days.length < 2 || typeof first?.size !== 'number' || typeof last?.size !== 'number') return null;
  return { by: last.size - first.size, days: days.length - 1 };
}
