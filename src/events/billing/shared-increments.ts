import type { Campaign, LineItem, Advertiser } from '../../domain/booking/line-item.ts';
import type { ServedAd } from '../../domain/events/served-ad.ts';
import { isReservationOpen, reservationBucket } from '../../domain/money/reservation.ts';
import type { CountedKind } from '../../domain/pricing/pricing-models.ts';
import type { Workspace } from '../../domain/tenancy/workspace.ts';
import { localDay } from '../../domain/time/calendar.ts';
import { writeSharedIncrements } from '../spool/spool-line.ts';
import type { SharedIncrements } from '../spool/spool-line.ts';
import { deliveryIncrements, releaseReservations, zoneOf } from './delivery-counters.ts';
import type { CountedAt } from './delivery-counters.ts';

/** Kinds of events of line items that one worker remembers; then it forgets all. */
const KNOWN_MAX = 10_000;

interface Known {
  readonly lineItem: LineItem | undefined;
  readonly campaign: Campaign | undefined;
  readonly advertiser: Advertiser | undefined;
  readonly workspace: Workspace | undefined;
  readonly lineItemDay: string;
  readonly networkDay: string;
  readonly shared: SharedIncrements;
}

/**
 * The delivery counters of an event and the reservations that it releases are the same for every event of its kind, line item, price
 * and day: they are listed once, and written as text once.
 */
export class SharedIncrementsCache {
  readonly #known = new Map<string, Known>();

  /** As `deliveryIncrements` and, but for a companion's, `releaseReservations` return them. */
  find(kind: CountedKind, ad: ServedAd, at: CountedAt, billed: bigint): SharedIncrements {
    const { catalog, workspaceId, timeMs } = at;
    const workspace = catalog.findWorkspaceById(workspaceId);
    const lineItem = catalog.findLineItem(workspaceId, ad.lineItemId);
    const campaign = catalog.findCampaign(workspaceId, ad.campaignId);
    const advertiser = catalog.findAdvertiser(workspaceId, ad.advertiserId);
    const lineItemDay = localDay(timeMs, zoneOf(ad, at));
    const networkDay = localDay(timeMs, workspace?.timezone ?? 'UTC');
    const key = keyOf(kind, ad, at, billed);
    const known = this.#known.get(key);
    if (
      known !== undefined &&
      known.lineItem === lineItem &&
      known.campaign === campaign &&
      known.advertiser === advertiser &&
      known.workspace === workspace &&
      known.lineItemDay === lineItemDay &&
      known.networkDay === networkDay
    )
      return known.shared;
    const shared = writeSharedIncrements([
      ...deliveryIncrements(kind, ad, at, billed),
      // The reservation belongs to the master.
      ...(ad.companion ? [] : releaseReservations(kind, ad, at)),
    ]);
    if (this.#known.size >= KNOWN_MAX) this.#known.clear();
    this.#known.set(key, { lineItem, campaign, advertiser, workspace, lineItemDay, networkDay, shared });
    return shared;
  }
}

function keyOf(kind: CountedKind, ad: ServedAd, { workspaceId, timeMs }: CountedAt, billed: bigint): string {
  const bucket = isReservationOpen(ad.decidedAtMs, timeMs) ? reservationBucket(ad.decidedAtMs) : '';
  const owners = `${workspaceId}/${ad.lineItemId}/${ad.campaignId}/${ad.advertiserId}`;
  const price = `${ad.pricingModel}/${ad.priceMicros}/${billed}`;
  return `${kind}/${owners}/${price}/${ad.heldLimits}/${ad.companion ? 'c' : ''}/${bucket}`;
}
