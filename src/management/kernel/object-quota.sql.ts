import { type Kysely, sql, type Transaction } from 'kysely';
import type { PlacardError } from '../../domain/errors.ts';
import { quotaExceeded } from '../../domain/tenancy/quota.ts';
import { lockAndCount, lockCount } from '../../storage/sql/count-lock.ts';
import type { Database } from '../../storage/sql/schema.ts';
import type { ManagementContext } from './context.ts';
import type { Resource } from './resource.ts';

type InTransaction = ManagementContext & { readonly transaction: Transaction<Database> };

/** The remaining quota of each table in a running transaction: a bulk call counts the table once, not for each row. */
const headrooms = new WeakMap<object, Map<string, number>>();

/**
 * Reserves one object of the quota of its kind; archived ones count. No other transaction of the workspace creates objects until this
 * one ends. A row that a savepoint undoes stays counted until then.
 *
 * @throws PlacardError `quota_exceeded`
 */
export async function reserveObject(context: InTransaction, resource: Resource): Promise<void> {
  const { granted, refusal } = await reserveObjects(context, resource, 1);
  if (granted === 0) throw refusal;
}

/** As {@link reserveObject}, for several at once: as many as the quota admits, and the error for the others. */
export async function reserveObjects(
  context: InTransaction,
  resource: Resource,
  wanted: number,
): Promise<{ readonly granted: number; readonly refusal: PlacardError }> {
  const { transaction, quotas } = context;
  let byTable = headrooms.get(transaction);
  if (byTable === undefined) headrooms.set(transaction, (byTable = new Map()));
  const left = byTable.get(resource.table) ?? (await countLeft(context, resource));
  const granted = Math.max(0, Math.min(left, wanted));
  byTable.set(resource.table, left - granted);
  const advice = `It has reached its limit of objects of the kind ${resource.type}; ask the operator for more.`;
  const use = { used: quotas.objects - left + granted, limit: quotas.objects };
  return { granted, refusal: quotaExceeded('objects', use, advice) };
}

/** Waits until no other transaction of the workspace creates objects, and keeps others waiting until this one ends. */
export function lockCreation(transaction: Kysely<Database>, workspaceId: number): Promise<void> {
  return lockCount(transaction, creationOf(workspaceId));
}

const creationOf = (workspaceId: number): string => `objects of ${workspaceId}`;

async function countLeft(context: InTransaction, resource: Resource): Promise<number> {
  const { transaction, quotas, principal, objectCounts } = context;
  const { workspaceId } = principal;
  const name = `${workspaceId} ${resource.table}`;
  const known = objectCounts?.get(name) ?? { objects: 0, lastId: 0n };
  const count = sql<{ count: bigint; last_id: bigint | null }>`
    SELECT count(*), max(id) AS last_id FROM ${sql.table(resource.table)}
    WHERE workspace_id = ${sql.lit(workspaceId)} AND id > ${sql.lit(known.lastId)}`;
  const found = await lockAndCount(transaction, creationOf(workspaceId), count);
  const objects = known.objects + Number(found?.count ?? 0n);
  objectCounts?.set(name, { objects, lastId: found?.last_id ?? known.lastId });
  return quotas.objects - objects;
}
