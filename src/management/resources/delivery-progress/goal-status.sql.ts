import { type Kysely, sql } from 'kysely';
import type { Environment } from '../../../domain/tenancy/workspace.ts';
import type { Database } from '../../../storage/sql/schema.ts';
import type { StoredRow } from '../../kernel/field.ts';

/** A line item with a goal, with what its plan depends on. */
export interface GoalRow {
  readonly row: StoredRow;
  /** Start and end of its campaign. */
  readonly campaign: StoredRow;
  readonly networkId: string;
  readonly networkTimezone: string;
}

/** The position of a line item in a walk over those of all workspaces. */
export interface WalkPosition {
  readonly workspaceId: number;
  readonly lineItemId: bigint;
}

/** Active line items of active campaigns, in order, at most `rowsMax` behind a position. */
export async function listServingRows(
  db: Kysely<Database>,
  after: WalkPosition,
  rowsMax: number,
  { onlyGoals = false } = {},
): Promise<GoalRow[]> {
  const query = db
    .selectFrom('line_items as l')
    .innerJoin('campaigns as c', (join) =>
      join.onRef('c.workspace_id', '=', 'l.workspace_id').onRef('c.id', '=', 'l.campaign_id'),
    )
    .innerJoin('workspaces as w', 'w.id', 'l.workspace_id')
    .innerJoin('networks as n', 'n.id', 'w.network_id')
    .selectAll('l')
    .select(['c.starts_at as campaign_starts_at', 'c.ends_at as campaign_ends_at'])
    .select(['n.id as network_id', 'n.timezone as network_timezone'])
    .where('l.status', '=', 'ACTIVE')
    .where('c.status', '=', 'ACTIVE')
    .where(sql<boolean>`(l.workspace_id, l.id) > (${after.workspaceId}, ${after.lineItemId})`)
    .orderBy('l.workspace_id')
    .orderBy('l.id')
    .limit(rowsMax);
  const rows = await (onlyGoals ? query.where('l.goal', 'is not', null) : query).execute();
  return rows.map((row) => ({
    row: row as unknown as StoredRow,
    campaign: { ...row, starts_at: row.campaign_starts_at, ends_at: row.campaign_ends_at } as unknown as StoredRow,
    networkId: String(row.network_id),
    networkTimezone: row.network_timezone,
  }));
}

/** How a line item that has just begun stands. */
const QUIET = 'ON_TRACK';

/**
 * Records the status that was found now, and returns the told one that it follows; null when there is nothing to tell. A change counts when
 * it is found twice in a row: one that comes and goes between two looks is not told.
 */
export async function recordStatus(
  trx: Kysely<Database>,
  line: { readonly workspaceId: number; readonly lineItemId: bigint },
  found: string,
): Promise<string | null> {
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('line_item_goal_status')
    .values({
      workspace_id: line.workspaceId,
      line_item_id: line.lineItemId,
      found,
      told: found === 'NOT_STARTED' ? found : QUIET,
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  if (numInsertedOrUpdatedRows === 1n) return null;
  const standing = await trx
    .selectFrom('line_item_goal_status')
    .selectAll()
    .where('workspace_id', '=', line.workspaceId)
    .where('line_item_id', '=', line.lineItemId)
    .forUpdate()
    .executeTakeFirst();
  if (standing === undefined || (standing.found === found && standing.told === found)) return null;
  const isConfirmed = standing.found === found;
  await trx
    .updateTable('line_item_goal_status')
    .set({ found, told: isConfirmed ? found : standing.told })
    .where('workspace_id', '=', line.workspaceId)
    .where('line_item_id', '=', line.lineItemId)
    .execute();
  return isConfirmed ? standing.told : null;
}

/** The statuses as they were found last, by line item. */
export async function readFound(
  db: Kysely<Database>,
  workspaceId: number,
  lineItemIds: readonly bigint[],
): Promise<ReadonlyMap<bigint, { readonly found: string; readonly told: string }>> {
  const rows = await db
    .selectFrom('line_item_goal_status')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('line_item_id', 'in', lineItemIds)
    .execute();
  return new Map(rows.map((row) => [row.line_item_id, row]));
}

/** The environment of a workspace. */
export async function readEnvironment(db: Kysely<Database>, workspaceId: number): Promise<Environment> {
  const row = await db
    .selectFrom('workspaces')
    .select('environment')
    .where('id', '=', workspaceId)
    .executeTakeFirstOrThrow();
  return row.environment;
}
