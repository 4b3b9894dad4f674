import type { Kysely } from 'kysely';
import type { Database } from '../../storage/sql/schema.ts';
import type { Targeting } from '../../domain/targeting/targeting.ts';
import { HOURS_PER_WEEK } from '../../domain/pacing/traffic-curve.ts';
import type { InventoryCurve } from '../../domain/pacing/traffic-curve.ts';

/** All curves, without malformed rows. */
export async function readCurves(sql: Kysely<Database>): Promise<InventoryCurve[]> {
  const rows = await sql.selectFrom('traffic_curves').selectAll().execute();
  return rows
    .map((row) => ({
      workspaceId: row.workspace_id,
      kind: row.place,
      inventoryId: String(row.place_id),
      requestsPerHour: row.requests_per_hour,
      timezone: row.timezone,
      weights: row.weights,
    }))
    .filter(({ weights }) => weights.length === HOURS_PER_WEEK && weights.every((weight) => weight > 0));
}

/** Replaces older curves; at most some thousands at once. */
export async function writeCurves(sql: Kysely<Database>, curves: readonly InventoryCurve[], at: Date): Promise<void> {
  if (curves.length === 0) return;
  await sql
    .insertInto('traffic_curves')
    .values(
      curves.map(({ workspaceId, kind, inventoryId, requestsPerHour, timezone, weights }) => ({
        workspace_id: workspaceId,
        place: kind,
        place_id: BigInt(inventoryId),
        requests_per_hour: requestsPerHour,
        timezone,
        weights: [...weights],
        computed_at: at,
      })),
    )
    .onConflict((conflict) =>
      conflict.columns(['workspace_id', 'place', 'place_id']).doUpdateSet((eb) => ({
        requests_per_hour: eb.ref('excluded.requests_per_hour'),
        timezone: eb.ref('excluded.timezone'),
        weights: eb.ref('excluded.weights'),
        computed_at: eb.ref('excluded.computed_at'),
      })),
    )
    .execute();
}

/** Time zones of the workspaces of all networks that are not closed. */
export async function readWorkspaceTimezones(sql: Kysely<Database>): Promise<Map<number, string>> {
  const rows = await sql
    .selectFrom('workspaces')
    .innerJoin('networks', 'networks.id', 'workspaces.network_id')
    .select(['workspaces.id', 'networks.timezone'])
    .where('networks.closed_at', 'is', null)
    .execute();
  return new Map(rows.map((row) => [row.id, row.timezone]));
}

/** A line item that is paced along a plan, with its targeting. */
export interface PacedLineItem {
  readonly id: string;
  readonly targeting: Targeting;
  /** IANA name; of its day-parts. */
  readonly timezone: string;
}

/** Active line items with targeting that are spread over time, at most `max`: those that end first. */
export async function readPacedLineItems(
  sql: Kysely<Database>,
  workspace: { readonly workspaceId: number; readonly timezone: string },
  { nowMs, max }: { readonly nowMs: number; readonly max: number },
): Promise<PacedLineItem[]> {
  const rows = await sql
    .selectFrom('line_items')
    .select(['id', 'targeting', 'timezone'])
    .where('workspace_id', '=', workspace.workspaceId)
    .where('status', '=', 'ACTIVE')
    .where('goal', 'is not', null)
    .where('targeting', 'is not', null)
    .where('pacing', '!=', 'ASAP')
    .where((eb) => eb.or([eb('ends_at', 'is', null), eb('ends_at', '>', new Date(nowMs))]))
    .orderBy('ends_at')
    .orderBy('id')
    .limit(max)
    .execute();
  return rows.flatMap(({ id, targeting, timezone }) =>
    targeting === null ? [] : [{ id: String(id), targeting, timezone: timezone ?? workspace.timezone }],
  );
}

/** Deletes the curves of all other line items of a workspace. */
export async function deleteStaleLineItemCurves(
  sql: Kysely<Database>,
  workspaceId: number,
  lineItemIds: readonly string[],
): Promise<void> {
  const others = sql
    .deleteFrom('traffic_curves')
    .where('workspace_id', '=', workspaceId)
    .where('place', '=', 'lineItem');
  const kept = lineItemIds.map(BigInt);
  await (kept.length === 0 ? others : others.where('place_id', 'not in', kept)).execute();
}
