import type { OutputColumn } from '../translate/output-column.ts';
import { type ColumnExpression, keyOf } from '../translate/expressions.ts';
import { ROWS_MAX, type ReportPlan } from '../translate/select.ts';
import { type ValueFormat, formatAt } from '../wire/client-messages.ts';
import { rowDescription } from '../wire/server-messages.ts';
import { SQLSTATE, SqlError } from '../wire/sql-error.ts';
import { encodeValue } from '../wire/values.ts';
import type { StatementResult } from './prepared.ts';
import { RowMessages, SharedConstants } from './row-messages.ts';

type ReportRow = Readonly<Record<string, unknown>>;

/** Rows of a report as messages. @throws SqlError `54000` when there are more than a result can hold */
export function resultOf(
  { columns, mustFit }: Pick<ReportPlan, 'columns' | 'mustFit'>,
  rows: readonly ReportRow[],
  formats: readonly ValueFormat[],
): StatementResult {
  if (mustFit && rows.length >= ROWS_MAX) {
    throw new SqlError(SQLSTATE.programLimit, `The result has ${ROWS_MAX.toLocaleString('en')} rows or more.`, {
      hint: `Group by less, narrow the conditions, or write LIMIT ${ROWS_MAX}: a part is then enough.`,
    });
  }
  const constants = new SharedConstants();
  const cells = columns.map(({ expression, type, constant }, index) => {
    const format = formatAt(formats, index);
    if (expression === null) {
      const shared = constants.encode(constant, type, format);
      return (): Buffer | null => shared;
    }
    return (row: ReportRow): Buffer | null => {
      const value = valueOf(expression, row);
      return value === null ? null : encodeValue(value, type, format);
    };
  });
  const made = new RowMessages();
  for (const row of rows) made.add(cells.map((cell) => cell(row)));
  return {
    description: rowDescription(columns, (index) => formatAt(formats, index)),
    rows: made.rows,
    bytes: made.bytes,
    tag: `SELECT ${rows.length}`,
  };
}

/** The only row of a SELECT without a table. @throws SqlError `54000` */
export function constantRow(columns: readonly OutputColumn[], formats: readonly ValueFormat[]): StatementResult {
  return resultOf({ columns, mustFit: false }, [{}], formats);
}

function valueOf(expression: ColumnExpression, row: ReportRow): string | null {
  const value = row[keyOf(expression)];
  if (value === null || value === undefined) return null;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return expression.isEpoch ? String(Date.parse(`${text}Z`) / 1000) : text;
}
