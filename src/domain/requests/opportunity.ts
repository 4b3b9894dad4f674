import type { BannerFormat, MediaType, PlayedFormat } from '../creative-format.ts';
import type { Size } from '../booking/inventory.ts';
import type { TargetedRequest, TargetedSlot } from '../targeting/targeting-dimensions.ts';

/** A deal that the request offers for a slot; money in micros of the network's currency. */
export interface OfferedDeal {
  readonly code: string;
  readonly floorMicros: number | null;
  /** OpenRTB `at: 3`: the floor is the agreed price. */
  readonly fixedPrice: boolean;
  /** Empty = any. */
  readonly seats: readonly string[];
  readonly advertiserDomains: readonly string[];
}

/** A slot that a player has for a companion (OpenRTB `companionad`). */
export interface CompanionSlot {
  /** CSS pixels; empty = any. */
  readonly sizes: readonly Size[];
  /** AdCOM "Creative Attributes" that nothing in this slot may have. */
  readonly blockedAttributes: readonly number[];
}

/** What the player of a slot accepts. Empty lists = anything. */
export interface PlayerOffer {
  readonly mimeTypes: readonly string[];
  readonly minDurationMs: number;
  readonly maxDurationMs: number;
  /** OpenRTB protocol numbers (AdCOM "Creative Subtypes"). */
  readonly protocols: readonly number[];
  /** Where the player shows companions. */
  readonly companionPlaces: readonly CompanionSlot[];
  /** The allowed kinds: 1 picture, 2 HTML, 3 frame (AdCOM "Companion Types"). */
  readonly companionTypes: readonly number[];
  /** Further limits. Absent: the slot has none. */
  readonly limits?: PlayerLimits;
}

/** Limits of a player that few requests have. */
export interface PlayerLimits {
  /** Kilobits per second; a file of unknown bitrate is within both. */
  readonly minBitrateKbps: number;
  readonly maxBitrateKbps: number;
  /** AdCOM "Delivery Methods" of media files: 1 streaming, 2 progressive; empty = any. */
  readonly deliveryMethods: readonly number[];
  /** Exact durations; empty = any. */
  readonly durationsMs: readonly number[];
  /** The player takes non-linear ads only, of which there are none. */
  readonly isNonLinear: boolean;
}

/** A floor of ads whose duration is within a range, both ends included; CPM micros. */
export interface DurationFloor {
  readonly minMs: number;
  readonly maxMs: number;
  readonly floorMicros: number;
}

/** Floors by the duration of an ad, CPM micros. */
export interface TimedFloors {
  readonly perSecondMicros: number;
  readonly ranges: readonly DurationFloor[];
  /** Of a duration in no range. */
  readonly otherwiseMicros: number;
}

/** The key-value that says which slot of its pod a slot is: `first`, `last`. */
export const POD_SLOT_KEY = 'pod.slot';

/** The part of a slot in a pod: ads that play one after the other. */
export interface PodSlot {
  /** Equal for the slots of one pod. */
  readonly id: string;
  /** The time that all slots with this `slotId` share; null: the slot has limits of its own. */
  readonly sharedMs: number | null;
  /** Which slot of the pod it is, where the caller can tell. */
  readonly end: 'first' | 'last' | null;
}

/** One asset of an OpenRTB Native 1.2 request. `kind` 'other' is one that we never fill. */
export interface NativeAsset {
  readonly id: number;
  readonly required: boolean;
  readonly kind: 'title' | 'mainImage' | 'icon' | 'sponsoredBy' | 'body' | 'callToAction' | 'other';
  /** Longest text in characters; 0 = no limit. */
  readonly lengthMax: number;
  readonly minWidth: number;
  readonly minHeight: number;
}

/** A Native 1.2 request. Null in a slot means that the caller left its form to us (Prebid's `das` adapter). */
export interface NativeRequest {
  readonly version: string;
  /** The request stood under a root member `native`; then the response stands there too. */
  readonly isWrapped: boolean;
  readonly assets: readonly NativeAsset[];
  /** Offered event tracking methods (1 image, 2 script) by event (1 impression …); empty = image trackers of the old form. */
  readonly eventMethods: ReadonlyMap<number, readonly number[]>;
}

