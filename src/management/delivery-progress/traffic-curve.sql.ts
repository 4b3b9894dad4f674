import type { Kysely } from 'kysely';
import type { PlaceCurve } from '../../domain/traffic-curve.ts';
import type { Database } from '../../storage/sql/schema.ts';

/** The traffic curves that delivery paces by, of one workspace: its own and those of its places. Some hundred at most. */
export async function readTrafficCurves(db: Kysely<Database>, workspaceId: number): Promise<PlaceCurve[]> {
  const rows = await db.selectFrom('traffic_curves').selectAll().where('workspace_id', '=', workspaceId).execute();
  return rows.map((row) => ({
    workspaceId,
    place: row.place,
    placeId: String(row.place_id),
    requestsPerHour: row.requests_per_hour,
    timezone: row.timezone,
    weights: row.weights,
  }));
}

/** The sites that areas or ad units of a workspace belong to, by their ids. Ids that are not known are left out. */
export async function readSitesOf(
  db: Kysely<Database>,
  workspaceId: number,
  place: 'area' | 'adUnit',
  ids: readonly bigint[],
): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom(place === 'adUnit' ? 'ad_units' : 'areas')
    .select(['id', 'site_id'])
    .where('workspace_id', '=', workspaceId)
    .where('id', 'in', ids)
    .execute();
  return new Map(rows.map((row) => [String(row.id), String(row.site_id)]));
}
