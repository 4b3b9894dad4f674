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

/** A page of a walk over all line items. */
export interface ServingPage {
  readonly rows: readonly GoalRow[];
  /** Where the next page begins; null = this is the last. */
  readonly next: WalkPosition | null;
}

/**
 * The active line items of active campaigns among the next `rowsMax` active line items behind a position. The page is cut before anything is
 * joined: else PostgreSQL, without new statistics, joins and sorts all line items for each page.
 */
export async function listServingRows(
  db: Kysely<Database>,
  after: WalkPosition,
  rowsMax: number,
  { onlyGoals = false } = {},
): Promise<ServingPage> {
  const { rows } = await sql<Record<string, unknown> & WalkedColumns>`
    WITH page AS MATERIALIZED (
      SELECT * FROM line_items
      WHERE (workspace_id, id) > (${after.workspaceId}, ${after.lineItemId}) AND status = 'ACTIVE'
        ${onlyGoals ? sql`AND goal IS NOT NULL` : sql``}
      ORDER BY workspace_id, id LIMIT ${rowsMax}
    )
    SELECT page.*, c.status = 'ACTIVE' AND n.closed_at IS NULL AS is_serving, c.starts_at AS campaign_starts_at, c.ends_at AS campaign_ends_at,
      n.id AS network_id, n.timezone AS network_timezone
    FROM page
    JOIN campaigns c ON c.workspace_id = page.workspace_id AND c.id = page.campaign_id
    JOIN workspaces w ON w.id = page.workspace_id
    JOIN networks n ON n.id = w.network_id
    ORDER BY page.workspace_id, page.id`.execute(db);
  const last = rows.at(-1);
  return {
    rows: rows
      .filter((row) => row.is_serving)
      .map((row) => ({
        row: row as unknown as StoredRow,
        campaign: { ...row, starts_at: row.campaign_starts_at, ends_at: row.campaign_ends_at } as unknown as StoredRow,
        networkId: String(row.network_id),
        networkTimezone: row.network_timezone,
      })),
    next: last === undefined || rows.length < rowsMax ? null : { workspaceId: last.workspace_id, lineItemId: last.id },
  };
}

interface WalkedColumns {
  readonly workspace_id: number;
  readonly id: bigint;
  readonly is_serving: boolean;
  readonly campaign_starts_at: Date | null;
  readonly campaign_ends_at: Date | null;
  readonly network_id: bigint | number | string;
  readonly network_timezone: string;
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
