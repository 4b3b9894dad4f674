import type { PlacardHeaderBid } from '../tag.d.ts';
import type { Stage } from './stage.ts';

/** Most bids of one ad unit. */
const BIDS_MAX = 50;

/** A header bid that won: none of our ads is shown. */
export interface WonHeaderBid {
  readonly impid: string;
  readonly bidder: string;
  readonly adId: string;
  readonly width: number;
  readonly height: number;
}

type FindBids = (adUnit: string, element: Element) => unknown;

/** The members of header bids that the ad server reads; none if the page has no function for them, or if it is late or fails. */
export async function gatherHeaderBids(
  find: FindBids | undefined,
  { adUnit, element, timeoutMs }: { readonly adUnit: string; readonly element: Element; readonly timeoutMs: number },
): Promise<readonly PlacardHeaderBid[]> {
  if (find === undefined) return [];
  try {
    const late = new Promise((resolve) => setTimeout(resolve, timeoutMs));
    const bids = await Promise.race([find(adUnit, element), late]);
    if (!Array.isArray(bids)) return [];
    return (bids as PlacardHeaderBid[])
      .slice(0, BIDS_MAX)
      .map(({ bidder, cpm, currency, size, width, height, adId }) => ({
        bidder,
        cpm,
        currency,
        size,
        width,
        height,
        adId,
      }));
  } catch {
    return [];
  }
}

interface Prebid {
  readonly que?: { push(run: () => void): void };
  renderAd?(frame: Document | null, adId: string): void;
}

/** Lets the page or Prebid.js show the header bid; false if neither does. */
export function drawHeaderBid({ element, tell }: Stage, won: WonHeaderBid): boolean {
  const { bidder, adId, width, height } = won;
  if (!tell('headerbid', { bidder, adId, width, height })) return true;
  const { pbjs } = window as { readonly pbjs?: Prebid };
  if (pbjs?.que === undefined) return false;
  const frame = document.createElement('iframe');
  frame.title = 'Advertisement';
  if (width) frame.width = String(width);
  if (height) frame.height = String(height);
  frame.setAttribute('scrolling', 'no');
  frame.style.cssText = 'border:0;display:block;margin:auto;max-width:100%';
  element.append(frame);
  pbjs.que.push(() => pbjs.renderAd?.(frame.contentDocument, adId));
  return true;
}
