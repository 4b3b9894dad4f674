import { readFile } from 'node:fs/promises';
import Papa from 'papaparse';
import { ImportError } from '../plan/import-error.ts';

/** Rows of a CSV or XLSX file by the names of their columns. */
export interface Table {
  readonly columns: readonly string[];
  readonly rows: readonly { readonly line: number; readonly cells: readonly string[] }[];
}

/** A heading is looked for in these first lines: the interface writes the name and the dates of a report above it. */
const HEADING_LINES = 30;
/** With fewer columns, a line is a title. */
const COLUMNS_MIN = 3;

/** @throws ImportError where the file is broken */
export async function readCsvTable(path: string, name: string): Promise<Table> {
  const text = (await readFile(path, 'utf8')).replace(/^\uFEFF/, '');
  const { data, errors } = Papa.parse<string[]>(text, { skipEmptyLines: false });
  const broken = errors.find(({ type }) => type === 'Quotes');
  if (broken !== undefined) throw new ImportError(`${name}, row ${(broken.row ?? 0) + 1}: ${broken.message}`);
  return tableOf(data);
}

/** The first sheet. @throws ImportError where the file is broken */
export async function readXlsxTable(path: string, name: string): Promise<Table> {
  const { readXlsx } = await import('hucre/xlsx');
  try {
    const { sheets } = await readXlsx(await readFile(path));
    const rows: readonly (readonly unknown[])[] = sheets[0]?.rows ?? [];
    return tableOf(rows.map((row) => row.map(cellText)));
  } catch (error) {
    throw new ImportError(`${name}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function cellText(value: unknown): string {
  if (value instanceof Date)
    return value
      .toISOString()
      .replace(/T00:00:00\.000Z$/, '')
      .replace(/\.000Z$/, '');
  if (typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean') return String(value);
  return typeof value === 'string' ? value : '';
}

function tableOf(data: readonly (readonly string[])[]): Table {
  const isHeading = (row: readonly string[]): boolean => row.filter((cell) => cell.trim() !== '').length >= COLUMNS_MIN;
  const at = Math.max(0, data.slice(0, HEADING_LINES).findIndex(isHeading));
  const columns = (data[at] ?? []).map((cell) => cell.trim());
  const rows = data.slice(at + 1).flatMap((cells, index) => {
    const isTotal = /^total$/i.test(cells[0]?.trim() ?? '');
    const isEmpty = cells.every((cell) => cell.trim() === '' || cell.trim() === '-');
    return isTotal || isEmpty ? [] : [{ line: at + index + 2, cells }];
  });
  return { columns, rows };
}

/** The cells of a row by field, where one of the headings of the field is among the columns. */
export function cellsByField(
  { columns }: Table,
  cells: readonly string[],
  headings: Readonly<Record<string, readonly string[]>>,
): Map<string, string> {
  const found = new Map<string, string>();
  for (const [field, names] of Object.entries(headings)) {
    const at = columnOf(columns, names);
    const text = at === null ? '' : (cells[at]?.trim() ?? '');
    if (text !== '' && text !== '-' && text !== 'N/A') found.set(field, text);
  }
  return found;
}

/** The column of the first heading that is there. */
export function columnOf(columns: readonly string[], headings: readonly string[]): number | null {
  const folded = columns.map(foldHeading);
  for (const heading of headings) {
    const at = folded.indexOf(foldHeading(heading));
    if (at >= 0) return at;
  }
  return null;
}

/** `Dimension.LINE_ITEM_ID` of the API and "Line item ID" of the interface are one heading; a currency in brackets is left out. */
const foldHeading = (text: string): string =>
  text
    .replace(/^(?:Dimension|DimensionAttribute|Column)\./i, '')
    .replace(/\s*\([^)]*\)$/, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, ' ')
    .trim();
