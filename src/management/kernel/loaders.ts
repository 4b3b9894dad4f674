import DataLoader from 'dataloader';
import type { ManagementContext } from './context.ts';
import { queryableOf } from './transactions.sql.ts';
import type { StoredRow } from './field.ts';
import type { Predicate } from './predicate.ts';
import { resourceOfType } from './resource.ts';
import type { SelectedColumns, SelectedLink } from './selection.ts';
import { type Condition, countChildren, findRows, listChildren } from './resource.sql.ts';

/** The most keys in one statement of a loader. */
const LOADER_BATCH_MAX = 500;
/** The most rows that one statement of a loader returns: a larger result would keep the process from other work. */
const LOADER_ROWS_MAX = 2_000;

/**
 * Returns the loader of this name and builds it at first use. Loaders live as long as the request and are dropped after each
 * mutation. Each key loads at most `rowsPerKey` rows.
 */
export function loaderOf<Key, Value>(
  context: ManagementContext,
  name: string,
  load: (keys: readonly Key[]) => Promise<readonly Value[]>,
  rowsPerKey = 1,
): DataLoader<Key, Value> {
  const known = context.loaders.get(name);
  if (known !== undefined) return known as DataLoader<Key, Value>;
  const maxBatchSize = Math.max(1, Math.min(LOADER_BATCH_MAX, Math.floor(LOADER_ROWS_MAX / rowsPerKey)));
  const made = new DataLoader<Key, Value>((keys) => context.budget.read(() => load(keys)), { maxBatchSize });
  context.loaders.set(name, made);
  return made;
}

/** What one statement reads for all objects of a request; dropped with the loaders. `load` runs at the first call. */
export function onceInRequest<Value>(
  context: ManagementContext,
  name: string,
  load: () => Promise<Value>,
): Promise<Value> {
  const known = context.loaders.get(name);
  if (known !== undefined) return known as Promise<Value>;
  const made = load();
  context.loaders.set(name, made);
  return made;
}

/** Loads one object by id, batched with all others of its type and columns in the same request. null when absent. */
export function loadObject(
  context: ManagementContext,
  type: string,
  id: bigint,
  columns: SelectedColumns = null,
): Promise<StoredRow | null> {
  const resource = resourceOfType(type);
  const name = objectsName(type, columns);
  return loaderOf<bigint, StoredRow | null>(context, name, async (ids) => {
    const rows = await findRows(queryableOf(context), context.principal.workspaceId, resource.table, { ids, columns });
    const byId = new Map(rows.map((row) => [row.id, row]));
    return ids.map((each) => byId.get(each) ?? null);
  }).load(id);
}

/** The object of a link: at once where {@link loadLinks} has read it. */
export function findLinked(
  context: ManagementContext,
  type: string,
  id: bigint,
  columns: SelectedColumns,
): StoredRow | Promise<StoredRow | null> {
  const linked = context.loaders.get(`linked/${objectsName(type, columns)}`) as LinkedRows | undefined;
  return linked?.get(id) ?? loadObject(context, type, id, columns);
}

type LinkedRows = Map<bigint, StoredRow>;

/** Reads the objects that the rows of a page refer to, so that no row of the page waits for one. A page has few rows: one statement a link. */
export async function loadLinks(
  context: ManagementContext,
  rows: readonly StoredRow[],
  links: readonly SelectedLink[],
): Promise<void> {
  for (const link of links) {
    const { column, resource, selection } = link;
    const linked = linkedRowsOf(context, link);
    const ids = new Set(rows.map((row) => row[column]));
    const wanted = [...ids].filter((id): id is bigint => typeof id === 'bigint' && !linked.has(id));
    if (wanted.length === 0) continue;
    const { workspaceId } = context.principal;
    const { columns } = selection;
    const read = () => findRows(queryableOf(context), workspaceId, resource.table, { ids: wanted, columns });
    const found = await context.budget.read(read);
    for (const row of found) linked.set(row.id, row);
    await loadLinks(context, found, selection.links);
  }
}

/** Adds objects that were read with the rows that refer to them, and reads those that they refer to themselves. */
export async function addLinked(
  context: ManagementContext,
  link: SelectedLink,
  rows: readonly StoredRow[],
): Promise<void> {
  const linked = linkedRowsOf(context, link);
  for (const row of rows) linked.set(row.id, row);
  await loadLinks(context, rows, link.selection.links);
}

function linkedRowsOf(context: ManagementContext, { resource, selection }: SelectedLink): LinkedRows {
  const name = `linked/${objectsName(resource.type, selection.columns)}`;
  const linked = (context.loaders.get(name) as LinkedRows | undefined) ?? new Map<bigint, StoredRow>();
  context.loaders.set(name, linked);
  return linked;
}

function objectsName(type: string, columns: SelectedColumns): string {
  return `object/${type}/${columns?.join() ?? '*'}`;
}

/** A query for the children of a parent; it is the same for all parents of one selection. */
export interface ChildrenRequest {
  readonly type: string;
  readonly parentColumn: string;
  readonly conditions: readonly Condition[];
  /** What must hold of each child; null: nothing. */
  readonly where: Predicate | null;
  readonly limit: number;
  readonly columns: SelectedColumns;
}

/** Loads the first children of one parent, batched over all parents of the selection. */
export function loadChildren(
  context: ManagementContext,
  request: ChildrenRequest,
  parentId: bigint,
): Promise<StoredRow[]> {
  const resource = resourceOfType(request.type);
  const name = `children/${keyOf(request)}/${request.limit}/${request.columns?.join() ?? '*'}`;
  const load = async (parentIds: readonly bigint[]): Promise<StoredRow[][]> => {
    const rows = await listChildren(queryableOf(context), context.principal.workspaceId, resource.table, {
      ...request,
      parentIds,
    });
    const byParent = Map.groupBy(rows, (row) => row[request.parentColumn] as bigint);
    return parentIds.map((each) => byParent.get(each) ?? []);
  };
  return loaderOf<bigint, StoredRow[]>(context, name, load, request.limit).load(parentId);
}

/** Counts the children of one parent, batched in the same way. */
export function loadChildCount(
  context: ManagementContext,
  request: ChildrenRequest,
  parentId: bigint,
): Promise<number> {
  const resource = resourceOfType(request.type);
  return loaderOf<bigint, number>(context, `count/${keyOf(request)}`, async (parentIds) => {
    const counts = await countChildren(queryableOf(context), context.principal.workspaceId, resource.table, {
      ...request,
      parentIds,
    });
    const byParent = new Map(counts.map((count) => [count.parent_id, Number(count.total)]));
    return parentIds.map((each) => byParent.get(each) ?? 0);
  }).load(parentId);
}

function keyOf(request: ChildrenRequest): string {
  const conditions = request.conditions.map(
    (condition) => `${condition.column}:${condition.kind}:${String(condition.value)}`,
  );
  return `${request.type}/${request.parentColumn}/${conditions.join('/')}/${JSON.stringify(request.where)}`;
}
