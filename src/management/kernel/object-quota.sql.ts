import { sql, type Transaction } from 'kysely';
import { quotaExceeded } from '../../domain/tenancy/quota.ts';
import { lockCount } from '../../storage/sql/count-lock.ts';
import type { Database } from '../../storage/sql/schema.ts';
import type { ManagementContext } from './context.ts';
import type { Noun } from './resource.ts';

/** What is left of each table's quota in a running transaction: a bulk call counts once, not for each row. */
const headrooms = new WeakMap<object, Map<string, number>>();

/**
 * Takes one object from the quota of its kind; archived ones count. Nobody else of the workspace creates until the transaction ends. A row
 * that is taken back by a savepoint stays counted until then.
 *
 * @throws PlacardError `quota_exceeded`
 */
export async function takeObject(
  context: ManagementContext & { transaction: Transaction<Database> },
  noun: Noun,
): Promise<void> {
  const { transaction, quotas, principal } = context;
  let byTable = headrooms.get(transaction);
  if (byTable === undefined) headrooms.set(transaction, (byTable = new Map()));
  const left =
    byTable.get(noun.table) ?? (await countLeft(transaction, principal.workspaceId, { noun, max: quotas.objects }));
  if (left <= 0) {
    const advice = `It has reached its limit of objects of the kind ${noun.type}; ask the operator for more.`;
    throw quotaExceeded('objects', { used: quotas.objects - left, limit: quotas.objects }, advice);
  }
  byTable.set(noun.table, left - 1);
}

async function countLeft(
  transaction: Transaction<Database>,
  workspaceId: number,
  { noun, max }: { readonly noun: Noun; readonly max: number },
): Promise<number> {
  await lockCount(transaction, `objects of ${workspaceId}`);
  const { rows } = await sql<{ count: bigint }>`
    SELECT count(*) FROM ${sql.table(noun.table)} WHERE workspace_id = ${workspaceId}`.execute(transaction);
  return max - Number(rows[0]?.count ?? 0);
}
