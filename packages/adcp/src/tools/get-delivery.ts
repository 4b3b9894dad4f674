import { z } from 'zod';
import { BuyStatus, findBuy, listCampaigns, type MediaBuy, missingBuy, statusOf } from '../buying/media-buys.ts';
import { AdcpError } from '../protocol/adcp-error.ts';
import { AccountRef, Id, LIST_MAX, RequestBase } from '../protocol/parts.ts';
import { fieldError } from '../protocol/read-request.ts';
import { dayOf, type Period, readDelivery, sumOf } from '../reporting/delivery-rows.ts';
import { amountOf } from '../reporting/exact-money.ts';
import { renderDelivery } from '../reporting/render-delivery.ts';
import { resolveAccount } from '../selling/accounts.ts';
import { readPortfolio } from '../selling/products.ts';
import type { SellerContext } from '../api/seller-context.ts';
import { sellerTool } from './seller-tool.ts';

/** Most buys of one response. */
const BUYS_MAX = 50;
const Day = z.string().regex(/^\d{4}-\d{2}-\d{2}$/);
/** Parts that this seller does not honor, and so refuses. */
const UNSUPPORTED = ['attribution_window', 'reporting_dimensions', 'time_granularity', 'include_window_breakdown'];

const Request = z.looseObject({
  ...RequestBase,
  account: AccountRef.optional(),
  media_buy_ids: z.array(Id).min(1).max(LIST_MAX).optional(),
  status_filter: z.union([BuyStatus, z.array(BuyStatus).min(1).max(10)]).optional(),
  start_date: Day.optional(),
  end_date: Day.optional(),
  include_package_daily_breakdown: z.boolean().optional(),
});
type Request = z.infer<typeof Request>;

/** What buys delivered, from the reports of the ad server. */
export const getDelivery = sellerTool({
  name: 'get_media_buy_delivery',
  title: 'Read delivery',
  description:
    'What buys delivered and cost, by package, creative and day in UTC, to the unit: the figures that are billed. Without dates, since the buys began.',
  input: Request,
  run: async (context, request) => {
    const found = UNSUPPORTED.find((name) => request[name] !== undefined && request[name] !== false);
    if (found !== undefined)
      throw new AdcpError('UNSUPPORTED_FEATURE', `This seller does not support ${found}.`, { field: found });
    const account = request.account === undefined ? null : await resolveAccount(context, request.account);
    const { buys, missing } = await readBuys(context, request, account?.id ?? null);
    const period = periodOf(request, buys, context.nowMs());
    const { networkId } = context;
    const { currency } = await readPortfolio(context.call);
    const campaignIds = buys.map(({ campaign }) => campaign.id);
    const rows = await readDelivery(context.call, { networkId, campaignIds }, period);
    const total = sumOf(rows);
    const shown = { currency, nowMs: context.nowMs(), withDays: request.include_package_daily_breakdown === true };
    return {
      reporting_period: { start: `${period.start}T00:00:00Z`, end: `${period.end}T23:59:59Z` },
      currency,
      aggregated_totals: {
        impressions: total.impressions,
        spend: amountOf(total.spendNanos),
        clicks: total.clicks,
        completed_views: total.completedViews,
        conversions: total.conversions,
        media_buy_count: buys.length,
      },
      media_buy_deliveries: buys.map((buy) => renderDelivery(buy, rows, shown)),
      ...(missing.length === 0 ? {} : { errors: missing.map(missingBuy) }),
    };
  },
});

async function readBuys({ call, nowMs }: SellerContext, request: Request, accountId: string | null) {
  const { media_buy_ids: asked, status_filter: filter } = request;
  const statuses = filter === undefined ? null : Array.isArray(filter) ? filter : [filter];
  const ids =
    asked ??
    (await listCampaigns(call, accountId === null ? null : [accountId])).slice(0, BUYS_MAX).map(({ id }) => id);
  const buys: MediaBuy[] = [];
  const missing: string[] = [];
  for (const id of new Set(ids)) {
    const buy = await findBuy(call, id);
    if (buy === null || (accountId !== null && buy.campaign.advertiserId !== accountId)) missing.push(id);
    else if (statuses === null || statuses.includes(statusOf(buy, nowMs()))) buys.push(buy);
  }
  return { buys, missing: asked === undefined ? [] : missing };
}

/** The asked days; without them, from the first day of a buy until today. */
function periodOf({ start_date: start, end_date: end }: Request, buys: readonly MediaBuy[], nowMs: number): Period {
  const today = dayOf(nowMs);
  for (const [name, day] of [
    ['start_date', start],
    ['end_date', end],
  ] as const)
    if (day !== undefined && Number.isNaN(Date.parse(day))) throw fieldError([name], 'The calendar has no such day.');
  const begun = buys.map(({ campaign }) => (campaign.startsAt ?? campaign.createdAt).slice(0, 10)).sort()[0] ?? today;
  const first = start ?? (begun < today ? begun : today);
  const last = end ?? (first > today ? first : today);
  if (last < first) throw fieldError(['end_date'], 'end_date is not before start_date.');
  return { start: first, end: last };
}
