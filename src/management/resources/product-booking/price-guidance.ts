import { GUIDANCE_ADVERTISERS_MIN, GUIDANCE_DAYS, GUIDANCE_UNITS_MIN } from '../../../domain/pricing/price-guidance.ts';
import { guidanceOf, type PriceGuidance } from '../../../domain/pricing/price-guidance.ts';
import { formatMicros } from '../../../domain/money/money.ts';
import { builder } from '../../kernel/builder.ts';
import type { ManagementContext } from '../../kernel/context.ts';
import type { StoredRow } from '../../kernel/field.ts';
import { loaderOf } from '../../kernel/loaders.ts';
import { objectRefOf } from '../../kernel/resource-types.ts';
import { queryableOf } from '../../kernel/transactions.sql.ts';
import { priceOptionsOf } from '../advertising-product/product-facts.sql.ts';
import { listBookedOptions } from './bidders.sql.ts';

const DAY_MS = 86_400_000;

interface OptionGuidance {
  readonly priceOptionId: string;
  readonly guidance: PriceGuidance;
}

const PERCENTILES = { p25: '25 %', p50: '50 %', p75: '75 %', p90: '90 %' } as const satisfies Record<
  keyof PriceGuidance,
  string
>;

const GuidanceRef = builder.objectRef<OptionGuidance>('PriceGuidance').implement({
  description: `What bookings by a price option with a floor paid in the last ${GUIDANCE_DAYS} days, by the figures of reports, in the unit of the pricing model and two significant digits.`,
  fields: (t) => ({
    priceOptionId: t.exposeID('priceOptionId', { description: 'The id of the price option.' }),
    ...Object.fromEntries(
      Object.entries(PERCENTILES).map(([name, share]) => [
        name,
        t.field({
          type: 'Decimal',
          description: `${share} of the units cost at most this.`,
          resolve: ({ guidance }: OptionGuidance) => formatMicros(BigInt(guidance[name as keyof PriceGuidance])),
        }),
      ]),
    ),
  }),
});

/** Adds `priceGuidance` to products. */
export function definePriceGuidance(): void {
  builder.objectField(objectRefOf('AdvertisingProduct'), 'priceGuidance', (t) =>
    t.field({
      type: [GuidanceRef],
      description:
        `Percentiles of the prices that its bidders paid, by price option. An option is left out while fewer than ${GUIDANCE_ADVERTISERS_MIN} advertisers beside the caller's ` +
        `or fewer than ${GUIDANCE_UNITS_MIN} billable events are behind it, and where its price is fixed.`,
      resolve: (row, _args, context) => loadGuidance(context, row),
    }),
  );
}

/** @throws OlapError while the analytics store does not respond */
function loadGuidance(context: ManagementContext, row: StoredRow): Promise<OptionGuidance[]> {
  return loaderOf<StoredRow, OptionGuidance[]>(context, 'priceGuidance', (rows) => guidanceOfAll(context, rows)).load(
    row,
  );
}

async function guidanceOfAll(context: ManagementContext, products: readonly StoredRow[]): Promise<OptionGuidance[][]> {
  const { clearedPrices, caller } = context;
  const withFloor = products.filter((row) => priceOptionsOf(row).some(({ floorMicros }) => floorMicros !== null));
  if (clearedPrices === undefined || withFloor.length === 0) return products.map(() => []);
  const { workspaceId } = context.principal;
  const booked = await listBookedOptions(
    queryableOf(context),
    workspaceId,
    withFloor.map(({ id }) => id),
  );
  const figures = await clearedPrices.readCleared({
    workspaceId,
    lineItemIds: booked.map(({ lineItemId }) => lineItemId),
    fromMs: context.nowMs() - GUIDANCE_DAYS * DAY_MS,
  });
  const byItem = new Map(figures.map((one) => [one.lineItemId, one]));
  const own = new Set(caller.buyer?.advertiserIds ?? []);
  return products.map((row) =>
    priceOptionsOf(row).flatMap(({ id, pricingModel, floorMicros }) => {
      if (floorMicros === null) return [];
      const bidders = booked.filter((one) => one.productId === String(row.id) && one.priceOptionId === id);
      const guidance = guidanceOf({ pricingModel, floorMicros, bidders, figures: byItem, own });
      return guidance === null ? [] : [{ priceOptionId: id, guidance }];
    }),
  );
}
