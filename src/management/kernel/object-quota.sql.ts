import { sql, type Transaction } from 'kysely';
import { quotaExceeded } from '../../domain/tenancy/quota.ts';
import { lockAndCount } from '../../storage/sql/count-lock.ts';
import type { Database } from '../../storage/sql/schema.ts';
import type { ManagementContext } from './context.ts';
import type { Resource } from './resource.ts';

/** The remaining quota of each table in a running transaction: a bulk call counts the table once, not for each row. */
const headrooms = new WeakMap<object, Map<string, number>>();

/**
 * Reserves one object of the quota of its kind; archived ones count. No other transaction of the workspace creates objects until this
 * one ends. A row that a savepoint undoes stays counted until then.
 *
 * @throws PlacardError `quota_exceeded`
 */
export async function reserveObject(
  context: ManagementContext & { transaction: Transaction<Database> },
  resource: Resource,
): Promise<void> {
  const { transaction, quotas, principal } = context;
  let byTable = headrooms.get(transaction);
  if (byTable === undefined) headrooms.set(transaction, (byTable = new Map()));
  const left =
    byTable.get(resource.table) ??
    (await countLeft(transaction, principal.workspaceId, { resource, max: quotas.objects }));
  if (left <= 0) {
    const advice = `It has reached its limit of objects of the kind ${resource.type}; ask the operator for more.`;
    throw quotaExceeded('objects', { used: quotas.objects - left, limit: quotas.objects }, advice);
  }
  byTable.set(resource.table, left - 1);
}

async function countLeft(
  transaction: Transaction<Database>,
  workspaceId: number,
  { resource, max }: { readonly resource: Resource; readonly max: number },
): Promise<number> {
  const count = sql<{ count: bigint }>`
    SELECT count(*) FROM ${sql.table(resource.table)} WHERE workspace_id = ${sql.lit(workspaceId)}`;
  return max - Number(await lockAndCount(transaction, `objects of ${workspaceId}`, count));
}
