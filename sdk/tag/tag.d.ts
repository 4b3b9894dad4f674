/** Key-values for targeting. */
export type PlacardKeyValues = Readonly<Record<string, string | readonly string[]>>;

/** A width and a height in CSS pixels. */
export type PlacardSize = readonly [number, number];

/** What the attributes of an ad unit say; see the README. */
export interface PlacardSlotOptions {
  /** `banner` (default), `native`, `video`, or several with commas. */
  readonly media?: string | undefined;
  /** Distance from the viewport in pixels at which the ad is requested; `off` = at once. */
  readonly lazy?: number | 'off' | undefined;
  /** Seconds in view after which another ad is requested. */
  readonly refresh?: number | undefined;
  readonly collapse?: 'auto' | 'always' | 'never' | undefined;
  /** `off`: no space is reserved before the ad comes. */
  readonly reserve?: 'off' | undefined;
  readonly position?: string | undefined;
}

/** An ad unit that `defineSlot` returns. */
export interface PlacardSlot {
  /** Null while the page has no such element. */
  readonly element: HTMLElement | null;
  /** Sets a key-value of this ad unit; it counts from its next request. */
  setTargeting(key: string, value: string | readonly string[]): this;
}

/** An ad unit: its slot, its element, or the id of its element. */
export type PlacardTarget = PlacardSlot | HTMLElement | string;

/** What a page pushes to `placard.cmd`; it runs as soon as the tag does. */
export type PlacardCommand = (tag: PlacardTag) => void;

/** `window.placard` before the tag runs. */
export interface PlacardQueue {
  readonly cmd: PlacardCommand[];
}

/** `detail` of each event. Its target is the element of the ad unit. */
export interface PlacardEvents {
  readonly requested: object;
  readonly filled: {
    readonly width?: number;
    readonly height?: number;
    readonly mtype?: number;
    readonly bidder?: string;
    /** Of an ad of the network itself. */
    readonly campaignId?: string;
    readonly creativeId?: string;
  };
  readonly empty: object;
  readonly error: { readonly error: unknown };
  readonly viewable: object;
  readonly native: object;
  readonly headerbid: PlacardHeaderBidDetail;
  readonly video: PlacardVideoDetail;
}

/** The functions of the page tag, as `window.placard` once the script runs. */
export interface PlacardTag {
  readonly cmd: { push(...commands: PlacardCommand[]): void };
  /** Defines an ad unit; `display` requests its ad. Sizes: one, several, or a text as in `data-sizes`. */
  defineSlot(
    adUnit: string,
    sizes: string | PlacardSize | readonly PlacardSize[],
    element: HTMLElement | string,
    options?: PlacardSlotOptions,
  ): PlacardSlot;
  /** Requests the ad of a slot. All that are displayed at once share one request. */
  display(target: PlacardTarget): void;
  /** Requests new ads: for one ad unit, or for all. */
  refresh(target?: PlacardTarget): void;
  /** Removes the ad and forgets the ad unit; the element stays. */
  destroy(target: PlacardTarget): void;
  /** Sets a key-value of all ad units of the page; it counts from their next request. */
  setTargeting(key: string, value: string | readonly string[]): void;
  /** Calls back at each such event of any ad unit. */
  on<Name extends keyof PlacardEvents>(name: Name, listener: (event: CustomEvent<PlacardEvents[Name]>) => void): void;
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
    placard?: PlacardTag | PlacardQueue;
    /** Set by the page: returns the header bids of an ad unit. The tag calls it before it requests an ad. */
    placardHeaderBids?: (
      adUnit: string,
      element: Element,
    ) => readonly PlacardHeaderBid[] | Promise<readonly PlacardHeaderBid[]>;
  }
}
