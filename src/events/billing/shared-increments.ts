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
/** Those of one line item: of several kinds of events, prices, and times of decision. */
const VARIANTS_MAX = 64;

/** What the increments of an event depend on, beside its workspace and line item. */
interface Variant {
  readonly kind: CountedKind;
  readonly campaignId: string;
  readonly advertiserId: string;
  readonly pricingModel: string;
  readonly priceMicros: number;
  readonly billed: bigint;
  readonly heldLimits: number;
  readonly companion: boolean;
  /** Of its reservation; null: it is over. */
  readonly bucket: number | null;
  readonly lineItem: LineItem | undefined;
  readonly campaign: Campaign | undefined;
  readonly advertiser: Advertiser | undefined;
  readonly workspace: Workspace | undefined;
  readonly lineItemDay: string;
  readonly networkDay: string;
}

interface Known {
  readonly variant: Variant;
  readonly shared: SharedIncrements;
}

/**
 * The delivery counters of an event and the reservations that it releases are the same for every event of its kind, line item, price
 * and day: they are listed once, and written as text once.
 */
export class SharedIncrementsCache {
  /** By workspace and line item. */
  readonly #known = new Map<number, Map<string, Known[]>>();
  #size = 0;

  /** As `deliveryIncrements` and, but for a companion's, `releaseReservations` return them. */
  find(kind: CountedKind, ad: ServedAd, at: CountedAt, billed: bigint): SharedIncrements {
    const variant = variantOf(kind, ad, at, billed);
    const known = this.#knownOf(at.workspaceId, ad.lineItemId);
    for (const one of known) if (isSame(one.variant, variant)) return one.shared;
    const shared = writeSharedIncrements([
      ...deliveryIncrements(kind, ad, at, billed),
      // The reservation belongs to the master.
      ...(ad.companion ? [] : releaseReservations(kind, ad, at)),
    ]);
    this.#remember(known, { variant, shared });
    return shared;
  }

  #knownOf(workspaceId: number, lineItemId: string): Known[] {
    let byLineItem = this.#known.get(workspaceId);
    if (byLineItem === undefined) this.#known.set(workspaceId, (byLineItem = new Map()));
    let known = byLineItem.get(lineItemId);
    if (known === undefined) byLineItem.set(lineItemId, (known = []));
    return known;
  }

  #remember(known: Known[], one: Known): void {
    // The oldest are of a former minute or price.
    if (known.length >= VARIANTS_MAX) known.pop();
    else this.#size += 1;
    known.unshift(one);
    if (this.#size < KNOWN_MAX) return;
    this.#known.clear();
    this.#size = 0;
  }
}

function variantOf(kind: CountedKind, ad: ServedAd, at: CountedAt, billed: bigint): Variant {
  const { catalog, workspaceId, timeMs } = at;
  const workspace = catalog.findWorkspaceById(workspaceId);
  return {
    kind,
    campaignId: ad.campaignId,
    advertiserId: ad.advertiserId,
    pricingModel: ad.pricingModel,
    priceMicros: ad.priceMicros,
    billed,
    heldLimits: ad.heldLimits,
    companion: ad.companion,
    bucket: isReservationOpen(ad.decidedAtMs, timeMs) ? reservationBucket(ad.decidedAtMs) : null,
    lineItem: catalog.findLineItem(workspaceId, ad.lineItemId),
    campaign: catalog.findCampaign(workspaceId, ad.campaignId),
    advertiser: catalog.findAdvertiser(workspaceId, ad.advertiserId),
    workspace,
    lineItemDay: localDay(timeMs, zoneOf(ad, at)),
    networkDay: localDay(timeMs, workspace?.timezone ?? 'UTC'),
  };
}

/** Those that differ most often come first. */
function isSame(one: Variant, other: Variant): boolean {
  return (
    one.bucket === other.bucket &&
    one.kind === other.kind &&
    one.heldLimits === other.heldLimits &&
    one.priceMicros === other.priceMicros &&
    one.billed === other.billed &&
    one.pricingModel === other.pricingModel &&
    one.companion === other.companion &&
    one.lineItem === other.lineItem &&
    one.campaign === other.campaign &&
    one.advertiser === other.advertiser &&
    one.workspace === other.workspace &&
    one.campaignId === other.campaignId &&
    one.advertiserId === other.advertiserId &&
    one.lineItemDay === other.lineItemDay &&
    one.networkDay === other.networkDay
  );
}
