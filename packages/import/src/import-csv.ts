import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type ApiAddress, ApiClient } from './api-client.ts';
import { type Applied, applyPlan } from './apply-plan.ts';
import { type FileKind, FILE_KINDS, readMapping } from './csv/mapping.ts';
import { planCsv } from './csv/plan-csv.ts';
import { readTable, type TableRow } from './csv/read-table.ts';
import { ImportError } from './plan/import-error.ts';
import type { ImportPlan } from './plan/import-plan.ts';
import { readPicture } from './read-picture.ts';

export { isTemplate, writeTemplate } from './csv/templates.ts';

/** What is imported. */
export interface CsvImport {
  /** The file of the mapping; the paths in it are relative to its folder. */
  readonly mapping: string;
  /** The folder of pictures; null: there is none. */
  readonly images: string | null;
  /** Null: nothing is changed. */
  readonly api: ApiAddress | null;
}

/** Reads the CSV files of a mapping, plans their import and, with an address of the API, applies it. @throws ImportError */
export async function importCsv({
  mapping: path,
  images,
  api,
}: CsvImport): Promise<{ plan: ImportPlan; applied: Applied | null }> {
  const json = await readFile(path, 'utf8').catch(() => {
    throw new ImportError(`There is no file ${path}.`);
  });
  const mapping = readMapping(json);
  const tables: Partial<Record<FileKind, TableRow[]>> = {};
  for (const kind of FILE_KINDS) {
    const file = mapping.files[kind];
    if (file !== undefined) tables[kind] = await readTable(dirname(path), file);
  }
  const plan = planCsv(mapping, tables);
  if (api === null) return { plan, applied: null };
  return { plan, applied: await applyPlan(new ApiClient(api), plan, (name) => readPicture(images, name)) };
}
