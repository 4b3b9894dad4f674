import { type Kysely, sql } from 'kysely';
import type { MoneyAtRisk } from '../../../domain/pacing/money-at-risk.ts';
import type { Database } from '../../../storage/sql/schema.ts';

/** What was found of a line item. Money in nanos. */
export interface Standing extends MoneyAtRisk {
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
      missing_nanos: String(one.missingNanos),
      left_nanos: String(one.leftNanos),
    })),
  );
  const { numAffectedRows } = await sql`
    INSERT INTO line_item_standings AS stood
      (workspace_id, line_item_id, goal_status, pacing_percent, impressions, spend_nanos, missing_nanos, left_nanos, moved_at)
    SELECT ${workspaceId}, given.line_item_id, given.goal_status, given.pacing_percent, given.impressions, given.spend_nanos,
      given.missing_nanos, given.left_nanos, ${at}
    FROM jsonb_to_recordset(${json}::jsonb)
      AS given (line_item_id bigint, goal_status text, pacing_percent int, impressions bigint, spend_nanos numeric,
        missing_nanos numeric, left_nanos numeric)
    JOIN line_items ON line_items.workspace_id = ${workspaceId} AND line_items.id = given.line_item_id
    ON CONFLICT (workspace_id, line_item_id) DO UPDATE SET
      goal_status = EXCLUDED.goal_status,
      pacing_percent = EXCLUDED.pacing_percent,
      impressions = EXCLUDED.impressions,
      spend_nanos = EXCLUDED.spend_nanos,
      missing_nanos = EXCLUDED.missing_nanos,
      left_nanos = EXCLUDED.left_nanos,
      moved_at = CASE WHEN EXCLUDED.impressions > stood.impressions THEN EXCLUDED.moved_at ELSE stood.moved_at END
    WHERE (stood.goal_status, stood.pacing_percent, stood.impressions, stood.spend_nanos, stood.missing_nanos, stood.left_nanos)
      IS DISTINCT FROM (EXCLUDED.goal_status, EXCLUDED.pacing_percent, EXCLUDED.impressions, EXCLUDED.spend_nanos,
        EXCLUDED.missing_nanos, EXCLUDED.left_nanos)`.execute(db);
  return Number(numAffectedRows ?? 0n);
}
