import type { TargetingTree } from '../../api/bookings/targeting.ts';
import { isWhole } from '../../api/bookings/targeting.ts';
import { rowsOf, type TargetingRow } from '../../targeting/targeting-rows.ts';
import { writeCell } from './csv-cells.ts';
import type { CsvColumn } from './csv-column.ts';
import { CSV, type CsvKindFacts } from './csv-columns.ts';
import type { CsvKind } from './csv-kinds.ts';
import { writeTable } from './csv-text.ts';

/** An object as the API gives it. */
export interface CsvRecord {
  readonly id: string;
  readonly name: string;
  readonly version: number;
  readonly status: string;
  readonly [field: string]: unknown;
}

/** The headings of a kind, in their order. */
export function headingsOf({ columns, parent }: CsvKindFacts): string[] {
  const above = parent === null ? [] : [parent.idColumn, parent.keyColumn, parent.nameColumn, ...grandparentOf(parent)];
  return ['id', 'version', ...above.filter((one) => one !== null), ...columns.map(({ name }) => name)];
}

/** A campaign that is named by its name is one of an advertiser. */
function grandparentOf({ kind }: { readonly kind: string }): string[] {
  return kind === 'campaigns' ? ['advertiser'] : [];
}

/** Objects as a file that an import reads again without a change. */
export function writeRecords(kind: CsvKind, records: readonly CsvRecord[]): string[] {
  const facts = CSV[kind];
  return writeTable(
    headingsOf(facts),
    records.map((record) => lineOf(facts, record)),
  );
}

/** A file with one example to write over. */
export function writeTemplate(kind: CsvKind): string[] {
  const facts = CSV[kind];
  const { parent } = facts;
  const examples = new Map(facts.columns.map(({ name, example }) => [name, example ?? '']));
  if (parent !== null) {
    examples.set(parent.keyColumn, parent.keyExample);
    if (parent.nameColumn !== null) examples.set(parent.nameColumn, parent.nameExample);
    if (parent.kind === 'campaigns') examples.set('advertiser', 'Example advertiser');
  }
  const headings = headingsOf(facts);
  return writeTable(headings, [headings.map((heading) => examples.get(heading) ?? '')]);
}

interface NamedParent {
  readonly id: string;
  readonly name: string;
  readonly externalId?: string | null;
  readonly code?: string;
  readonly advertiser?: { readonly name: string } | null;
}

function lineOf({ columns, parent }: CsvKindFacts, record: CsvRecord): string[] {
  const cells = new Map<string, string>([
    ['id', record.id],
    ['version', String(record.version)],
    ...columns.map((column) => [column.name, textOf(column, record)] as const),
  ]);
  if (parent !== null) {
    const above = (record[parent.one] ?? null) as NamedParent | null;
    cells.set(parent.idColumn, writeCell('text', record[parent.field]));
    cells.set(parent.keyColumn, above?.[parent.key] ?? '');
    if (parent.nameColumn !== null) cells.set(parent.nameColumn, above?.name ?? '');
    if (parent.kind === 'campaigns') cells.set('advertiser', above?.advertiser?.name ?? '');
  }
  return headingsOf({ columns, parent } as CsvKindFacts).map((heading) => cells.get(heading) ?? '');
}

/** The text of a column of a record. */
export function textOf(column: CsvColumn, record: CsvRecord): string {
  return writeCell(column.cell, valueOf(column, record));
}

/** The value of a column of a record. */
export function valueOf({ field, member }: CsvColumn, record: CsvRecord): unknown {
  const value = record[field] ?? null;
  if (member === undefined || value === null) return value;
  if (field !== 'targeting') return (value as Readonly<Record<string, unknown>>)[member];
  return simpleTargeting(value as TargetingTree)?.find(({ dimension }) => dimension === member)?.values ?? [];
}

const SIMPLE: readonly string[] = ['COUNTRY', 'DEVICE_TYPE', 'AD_UNIT'];

/** The tests of a targeting that is countries, devices and ad units alone, each once at most; null for any other. */
export function simpleTargeting(tree: TargetingTree | null): readonly TargetingRow[] | null {
  if (tree !== null && !isWhole(tree)) return null;
  const rows = rowsOf(tree);
  if (rows === null) return null;
  const isSimple = rows.every(
    ({ dimension, isNot, isOr }, at) =>
      !isNot && !isOr && SIMPLE.includes(dimension) && rows.findIndex((one) => one.dimension === dimension) === at,
  );
  return isSimple ? rows : null;
}
