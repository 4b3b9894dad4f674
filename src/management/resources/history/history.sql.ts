import { type Kysely, sql } from 'kysely';
import type { ImportedHour } from '../../../domain/reporting/imported-history.ts';
import type { Database } from '../../../storage/sql/schema.ts';

/** A source of a workspace, as one call names it. */
export interface HistorySource {
  readonly workspaceId: number;
  readonly source: string;
}

/** How long the network of a workspace keeps single events, in days; null: for ever. */
export async function readRetentionDays(db: Kysely<Database>, workspaceId: number): Promise<number | null> {
  const row = await db
    .selectFrom('workspaces')
    .innerJoin('networks', 'networks.id', 'workspaces.network_id')
    .select('networks.settings')
    .where('workspaces.id', '=', workspaceId)
    .executeTakeFirstOrThrow();
  const days = row.settings['retentionDays'];
  return typeof days === 'number' && days >= 1 ? Math.floor(days) : null;
}

/** The ad units with these names, by name. */
export async function findUnitsByName(
  db: Kysely<Database>,
  workspaceId: number,
  names: readonly string[],
): Promise<ReadonlyMap<string, bigint>> {
  if (names.length === 0) return new Map();
  const rows = await db
    .selectFrom('ad_units')
    .select(['id', 'name'])
    .where('workspace_id', '=', workspaceId)
    .where('name', 'in', names)
    .execute();
  return new Map(rows.map(({ id, name }) => [name, id]));
}

