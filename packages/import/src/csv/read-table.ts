import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import Papa from 'papaparse';
import { ImportError } from '../plan/import-error.ts';
import type { MappedFile } from './mapping.ts';

/** A larger file is refused: it is held in memory. */
const BYTES_MAX = 256 * 1_024 * 1_024;

/** A row of a file: texts by field, without the fields that are empty. */
export interface TableRow {
  /** In the file; the heading is line 1. */
  readonly line: number;
  readonly cells: ReadonlyMap<string, string>;
}

/** Reads the rows of a file below `folder`. @throws ImportError without the file or a column that the mapping names */
export async function readTable(folder: string, file: MappedFile): Promise<TableRow[]> {
  const path = join(folder, file.path);
  const found = await stat(path).catch(() => null);
  if (found?.isFile() !== true) throw new ImportError(`There is no file ${path}.`);
  if (found.size > BYTES_MAX)
    throw new ImportError(`${path} has more than ${BYTES_MAX / 1_048_576} MiB: divide it, and import its parts.`);
  const text = (await readFile(path, 'utf8')).replace(/^\uFEFF/, '');
  const { data, errors } = Papa.parse<string[]>(text, { delimiter: file.delimiter ?? '', skipEmptyLines: 'greedy' });
  const broken = errors.find(({ type }) => type === 'Quotes');
  if (broken !== undefined) throw new ImportError(`${file.path}, row ${(broken.row ?? 0) + 1}: ${broken.message}`);
  const [heading = [], ...rows] = data;
  const names = heading.map((name) => name.trim());
  const columns = Object.entries(file.columns).map(([field, name]) => {
    const at = names.indexOf(name);
    if (at < 0) throw new ImportError(`${file.path} has no column "${name}" (${field}). It has: ${names.join(', ')}.`);
    return { field, at };
  });
  return rows.map((row, index) => {
    const cells = columns.map(({ field, at }) => [field, row[at]?.trim() ?? ''] as const);
    const all = [...Object.entries(file.constants), ...cells.filter(([, cell]) => cell !== '')];
    return { line: index + 2, cells: new Map(all) };
  });
}
