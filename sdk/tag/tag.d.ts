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

declare global {
  interface Window {
    readonly placard?: PlacardTag;
  }
}
