import { SQLSTATE, SqlError } from '../wire/sql-error.ts';

/** Equal parts of the time: the result of date_bin(). */
export interface Bin {
  readonly seconds: number;
  /** Where parts begin: seconds after 1970-01-01 on the clocks of the query, less than `seconds`. */
  readonly originSeconds: number;
}

/** Longest part, seconds, as the Reports API has it. */
const SECONDS_MAX = 366 * 86_400;

/** Reads the stride and the origin of date_bin(). @throws SqlError `0A000` for a stride of months, and `22023` for one out of bounds */
export function readBin(stride: Temporal.Duration, origin: Temporal.PlainDateTime, location?: number): Bin {
  if (stride.years !== 0 || stride.months !== 0) {
    throw new SqlError(SQLSTATE.featureNotSupported, 'date_bin() cannot count in months or years.', {
      hint: "Write date_trunc('month', time), or 'quarter' or 'year'.",
      location,
    });
  }
  const milliseconds = stride.total({ unit: 'milliseconds', relativeTo: Temporal.PlainDate.from('1970-01-01') });
  return binOf(milliseconds / 1_000, Math.floor(instantOf(origin).epochMilliseconds / 1_000), location);
}

/** Parts of some seconds from a moment on, which is given by its seconds after 1970-01-01. @throws SqlError `22023` */
export function binOf(seconds: number, fromSeconds: number, location?: number): Bin {
  if (!Number.isInteger(seconds) || seconds < 1 || seconds > SECONDS_MAX) {
    throw new SqlError(SQLSTATE.invalidParameterValue, 'A part of the time must have whole seconds, up to 366 days.', {
      hint: "Write an interval such as '15 minutes', '3 hours' or '7 days'.",
      location,
    });
  }
  return { seconds, originSeconds: ((fromSeconds % seconds) + seconds) % seconds };
}

/** The granularity of the Reports API: `900_seconds`, or `604800_seconds_from_19700105T000000`. */
export function granularityOf({ seconds, originSeconds }: Bin): string {
  if (originSeconds === 0) return `${seconds}_seconds`;
  const from = Temporal.Instant.fromEpochMilliseconds(originSeconds * 1_000).toString();
  return `${seconds}_seconds_from_${from.replaceAll(/[-:Z]/g, '')}`;
}

/** The start of the part that holds a time. */
export function startOfBin({ seconds, originSeconds }: Bin, local: Temporal.PlainDateTime): Temporal.PlainDateTime {
  const ms = instantOf(local).epochMilliseconds - originSeconds * 1_000;
  const parts = Math.floor(ms / (seconds * 1_000));
  return Temporal.Instant.fromEpochMilliseconds((parts * seconds + originSeconds) * 1_000)
    .toZonedDateTimeISO('UTC')
    .toPlainDateTime();
}

/** Clocks without a zone count like those of UTC. */
function instantOf(local: Temporal.PlainDateTime): Temporal.Instant {
  return local.toZonedDateTime('UTC').toInstant();
}
