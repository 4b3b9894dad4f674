import { type Kysely, sql } from 'kysely';
import type { Database } from '../../../storage/sql/schema.ts';

/** What was found of a line item. Spend in nanos. */
export interface Standing {
  readonly lineItemId: bigint;
  readonly goalStatus: string | null;
  readonly pacingPercent: number | null;
  readonly impressions: bigint;
  readonly spendNanos: bigint;
}

/**
 * Writes what was found of line items of one workspace at an instant. A row that says the same is not written again; one whose impressions
 * have grown has moved now. @returns how many rows were written
 */
export async function recordStandings(
  db: Kysely<Database>,
  workspaceId: number,
  found: readonly Standing[],
  at: Date,
): Promise<number> {
  const json = JSON.stringify(
    found.map((one) => ({
      line_item_id: String(one.lineItemId),
      goal_status: one.goalStatus,
      pacing_percent: one.pacingPercent,
      impressions: String(one.impressions),
      spend_nanos: String(one.spendNanos),
    })),
  );
  const { numAffectedRows } = await sql`
    INSERT INTO line_item_standings AS stood
      (workspace_id, line_item_id, goal_status, pacing_percent, impressions, spend_nanos, moved_at)
    SELECT ${workspaceId}, given.line_item_id, given.goal_status, given.pacing_percent, given.impressions, given.spend_nanos, ${at}
    FROM jsonb_to_recordset(${json}::jsonb)
      AS given (line_item_id bigint, goal_status text, pacing_percent int, impressions bigint, spend_nanos numeric)
    JOIN line_items ON line_items.workspace_id = ${workspaceId} AND line_items.id = given.line_item_id
    ON CONFLICT (workspace_id, line_item_id) DO UPDATE SET
      goal_status = EXCLUDED.goal_status,
      pacing_percent = EXCLUDED.pacing_percent,
      impressions = EXCLUDED.impressions,
      spend_nanos = EXCLUDED.spend_nanos,
      moved_at = CASE WHEN EXCLUDED.impressions > stood.impressions THEN EXCLUDED.moved_at ELSE stood.moved_at END
    WHERE (stood.goal_status, stood.pacing_percent, stood.impressions, stood.spend_nanos)
      IS DISTINCT FROM (EXCLUDED.goal_status, EXCLUDED.pacing_percent, EXCLUDED.impressions, EXCLUDED.spend_nanos)`.execute(
    db,
  );
  return Number(numAffectedRows ?? 0n);
}
