import type { PgType } from '../wire/server-messages.ts';
import { SQLSTATE, SqlError } from '../wire/sql-error.ts';
import type { ColumnExpression } from './column-expression.ts';

/** One column of the result. */
export interface OutputColumn {
  readonly name: string;
  readonly type: PgType;
  /** Null: the same value in every row. */
  readonly expression: ColumnExpression | null;
  readonly constant: string | null;
}

/** Columns of one result, as in PostgreSQL. */
export const COLUMNS_MAX = 1_664;

/** @throws SqlError `54011` */
export function checkColumnCount(count: number): void {
  if (count <= COLUMNS_MAX) return;
  throw new SqlError(SQLSTATE.tooManyColumns, `A result has at most ${COLUMNS_MAX} columns.`, {
    hint: 'Select fewer columns.',
  });
}
