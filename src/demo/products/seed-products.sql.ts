import type { Transaction } from 'kysely';
import { parseMicros } from '../../domain/money/money.ts';
import type { PriceOption } from '../../domain/booking/product.ts';
import type { Targeting } from '../../domain/targeting/targeting.ts';
import type { Database } from '../../storage/sql/schema.ts';
import { DEMO_PRODUCTS, type DemoPrice, type DemoProduct } from './demo-products.ts';

/** Finds the id of a part of the demo, such as `adUnit:home/top`. Throws for an unknown one. */
export type FindId = (name: string) => bigint;

/** Makes the products of the demo; all are offered to keys of buyers. @returns their ids by name */
export async function seedProducts(
  trx: Transaction<Database>,
  workspaceId: number,
  find: FindId,
): Promise<ReadonlyMap<string, bigint>> {
  const ids = new Map<string, bigint>();
  for (const product of DEMO_PRODUCTS) {
    const targeting = targetingOf(product, find);
    const { id } = await trx
      .insertInto('advertising_products')
      .values({
        workspace_id: workspaceId,
        name: product.name,
        description: product.description,
        delivery: product.delivery,
        channels: [...product.channels],
        targeting: targeting === null ? null : JSON.stringify(targeting),
        formats: JSON.stringify(product.formats),
        buyer_dimensions: [...product.buyerDimensions],
        price_options: JSON.stringify(product.prices.map((price) => optionOf(price, find))),
        minimum_spend_micros:
          product.minimumSpend === undefined ? null : parseMicros(product.minimumSpend, 'minimumSpend'),
        minimum_days: product.minimumDays ?? null,
        lead_time_hours: product.leadTimeHours,
        cancellation_notice_days: product.cancellationNoticeDays,
        measurement: JSON.stringify({ countedBy: 'PUBLISHER', vendor: null, viewabilityVendor: null, terms: null }),
        creative_policy: product.creativePolicy === undefined ? null : JSON.stringify(product.creativePolicy),
        offered_to_buyers: true,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    ids.set(product.name, id);
  }
  return ids;
}

function optionOf({ id, pricingModel, price, floor, sharePercent, advertiser }: DemoPrice, find: FindId): PriceOption {
  const micros = (amount: string | undefined): number | null =>
    amount === undefined ? null : Number(parseMicros(amount, 'price'));
  return {
    id,
    pricingModel,
    priceMicros: micros(price),
    floorMicros: micros(floor),
    sharePercent: sharePercent ?? null,
    minimumSpendMicros: null,
    advertiserIds: advertiser === undefined ? [] : [String(find(`advertiser:${advertiser}`))],
  };
}

function targetingOf({ adUnits }: DemoProduct, find: FindId): Targeting | null {
  if (adUnits.length === 0) return null;
  const values = adUnits.map((name) => String(find(`adUnit:${name}`)));
  return { dimension: 'adUnit', operator: 'is', values };
}
