import { localDay } from '../domain/calendar.ts';
import {
  DAY_COUNTER_TTL_MS,
  dayCounterKey,
  LIFETIME_COUNTER_TTL_MS,
  lifetimeCounterKey,
} from '../domain/counter-key.ts';
import type { CounterKind, CounterScope } from '../domain/counter-key.ts';
import type { PricingModel } from '../domain/line-item.ts';
import { nanosPerAction, nanosPerImpression } from '../domain/money.ts';
import type { Nanos } from '../domain/money.ts';
import { listReservations, RESERVATION_TTL_MS, reservationBucket, reservationKey } from '../domain/reservation.ts';
import type { ServedAd } from '../domain/served-ad.ts';
import type { Catalog } from '../domain/snapshot.ts';
import type { CounterIncrement } from '../storage/hot/hot-store.ts';

/** Event kinds that can be billed, or that goals count. */
export type CountedKind = 'impression' | 'viewable' | 'click' | 'activity';

const COUNTER_OF: Readonly<Record<CountedKind, CounterKind>> = {
  impression: 'imp',
  viewable: 'view',
  click: 'clk',
  activity: 'conv',
};

/** Whose deliveries are counted. */
export interface CountedAd {
  readonly advertiserId: string;
  readonly campaignId: string;
  readonly lineItemId: string;
  readonly pricingModel: PricingModel;
  readonly priceMicros: number;
}

/** What a billable event of this kind earns, by the pricing model: only the event that the model names earns. FLAT is booked by day. */
export function earnedNanos(kind: CountedKind, ad: Pick<CountedAd, 'pricingModel' | 'priceMicros'>): Nanos {
  const price = BigInt(ad.priceMicros);
  switch (ad.pricingModel) {
    case 'CPM':
      return kind === 'impression' ? nanosPerImpression(price) : 0n;
    case 'VCPM':
      return kind === 'viewable' ? nanosPerImpression(price) : 0n;
    case 'CPC':
      return kind === 'click' ? nanosPerAction(price) : 0n;
    case 'CPA':
      return kind === 'activity' ? nanosPerAction(price) : 0n;
    case 'FLAT':
      return 0n;
  }
}

/**
 * The increments of one counted event: line item, campaign and advertiser; of all time and of the day (the line item's day for
 * the line item, the network's for the others); the event itself, and what it earns.
 */
export function deliveryIncrements(
  kind: CountedKind,
  ad: CountedAd,
  at: { catalog: Catalog; workspaceId: number; timeMs: number },
): CounterIncrement[] {
  const { catalog, workspaceId, timeMs } = at;
  const networkZone = catalog.findWorkspaceById(workspaceId)?.timezone ?? 'UTC';
  const lineItemZone = catalog.findLineItem(workspaceId, ad.lineItemId)?.timezone ?? networkZone;
  const networkDay = localDay(timeMs, networkZone);
  const scopes: readonly [CounterScope, string, string][] = [
    ['li', ad.lineItemId, lineItemZone === networkZone ? networkDay : localDay(timeMs, lineItemZone)],
    ['ca', ad.campaignId, networkDay],
    ['ad', ad.advertiserId, networkDay],
  ];
  const nanos = earnedNanos(kind, ad);
  const amounts: readonly [CounterKind, bigint][] =
    nanos > 0n
      ? [
          [COUNTER_OF[kind], 1n],
          ['spend', nanos],
        ]
      : [[COUNTER_OF[kind], 1n]];
  return scopes.flatMap(([scope, id, day]) =>
    id === ''
      ? []
      : amounts.flatMap(([counter, by]) => {
          const subject = { workspaceId, scope, id, kind: counter };
          return [
            { key: lifetimeCounterKey(subject), by, ttlMs: LIFETIME_COUNTER_TTL_MS },
            { key: dayCounterKey(subject, day), by, ttlMs: DAY_COUNTER_TTL_MS },
          ];
        }),
  );
}

/** What a counted event takes off the reservations that its ad made when it was decided: it is delivered now. */
export function releaseReservations(kind: CountedKind, ad: ServedAd, catalog: Catalog): CounterIncrement[] {
  const { workspaceId, lineItemId, pricingModel, priceMicros } = ad;
  const lineItem = catalog.findLineItem(workspaceId, lineItemId);
  if (lineItem === undefined) return [];
  const campaign = catalog.findCampaign(workspaceId, ad.campaignId);
  const advertiser = catalog.findAdvertiser(workspaceId, ad.advertiserId);
  const bucket = reservationBucket(ad.decidedAtMs);
  return listReservations({ workspaceId, lineItem, campaign, advertiser, pricingModel, priceMicros })
    .filter((reservation) => reservation.bookedBy === kind)
    .map((reservation) => ({
      key: reservationKey(reservation, bucket),
      by: BigInt(-reservation.amount),
      ttlMs: RESERVATION_TTL_MS,
    }));
}
