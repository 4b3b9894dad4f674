import type { PgType } from '../wire/server-messages.ts';
import { unsupported } from '../wire/sql-error.ts';
import type { ConstantScope } from './constants.ts';
import { COLUMN_TYPES, type SqlColumn, type SqlTable } from './sql-model.ts';
import { granularityName, type TimeUnit } from './times.ts';

/** The table of a query, and the zone in which its times are. */
export interface QueryScope extends ConstantScope {
  readonly table: SqlTable;
  /** The names that may stand before a column: of the table, or its alias. */
  readonly tableNames: readonly string[];
  /** The zone that AT TIME ZONE names; null: that of the session. */
  readonly zone: string | null;
}

/** An expression over one column. */
export interface ColumnExpression {
  readonly column: SqlColumn;
  /** Times only: cut by this unit. */
  readonly unit: TimeUnit | null;
  /** A measure inside MEASURE() or its own aggregate function. */
  readonly isAggregated: boolean;
  readonly isLowered: boolean;
  /** Behind AT TIME ZONE. */
  readonly isZoned: boolean;
  readonly type: PgType;
  /** The seconds since 1970 instead of the time. */
  readonly isEpoch: boolean;
  readonly location: number | undefined;
}

/** The key of the expression's values in the rows of a report. */
export function keyOf({ column, unit }: ColumnExpression): string {
  return unit === null ? column.member : `${column.member}.${granularityName(unit)}`;
}

/** A column as it is. */
export function plainColumn(column: SqlColumn, location: number | undefined): ColumnExpression {
  return {
    column,
    unit: null,
    isAggregated: false,
    isLowered: false,
    isZoned: false,
    type: COLUMN_TYPES[column.type],
    isEpoch: false,
    location,
  };
}

/** The expression, which must be the time. @throws SqlError */
export function timeOf(inner: ColumnExpression, what: string): ColumnExpression {
  if (inner.column.type === 'time' && inner.unit === null) return inner;
  throw unsupported(`${what} of ${inner.column.name}`, 'Use it on the column time.', inner.location);
}
