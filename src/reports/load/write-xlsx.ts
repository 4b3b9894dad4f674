import { writeXlsxStream } from 'hucre/xlsx';
import { floatOf, wallClockMs } from './export-columns.ts';
import type { ColumnKind, ExportColumn } from './export-columns.ts';
import type { RowValue } from './row-format.ts';

/** Spreadsheets refuse longer texts. */
const CELL_LENGTH_MAX = 32_767;
/** Characters that XML cannot hold. */
// oxlint-disable-next-line no-control-regex
const NOT_IN_XML = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]|\p{Surrogate}/gu;
const WIDTH = 18;

type Cell = string | number | boolean | Date | null;

const CELLS: Readonly<Record<ColumnKind, (value: RowValue) => Cell>> = {
  text: (value) => (value === null ? null : textCell(String(value))),
  boolean: (value) => value,
  time: (value) => {
    const ms = wallClockMs(value);
    return ms === null ? null : new Date(ms);
  },
  integer: numberCell,
  decimal: numberCell,
  float: numberCell,
};

/**
 * A workbook of at most 4 GiB: LibreOffice opens no streamed file in ZIP64. A text is a text: a spreadsheet runs none as a formula. Beyond the rows that a sheet can have, more sheets follow. The list of the parts
 * comes last, so that a file that breaks off cannot be opened.
 */
export async function* writeXlsx(
  columns: readonly Pick<ExportColumn, 'name' | 'kind'>[],
  slices: AsyncIterable<readonly (readonly RowValue[])[]>,
): AsyncGenerator<Uint8Array> {
  const described = columns.map(({ name, kind }) => ({
    header: name,
    width: WIDTH,
    ...(kind === 'time' ? { numFmt: 'yyyy-mm-dd hh:mm:ss' } : {}),
  }));
  const stream = writeXlsxStream(listRows(columns, slices), {
    name: 'Report',
    columns: described,
    freezePane: { rows: 1 },
  });
  yield* stream;
}

async function* listRows(
  columns: readonly Pick<ExportColumn, 'name' | 'kind'>[],
  slices: AsyncIterable<readonly (readonly RowValue[])[]>,
): AsyncGenerator<Cell[]> {
  for await (const rows of slices)
    for (const row of rows) yield columns.map(({ kind }, position) => CELLS[kind](row[position] ?? null));
}

/** Spreadsheets keep 15 digits: a longer whole number stays a text, so that no digit is lost. */
function numberCell(value: RowValue): Cell {
  const number = floatOf(value);
  if (number === null) return null;
  return Number.isInteger(number) && !Number.isSafeInteger(number) ? String(value) : number;
}

function textCell(value: string): string {
  return value.replaceAll(NOT_IN_XML, '\uFFFD').slice(0, CELL_LENGTH_MAX);
}
