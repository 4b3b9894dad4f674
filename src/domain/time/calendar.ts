import { localDaySpan, zonedAt } from './time-zone.ts';
import type { LocalDaySpan } from './time-zone.ts';

const OFFSET = /^[+-]\d\d(?::?\d\d)?$/;

/** Whether the runtime knows this IANA time zone name (any case) or offset. */
export function isTimeZone(name: string): boolean {
  try {
    const id = zonedAt(name, 0).timeZoneId;
    // Temporal also accepts a whole date and takes its zone.
    return OFFSET.test(name) || id.toLowerCase() === name.toLowerCase();
  } catch {
    return false;
  }
}

/** Whether a text begins with a day of the calendar, `YYYY-MM-DD`: `Date` reads 30 February as 2 March. */
export function beginsWithDay(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d/.test(text)) return false;
  const midnight = new Date(`${text.slice(0, 10)}T00:00:00Z`);
  return !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(text.slice(0, 10));
}

/** Whether a text is a day of the calendar, `YYYY-MM-DD`. */
export function isCalendarDay(text: string): boolean {
  return text.length === 10 && beginsWithDay(text);
}

/** Time zones whose last day is remembered: asking the calendar costs several microseconds. */
const KNOWN_ZONES_MAX = 1_000;
const lastDays = new Map<string, LocalDaySpan & { readonly day: string }>();

/** The calendar day `YYYY-MM-DD` of an instant in a time zone; right on 23- and 25-hour days. @throws RangeError for an unknown zone */
export function localDay(epochMs: number, timezone: string): string {
  const last = lastDays.get(timezone);
  if (last !== undefined && epochMs >= last.startMs && epochMs < last.endMs) return last.day;
  const day = zonedAt(timezone, epochMs).toPlainDate().toString();
  if (lastDays.size >= KNOWN_ZONES_MAX) lastDays.clear();
  lastDays.set(timezone, { ...localDaySpan(timezone, epochMs), day });
  return day;
}
