import { SQLSTATE, SqlError } from '../wire/sql-error.ts';
import { type Bin, granularityOf, startOfBin } from './bins.ts';

const WRITTEN =
  /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?\s*(Z|UTC|[+-]\d{2}(?::?\d{2})?)?)?$/i;

/** A time that somebody wrote: on the clocks of a zone, or an instant. */
export type WrittenTime =
  | { readonly kind: 'local'; readonly local: Temporal.PlainDateTime }
  | { readonly kind: 'instant'; readonly instant: Temporal.Instant };

/** Reads `2026-01-01`, `2026-01-01 10:00:00` and both with an offset. @throws SqlError `22007` */
export function readTime(text: string, location?: number): WrittenTime {
  const match = WRITTEN.exec(text.trim());
  try {
    if (match !== null) {
      const [, date = '', minutes = '00:00', seconds = '00', fraction = '0', offset] = match;
      const local = Temporal.PlainDateTime.from(`${date}T${minutes}:${seconds}.${fraction}`);
      return offset === undefined
        ? { kind: 'local', local }
        : { kind: 'instant', instant: Temporal.Instant.from(`${local.toString()}${isoOffset(offset)}`) };
    }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  throw new SqlError(SQLSTATE.invalidDatetime, `"${text.slice(0, 100)}" is not a date or time.`, {
    hint: 'Write one as 2026-01-31 or 2026-01-31 10:00:00.',
    location,
  });
}

function isoOffset(offset: string): string {
  if (/^(?:z|utc)$/i.test(offset)) return 'Z';
  const digits = offset.replace(':', '');
  return `${digits.slice(0, 3)}:${digits.slice(3, 5) || '00'}`;
}

/** The name of a time zone in its own spelling. @throws SqlError `22023` */
export function readZone(name: string, location?: number): string {
  try {
    if (/^[A-Za-z]/.test(name) && name.length <= 64) {
      return Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(name).timeZoneId;
    }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  throw new SqlError(SQLSTATE.invalidParameterValue, `The time zone "${name.slice(0, 100)}" is not known.`, {
    hint: 'Write an IANA name, such as Europe/Warsaw or UTC.',
    location,
  });
}

/** The units of date_trunc that reports can group by. */
export const TRUNC_UNITS = ['second', 'minute', 'hour', 'day', 'week', 'month', 'quarter', 'year'] as const;
export type TruncUnit = (typeof TRUNC_UNITS)[number];
/** What times are cut by: a unit of the calendar, or equal parts. */
export type TimeUnit = TruncUnit | Bin;

/** The granularity of the Reports API that cuts times so. */
export function granularityName(unit: TimeUnit): string {
  return typeof unit === 'string' ? unit : granularityOf(unit);
}

/** @throws SqlError `0A000` */
export function readUnit(text: string, location?: number): TruncUnit {
  const unit = TRUNC_UNITS.find((one) => one === text.toLowerCase());
  if (unit !== undefined) return unit;
  throw new SqlError(SQLSTATE.featureNotSupported, `The unit "${text.slice(0, 50)}" is not supported.`, {
    hint: `Write one of: ${TRUNC_UNITS.join(', ')}.`,
    location,
  });
}

/** The start of the unit that holds a time. Weeks begin on Monday. */
export function truncate(unit: TimeUnit, local: Temporal.PlainDateTime): Temporal.PlainDateTime {
  if (typeof unit !== 'string') return startOfBin(unit, local);
  if (unit === 'second' || unit === 'minute' || unit === 'hour') {
    return local.round({ smallestUnit: unit, roundingMode: 'floor' });
  }
  const day = local.toPlainDate().toPlainDateTime();
  if (unit === 'week') return day.subtract({ days: day.dayOfWeek - 1 });
  if (unit === 'month') return day.with({ day: 1 });
  if (unit === 'quarter') return day.with({ day: 1, month: day.month - ((day.month - 1) % 3) });
  return unit === 'year' ? day.with({ day: 1, month: 1 }) : day;
}

/** One unit as a duration. */
export function lengthOf(unit: TimeUnit): Temporal.Duration {
  if (typeof unit !== 'string') return Temporal.Duration.from({ seconds: unit.seconds });
  return unit === 'quarter' ? Temporal.Duration.from({ months: 3 }) : Temporal.Duration.from({ [`${unit}s`]: 1 });
}
