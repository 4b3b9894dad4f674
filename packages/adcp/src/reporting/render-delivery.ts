import { creativesOf, type LineItem, type MediaBuy, statusOf } from '../buying/media-buys.ts';
import { creativeIdOf } from '../buying/render-buy.ts';
import { numberOf } from '../selling/money.ts';
import { pricingName } from '../selling/pricing-models.ts';
import type { DeliveryRow, Figures } from './delivery-rows.ts';
import { sumOf } from './delivery-rows.ts';
import { amountOf } from './exact-money.ts';

/** Figures as `core/delivery-metrics.json` of the protocol has them. */
export function renderFigures(figures: Figures): Record<string, unknown> {
  const { impressions, clicks, completedViews, conversions, viewable, measurable, spendNanos } = figures;
  return {
    impressions,
    spend: amountOf(spendNanos),
    clicks,
    ...(impressions === 0 ? {} : { ctr: Math.min(1, clicks / impressions) }),
    completed_views: completedViews,
    conversions,
    viewability: {
      measurable_impressions: measurable,
      viewable_impressions: viewable,
      ...(measurable === 0 ? {} : { viewable_rate: Math.min(1, viewable / measurable) }),
      standard: 'mrc',
    },
  };
}

interface Shown {
  readonly currency: string;
  readonly nowMs: number;
  readonly withDays: boolean;
}

/** What a buy delivered, as `get-media-buy-delivery-response.json` of the protocol has it. */
export function renderDelivery(buy: MediaBuy, rows: readonly DeliveryRow[], shown: Shown): Record<string, unknown> {
  const own = rows.filter(({ campaignId }) => campaignId === buy.campaign.id);
  return {
    media_buy_id: buy.campaign.id,
    status: statusOf(buy, shown.nowMs),
    totals: renderFigures(sumOf(own)),
    by_package: buy.campaign.lineItems.nodes.map((item) =>
      renderPackage(
        item,
        own.filter(({ lineItemId }) => lineItemId === item.id),
        shown,
      ),
    ),
    ...(shown.withDays ? { daily_breakdown: daysOf(own) } : {}),
  };
}

function renderPackage(
  item: LineItem,
  rows: readonly DeliveryRow[],
  { currency, withDays }: Shown,
): Record<string, unknown> {
  const buyersIds = new Map(item.creatives.nodes.map((one) => [one.id, creativeIdOf(one)]));
  const byCreative = Map.groupBy(rows, ({ creativeId }) => creativeId);
  return {
    package_id: item.id,
    ...renderFigures(sumOf(rows)),
    pricing_model: pricingName(item.pricingModel) ?? 'cpa',
    rate: numberOf(item.price),
    currency,
    paused: item.status === 'PAUSED',
    ...(byCreative.size === 0 && creativesOf(item).length === 0
      ? {}
      : {
          by_creative: [...byCreative].map(([id, own]) => ({
            creative_id: buyersIds.get(id) ?? id,
            ...renderFigures(sumOf(own)),
          })),
        }),
    ...(withDays ? { daily_breakdown: daysOf(rows) } : {}),
  };
}

function daysOf(rows: readonly DeliveryRow[]): object[] {
  return [...Map.groupBy(rows, ({ date }) => date)]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([date, own]) => {
      const { impressions, conversions, spendNanos } = sumOf(own);
      return { date, impressions, spend: amountOf(spendNanos), conversions };
    });
}
