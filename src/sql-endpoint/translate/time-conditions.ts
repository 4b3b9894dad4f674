import { unsupported } from '../wire/sql-error.ts';
import { type Constant, toTime } from './constants.ts';
import type { ColumnExpression, QueryScope } from './column-expression.ts';
import { type Condition, join, NEVER, type SqlTime } from './report-filter.ts';
import { lengthOf, truncate } from './times.ts';

/** The operators that compare two values. */
export type Comparison = '=' | '<>' | '<' | '<=' | '>' | '>=';

const MILLISECOND = Temporal.Duration.from({ milliseconds: 1 });

/** A comparison of the time, or of the time cut off below a unit, as a range of times. */
export function timeCondition(
  operand: ColumnExpression,
  comparison: Comparison,
  value: Constant,
  scope: QueryScope,
): Condition {
  const { column, unit, isEpoch, location } = operand;
  if (isEpoch) throw unsupported('A comparison of seconds', 'Compare the column time with times.', location);
  const time = readSqlTime(operand, value, scope);
  // Stored times have milliseconds. A time between two of them is compared like the start of its unit, only that nothing equals it.
  const start =
    unit === null ? time.round({ smallestUnit: 'millisecond', roundingMode: 'floor' }) : truncate(unit, localOf(time));
  const next = start.add(unit === null ? MILLISECOND : lengthOf(unit));
  const isExact = localOf(start).equals(localOf(time));
  const range = (from: SqlTime | null, until: SqlTime | null): Condition => ({
    kind: 'time',
    member: column.member,
    from,
    until,
  });
  switch (comparison) {
    case '>=':
      return range(isExact ? start : next, null);
    case '>':
      return range(next, null);
    case '<':
      return range(null, isExact ? start : next);
    case '<=':
      return range(null, next);
    case '=':
      return isExact ? range(start, next) : NEVER;
    case '<>':
      return join('or', [range(null, isExact ? start : next), range(next, null)]);
  }
}

/** The value on the clocks of the query: what AT TIME ZONE names, where the column stands behind it. */
function readSqlTime({ isZoned, location }: ColumnExpression, value: Constant, scope: QueryScope): SqlTime {
  const zone = scope.zone ?? scope.timezone;
  const time = toTime(value, location);
  if (time.kind === 'instant') return time.instant.toZonedDateTimeISO(zone);
  if (isZoned || zone === scope.timezone) return time.local;
  return time.local.toZonedDateTime(scope.timezone).withTimeZone(zone);
}

function localOf(time: SqlTime): Temporal.PlainDateTime {
  return time instanceof Temporal.ZonedDateTime ? time.toPlainDateTime() : time;
}
