import { queryProblem } from '../model/member-index.ts';

/** A wall-clock time without a zone: the form of dates in queries and responses. */
export type LocalTime = Temporal.PlainDateTime;

/** Units that dates are rounded to, from fine to coarse. */
export const CALENDAR_UNITS = ['second', 'minute', 'hour', 'day', 'week', 'month', 'quarter', 'year'] as const;
export type CalendarUnit = (typeof CALENDAR_UNITS)[number];

/** The IANA name in its own spelling (`europe/berlin` → `Europe/Berlin`); null for offsets and unknown names. */
export function canonicalTimezone(name: string): string | null {
  if (!/^[A-Za-z]/.test(name) || name.length > 64) return null;
  try {
    return Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(name).timeZoneId;
  } catch {
    return null;
  }
}

/** `YYYY-MM-DDTHH:mm:ss.SSS`. */
export function formatLocal(local: LocalTime): string {
  return local.toString({ fractionalSecondDigits: 3, roundingMode: 'trunc' });
}

/** The first millisecond of the unit that holds `local`. Weeks start on Monday. */
export function startOf(unit: CalendarUnit, local: LocalTime): LocalTime {
  const midnight = local.with({ hour: 0, minute: 0, second: 0, millisecond: 0, microsecond: 0, nanosecond: 0 });
  switch (unit) {
    case 'second':
    case 'minute':
    case 'hour':
      return local.round({ smallestUnit: unit, roundingMode: 'floor' });
    case 'day':
      return midnight;
    case 'week':
      return midnight.subtract({ days: midnight.dayOfWeek - 1 });
    case 'month':
      return midnight.with({ day: 1 });
    case 'quarter':
      return midnight.with({ day: 1, month: midnight.month - ((midnight.month - 1) % 3) });
    case 'year':
      return midnight.with({ day: 1, month: 1 });
  }
}

/** The last millisecond of the unit that holds `local`. */
export function endOf(unit: CalendarUnit, local: LocalTime): LocalTime {
  return startOf(unit, local).add(durationOf(unit, 1)).subtract({ milliseconds: 1 });
}

/** `count` units as a duration; quarters are three months. */
export function durationOf(unit: CalendarUnit, count: number): Temporal.Duration {
  if (unit === 'quarter') return Temporal.Duration.from({ months: 3 * count });
  return Temporal.Duration.from({ [`${unit}s`]: count });
}

const ISO =
  /^(\d{4})-(\d{2})(?:-(\d{2})(?:[T ](\d{2})(?::(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?)?\s*(Z|UTC|[+-]\d{2}(?::?\d{2})?)?)?)?$/i;

/** Years whose instants every table can hold. */
const YEAR_MIN = 1970;
const YEAR_MAX = 2105;

/** Whether every instant of a year can be stored. */
export function isStorableYear(year: number): boolean {
  return year >= YEAR_MIN && year <= YEAR_MAX;
}

/** A written date: its wall-clock reading, and its offset (`Z`, `+02:00`) when it had one. */
export interface WrittenDate {
  readonly local: LocalTime;
  readonly offset: string | null;
}

/** Reads an ISO 8601 date or time ("2026-01-01", "2026-01-01 10:00:00", "2026-01-01T10:00:00.123Z"); null when it is none, or in a year that cannot be stored. */
export function readIsoDate(text: string): WrittenDate | null {
  const match = ISO.exec(text.trim());
  if (match === null) return null;
  const [, year, month, day, hour, minute, second, fraction, offset] = match;
  if (!isStorableYear(Number(year))) return null;
  const milliseconds = (fraction ?? '').padEnd(3, '0').slice(0, 3);
  const iso = `${year}-${month}-${day ?? '01'}T${hour ?? '00'}:${minute ?? '00'}:${second ?? '00'}.${milliseconds}`;
  try {
    return { local: Temporal.PlainDateTime.from(iso, { overflow: 'reject' }), offset: offset ?? null };
  } catch {
    return null;
  }
}

/** The wall clock of a zone at an instant. */
export function localAt(epochMs: number, timezone: string): LocalTime {
  return Temporal.Instant.fromEpochMilliseconds(epochMs).toZonedDateTimeISO(timezone).toPlainDateTime();
}

/** As {@link readIsoDate}. @throws PlacardError `invalid_request` naming the text */
export function parseIsoDate(text: string): WrittenDate {
  const date = readIsoDate(text);
  if (date === null) throw unparsableDate(text);
  return date;
}

/** Builds the error for a text that is not a date. */
export function unparsableDate(text: string): Error {
  const shown = text.length > 100 ? `${text.slice(0, 100)}…` : text;
  return queryProblem(
    'invalid_date',
    `Can't parse date: '${shown}'. Dates are ISO 8601, in the years ${YEAR_MIN} to ${YEAR_MAX}.`,
  );
}

/** The offset of a written date (`Z`, `+0200`) as the name of a zone that Temporal knows. */
export function offsetZone(offset: string): string {
  if (/^(z|utc)$/i.test(offset)) return 'UTC';
  const digits = offset.slice(1).replace(':', '').padEnd(4, '0');
  return `${offset.charAt(0)}${digits.slice(0, 2)}:${digits.slice(2)}`;
}
