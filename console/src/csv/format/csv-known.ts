import { CSV, type CsvKindFacts } from './csv-columns.ts';
import type { CsvKind } from './csv-kinds.ts';
import type { CsvRecord } from './csv-export.ts';
import type { CsvTable } from './csv-text.ts';

/** A campaign, an advertiser or a site that a line may name. */
export interface CsvParentRecord {
  readonly id: string;
  readonly name: string;
  readonly status: string;
  readonly externalId?: string | null;
  readonly code?: string;
  readonly advertiser?: { readonly name: string } | null;
}

/** The objects that a file names, as they are now. */
export interface CsvKnown {
  /** Of the kind itself. */
  readonly records: readonly CsvRecord[];
  readonly parents: readonly CsvParentRecord[];
  /** Advertisers that lines name beside their campaign. */
  readonly advertisers: readonly CsvParentRecord[];
}

/** The same objects by what lines name them by. */
export interface CsvParentIndex {
  readonly byId: ReadonlyMap<string, readonly CsvParentRecord[]>;
  readonly byKey: ReadonlyMap<string, readonly CsvParentRecord[]>;
  readonly byName: ReadonlyMap<string, readonly CsvParentRecord[]>;
  readonly advertisers: ReadonlyMap<string, readonly CsvParentRecord[]>;
}

/** The parents of a kind by id, by key and by name; advertisers by name. */
export function indexParents({ parent }: CsvKindFacts, { parents, advertisers }: CsvKnown): CsvParentIndex {
  // An archived object is found by its id alone: its name may be given to another one.
  const living = <Row extends CsvParentRecord>(rows: readonly Row[]): Row[] =>
    rows.filter(({ status }) => status !== 'ARCHIVED');
  return {
    byId: Map.groupBy(parents, ({ id }) => id),
    byKey: Map.groupBy(parents, (one) => (parent === null ? '' : (one[parent.key] ?? ''))),
    byName: Map.groupBy(living(parents), ({ name }) => name),
    advertisers: Map.groupBy(living(advertisers), ({ name }) => name),
  };
}

/** What a file names, so that it can be looked up. */
export interface CsvWanted {
  readonly ids: readonly string[];
  readonly keys: readonly string[];
  readonly parentIds: readonly string[];
  readonly parentKeys: readonly string[];
  readonly parentNames: readonly string[];
  readonly advertiserNames: readonly string[];
}

/** The cells of a line by their headings; a line may end early. */
export function cellsOf({ heading }: Pick<CsvTable, 'heading'>, cells: readonly string[]): ReadonlyMap<string, string> {
  return new Map(heading.map((name, at) => [name, cells[at] ?? '']));
}

/** The heading of the column that has the key of a kind. */
export function keyColumnOf({ columns, key }: CsvKindFacts): string {
  return columns.find(({ field }) => field === key)?.name ?? key;
}

const ID = /^\d{1,18}$/;

/** Finds what a file names. @param made ids of lines that an interrupted import has made */
export function wantedOf(kind: CsvKind, table: CsvTable, made: ReadonlyMap<number, string>): CsvWanted {
  const facts = CSV[kind];
  const { parent } = facts;
  const lines = table.rows.map(({ cells }) => cellsOf(table, cells));
  const read = (column: string | null | undefined): string[] => {
    if (column === null || column === undefined) return [];
    return [...new Set(lines.map((cells) => (cells.get(column) ?? '').trim()).filter((one) => one !== ''))];
  };
  return {
    ids: [...new Set([...read('id').filter((id) => ID.test(id)), ...made.values()])],
    keys: read(keyColumnOf(facts)),
    parentIds: read(parent?.idColumn).filter((id) => ID.test(id)),
    parentKeys: read(parent?.keyColumn),
    parentNames: read(parent?.nameColumn),
    advertiserNames: parent?.kind === 'campaigns' ? read('advertiser') : [],
  };
}

/** Those in use; where there are none, the archived ones. */
export function inUse<Row extends { readonly status: string }>(rows: readonly Row[]): readonly Row[] {
  const living = rows.filter(({ status }) => status !== 'ARCHIVED');
  return living.length === 0 ? rows : living;
}
