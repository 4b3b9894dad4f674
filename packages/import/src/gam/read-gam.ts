import { readdir, readFile, stat } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { ImportError } from '../plan/import-error.ts';
import { Fields } from './fields.ts';
import type { GamData } from './gam-data.ts';
import { addTable } from './gam-tables.ts';
import { READ_OBJECT } from './read-objects.ts';
import { readCsvTable, readXlsxTable } from './read-tables.ts';

type ObjectKind = Exclude<keyof GamData, 'report'>;

/** Names of files and of members of REST pages, without capitals and signs. */
const KIND_NAMES: Readonly<Record<string, ObjectKind>> = {
  adunits: 'adUnits',
  inventory: 'adUnits',
  placements: 'placements',
  companies: 'companies',
  advertisers: 'companies',
  orders: 'orders',
  lineitems: 'lineItems',
  creatives: 'creatives',
  licas: 'associations',
  lineitemcreativeassociations: 'associations',
  customtargetingkeys: 'keys',
  customtargetingvalues: 'keyValues',
};

const FILE_BYTES_MAX = 512 * 1_048_576;
const FILES_MAX = 10_000;

/** The JSON, CSV and XLSX files of a folder, by name. @throws ImportError that names a file that cannot be read */
export async function readGam(folder: string): Promise<GamData> {
  const names = await readdir(folder).catch(() => {
    throw new ImportError(`There is no folder ${folder}.`);
  });
  const files = names.filter((name) => /\.(?:json|csv|xlsx)$/i.test(name)).toSorted();
  if (files.length === 0) throw new ImportError(`${folder} has no JSON, CSV or XLSX file.`);
  if (files.length > FILES_MAX) throw new ImportError(`${folder} has more than ${FILES_MAX} files: divide it.`);
  const data: GamData = {
    adUnits: [],
    placements: [],
    companies: [],
    orders: [],
    lineItems: [],
    creatives: [],
    associations: [],
    keys: [],
    keyValues: [],
    report: [],
  };
  for (const name of files) await checkSize(folder, name);
  // Objects of the API first: those of reports only add what no other file has.
  for (const name of files) if (isJson(name)) addJson(data, await readFile(join(folder, name), 'utf8'), name);
  for (const name of files) {
    if (isJson(name)) continue;
    const read = extname(name).toLowerCase() === '.csv' ? readCsvTable : readXlsxTable;
    addTable(data, await read(join(folder, name), name), name);
  }
  return data;
}

const isJson = (name: string): boolean => extname(name).toLowerCase() === '.json';

async function checkSize(folder: string, name: string): Promise<void> {
  const { size } = await stat(join(folder, name));
  if (size > FILE_BYTES_MAX)
    throw new ImportError(`${name} has more than ${FILE_BYTES_MAX / 1_048_576} MiB: divide it.`);
}

function addJson(data: GamData, text: string, name: string): void {
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    throw new ImportError(`${name} is not JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
  for (const page of pagesOf(value)) addPage(data, page, name);
}

/** A file holds one page, or a list of pages. */
function pagesOf(value: unknown): unknown[] {
  const isPages = Array.isArray(value) && value.length > 0 && value.every((one) => pageList(Fields.of(one)) !== null);
  return isPages ? (value as unknown[]) : [value];
}

/** The member of a page of the REST API (`orders`), or of a SOAP service (`results`), that holds its objects. */
function pageList(page: Fields | null): string | null {
  if (page === null || page.text('id', 'name') !== null) return null;
  return page.names.find((name) => kindOf(name) !== undefined || name === 'results') ?? null;
}

const kindOf = (name: string): ObjectKind | undefined => {
  const folded = name.toLowerCase().replaceAll(/[^a-z]+/g, '');
  return Object.hasOwn(KIND_NAMES, folded) ? KIND_NAMES[folded] : undefined;
};

function addPage(data: GamData, page: unknown, file: string): void {
  const fields = Fields.of(page);
  const list = pageList(fields);
  const rows = list === null || fields === null ? listOf(page) : fields.children(list);
  const kind = (list === null ? undefined : kindOf(list)) ?? kindOf(file.replace(/\.json$/i, ''));
  if (kind === undefined)
    throw new ImportError(
      `The name of ${file} tells no kind of objects: name it orders.json, line-items.json, creatives.json, licas.json, ad-units.json, placements.json, companies.json, custom-targeting-keys.json or custom-targeting-values.json.`,
    );
  for (const row of rows) {
    const read = READ_OBJECT[kind](row);
    if (read !== null) (data[kind] as unknown[]).push(read);
  }
}

const listOf = (value: unknown): Fields[] =>
  (Array.isArray(value) ? (value as unknown[]) : [value]).flatMap((one) => Fields.of(one) ?? []);