/** The best bid that header bidders made for a slot, before the request. */
export interface HeaderBid {
  readonly bidder: string;
  /** The bidder's or wrapper's id of the bid, by which the page renders the ad. */
  readonly adId: string;
  /** Micros of the network's currency, above 0. */
  readonly cpmMicros: number;
  /** CSS pixels; 0 × 0 = not stated. */
  readonly width: number;
  readonly height: number;
}

/** One slot of a request, which an ad could fill. Ids are decimal texts, '' = unknown inventory. */
export interface Slot extends TargetedSlot {
  /** Its id in the request (`imp.id`). The slots of a pod that share time have one id. */
  readonly slotId: string;
  /** Sizes offered for banners; empty = any. */
  readonly sizes: readonly Size[];
  readonly mediaTypes: readonly MediaType[];
  readonly video: PlayerOffer | null;
  /** Absent: the slot has no audio, or takes any. */
  readonly audio?: PlayerOffer;
  readonly native: NativeRequest | null;
  /** The caller's own lowest CPM in micros; floors of network, ad unit and deals are added when deciding. */
  readonly floorMicros: number;
  /** Null when the caller named no deals at all (then deal line items compete in the open); else only these are admitted. */
  readonly deals: readonly OfferedDeal[] | null;
  readonly privateAuction: boolean;
  /** Only https markup. */
  readonly secure: boolean;
  /** Of ads of any media type. */
  readonly blockedAttributes: readonly number[];
  /** Of ads of one media type. */
  readonly blockedByMedia?: Readonly<Partial<Record<MediaType, readonly number[]>>>;
  /** Forms of banners that are blocked: images, or HTML. Absent: none. */
  readonly blockedBanners?: readonly BannerFormat[];
  /** Absent: no header bidder competes. */
  readonly headerBid?: HeaderBid;
  /** Absent: it is in no pod. */
  readonly pod?: PodSlot;
  /** By media type; then `floorMicros` is the lowest of them. Absent: `floorMicros` is the floor of any duration. */
  readonly timedFloors?: Readonly<Partial<Record<MediaType, TimedFloors>>>;
}

/** How reports name the context: not lower-cased; '' = unknown. */
export interface ReportedContext {
  /** ISO 3166-1 alpha-2, upper case. */
  readonly country: string;
  readonly region: string;
  readonly deviceType: string;
  readonly os: string;
  readonly browser: string;
}

/**
 * One request for ads as the decision engine sees it: pure data, whatever endpoint it came through.
 * Texts that targeting compares are lower case. Under `npa`, `userHash` is '' and `segments` is empty.
 */
export interface Opportunity extends TargetedRequest {
  readonly workspaceId: number;
  readonly reported: ReportedContext;
  /** No personalised ads. */
  readonly npa: boolean;
  readonly userHash: string;
  /** Absent or '' = unknown, as under `npa`. */
  readonly householdHash?: string;
  readonly blockedCategories: ReadonlySet<string>;
  /** Categories of which an advertiser needs one. Absent or empty: any will do. */
  readonly allowedCategories?: ReadonlySet<string>;
  readonly blockedDomains: ReadonlySet<string>;
  /** Empty = any. */
  readonly allowedSeats: ReadonlySet<string>;
  readonly blockedSeats: ReadonlySet<string>;
  /** Languages that creatives may have (lower case); empty = any. */
  readonly creativeLanguages: ReadonlySet<string>;
  /** 0…3 as in the IAB's DSA extension; at 2 and 3 an ad without its DSA facts loses. */
  readonly dsaRequired: number;
  /** Nothing may be counted or billed. */
  readonly test: boolean;
  readonly slots: readonly Slot[];
}

/** What the player of a slot accepts of ads of a format; null = anything. */
export function playerOfferOf({ video, audio }: Slot, format: PlayedFormat): PlayerOffer | null {
  return { VIDEO: video, AUDIO: audio ?? null }[format];
}

const ANYTHING = { mimeTypes: [], minDurationMs: 0, protocols: [], companionPlaces: [], companionTypes: [] } as const;

/** The slot, without ads that are longer than the time. */
export function shortenSlot(slot: Slot, timeMs: number): Slot {
  const { video, audio } = slot;
  return {
    ...slot,
    video: { ...(video ?? ANYTHING), maxDurationMs: Math.min(video?.maxDurationMs ?? timeMs, timeMs) },
    audio: { ...(audio ?? ANYTHING), maxDurationMs: Math.min(audio?.maxDurationMs ?? timeMs, timeMs) },
  };
}
