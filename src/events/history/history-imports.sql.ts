import { type Kysely, sql } from 'kysely';
import type { CreativeFormat } from '../../domain/creative-format.ts';
import type { LineItemType } from '../../domain/booking/line-item.ts';
import type { ImportedHour } from '../../domain/reporting/imported-history.ts';
import type { Database } from '../../storage/sql/schema.ts';

/** A call of `importHistory` whose hours are not booked, or not sampled yet. */
export interface WaitingImport {
  readonly workspaceId: number;
  readonly id: bigint;
}

/** An hour with what events say of its objects. Ids are 0n, texts '', where there is none. */
export interface BookedHour extends ImportedHour {
  readonly advertiserId: bigint;
  readonly campaignId: bigint;
  readonly lineItemType: LineItemType | '';
  readonly dealId: bigint;
  readonly advertisingProductId: bigint;
  readonly creativeFormat: CreativeFormat | '';
  /** "300x250", or ''. */
  readonly size: string;
  readonly siteId: bigint;
  readonly areaId: bigint;
}

/** Imports that no event has yet, each workspace's in the order of their ids. */
export async function listUnbooked(db: Kysely<Database>, limit: number): Promise<WaitingImport[]> {
  const rows = await db
    .selectFrom('history_imports')
    .select(['workspace_id', 'id'])
    .where('booked_at', 'is', null)
    .where('sampled_at', 'is', null)
    .orderBy('workspace_id')
    .orderBy('id')
    .limit(limit)
    .execute();
  return rows.map(({ workspace_id, id }) => ({ workspaceId: workspace_id, id }));
}

/** The hours of one import, always in the same order. */
export async function readImportHours(db: Kysely<Database>, { workspaceId, id }: WaitingImport): Promise<BookedHour[]> {
  const { rows } = await sql<BookedHour & { readonly hour: Date }>`
    SELECT imported.hour, imported.line_item_id AS "lineItemId", imported.creative_id AS "creativeId", imported.ad_unit_id AS "adUnitId",
      imported.requests, imported.impressions, imported.clicks, imported.conversions, imported.revenue_nanos AS "revenueNanos",
      coalesce(campaigns.advertiser_id, 0) AS "advertiserId", coalesce(line_items.campaign_id, 0) AS "campaignId",
      coalesce(line_items.type, '') AS "lineItemType", coalesce(line_items.deal_id, 0) AS "dealId",
      coalesce(line_items.advertising_product_id, 0) AS "advertisingProductId", coalesce(creatives.format, '') AS "creativeFormat",
      CASE WHEN creatives.width > 0 THEN creatives.width || 'x' || creatives.height ELSE '' END AS size,
      coalesce(ad_units.site_id, 0) AS "siteId", coalesce(ad_units.area_id, 0) AS "areaId"
    FROM imported_hours AS imported
    LEFT JOIN line_items ON line_items.workspace_id = imported.workspace_id AND line_items.id = imported.line_item_id
    LEFT JOIN campaigns ON campaigns.workspace_id = imported.workspace_id AND campaigns.id = line_items.campaign_id
    LEFT JOIN creatives ON creatives.workspace_id = imported.workspace_id AND creatives.id = imported.creative_id
    LEFT JOIN ad_units ON ad_units.workspace_id = imported.workspace_id AND ad_units.id = imported.ad_unit_id
    WHERE imported.workspace_id = ${workspaceId} AND imported.import_id = ${id}
    ORDER BY imported.hour, imported.line_item_id, imported.creative_id, imported.ad_unit_id`.execute(db);
  return rows.map(({ hour, ...row }) => ({ ...row, hourMs: hour.getTime() }));
}

/** Notes that events and counters have an import. */
export async function markBooked(db: Kysely<Database>, { workspaceId, id }: WaitingImport, at: Date): Promise<void> {
  await db
    .updateTable('history_imports')
    .set({ booked_at: at })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .where('booked_at', 'is', null)
    .execute();
}

/** Booked imports that the sample of opportunities lacks, of one workspace: its first and last. */
export interface UnsampledImports {
  readonly workspaceId: number;
  readonly firstId: bigint;
  readonly lastId: bigint;
}

/** Workspaces whose imports are all booked, none later than an instant, and not all sampled. */
export async function listUnsampled(db: Kysely<Database>, quietSince: Date): Promise<UnsampledImports[]> {
  const { rows } = await sql<UnsampledImports>`
    SELECT workspace_id AS "workspaceId", min(id) AS "firstId", max(id) AS "lastId" FROM history_imports WHERE sampled_at IS NULL
    GROUP BY workspace_id HAVING bool_and(booked_at IS NOT NULL) AND max(created_at) <= ${quietSince} ORDER BY workspace_id`.execute(
    db,
  );
  return rows;
}

/** Requests of one ad unit in one hour. */
export interface ImportedUnitHour {
  readonly hourMs: number;
  readonly siteId: string;
  readonly areaId: string;
  readonly adUnitId: string;
  readonly requests: number;
}

/** The requests of such imports by hour and ad unit, from an instant on. */
export async function readUnsampledRequests(
  db: Kysely<Database>,
  { workspaceId, firstId, lastId }: UnsampledImports,
  from: Date,
): Promise<ImportedUnitHour[]> {
  const { rows } = await sql<{ hour: Date; site: string; area: string; unit: string; requests: string }>`
    SELECT imported.hour, ad_units.site_id::text AS site, coalesce(ad_units.area_id::text, '') AS area, ad_units.id::text AS unit,
      sum(imported.requests)::text AS requests
    FROM imported_hours AS imported
    JOIN history_imports AS import ON import.workspace_id = imported.workspace_id AND import.id = imported.import_id
    JOIN ad_units ON ad_units.workspace_id = imported.workspace_id AND ad_units.id = imported.ad_unit_id
    WHERE imported.workspace_id = ${workspaceId} AND imported.import_id BETWEEN ${firstId} AND ${lastId} AND import.sampled_at IS NULL
      AND imported.hour >= ${from}
    GROUP BY imported.hour, ad_units.id, ad_units.site_id, ad_units.area_id HAVING sum(imported.requests) > 0
    ORDER BY imported.hour, ad_units.id`.execute(db);
  return rows.map(({ hour, site, area, unit, requests }) => ({
    hourMs: hour.getTime(),
    siteId: site,
    areaId: area,
    adUnitId: unit,
    requests: Number(requests),
  }));
}

/** Notes that the sample has these imports. */
export async function markSampled(
  db: Kysely<Database>,
  { workspaceId, firstId, lastId }: UnsampledImports,
  at: Date,
): Promise<void> {
  await db
    .updateTable('history_imports')
    .set({ sampled_at: at })
    .where('workspace_id', '=', workspaceId)
    .where('id', '>=', firstId)
    .where('id', '<=', lastId)
    .where('booked_at', 'is not', null)
    .execute();
}
