import { type Kysely, sql } from 'kysely';
import type { Bidder } from '../../../domain/pricing/price-guidance.ts';
import type { Database } from '../../../storage/sql/schema.ts';

/** A line item that was booked by a price option. */
export interface BookedOption extends Bidder {
  readonly productId: string;
  readonly priceOptionId: string;
}

/** Most bookings that are looked at, the newest. */
const BOOKINGS_MAX = 2_000;

/** The newest bookings of products, of all advertisers: also those that the key of a buyer does not read. They are never shown by themselves. */
export async function listBookedOptions(
  db: Kysely<Database>,
  workspaceId: number,
  productIds: readonly bigint[],
): Promise<BookedOption[]> {
  const { rows } = await sql<{ id: bigint; product: bigint; option: string; advertiser: bigint }>`
    SELECT items.id, items.advertising_product_id AS product, items.price_option_id AS option, campaigns.advertiser_id AS advertiser
    FROM ${sql.table('line_items')} AS items
    JOIN ${sql.table('campaigns')} AS campaigns ON campaigns.workspace_id = items.workspace_id AND campaigns.id = items.campaign_id
    WHERE items.workspace_id = ${workspaceId} AND items.advertising_product_id = ANY(${[...productIds]}::bigint[])
      AND items.price_option_id IS NOT NULL
    ORDER BY items.id DESC LIMIT ${BOOKINGS_MAX}`.execute(db.withoutPlugins());
  return rows.map(({ id, product, option, advertiser }) => ({
    lineItemId: String(id),
    advertiserId: String(advertiser),
    productId: String(product),
    priceOptionId: option,
  }));
}
