import type { Kysely } from 'kysely';
import type { Database } from '../../../storage/sql/schema.ts';
import type { StoredRow } from '../../kernel/field.ts';

/** The advertiser of each of these line items, by id. At most 500 ids. */
export async function findAdvertisersOf(
  db: Kysely<Database>,
  workspaceId: number,
  lineItemIds: readonly bigint[],
): Promise<Map<bigint, bigint>> {
  if (lineItemIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('line_items')
    .innerJoin('campaigns', (join) =>
      join
        .onRef('campaigns.workspace_id', '=', 'line_items.workspace_id')
        .onRef('campaigns.id', '=', 'line_items.campaign_id'),
    )
    .select(['line_items.id', 'campaigns.advertiser_id'])
    .where('line_items.workspace_id', '=', workspaceId)
    .where('line_items.id', 'in', lineItemIds)
    .execute();
  return new Map(rows.map((row) => [row.id, row.advertiser_id]));
}

/** Creatives that associate one of these library creatives with one of these line items; living ones last. At most 500 ids of each. */
export async function findAssociations(
  db: Kysely<Database>,
  workspaceId: number,
  {
    libraryCreativeIds,
    lineItemIds,
  }: { readonly libraryCreativeIds: readonly bigint[]; readonly lineItemIds: readonly bigint[] },
): Promise<StoredRow[]> {
  if (libraryCreativeIds.length === 0 || lineItemIds.length === 0) return [];
  const rows = await db
    .selectFrom('creatives')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('library_creative_id', 'in', libraryCreativeIds)
    .where('line_item_id', 'in', lineItemIds)
    .orderBy((eb) => eb('status', '=', 'ARCHIVED'), 'desc')
    .orderBy('id')
    .forUpdate()
    .execute();
  return rows as unknown as StoredRow[];
}
