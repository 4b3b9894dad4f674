import type { ManagementContext } from '../kernel/context.ts';
import { type Field, inputForm, type StoredRow } from '../kernel/field.ts';
import type { Resource } from '../kernel/resource.ts';
import { listRows } from '../kernel/resource.sql.ts';
import { COMMON_SORTS } from '../kernel/sort-keys.ts';
import { queryableOf } from '../kernel/transactions.sql.ts';

/** Rows of one read. */
const BATCH_ROWS = 500;

/** One object of an export: its resource, its id, and the input that creates it. */
export interface ExportedObject {
  readonly type: string;
  readonly id: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/**
 * All objects of a workspace that are in use, parents before children, a page at a time: at most 500 rows are held. Archived
 * objects and their children are left out. So are secrets, users, keys and delivery figures.
 */
export async function* exportConfiguration(
  context: ManagementContext,
  resources: readonly Resource[],
): AsyncGenerator<ExportedObject> {
  const exported = new Map<string, Set<bigint>>();
  for (const resource of resources) {
    const ids = new Set<bigint>();
    exported.set(resource.table, ids);
    for await (const row of readAll(context, resource)) {
      if (row['status'] === 'ARCHIVED' || !hasParents(resource, row, exported)) continue;
      ids.add(row.id);
      yield { type: resource.type, id: String(row.id), input: toInput(resource, row, exported) };
    }
  }
}

async function* readAll(context: ManagementContext, resource: Resource): AsyncGenerator<StoredRow> {
  let after: { value: string; id: string } | null = null;
  for (;;) {
    const rows: StoredRow[] = await listRows(queryableOf(context), context.principal.workspaceId, resource.table, {
      conditions: [],
      search: null,
      sort: COMMON_SORTS.ID,
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

/** Whether a required parent or an owner is not exported: then the object is not exported either. */
function hasParents(resource: Resource, row: StoredRow, exported: ReadonlyMap<string, ReadonlySet<bigint>>): boolean {
  return resource.fields.every((field) => {
    const isBound = field.requiredOnCreate || (field.reference?.isOwner === true && field.read(row) !== null);
    return field.reference === undefined || !isBound || isExported(field, row, exported);
  });
}

function isExported(field: Field, row: StoredRow, exported: ReadonlyMap<string, ReadonlySet<bigint>>): boolean {
  const [column] = field.columns;
  if (field.reference === undefined || column === undefined) return false;
  return exported.get(field.reference.table)?.has(row[column] as bigint) === true;
}

/** The input of `create…` that makes this row; null fields, and references to objects that are not exported, are left out. */
function toInput(
  resource: Resource,
  row: StoredRow,
  exported: ReadonlyMap<string, ReadonlySet<bigint>>,
): Record<string, unknown> {
  const given = resource.fields
    .filter((field) => field.input !== null)
    .filter((field) => field.reference === undefined || isExported(field, row, exported))
    .map((field) => [field.name, inputForm(field, row)] as const)
    .filter(([, value]) => value !== null && value !== undefined);
  return Object.fromEntries(given);
}
