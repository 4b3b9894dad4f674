import type { RowValue } from './row-format.ts';

/** One column of a finished report. */
export interface ReportColumn {
  /** Its name in both files, as the client named it; `time` for the start of the span. */
  readonly name: string;
  /** The key of its value in rows of the compiled query. */
  readonly key: string;
  /** Numbers are written as they are; texts are made safe for spreadsheets; times lose their `T` and milliseconds. */
  readonly kind: 'text' | 'number' | 'time';
}

const NEEDS_QUOTES = /[",\r\n]/;
/** Characters that start a formula in spreadsheets. */
const STARTS_FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;

/** The header row of a CSV file (RFC 4180), with its line end. */
export function csvHeader(columns: readonly ReportColumn[]): string {
  return `${columns.map(({ name }) => textCell(name)).join(',')}\r\n`;
}

/** One row of a CSV file (RFC 4180), with its line end. A text that a spreadsheet would take for a formula gets a `'` before it. */
export function csvLine(columns: readonly ReportColumn[], values: readonly RowValue[]): string {
  let line = '';
  for (let position = 0; position < columns.length; position += 1) {
    if (position > 0) line += ',';
    line += cell(values[position] ?? null, columns[position]?.kind ?? 'text');
  }
  return `${line}\r\n`;
}

function cell(value: RowValue, kind: ReportColumn['kind']): string {
  if (value === null) return '';
  if (typeof value === 'boolean') return String(value);
  if (kind !== 'text') return value;
  return textCell(value);
}

function textCell(value: string): string {
  const text = STARTS_FORMULA.test(value) ? `'${value}` : value;
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
