import { type Kysely, sql as rawSql, type Transaction } from 'kysely';
import type { Goal } from '../../../domain/booking/line-item.ts';
import type { Database } from '../../../storage/sql/schema.ts';

/** A line item that stops for good when it reaches its goal. */
export interface GoalWatch {
  readonly workspaceId: number;
  readonly networkId: string;
  readonly lineItemId: string;
  readonly goal: Goal;
}

/** All ACTIVE line items of networks that are not closed, with `pauseAfterGoal` and a lifetime goal, in order, at most `rowsMax` behind a position. */
export async function listGoalWatches(
  sql: Kysely<Database>,
  after: { readonly workspaceId: number; readonly lineItemId: string },
  rowsMax: number,
): Promise<GoalWatch[]> {
  const rows = await sql
    .selectFrom('line_items')
    .innerJoin('workspaces', 'workspaces.id', 'line_items.workspace_id')
    .innerJoin('networks', 'networks.id', 'workspaces.network_id')
    .select(['line_items.workspace_id', 'line_items.id', 'line_items.goal', 'workspaces.network_id'])
    .where('line_items.status', '=', 'ACTIVE')
    .where('line_items.pause_after_goal', '=', true)
    .where('line_items.goal', 'is not', null)
    .where('networks.closed_at', 'is', null)
    .where(
      rawSql<boolean>`(line_items.workspace_id, line_items.id) > (${after.workspaceId}, ${BigInt(after.lineItemId)})`,
    )
    .orderBy('line_items.workspace_id')
    .orderBy('line_items.id')
    .limit(rowsMax)
    .execute();
  return rows.flatMap((row) =>
    row.goal === null
      ? []
      : [
          {
            workspaceId: row.workspace_id,
            networkId: String(row.network_id),
            lineItemId: String(row.id),
            goal: row.goal,
          },
        ],
  );
}

/** Sets a line item to COMPLETED unless its status or goal has changed meanwhile; returns whether it did. */
export async function completeLineItem(
  trx: Transaction<Database>,
  watch: GoalWatch,
  actor: string,
  at: Date,
): Promise<boolean> {
  const standing = await trx
    .selectFrom('line_items')
    .select(['status', 'goal', 'pause_after_goal', 'version'])
    .where('workspace_id', '=', watch.workspaceId)
    .where('id', '=', BigInt(watch.lineItemId))
    .forUpdate()
    .executeTakeFirst();
  const isSame =
    standing?.status === 'ACTIVE' &&
    standing.pause_after_goal &&
    standing.goal?.amount === watch.goal.amount &&
    standing.goal.kind === watch.goal.kind &&
    standing.goal.period === watch.goal.period;
  if (!isSame) return false;
  await trx
    .updateTable('line_items')
    .set({ status: 'COMPLETED', updated_by: actor, updated_at: at, version: standing.version + 1 })
    .where('workspace_id', '=', watch.workspaceId)
    .where('id', '=', BigInt(watch.lineItemId))
    .execute();
  return true;
}
