import type { HeaderBid, WonHeaderBid } from './header-bids.ts';

/** A request for ads of a named ad unit. The network is the client's. */
export interface AdsRequest {
  /** Name of the ad unit. */
  readonly adUnit: string;
  /** 1 to 20; 1 unless given. */
  readonly count?: number;
  readonly site?: string | { readonly domain?: string; readonly page?: string };
  /** Page address. */
  readonly page?: string;
  readonly keywords?: readonly string[];
  readonly keyValues?: Readonly<Record<string, string | readonly string[]>>;
  readonly user?: {
    readonly ids?: { readonly lu?: string; readonly aid?: string; readonly hh?: string };
    readonly npa?: boolean;
    readonly consent?: string;
  };
  readonly regs?: {
    readonly gdpr?: 0 | 1;
    readonly gpp?: string;
    readonly coppa?: 0 | 1;
    readonly dsa?: number | object;
  };
  /** The user's, not the server's. */
  readonly device?: { readonly ua?: string; readonly ip?: string; readonly [member: string]: unknown };
  /** Such as `["300x250"]`; those of the ad unit unless given. */
  readonly sizes?: readonly string[];
  /** Header bids that compete for the first ad, at most 50. */
  readonly hb?: readonly HeaderBid[];
  /** Prices, and why others lost; needs an admin key. */
  readonly explain?: boolean;
}

/** The response: best ad first; `noFill` says why there is none. */
export interface AdsResponse {
  readonly requestId: string;
  readonly network: string;
  readonly adUnit: string;
  /** ISO 8601, UTC. */
  readonly serverTime: string;
  readonly privacy: { readonly gdpr: boolean; readonly npa: boolean; readonly reason: string | null };
  readonly ads: readonly Ad[];
  readonly noFill: { readonly code: string } | null;
  /** The header bid that won the first ad; null = none. Absent in responses to requests without `hb`. */
  readonly headerBid?: WonHeaderBid | null;
}

/** One ad. Fire `tracking.impressionUrl` when it is shown: unfired impressions count nowhere. */
export type Ad = AdCommon &
  (
    | {
        readonly format: 'IMAGE';
        readonly content: { readonly imageUrl: string; readonly alt: string };
        readonly html: string;
      }
    | { readonly format: 'HTML'; readonly content: { readonly html: string }; readonly html: string }
    | { readonly format: 'NATIVE'; readonly content: NativeContent }
    | { readonly format: 'VIDEO'; readonly content: VideoContent }
    | { readonly format: 'AUDIO'; readonly content: AudioContent }
  );

interface AdCommon {
  readonly position: number;
  readonly impressionId: string;
  readonly campaignId: string;
  readonly lineItemId: string;
  readonly creativeId: string;
  /** The creative of the same response that this companion belongs to; null = not a companion. */
  readonly companionOf: string | null;
  readonly type: string;
  readonly dealId: string | null;
  readonly advertiser: { readonly id: string; readonly name: string; readonly domains: readonly string[] };
  readonly width: number;
  readonly height: number;
  readonly tracking: {
    readonly impressionUrl: string;
    readonly clickUrl: string;
    readonly viewableUrl: string;
    readonly thirdPartyImpressionUrls: readonly string[];
  };
  readonly dsa: {
    readonly behalf: string | null;
    readonly paid: string | null;
    readonly transparency: readonly object[];
    readonly url: string;
  };
  /** ISO 8601, UTC: an impression fired later is not counted. */
  readonly expiresAt: string;
}

/** Content of a native ad. */
export interface NativeContent {
  readonly title: string;
  readonly body: string;
  readonly callToAction: string;
  readonly sponsoredBy: string;
  readonly image: { readonly url: string; readonly width: number; readonly height: number };
  readonly iconUrl: string | null;
}

/** Content of an audio ad, in the same form. */
export type AudioContent = VideoContent;

/** Content of a video ad; `vast` is a whole VAST 4.2 document for a player. */
export interface VideoContent {
  readonly title: string;
  readonly durationMs: number;
  readonly mediaFiles: readonly { readonly url: string; readonly mimeType: string }[];
  /** Banners to stand beside the video; `vast` names them, too. Fire `tracking.impressionUrl` of each that is shown. */
  readonly companions: readonly Companion[];
  readonly vast: string;
}

/** A banner that a video or audio ad brings along. */
export interface Companion {
  readonly impressionId: string;
  readonly creativeId: string;
  readonly format: 'IMAGE' | 'HTML';
  readonly width: number;
  readonly height: number;
  /** Ready to insert. */
  readonly html: string;
  readonly tracking: AdCommon['tracking'];
}

/** An activity event. The network is the client's. */
export interface ActivityEvent {
  /** Activity pixel id. */
  readonly actgid: string;
  /** Event name, such as `purchased`. */
  readonly event: string;
  /** Decimal amount as text, such as `"49.90"`: numbers would lose digits. */
  readonly cost?: string;
  /**
   * Order reference: an event sent twice under it counts once. Left out, the client makes one for this call, so that a retry counts
   * once. Null = none: then the activity's repeat interval applies, and without one a retry may count twice.
   */
  readonly ord?: string | null;
  /** First-party user id, hashed account id, or the impression id of the click: what the event is attributed by. */
  readonly lu?: string;
  readonly aid?: string;
  readonly clickId?: string;
  readonly qty?: number;
  readonly tax?: string;
  /** ISO 4217; the network's unless given. */
  readonly currency?: string;
  readonly products?: readonly object[];
  readonly npa?: boolean;
  /** Epoch milliseconds, or ISO 8601 with a zone. */
  readonly ts?: number | string;
}

/** The result of recording an activity event. */
export interface ActivityResponse {
  readonly eventId: string;
  /** `duplicate`: the order reference was recorded before, under this id. */
  readonly status: 'accepted' | 'duplicate';
}
