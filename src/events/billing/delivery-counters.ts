import { localDay } from '../../domain/time/calendar.ts';
import {
  DAY_COUNTER_TTL_MS,
  dayCounterKey,
  LIFETIME_COUNTER_TTL_MS,
  lifetimeCounterKey,
} from '../../domain/money/counter-key.ts';
import type { CounterKind, CounterScope } from '../../domain/money/counter-key.ts';
import type { Priced } from '../../domain/money/earning.ts';
import { COUNTED_EVENTS } from '../../domain/pricing/pricing-models.ts';
import type { CountedKind } from '../../domain/pricing/pricing-models.ts';
import { compileCapChecks } from '../../domain/money/limit.ts';
import type { CapCheck } from '../../domain/money/limit.ts';
import type { Nanos } from '../../domain/money/money.ts';
import {
  isReservationOpen,
  limitBit,
  listReservations,
  RESERVATION_TTL_MS,
  reservationBucket,
  reservationKey,
} from '../../domain/money/reservation.ts';
import type { Catalog } from '../../domain/booking/snapshot.ts';
import type { CounterIncrement } from '../../storage/hot/hot-store.ts';

/** The line item, campaign and advertiser whose delivery is counted. */
export interface CountedAd extends Priced {
  readonly advertiserId: string;
  readonly campaignId: string;
  readonly lineItemId: string;
}

/** Where and when an ad's event is counted. */
export interface CountedAt {
  readonly catalog: Catalog;
  readonly workspaceId: number;
  readonly timeMs: number;
}

/**
 * The increments of one counted event: line item, campaign and advertiser; of all time and of the day (the line item's day for
 * the line item, the network's for the others); the event itself, and what is billed for it.
 */
export function deliveryIncrements(kind: CountedKind, ad: CountedAd, at: CountedAt, billed: Nanos): CounterIncrement[] {
  return [...countIncrements(COUNTED_EVENTS[kind].counter, 1n, ad, at), ...spendIncrements(billed, ad, at)];
}

/** The increments of billed money, as `deliveryIncrements`. */
export function spendIncrements(billed: Nanos, ad: CountedAd, at: CountedAt): CounterIncrement[] {
  return billed > 0n ? countIncrements('spend', billed, ad, at) : [];
}

/** The line item's time zone; the network's where it is not known. */
export function zoneOf({ lineItemId }: CountedAd, { catalog, workspaceId }: Omit<CountedAt, 'timeMs'>): string {
  return (
    catalog.findLineItem(workspaceId, lineItemId)?.timezone ?? catalog.findWorkspaceById(workspaceId)?.timezone ?? 'UTC'
  );
}

function countIncrements(kind: CounterKind, by: bigint, ad: CountedAd, at: CountedAt): CounterIncrement[] {
  const { catalog, workspaceId, timeMs } = at;
  const networkDay = localDay(timeMs, catalog.findWorkspaceById(workspaceId)?.timezone ?? 'UTC');
  const scopes: readonly [CounterScope, string, string][] = [
    ['li', ad.lineItemId, localDay(timeMs, zoneOf(ad, at))],
    ['ca', ad.campaignId, networkDay],
    ['ad', ad.advertiserId, networkDay],
  ];
  return scopes.flatMap(([scope, id, day]) => {
    if (id === '') return [];
    const subject = { workspaceId, scope, id, kind };
    return [
      { key: lifetimeCounterKey(subject), by, ttlMs: LIFETIME_COUNTER_TTL_MS },
      { key: dayCounterKey(subject, day), by, ttlMs: DAY_COUNTER_TTL_MS },
    ];
  });
}

/** The hard limits that bind an ad's line item now; null when it, or its owner, has left the snapshot. */
export function limitsOf(ad: CountedAd, { catalog, workspaceId }: Omit<CountedAt, 'timeMs'>): CapCheck[] | null {
  const lineItem = catalog.findLineItem(workspaceId, ad.lineItemId);
  const campaign = catalog.findCampaign(workspaceId, ad.campaignId);
  const advertiser = catalog.findAdvertiser(workspaceId, ad.advertiserId);
  if (lineItem === undefined || campaign === undefined || advertiser === undefined) return null;
  const timezone = catalog.findWorkspaceById(workspaceId)?.timezone ?? 'UTC';
  return compileCapChecks({ workspaceId, timezone, lineItem, campaign, advertiser });
}

/**
 * The reservations of the ad's decision that a counted event releases, now that it is delivered. The decision reserved nothing on limits
 * that were added later, so nothing is released there.
 */
export function releaseReservations(
  kind: CountedKind,
  ad: CountedAd & { readonly decidedAtMs: number; readonly heldLimits: number },
  at: CountedAt,
): CounterIncrement[] {
  if (!isReservationOpen(ad.decidedAtMs, at.timeMs)) return [];
  const bucket = reservationBucket(ad.decidedAtMs);
  return listReservations(limitsOf(ad, at) ?? [], ad)
    .filter(({ bookedBy, subject }) => bookedBy === kind && (ad.heldLimits & limitBit(subject)) !== 0)
    .map(({ subject, hold, amount }) => ({
      key: reservationKey(subject, { hold, bucket }),
      by: BigInt(-amount),
      ttlMs: RESERVATION_TTL_MS,
    }));
}
