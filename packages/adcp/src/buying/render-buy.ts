import { numberOf } from '../selling/money.ts';
import { buyersId, REVIEW_STATUSES, weightOf } from './assign-creatives.ts';
import {
  type AssignedCreative,
  type BuyStatus,
  creativesOf,
  type LineItem,
  livePackages,
  type MediaBuy,
  type PackageTerms,
  revisionOf,
  statusOf,
} from './media-buys.ts';

/** Figures of counters are at most so old, in seconds. */
const STALENESS_SECONDS = 60;

interface Shown {
  readonly currency: string;
  readonly nowMs: number;
}

/** A package as `core/package.json` of the protocol has it. */
export function renderPackage(item: LineItem, terms: PackageTerms = {}): Record<string, unknown> {
  const isCanceled = item.status === 'ARCHIVED' || terms.cancellation !== undefined;
  const creatives = creativesOf(item);
  return {
    package_id: item.id,
    ...(item.advertisingProductId === null ? {} : { product_id: item.advertisingProductId }),
    ...(item.budget === null ? {} : { budget: numberOf(item.budget) }),
    pacing: item.pacing.toLowerCase(),
    ...(item.priceOptionId === null ? {} : { pricing_option_id: item.priceOptionId }),
    ...(terms.isAuction === true ? { bid_price: numberOf(item.price) } : {}),
    ...(item.goal?.kind === 'IMPRESSIONS' ? { impressions: Number(item.goal.target) } : {}),
    ...(terms.formatIds === undefined ? {} : { format_ids: terms.formatIds }),
    ...(terms.overlay === undefined ? {} : { targeting_overlay: terms.overlay }),
    ...(creatives.length === 0
      ? {}
      : { creative_assignments: creatives.map((one) => ({ creative_id: creativeIdOf(one), weight: weightOf(one) })) }),
    ...(item.startsAt === null ? {} : { start_time: item.startsAt }),
    ...(item.endsAt === null ? {} : { end_time: item.endsAt }),
    paused: !isCanceled && item.status === 'PAUSED',
    canceled: isCanceled,
    ...(isCanceled
      ? { cancellation: terms.cancellation ?? { canceled_at: item.updatedAt, canceled_by: 'seller' } }
      : {}),
    ...(terms.context === undefined ? {} : { context: terms.context }),
  };
}

/** The buyer's id of an assigned creative. */
export function creativeIdOf({ id, libraryCreative }: Pick<AssignedCreative, 'id' | 'libraryCreative'>): string {
  return libraryCreative === null ? id : buyersId(libraryCreative);
}

/** A buy as `get-media-buys-response.json` of the protocol has it. */
export function renderBuy(buy: MediaBuy, { currency, nowMs }: Shown, withSnapshot: boolean): Record<string, unknown> {
  const { campaign, terms } = buy;
  const status = statusOf(buy, nowMs);
  return {
    media_buy_id: campaign.id,
    status,
    ...(status === 'rejected' && buy.made?.reason ? { rejection_reason: buy.made.reason } : {}),
    currency,
    total_budget: totalBudget(buy),
    ...(campaign.startsAt === null ? {} : { start_time: campaign.startsAt }),
    ...(campaign.endsAt === null ? {} : { end_time: campaign.endsAt }),
    confirmed_at: confirmedAt(buy),
    ...(status === 'canceled'
      ? { cancellation: terms.cancellation ?? { canceled_at: campaign.updatedAt, canceled_by: 'seller' } }
      : {}),
    revision: revisionOf(buy),
    created_at: campaign.createdAt,
    updated_at: campaign.updatedAt,
    ...(terms.context === undefined ? {} : { context: terms.context }),
    valid_actions: validActions(status),
    packages: campaign.lineItems.nodes.map((item) => renderListed(item, { buy, currency, nowMs, withSnapshot })),
  };
}

interface Listed extends Shown {
  readonly buy: MediaBuy;
  readonly withSnapshot: boolean;
}

function renderListed(item: LineItem, { buy, currency, nowMs, withSnapshot }: Listed): Record<string, unknown> {
  const creatives = creativesOf(item);
  return {
    ...renderPackage(item, buy.terms.packages[item.id]),
    currency,
    ...(creatives.length === 0
      ? {}
      : {
          creative_approvals: creatives.map((one) => ({
            creative_id: creativeIdOf(one),
            approval_status: REVIEW_STATUSES[one.reviewState],
            ...(one.reviewState === 'REJECTED' && one.reviewReason !== null
              ? { rejection_reason: one.reviewReason }
              : {}),
          })),
        }),
    ...(withSnapshot ? snapshotOf(item, nowMs) : {}),
  };
}

function snapshotOf({ delivery }: LineItem, nowMs: number): Record<string, unknown> {
  if (delivery === null) return { snapshot_unavailable_reason: 'SNAPSHOT_TEMPORARILY_UNAVAILABLE' };
  const { impressions, clicks, spend } = delivery.lifetime;
  return {
    snapshot: {
      as_of: new Date(nowMs).toISOString(),
      staleness_seconds: STALENESS_SECONDS,
      impressions: Number(impressions),
      clicks: Number(clicks),
      spend: numberOf(spend),
    },
  };
}

/** The budget of all packages that are not canceled. Sums are exact to the millionth. */
export function totalBudget(buy: MediaBuy): number {
  const micros = livePackages(buy).reduce(
    (sum, { budget }) => sum + Math.round(numberOf(budget ?? '0') * 1_000_000),
    0,
  );
  return micros / 1_000_000;
}

/** When the publisher was bound: at once, or when a person approved. */
export function confirmedAt({ made, campaign }: MediaBuy): string | null {
  if (made?.state === 'REJECTED') return null;
  return made?.decidedAt ?? made?.createdAt ?? campaign.createdAt;
}

const CHANGES = [
  'cancel',
  'extend_flight',
  'shorten_flight',
  'increase_budget',
  'decrease_budget',
  'update_targeting',
] as const;
const MORE_CHANGES = [
  'update_pacing',
  'update_frequency_caps',
  'update_creative_assignments',
  'update_packages',
  'add_packages',
  'sync_creatives',
] as const;

/** What a buyer may do with a buy in its status. */
export function validActions(status: BuyStatus): readonly string[] {
  switch (status) {
    case 'active':
    case 'pending_start':
    case 'pending_creatives':
      return ['pause', ...CHANGES, ...MORE_CHANGES];
    case 'paused':
      return ['resume', ...CHANGES, ...MORE_CHANGES];
    case 'completed':
    case 'rejected':
    case 'canceled':
      return [];
  }
}
