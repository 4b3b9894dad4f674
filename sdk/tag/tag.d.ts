/** The functions of the page tag, as `window.placard` once the script runs. */
export interface PlacardTag {
  /** Requests new ads: for one element, or for all. */
  refresh(element?: Element): void;
}

/** `detail` of the event `placard:video`. */
export interface PlacardVideoDetail {
  /** The VAST document. */
  readonly vast: string;
  /** To be called after two seconds of playing in view. */
  viewable(): void;
}

/** A header bid for an ad unit, as Prebid.js has it. */
export interface PlacardHeaderBid {
  readonly bidder: string;
  /** The id by which the page renders the ad. */
  readonly adId: string;
  /** In the currency of the network. */
  readonly cpm: number;
  /** ISO 4217; absent: the network's currency. Bids in another currency do not compete. */
  readonly currency?: string | undefined;
  /** "300x250"; or `width` and `height`. */
  readonly size?: string | undefined;
  readonly width?: number | undefined;
  readonly height?: number | undefined;
}

/** `detail` of the event `placard:headerbid`. */
export interface PlacardHeaderBidDetail {
  readonly bidder: string;
  readonly adId: string;
  /** 0 = not stated. */
  readonly width: number;
  readonly height: number;
}

declare global {
  interface Window {
    readonly placard?: PlacardTag;
    /** Set by the page: returns the header bids of an ad unit. The tag calls it before it requests an ad. */
    placardHeaderBids?: (
      adUnit: string,
      element: Element,
    ) => readonly PlacardHeaderBid[] | Promise<readonly PlacardHeaderBid[]>;
  }
}
