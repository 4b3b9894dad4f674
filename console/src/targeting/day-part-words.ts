import { dateFormat } from '../format/intl-formats.ts';
import type { DayPart } from '../api/bookings/line-item-settings.ts';
import { currentLocale } from '../messages/language.ts';
import { say } from '../messages/say.ts';

/** The first Monday of 2024: its week names the days. */
const MONDAY_MS = Date.UTC(2024, 0, 1);
const DAY_MS = 86_400_000;
const WEEK_DAYS = 7;

/** `Mon–Fri 08:00–18:00; Sat 10:00–12:00`. */
export function describeDayParts(parts: readonly DayPart[]): string {
  if (parts.length === 0) return say('item_form.always');
  return parts.map((part) => `${daysOf(part.days)} ${clockOf(part.startMinute)}–${clockOf(part.endMinute)}`).join('; ');
}

/** Three days or more that follow each other are a span. */
function daysOf(days: readonly number[]): string {
  if (days.length === WEEK_DAYS) return say('item_form.every_day');
  const spans: [first: number, last: number][] = [];
  for (const day of days.toSorted((one, other) => one - other)) {
    const span = spans.at(-1);
    if (span?.[1] === day - 1) span[1] = day;
    else spans.push([day, day]);
  }
  const names = dateFormat(currentLocale(), { weekday: 'short', timeZone: 'UTC' });
  const name = (day: number): string => names.format(MONDAY_MS + (day - 1) * DAY_MS);
  return spans
    .flatMap(([first, last]) => {
      if (last - first >= 2) return [`${name(first)}–${name(last)}`];
      return first === last ? [name(first)] : [name(first), name(last)];
    })
    .join(', ');
}

function clockOf(minute: number): string {
  return [Math.floor(minute / 60), minute % 60].map((part) => String(part).padStart(2, '0')).join(':');
}
