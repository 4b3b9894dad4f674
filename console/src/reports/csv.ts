import type { CellValue } from './report-rows.ts';

/** A text that a spreadsheet would run as a formula, as the Reports API has it (full-width forms as well); numbers are none. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;
const NUMBER = /^-?\d+(\.\d+)?$/;

/**
 * One field of a CSV file (RFC 4180). Text that a spreadsheet would take for a formula gets an apostrophe in front, so that a
 * campaign's name can never run anything on the machine that opens the file.
 */
export function csvField(value: CellValue | undefined): string {
  if (value === null || value === undefined) return '';
  const text = String(value);
  const safe = FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** One line, with its line break. */
export function csvLine(values: readonly (CellValue | undefined)[]): string {
  return `${values.map(csvField).join(',')}\r\n`;
}
