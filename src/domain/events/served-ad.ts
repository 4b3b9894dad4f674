import type { CreativeFormat } from '../creative-format.ts';
import type { ReportedKeyValues } from '../targeting/key-value.ts';
import type { LineItemType } from '../booking/line-item.ts';
import type { PricingModel } from '../pricing/pricing-models.ts';

/**
 * The content of a served ad's signed token: enough to count every event of the ad without a query to any store.
 * Empty text means "unknown" or "none". Nothing in it is personal: the user is a keyed hash, or empty.
 */
export interface ServedAd {
  /** ULID of this one showing of the ad. */
  readonly impressionId: string;
  readonly workspaceId: number;
  readonly advertiserId: string;
  readonly campaignId: string;
  readonly lineItemId: string;
  readonly lineItemType: LineItemType;
  readonly creativeId: string;
  readonly creativeFormat: CreativeFormat;
  /** It stands beside its master: its showings count for the creative alone, and are not billed. */
  readonly companion: boolean;
  readonly dealId: string;
  readonly advertisingProductId: string;
  readonly siteId: string;
  readonly areaId: string;
  readonly adUnitId: string;
  readonly width: number;
  readonly height: number;
  readonly country: string;
  readonly region: string;
  readonly deviceType: string;
  readonly os: string;
  readonly browser: string;
  /** Of the keys that the network reports. */
  readonly keyValues: ReportedKeyValues;
  /** No personalised ads: no user state may be read or written for this ad. */
  readonly npa: boolean;
  /** Keyed hash of the user id, 16 hex digits; empty without user or under npa. */
  readonly userHash: string;
  /** Likewise of the household; empty also where no cap of the ad counts households. */
  readonly householdHash: string;
  readonly pricingModel: PricingModel;
  /** The line item's price at decision time, micros. */
  readonly priceMicros: number;
  readonly decidedAtMs: number;
  /** OpenRTB `test = 1`: everything works, nothing is counted. */
  readonly test: boolean;
  /** The limits on which the response made reservations, as `limitBits` says: its events release only these. */
  readonly heldLimits: number;
  /** Media types of parameters that chose the ad, for the "why" page: the targeting dimensions that the line item uses. */
  readonly chosenBy: readonly string[];
}

/** How long after the decision a link still counts, in milliseconds. */
export const IMPRESSION_WINDOW_MS = 3_600_000;
export const CLICK_WINDOW_MS = 30 * 86_400_000;
/** No activity credits a click for longer. */
export const CREDIT_WINDOW_MS = 90 * 86_400_000;

/** One HMAC key for links. One signs; older ones still verify, so that links in flight survive a rotation. */
export interface LinkKey {
  /** 1 to 4 base64url characters. */
  readonly keyId: string;
  readonly secret: Buffer;
  /** When it begins to sign; absent: from the start. It verifies before. */
  readonly signsFromMs?: number;
}

/** A replaced key verifies for this time: every link that counts has ended by then. */
export const LINK_KEY_KEPT_MS = CLICK_WINDOW_MS + 86_400_000;

/** The key that signs at this time: of those that have begun, the one that began last. @throws Error when there is none */
export function signingKey(keys: readonly LinkKey[], nowMs: number): LinkKey {
  let found: LinkKey | undefined;
  for (const key of keys) {
    const fromMs = key.signsFromMs ?? 0;
    if (fromMs <= nowMs && (found === undefined || fromMs > (found.signsFromMs ?? 0))) found = key;
  }
  if (found === undefined) throw new Error('There is no key to sign links with');
  return found;
}
