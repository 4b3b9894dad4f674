import { zonedAt } from './time-zone.ts';

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

/** The calendar day `YYYY-MM-DD` of an instant in a time zone; right on 23- and 25-hour days. @throws RangeError for an unknown zone */
export function localDay(epochMs: number, timezone: string): string {
  return zonedAt(timezone, epochMs).toPlainDate().toString();
}
