import type { Kysely } from 'kysely';
import { MEDIA_TYPES } from '../../domain/creative-format.ts';
import type { Activity, AdUnit, Area, Site } from '../../domain/booking/inventory.ts';
import type { Database } from '../../storage/sql/schema.ts';

type Sql = Kysely<Database>;

function toInt8(ids: readonly string[]): bigint[] {
  return ids.map(BigInt);
}

/** The sites of a workspace: all of them, or those with these ids (at most `PART_IDS_MAX`); likewise below. */
export async function readSites(sql: Sql, workspaceId: number, ids: readonly string[] | null): Promise<Site[]> {
  const query = sql.selectFrom('sites').selectAll().where('workspace_id', '=', workspaceId);
  const rows = await (ids === null ? query : query.where('id', 'in', toInt8(ids))).orderBy('id').execute();
  return rows.map((row) => ({
    id: String(row.id),
    code: row.code,
    name: row.name,
    domain: row.domain,
    status: row.status,
  }));
}

export async function readAreas(sql: Sql, workspaceId: number, ids: readonly string[] | null): Promise<Area[]> {
  const query = sql
    .selectFrom('areas')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('status', '=', 'ACTIVE');
  const rows = await (ids === null ? query : query.where('id', 'in', toInt8(ids))).orderBy('id').execute();
  return rows.map((row) => ({ id: String(row.id), siteId: String(row.site_id), code: row.code, name: row.name }));
}

export async function readAdUnits(sql: Sql, workspaceId: number, ids: readonly string[] | null): Promise<AdUnit[]> {
  const query = sql.selectFrom('ad_units').selectAll().where('workspace_id', '=', workspaceId);
  const rows = await (ids === null ? query : query.where('id', 'in', toInt8(ids))).orderBy('id').execute();
  return rows.map((row) => ({
    id: String(row.id),
    siteId: String(row.site_id),
    areaId: row.area_id === null ? null : String(row.area_id),
    name: row.name,
    sizes: row.sizes,
    mediaTypes: MEDIA_TYPES.filter((type) => row.media_types.includes(type)),
    status: row.status,
    floorMicros: Number(row.floor_micros),
  }));
}

export async function readActivities(
  sql: Sql,
  workspaceId: number,
  ids: readonly string[] | null,
): Promise<Activity[]> {
  const query = sql.selectFrom('activities').selectAll().where('workspace_id', '=', workspaceId);
  const rows = await (ids === null ? query : query.where('id', 'in', toInt8(ids))).orderBy('id').execute();
  return rows.map((row) => ({
    id: String(row.id),
    actgid: row.actgid,
    name: row.name,
    status: row.status,
    clickWindowSeconds: row.click_window_seconds,
    viewWindowSeconds: row.view_window_seconds,
    repeatIntervalSeconds: row.repeat_interval_seconds,
    advertiserId: row.advertiser_id === null ? null : String(row.advertiser_id),
    acceptsPixel: row.accepts_pixel,
  }));
}
