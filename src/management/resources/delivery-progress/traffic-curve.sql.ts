import { type Kysely, type Selectable, sql } from 'kysely';
import { type FreeTraffic, PLAN_KEPT_MS } from '../../../domain/pacing/free-timeline.ts';
import type { InventoryCurve } from '../../../domain/pacing/traffic-curve.ts';
import type { Database } from '../../../storage/sql/schema.ts';

/** Reads the traffic curves that delivery paces a workspace by: its own and those of its inventory. Some hundred at most. */
export async function readTrafficCurves(db: Kysely<Database>, workspaceId: number): Promise<InventoryCurve[]> {
  const rows = await selectCurves(db, workspaceId).where('place', '!=', 'lineItem').execute();
  return rows.map(toCurve);
}

/** Reads the curves of line items that target a part of the traffic, by their ids. Most have none. */
export async function readLineItemCurves(
  db: Kysely<Database>,
  workspaceId: number,
  lineItemIds: readonly bigint[],
): Promise<Map<string, InventoryCurve>> {
  const rows = await selectCurves(db, workspaceId)
    .where('place', '=', 'lineItem')
    .where('place_id', 'in', lineItemIds)
    .execute();
  return new Map(rows.map((row) => [String(row.place_id), toCurve(row)]));
}

/** Reads what other goals leave to line items, by their ids, from the plan of their workspace. Line items that it does not have are left out. */
export async function readFreeTraffic(
  db: Kysely<Database>,
  workspaceId: number,
  { ids, nowMs }: { readonly ids: readonly bigint[]; readonly nowMs: number },
): Promise<Map<string, FreeTraffic>> {
  const { rows } = await sql<{ id: string; free: FreeTraffic }>`
    SELECT planned->>0 AS id, planned->1 AS free
    FROM allocation_plans, jsonb_array_elements(plan->'free') AS planned
    WHERE workspace_id = ${workspaceId} AND made_at > ${new Date(nowMs - PLAN_KEPT_MS)}
      AND planned->>0 = ANY(${ids.map(String)}::text[])`.execute(db);
  return new Map(rows.map(({ id, free }) => [id, free]));
}

function selectCurves(db: Kysely<Database>, workspaceId: number) {
  return db.selectFrom('traffic_curves').selectAll().where('workspace_id', '=', workspaceId);
}

function toCurve(row: Selectable<Database['traffic_curves']>): InventoryCurve {
  return {
    workspaceId: row.workspace_id,
    kind: row.place,
    inventoryId: String(row.place_id),
    requestsPerHour: row.requests_per_hour,
    timezone: row.timezone,
    weights: row.weights,
  };
}

/** Reads the sites that areas or ad units of a workspace belong to, by their ids. Unknown ids are left out. */
export async function readSitesOf(
  db: Kysely<Database>,
  workspaceId: number,
  kind: 'area' | 'adUnit',
  ids: readonly bigint[],
): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom(kind === 'adUnit' ? 'ad_units' : 'areas')
    .select(['id', 'site_id'])
    .where('workspace_id', '=', workspaceId)
    .where('id', 'in', ids)
    .execute();
  return new Map(rows.map((row) => [String(row.id), String(row.site_id)]));
}
