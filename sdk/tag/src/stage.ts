import type { Bid } from './bid.ts';
import { fire } from './watch.ts';

/** Where an ad is drawn, and how the page hears of it. */
export interface Stage {
  readonly element: HTMLElement;
  readonly frameUrl: string;
  /** Tells the page; false when it took the matter over (`preventDefault`). */
  readonly tell: (name: string, detail: object) => boolean;
  /** Removes an ad that turned out to be none, as if there was none from the start. */
  readonly fail: (error: Error) => void;
}

/** Reports that enough of the ad was seen for long enough. */
export function reportViewable({ tell }: Stage, bid: Bid): void {
  fire(bid.ext.ems_link.replace('/imp/', '/view/'));
  tell('viewable', {});
}
