import type { Kysely } from 'kysely';
import { MEDIA_TYPES } from '../../domain/creative-format.ts';
import type { FloorRule } from '../../domain/booking/floor.ts';
import type { ReportKey } from '../../domain/targeting/key-value.ts';
import type { Segment } from '../../domain/targeting/segment.ts';
import type { Database } from '../../storage/sql/schema.ts';

type Sql = Kysely<Database>;

/** The active segments of a workspace: all of them, or those with these ids (at most `PART_IDS_MAX`). */
export async function readSegmentRows(
  sql: Sql,
  workspaceId: number,
  ids: readonly string[] | null,
): Promise<Segment[]> {
  const query = sql
    .selectFrom('segments')
    .select(['id', 'generation', 'membership_days', 'rule'])
    .where('workspace_id', '=', workspaceId)
    .where('status', '=', 'ACTIVE');
  const rows = await (ids === null ? query : query.where('id', 'in', ids.map(BigInt))).orderBy('id').execute();
  return rows.map((row) => ({
    id: String(row.id),
    generation: row.generation,
    membershipDays: row.membership_days,
    rule: row.rule,
  }));
}

/** The active floor rules of a workspace: all of them, or those with these ids (at most `PART_IDS_MAX`). */
export async function readFloors(sql: Sql, workspaceId: number, ids: readonly string[] | null): Promise<FloorRule[]> {
  const query = sql
    .selectFrom('floors')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('status', '=', 'ACTIVE');
  const rows = await (ids === null ? query : query.where('id', 'in', ids.map(BigInt))).orderBy('id').execute();
  const idOf = (id: bigint | null) => (id === null ? null : String(id));
  return rows.map((row) => ({
    id: String(row.id),
    priority: row.priority,
    floorMicros: Number(row.floor_micros),
    siteId: idOf(row.site_id),
    areaId: idOf(row.area_id),
    adUnitId: idOf(row.ad_unit_id),
    dealId: idOf(row.deal_id),
    sizes: row.sizes,
    mediaTypes: MEDIA_TYPES.filter((type) => row.media_types.includes(type)),
    countries: row.countries.map((country) => country.toLowerCase()),
  }));
}

/** The active keys that reports distinguish: all of them, or those with these ids (at most `PART_IDS_MAX`). */
export async function readReportKeys(
  sql: Sql,
  workspaceId: number,
  ids: readonly string[] | null,
): Promise<ReportKey[]> {
  const query = sql
    .selectFrom('key_values')
    .select(['id', 'key'])
    .where('workspace_id', '=', workspaceId)
    .where('reportable', '=', true)
    .where('status', '=', 'ACTIVE');
  const rows = await (ids === null ? query : query.where('id', 'in', ids.map(BigInt))).orderBy('id').execute();
  return rows.map((row) => ({ id: String(row.id), key: row.key.toLowerCase() }));
}
