import { SQLSTATE, SqlError } from '../wire/sql-error.ts';
import type { QueryScope } from './column-expression.ts';
import { type SqlTime, textOf, type TimeCondition } from './report-filter.ts';

/** The times that a report covers. */
export interface TimeRange {
  /** First and last millisecond. */
  readonly bounds: readonly [string, string];
}

/**
 * The range that lies in all conditions; without an upper bound up to the end of today. Null: it is empty.
 * @throws SqlError when nothing says where it begins
 */
export function dateRangeOf(times: readonly TimeCondition[], scope: QueryScope): TimeRange | null {
  const zone = scope.zone ?? scope.timezone;
  const compare = (a: SqlTime, b: SqlTime): number => instantMs(a, zone) - instantMs(b, zone);
  const from = times
    .flatMap((one) => one.from ?? [])
    .toSorted(compare)
    .at(-1);
  const today = Temporal.Instant.fromEpochMilliseconds(scope.nowMs).toZonedDateTimeISO(zone).toPlainDate();
  const until = times.flatMap((one) => one.until ?? []).toSorted(compare)[0];
  if (from === undefined) {
    throw new SqlError(SQLSTATE.featureNotSupported, 'The query needs to say from when on it reads.', {
      hint: "Add WHERE time >= now() - INTERVAL '7 days', or two times; at most 90 days.",
    });
  }
  const end = until ?? today.add({ days: 1 }).toPlainDateTime();
  if (compare(from, end) >= 0) {
    // Stand-ins of parameters are all the same time.
    return scope.parameters.areUnknown ? { bounds: [textOf(from), textOf(from)] } : null;
  }
  return { bounds: [textOf(from), textOf(end.subtract({ milliseconds: 1 }))] };
}

function instantMs(time: SqlTime, zone: string): number {
  return (time instanceof Temporal.ZonedDateTime ? time : time.toZonedDateTime(zone)).epochMilliseconds;
}