/** The line items of these creatives, by creative. */
export async function findLineItemsOf(
  db: Kysely<Database>,
  workspaceId: number,
  creativeIds: readonly bigint[],
): Promise<ReadonlyMap<bigint, bigint>> {
  if (creativeIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('creatives')
    .select(['id', 'line_item_id'])
    .where('workspace_id', '=', workspaceId)
    .where('id', 'in', creativeIds)
    .execute();
  return new Map(rows.map(({ id, line_item_id }) => [id, line_item_id]));
}

/** How many hours a workspace has imported, over all sources. */
export async function countImportedRows(db: Kysely<Database>, workspaceId: number): Promise<number> {
  const { rows } = await sql<{ total: string }>`
    SELECT coalesce(sum(hours), 0)::text AS total FROM history_imports WHERE workspace_id = ${workspaceId}`.execute(db);
  return Number(rows[0]?.total ?? 0);
}

/** Whether a workspace has imports that counters or forecasts lack: also for a minute after the last one, as more may follow. */
export async function hasWaitingHistory(db: Kysely<Database>, workspaceId: number): Promise<boolean> {
  const { rows } = await sql`
    SELECT 1 FROM history_imports WHERE workspace_id = ${workspaceId} AND sampled_at IS NULL LIMIT 1`.execute(db);
  return rows.length > 0;
}

/** One key of `imported_hours` below its source. */
export const hourKey = (hour: Pick<ImportedHour, 'hourMs' | 'lineItemId' | 'creativeId' | 'adUnitId'>): string =>
  `${hour.hourMs} ${hour.lineItemId} ${hour.creativeId} ${hour.adUnitId}`;

/** The hours of a source that exist already, of those that are given; by {@link hourKey}. */
export async function findImported(
  db: Kysely<Database>,
  { workspaceId, source }: HistorySource,
  hours: readonly ImportedHour[],
): Promise<ReadonlyMap<string, ImportedHour>> {
  if (hours.length === 0) return new Map();
  const { rows } = await sql<Record<string, bigint> & { readonly hour: Date }>`
    SELECT stored.* FROM unnest(${hours.map(({ hourMs }) => new Date(hourMs))}::timestamptz[], ${textsOf(hours, 'lineItemId')}::bigint[],
      ${textsOf(hours, 'creativeId')}::bigint[], ${textsOf(hours, 'adUnitId')}::bigint[]) AS wanted (hour, line_item_id, creative_id, ad_unit_id)
    JOIN imported_hours AS stored ON stored.workspace_id = ${workspaceId} AND stored.source = ${source} AND stored.hour = wanted.hour
      AND stored.line_item_id = wanted.line_item_id AND stored.creative_id = wanted.creative_id AND stored.ad_unit_id = wanted.ad_unit_id`.execute(
    db,
  );
  const found = rows.map((row): ImportedHour => {
    const count = (name: string): bigint => BigInt(row[name] ?? 0n);
    return {
      hourMs: row.hour.getTime(),
      lineItemId: count('line_item_id'),
      creativeId: count('creative_id'),
      adUnitId: count('ad_unit_id'),
      requests: count('requests'),
      impressions: count('impressions'),
      clicks: count('clicks'),
      conversions: count('conversions'),
      revenueNanos: count('revenue_nanos'),
    };
  });
  return new Map(found.map((hour) => [hourKey(hour), hour]));
}

const textsOf = (hours: readonly ImportedHour[], member: 'lineItemId' | 'creativeId' | 'adUnitId'): string[] =>
  hours.map((hour) => String(hour[member]));

/** Keeps other imports of the workspace waiting until the transaction ends, so that no hour is added twice. */
export async function lockImports(db: Kysely<Database>, workspaceId: number): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtext('history_imports'), ${workspaceId})`.execute(db);
}

/** Stores hours that are not there yet as one import. At least one. @returns the id of the import */
export async function storeImport(
  db: Kysely<Database>,
  { workspaceId, source, by, at }: HistorySource & { readonly by: string; readonly at: Date },
  hours: readonly ImportedHour[],
): Promise<bigint> {
  const { id } = await db
    .insertInto('history_imports')
    .values({
      workspace_id: workspaceId,
      source,
      hours: hours.length,
      first_hour: new Date(Math.min(...hours.map(({ hourMs }) => hourMs))),
      last_hour: new Date(Math.max(...hours.map(({ hourMs }) => hourMs))),
      requests: sumOf(hours, 'requests'),
      impressions: sumOf(hours, 'impressions'),
      clicks: sumOf(hours, 'clicks'),
      conversions: sumOf(hours, 'conversions'),
      revenue_nanos: String(sumOf(hours, 'revenueNanos')),
      created_at: at,
      created_by: by,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await db
    .insertInto('imported_hours')
    .values(
      hours.map((hour) => ({
        workspace_id: workspaceId,
        source,
        hour: new Date(hour.hourMs),
        line_item_id: hour.lineItemId,
        creative_id: hour.creativeId,
        ad_unit_id: hour.adUnitId,
        import_id: id,
        requests: hour.requests,
        impressions: hour.impressions,
        clicks: hour.clicks,
        conversions: hour.conversions,
        revenue_nanos: hour.revenueNanos,
      })),
    )
    .execute();
  return id;
}

function sumOf(
  hours: readonly ImportedHour[],
  member: 'requests' | 'impressions' | 'clicks' | 'conversions' | 'revenueNanos',
): bigint {
  return hours.reduce((sum, hour) => sum + hour[member], 0n);
}

/** The sums of one source. Counts are decimal texts. */
export interface SourceSums {
  readonly source: string;
  readonly first_hour: Date;
  readonly last_hour: Date;
  readonly hours: string;
  /** Hours that reports and counters do not have yet. */
  readonly waiting: string;
  readonly requests: string;
  readonly impressions: string;
  readonly clicks: string;
  readonly conversions: string;
  readonly revenue_nanos: string;
}

/** What the sources of a workspace brought in, by name; at most so many. */
export async function sumSources(db: Kysely<Database>, workspaceId: number, limit: number): Promise<SourceSums[]> {
  const { rows } = await sql<SourceSums>`
    SELECT source, min(first_hour) AS first_hour, max(last_hour) AS last_hour, sum(hours)::text AS hours,
      coalesce(sum(hours) FILTER (WHERE booked_at IS NULL), 0)::text AS waiting, sum(requests)::text AS requests,
      sum(impressions)::text AS impressions, sum(clicks)::text AS clicks, sum(conversions)::text AS conversions,
      sum(revenue_nanos)::text AS revenue_nanos
    FROM history_imports WHERE workspace_id = ${workspaceId} GROUP BY source ORDER BY source LIMIT ${limit}`.execute(
    db,
  );
  return rows;
}
