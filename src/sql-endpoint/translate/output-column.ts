import type { PgType } from '../wire/server-messages.ts';
import type { ColumnExpression } from './expressions.ts';

/** One column of the result. */
export interface OutputColumn {
  readonly name: string;
  readonly type: PgType;
  /** Null: the same value in every row. */
  readonly expression: ColumnExpression | null;
  readonly constant: string | null;
}
