import DataLoader from 'dataloader';
import type { ManagementContext } from './context.ts';
import { readerOf } from './transactions.sql.ts';
import type { StoredRow } from './field.ts';
import { nounOfType } from './resource.ts';
import { type Condition, countChildren, findRows, listChildren } from './resource.sql.ts';

/** Most keys in one statement of a loader. */
const LOADER_BATCH_MAX = 500;
/** Most rows that one statement of a loader can return: more would come in one piece that keeps the process from other work. */
const LOADER_ROWS_MAX = 2_000;

/**
 * The loader of this name, made at first use; loaders live as long as the request and are dropped after each mutation. Each key
 * stands for at most `rowsPerKey` rows.
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
  const made = new DataLoader<Key, Value>((keys) => context.budget.read(() => load(keys)), {
    maxBatchSize,
    batchScheduleFn: (dispatch) => context.budget.afterPauses(dispatch),
  });
  context.loaders.set(name, made);
  return made;
}

/** One object by id, batched with all others of its type that the same request asks for. null when absent. */
export function loadObject(context: ManagementContext, type: string, id: bigint): Promise<StoredRow | null> {
  const noun = nounOfType(type);
  return loaderOf<bigint, StoredRow | null>(context, `object/${type}`, async (ids) => {
    const rows = await findRows(readerOf(context), context.principal.workspaceId, noun.table, ids);
    const byId = new Map(rows.map((row) => [row.id, row]));
    return ids.map((each) => byId.get(each) ?? null);
  }).load(id);
}

/** What is asked of the children of a parent. The same for all parents that one selection covers. */
export interface ChildrenRequest {
  readonly type: string;
  readonly parentColumn: string;
  readonly conditions: readonly Condition[];
  readonly limit: number;
}

/** The first children of one parent, batched over all parents of the selection. */
export function loadChildren(
  context: ManagementContext,
  request: ChildrenRequest,
  parentId: bigint,
): Promise<StoredRow[]> {
  const noun = nounOfType(request.type);
  const name = `children/${keyOf(request)}/${request.limit}`;
  const load = async (parentIds: readonly bigint[]): Promise<StoredRow[][]> => {
    const rows = await listChildren(readerOf(context), context.principal.workspaceId, noun.table, {
      ...request,
      parentIds,
    });
    const byParent = Map.groupBy(rows, (row) => row[request.parentColumn] as bigint);
    return parentIds.map((each) => byParent.get(each) ?? []);
  };
  return loaderOf<bigint, StoredRow[]>(context, name, load, request.limit).load(parentId);
}

/** How many children one parent has, batched likewise. */
export function loadChildCount(
  context: ManagementContext,
  request: ChildrenRequest,
  parentId: bigint,
): Promise<number> {
  const noun = nounOfType(request.type);
  return loaderOf<bigint, number>(context, `count/${keyOf(request)}`, async (parentIds) => {
    const counts = await countChildren(readerOf(context), context.principal.workspaceId, noun.table, {
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
  return `${request.type}/${request.parentColumn}/${conditions.join('/')}`;
}
