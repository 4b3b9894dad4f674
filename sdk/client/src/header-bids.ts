/** A bid that a header bidding wrapper has for a slot. Bids of Prebid.js have these members. */
export interface HeaderBid {
  /** 1 to 100 characters. */
  readonly bidder: string;
  /** The id by which the page renders the ad, 1 to 200 characters. */
  readonly adId: string;
  /** 0 to 100,000. */
  readonly cpm: number;
  /** ISO 4217; the network's unless given. A bid in another currency does not compete, and an ad request with one gets a 400. */
  readonly currency?: string;
  /** Such as "300x250"; or `width` and `height`. */
  readonly size?: string;
  readonly width?: number;
  readonly height?: number;
  readonly [member: string]: unknown;
}

/** A header bid that won: the page renders it, and nothing of it is counted. */
export interface WonHeaderBid {
  readonly bidder: string;
  readonly adId: string;
  /** CSS pixels; 0 = not stated. */
  readonly width: number;
  readonly height: number;
}
