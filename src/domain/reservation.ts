import type { CounterKind, CounterScope } from './counter-key.ts';
import type { Advertiser, Campaign, DeliveryCaps, LineItem, PricingModel } from './line-item.ts';

/**
 * Reservations: what answers that went out may still use of a hard limit. Delivery adds to a reservation when it answers; the
 * event that books the delivery takes the same amount off, in the same atomic step. What is never shown goes with its bucket.
 */
export interface Reservation {
  readonly workspaceId: number;
  readonly scope: CounterScope;
  readonly id: string;
  /** What the limit is in: events, or nanos of money. */
  readonly kind: 'imp' | 'spend';
  /** 1, or nanos. */
  readonly amount: number;
  /** The event that books it. */
  readonly bookedBy: 'impression' | 'viewable';
}

/** Reservations are kept apart by when the ad was decided, so that those of links that expired can be forgotten. */
export const RESERVATION_BUCKET_MS = 600_000;
/** A bucket outlives the last link that was made in it (1 h), with 15 minutes for clocks that differ. */
export const RESERVATION_TTL_MS = RESERVATION_BUCKET_MS + 3_600_000 + 900_000;

/** The bucket of an instant. */
export function reservationBucket(decidedAtMs: number): number {
  return Math.floor(decidedAtMs / RESERVATION_BUCKET_MS);
}

/** The counter of what is reserved of one limit, of ads decided in one bucket. */
export function reservationKey(
  subject: {
    readonly workspaceId: number;
    readonly scope: CounterScope;
    readonly id: string;
    readonly kind: CounterKind;
  },
  bucket: number,
): string {
  return `r/${subject.workspaceId}/${subject.scope}/${subject.id}/${subject.kind}/${bucket}`;
}

/** Whose limits an ad uses, and what it earns. */
export interface LimitedAd {
  readonly workspaceId: number;
  readonly lineItem: LineItem;
  readonly campaign: Campaign | undefined;
  readonly advertiser: Advertiser | undefined;
  readonly pricingModel: PricingModel;
  /** As in the ad's token, micros. */
  readonly priceMicros: number;
}

/**
 * What one answer reserves: an impression wherever impressions are limited, and the price wherever money is and an impression
 * (CPM) or a viewable impression (VCPM) earns it. Clicks and conversions may come for weeks: nothing is reserved for them.
 */
export function listReservations(ad: LimitedAd): Reservation[] {
  const { workspaceId, lineItem, campaign, advertiser } = ad;
  const owners: readonly [CounterScope, string, DeliveryCaps | null, boolean, boolean][] = [
    ['li', lineItem.id, lineItem.caps, stopsAtImpressions(lineItem), false],
    ['ca', campaign?.id ?? '', campaign?.caps ?? null, false, false],
    ['ad', advertiser?.id ?? '', null, false, (advertiser?.creditMicros ?? null) !== null],
  ];
  const nanos = reservedNanos(ad);
  const bookedBy = ad.pricingModel === 'VCPM' ? 'viewable' : 'impression';
  const found: Reservation[] = [];
  for (const [scope, id, caps, goal, credit] of owners) {
    const limitsImpressions = goal || isSet(caps?.impressionsPerDay) || isSet(caps?.impressionsLifetime);
    if (limitsImpressions) found.push({ workspaceId, scope, id, kind: 'imp', amount: 1, bookedBy: 'impression' });
    const limitsMoney = credit || isSet(caps?.spendMicrosPerDay) || isSet(caps?.spendMicrosLifetime);
    if (limitsMoney && nanos > 0) found.push({ workspaceId, scope, id, kind: 'spend', amount: nanos, bookedBy });
  }
  return found;
}

function stopsAtImpressions({ goal, pauseAfterGoal }: LineItem): boolean {
  return pauseAfterGoal && goal?.kind === 'IMPRESSIONS';
}

function isSet(limit: number | null | undefined): boolean {
  return limit !== null && limit !== undefined;
}

/** An impression at a CPM of p micros earns p nanos. */
function reservedNanos({ pricingModel, priceMicros }: LimitedAd): number {
  return pricingModel === 'CPM' || pricingModel === 'VCPM' ? priceMicros : 0;
}
