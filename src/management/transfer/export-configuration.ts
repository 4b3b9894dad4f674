import type { ManagementContext } from '../kernel/context.ts';
import type { Field, StoredRow } from '../kernel/field.ts';
import type { Noun } from '../kernel/resource.ts';
import { listRows } from '../kernel/resource.sql.ts';
import { readerOf } from '../kernel/transactions.sql.ts';

/** Rows read at once. */
const BATCH_ROWS = 500;

/** One object of an export: its noun, the id it had, and what its creation would be given. */
export interface ExportedObject {
  readonly type: string;
  readonly id: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/**
 * All objects of a workspace that are in use, parents before children, a page at a time: at most 500 rows are held. Archived
 * objects, and what belongs to them, are left out. Secrets, users, keys and delivery figures are no part of an export.
 */
export async function* exportConfiguration(
  context: ManagementContext,
  nouns: readonly Noun[],
): AsyncGenerator<ExportedObject> {
  const exported = new Map<string, Set<bigint>>();
  for (const noun of nouns) {
    const ids = new Set<bigint>();
    exported.set(noun.table, ids);
    for await (const row of readAll(context, noun)) {
      if (row['status'] === 'ARCHIVED' || !hasParents(noun, row, exported)) continue;
      ids.add(row.id);
      yield { type: noun.type, id: String(row.id), input: toInput(noun, row, exported) };
    }
  }
}

async function* readAll(context: ManagementContext, noun: Noun): AsyncGenerator<StoredRow> {
  let after: { value: string; id: string } | null = null;
  for (;;) {
    const rows: StoredRow[] = await listRows(readerOf(context), context.principal.workspaceId, noun.table, {
      conditions: [],
      search: null,
      sortColumn: 'id',
      descending: false,
      after,
      before: null,
      limit: BATCH_ROWS,
      fromEnd: false,
    });
    yield* rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < BATCH_ROWS) return;
    after = { value: String(last.id), id: String(last.id) };
  }
}

/** A required parent, or an owner, that is not exported takes its children along. */
function hasParents(noun: Noun, row: StoredRow, exported: ReadonlyMap<string, ReadonlySet<bigint>>): boolean {
  return noun.fields.every((field) => {
    const isBound = field.requiredOnCreate || (field.reference?.isOwner === true && field.read(row) !== null);
    return field.reference === undefined || !isBound || isExported(field, row, exported);
  });
}

function isExported(field: Field, row: StoredRow, exported: ReadonlyMap<string, ReadonlySet<bigint>>): boolean {
  const [column] = field.columns;
  if (field.reference === undefined || column === undefined) return false;
  return exported.get(field.reference.table)?.has(row[column] as bigint) === true;
}

/** What `create…` would be given to make this row; fields that are null, and links to what is not exported, are left out. */
function toInput(
  noun: Noun,
  row: StoredRow,
  exported: ReadonlyMap<string, ReadonlySet<bigint>>,
): Record<string, unknown> {
  const given = noun.fields
    .filter((field) => field.input !== null)
    .filter((field) => field.reference === undefined || isExported(field, row, exported))
    .map((field) => [field.name, field.give === undefined ? field.read(row) : field.give(row)] as const)
    .filter(([, value]) => value !== null && value !== undefined);
  return Object.fromEntries(given);
}
