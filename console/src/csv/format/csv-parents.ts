import { say } from '../../messages/say.ts';
import type { CsvParent } from './csv-columns.ts';
import { type CsvParentIndex, type CsvParentRecord, inUse } from './csv-known.ts';

/** What is wrong with a cell, or with the line as a whole. */
export interface CsvProblem {
  readonly column: string | null;
  readonly message: string;
}

/** A campaign or an advertiser that lines name and that does not exist. */
export interface MissingParent {
  readonly key: string;
  readonly kind: 'campaigns' | 'advertisers';
  readonly name: string;
  readonly externalId: string | null;
  /** The advertiser of a campaign: its id, or the key of one that is missing too. */
  readonly advertiser: { readonly id: string } | { readonly missing: string } | null;
}

/** The object above a line. `missing`: with the one above it first, when that is missing as well. */
export type FoundParent =
  | { readonly id: string }
  | { readonly missing: readonly MissingParent[] }
  | { readonly problem: CsvProblem };

type Cells = ReadonlyMap<string, string>;
const cell = (cells: Cells, column: string | null): string => (column === null ? '' : (cells.get(column) ?? '').trim());

/** The columns that name the parent in a line; empty: none does. */
export function parentColumns({ idColumn, keyColumn, nameColumn }: CsvParent, cells: Cells): string[] {
  return [idColumn, keyColumn, nameColumn].filter((one) => one !== null).filter((one) => cell(cells, one) !== '');
}

/** Finds the object that a line is under, by its id, else by its own id elsewhere, else by its exact name. */
export function findParent(parent: CsvParent, cells: Cells, known: CsvParentIndex): FoundParent {
  const [column] = parentColumns(parent, cells);
  if (column === undefined) return problemOf(parent.nameColumn ?? parent.keyColumn, say(`csv.needed_${parent.kind}`));
  const wanted = cell(cells, column);
  const found = inUse(meantBy(parent, column, { wanted, cells, known }));
  const [first, second] = found;
  if (first !== undefined && second === undefined) return { id: first.id };
  if (second !== undefined) return problemOf(column, say('csv.several', { column: parent.idColumn }));
  const name = cell(cells, parent.nameColumn);
  if (column === parent.idColumn || name === '') return problemOf(column, say('csv.unknown_parent', { name: wanted }));
  return missingParent(parent, cells, known);
}

function meantBy(
  { idColumn, keyColumn, kind }: CsvParent,
  column: string,
  { wanted, cells, known }: { readonly wanted: string; readonly cells: Cells; readonly known: CsvParentIndex },
): readonly CsvParentRecord[] {
  if (column === idColumn) return known.byId.get(wanted) ?? [];
  if (column === keyColumn) return known.byKey.get(wanted) ?? [];
  const named = known.byName.get(wanted) ?? [];
  const advertiser = kind === 'campaigns' ? cell(cells, 'advertiser') : '';
  return advertiser === '' ? named : named.filter((one) => one.advertiser?.name === advertiser);
}

function missingParent(parent: CsvParent, cells: Cells, known: CsvParentIndex): FoundParent {
  const name = cell(cells, parent.nameColumn);
  const externalId = cell(cells, parent.keyColumn) || null;
  if (parent.kind !== 'campaigns')
    return { missing: [missingOf({ kind: 'advertisers', name, externalId, advertiser: null })] };
  const advertiser = cell(cells, 'advertiser');
  if (advertiser === '') return problemOf('advertiser', say('csv.needed_to_make', { name }));
  const [first, second] = inUse(known.advertisers.get(advertiser) ?? []);
  if (second !== undefined) return problemOf('advertiser', say('csv.several', { column: parent.idColumn }));
  if (first !== undefined)
    return { missing: [missingOf({ kind: 'campaigns', name, externalId, advertiser: { id: first.id } })] };
  const above = missingOf({ kind: 'advertisers', name: advertiser, externalId: null, advertiser: null });
  return { missing: [above, missingOf({ kind: 'campaigns', name, externalId, advertiser: { missing: above.key } })] };
}

function missingOf(one: Omit<MissingParent, 'key'>): MissingParent {
  return {
    ...one,
    key: JSON.stringify([one.kind, one.externalId ?? one.name, one.externalId === null ? one.advertiser : null]),
  };
}

function problemOf(column: string, message: string): FoundParent {
  return { problem: { column, message } };
}
