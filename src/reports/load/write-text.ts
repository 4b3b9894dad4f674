import { csvHeader, csvLine } from './csv-line.ts';
import type { ExportColumn } from './export-columns.ts';
import type { RowValue } from './row-format.ts';

/** RFC 4180, one column a member; a value that a spreadsheet would take for a formula becomes a text. */
export async function* writeCsv(
  columns: readonly ExportColumn[],
  slices: AsyncIterable<readonly (readonly RowValue[])[]>,
): AsyncGenerator<string> {
  const described = columns.map(({ name, kind }) => ({
    name,
    key: name,
    kind: kind === 'text' || kind === 'time' ? kind : ('number' as const),
  }));
  yield csvHeader(described);
  for await (const rows of slices) yield rows.map((row) => csvLine(described, row)).join('');
}

/** The rows of the JSON response, one a line. */
export async function* writeNdjson(
  columns: readonly ExportColumn[],
  slices: AsyncIterable<readonly (readonly RowValue[])[]>,
): AsyncGenerator<string> {
  const lineOf = (row: readonly RowValue[]): string => {
    const object: Record<string, RowValue> = {};
    for (const [position, { name, column }] of columns.entries()) {
      const value = row[position] ?? null;
      object[name] = value;
      if (column.bareKey !== null) object[column.bareKey] = value;
    }
    return `${JSON.stringify(object)}\n`;
  };
  for await (const rows of slices) yield rows.map(lineOf).join('');
}
