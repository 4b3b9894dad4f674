import type { OutputColumn } from '../translate/output-column.ts';
import { type ColumnExpression, keyOf } from '../translate/column-expression.ts';
import { ROWS_MAX, type ReportPlan } from '../translate/select.ts';
import { type ValueFormat, formatAt } from '../wire/client-messages.ts';
import { rowDescription } from '../wire/server-messages.ts';
import { SQLSTATE, SqlError } from '../wire/sql-error.ts';
import { encodeValue } from '../wire/values.ts';
import type { StatementResult } from './prepared.ts';
import { RowMessages, SharedConstants } from './row-messages.ts';

/** Cells that are encoded without a break. */
export const CELLS_AT_ONCE = 500;
/** Bytes that are encoded without a break. */
export const BYTES_AT_ONCE = 65_536;

/** When the encoding of a result goes on. */
export interface EncodingPace {
  /** undefined: at once; otherwise when it resolves. */
  readonly turn: () => Promise<void> | undefined;
  /** Ends it at the next turn. */
  readonly signal: AbortSignal;
}

type ReportRow = Readonly<Record<string, unknown>>;

/**
 * Rows of a report as messages. Other work of the process has its turns meanwhile.
 * @throws SqlError `54000` when there are more than a result can hold; the reason of the pace's signal
 */
export async function resultOf(
  { columns, mustFit }: Pick<ReportPlan, 'columns' | 'mustFit'>,
  rows: readonly ReportRow[],
  formats: readonly ValueFormat[],
  { turn, signal }: EncodingPace,
): Promise<StatementResult> {
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
  let [cellsSince, bytesBefore] = [0, 0];
  for (const row of rows) {
    made.add(cells.map((cell) => cell(row)));
    cellsSince += cells.length;
    if (cellsSince < CELLS_AT_ONCE && made.bytes - bytesBefore < BYTES_AT_ONCE) continue;
    [cellsSince, bytesBefore] = [0, made.bytes];
    await turn();
    signal.throwIfAborted();
  }
  return {
    description: rowDescription(columns, (index) => formatAt(formats, index)),
    rows: made.rows,
    bytes: made.bytes,
    tag: `SELECT ${rows.length}`,
  };
}

/** The only row of a SELECT without a table. @throws SqlError `54000` */
export function constantRow(
  columns: readonly OutputColumn[],
  formats: readonly ValueFormat[],
  pace: EncodingPace,
): Promise<StatementResult> {
  return resultOf({ columns, mustFit: false }, [{}], formats, pace);
}

function valueOf(expression: ColumnExpression, row: ReportRow): string | null {
  const value = row[keyOf(expression)];
  if (value === null || value === undefined) return null;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return expression.isEpoch ? String(Date.parse(`${text}Z`) / 1000) : text;
}
