import type { OutputColumn } from '../translate/output-column.ts';
import { keyOf } from '../translate/expressions.ts';
import { ROWS_MAX, type ReportPlan } from '../translate/select.ts';
import { type ValueFormat, formatAt } from '../wire/client-messages.ts';
import { dataRow, rowDescription } from '../wire/server-messages.ts';
import { SQLSTATE, SqlError } from '../wire/sql-error.ts';
import { encodeValue } from '../wire/values.ts';
import type { StatementResult } from './prepared.ts';

type ReportRow = Readonly<Record<string, unknown>>;

/** Rows of a report as messages. @throws SqlError `54000` when there are more than a result can hold */
export function resultOf(
  { columns, mustFit }: ReportPlan,
  rows: readonly ReportRow[],
  formats: readonly ValueFormat[],
): StatementResult {
  if (mustFit && rows.length >= ROWS_MAX) {
    throw new SqlError(SQLSTATE.programLimit, `The result has ${ROWS_MAX.toLocaleString('en')} rows or more.`, {
      hint: `Group by less, narrow the conditions, or write LIMIT ${ROWS_MAX}: a part is then enough.`,
    });
  }
  const cells = columns.map((column, index) => {
    const format = formatAt(formats, index);
    return (row: ReportRow): Buffer | null => {
      const value = valueOf(column, row);
      return value === null ? null : encodeValue(value, column.type, format);
    };
  });
  return {
    description: rowDescription(columns, (index) => formatAt(formats, index)),
    rows: rows.map((row) => dataRow(cells.map((cell) => cell(row)))),
    tag: `SELECT ${rows.length}`,
  };
}

function valueOf({ expression, constant }: OutputColumn, row: ReportRow): string | null {
  if (expression === null) return constant;
  const value = row[keyOf(expression)];
  if (value === null || value === undefined) return null;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return expression.isEpoch ? String(Date.parse(`${text}Z`) / 1000) : text;
}
