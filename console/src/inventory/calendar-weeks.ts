import type { AvailableDay } from '../api/bookings/availability.ts';
import { addDays } from '../reports/calendar.ts';

/** A cell of the calendar; without a day where the calendar has begun or ended. */
export interface CalendarCell {
  readonly date: string;
  readonly day: AvailableDay | null;
}

/** Days in rows of a week, which begins on Monday; the first and last week are filled up with empty cells. */
export function weeksOf(days: readonly AvailableDay[]): readonly (readonly CalendarCell[])[] {
  const [first] = days;
  const last = days.at(-1);
  if (first === undefined || last === undefined) return [];
  const byDate = new Map(days.map((day) => [day.day, day]));
  const weeks: CalendarCell[][] = [];
  for (let monday = addDays(first.day, -mondaysAgo(first.day)); monday <= last.day; monday = addDays(monday, 7)) {
    weeks.push(
      Array.from({ length: 7 }, (_none, at) => {
        const date = addDays(monday, at);
        return { date, day: byDate.get(date) ?? null };
      }),
    );
  }
  return weeks;
}

/** How many days ago Monday was. */
function mondaysAgo(date: string): number {
  return (new Date(`${date}T00:00:00Z`).getUTCDay() + 6) % 7;
}

/** Widths of the parts of a day's bar, in percent of its impressions, or of the booked ones where those are more. */
export function barOf({ expected, sold, reserved }: AvailableDay): {
  readonly sold: number;
  readonly reserved: number;
} {
  const all = Math.max(expected ?? 0, sold + reserved);
  if (all === 0) return { sold: 0, reserved: 0 };
  return { sold: (100 * sold) / all, reserved: (100 * reserved) / all };
}

/** Sums over all days; unknown ones count as nothing. */
export function sumOf(
  days: readonly AvailableDay[],
): Readonly<Record<'expected' | 'sold' | 'reserved' | 'free' | 'freeUpTo', number>> {
  const sum = (of: (day: AvailableDay) => number | null): number =>
    days.reduce((total, day) => total + (of(day) ?? 0), 0);
  return {
    expected: sum(({ expected }) => expected),
    sold: sum(({ sold }) => sold),
    reserved: sum(({ reserved }) => reserved),
    free: sum(({ free }) => free),
    freeUpTo: sum(({ freeUpTo }) => freeUpTo),
  };
}
