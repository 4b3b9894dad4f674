import type { Kysely } from 'kysely';
import type { Database } from '../../storage/sql/schema.ts';
import { HOURS_PER_WEEK } from '../../domain/traffic-curve.ts';
import type { PlaceCurve } from '../../domain/traffic-curve.ts';

/** All curves. Rows that cannot be used are left out. */
export async function readCurves(sql: Kysely<Database>): Promise<PlaceCurve[]> {
  const rows = await sql.selectFrom('traffic_curves').selectAll().execute();
  return rows
    .map((row) => ({
      workspaceId: row.workspace_id,
      place: row.place,
      placeId: String(row.place_id),
      requestsPerHour: row.requests_per_hour,
      timezone: row.timezone,
      weights: row.weights,
    }))
    .filter(({ weights }) => weights.length === HOURS_PER_WEEK && weights.every((weight) => weight > 0));
}

/** Puts curves in the place of older ones. At most some thousand at once. */
export async function writeCurves(sql: Kysely<Database>, curves: readonly PlaceCurve[], at: Date): Promise<void> {
  if (curves.length === 0) return;
  await sql
    .insertInto('traffic_curves')
    .values(
      curves.map(({ workspaceId, place, placeId, requestsPerHour, timezone, weights }) => ({
        workspace_id: workspaceId,
        place,
        place_id: BigInt(placeId),
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

/** Time zones of all workspaces. */
export async function readWorkspaceTimezones(sql: Kysely<Database>): Promise<Map<number, string>> {
  const rows = await sql
    .selectFrom('workspaces')
    .innerJoin('networks', 'networks.id', 'workspaces.network_id')
    .select(['workspaces.id', 'networks.timezone'])
    .execute();
  return new Map(rows.map((row) => [row.id, row.timezone]));
}
