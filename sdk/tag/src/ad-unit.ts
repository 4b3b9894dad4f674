import { type Ask, askForAd } from './ask.ts';
import { draw } from './draw.ts';
import { drawHeaderBid, gatherHeaderBids } from './header-bids.ts';
import { numberOr, sizesFor, type TagSettings } from './settings.ts';
import { drawPreview } from './preview.ts';
import { keyValuesOf } from './slots.ts';
import type { Stage } from './stage.ts';
import { isInView, type Stop, timesHidden, whenNear, whenShown } from './watch.ts';

/** The least seconds before an ad is replaced, whatever the page requests. */
const REFRESH_FLOOR_S = 30;
const REFRESHES_MAX = 20;
const NEAR_PX = 400;

/** One `<div data-ad-unit>`: waits until it is near the viewport, asks, draws, and draws again where the page wants it. */
export class AdUnit {
  readonly element: HTMLElement;
  readonly #settings: TagSettings;
  readonly #fallback: readonly Element[];
  #stops: Stop[] = [];
  #turn = 0;
  #refreshes = 0;

  constructor(element: HTMLElement, settings: TagSettings) {
    this.element = element;
    this.#settings = settings;
    this.#fallback = [...element.querySelectorAll('[data-ad-fallback]')];
    this.#reserve();
    this.#begin();
  }

  /** Removes the ad and requests another one. */
  refresh(): void {
    this.close();
    this.#refreshes = 0;
    this.#begin();
  }

  /** Stops all timers and watchers, and removes the ad. */
  close(): void {
    this.#turn += 1;
    this.#stops.forEach((stop) => stop());
    this.#stops = [];
    for (const child of this.element.querySelectorAll(':scope > :not(template)'))
      if (!this.#fallback.includes(child)) child.remove();
  }

  #begin(): void {
    const { lazy } = this.element.dataset;
    const near = (then: () => void): void => {
      if (lazy === 'off') then();
      else this.#stops.push(whenNear(this.element, numberOr(lazy, NEAR_PX), then));
    };
    if (this.#settings.singleRequest) void this.#fill(new Promise((resolve) => near(resolve)));
    else near(() => void this.#fill());
  }

  /** Requests an ad, and draws it once `near` is fulfilled. */
  async #fill(near?: Promise<void>): Promise<void> {
    this.#turn += 1;
    let turn = this.#turn;
    // No ad is requested or drawn, and so none is counted, while nobody can see the page.
    await whenShown();
    if (turn !== this.#turn) return;
    if (drawPreview(this.element, this.#settings.frameUrl)) return this.#showFallback(false);
    const ask = this.#ask();
    const hidden = timesHidden();
    if (ask !== null) this.#tell('requested', {});
    try {
      const bid = ask === null ? null : await askForAd(this.#settings, await this.#withHeaderBids(ask));
      await near;
      await whenShown();
      if (turn !== this.#turn) return;
      // A refreshed ad unit keeps its ad when there is no new one.
      if (bid === null && this.#refreshes > 0) return void this.#tell('empty', {});
      if (bid === null) return this.#showNothing('empty', {});
      this.close();
      turn = this.#turn;
      this.#showFallback(false);
      this.element.style.display = '';
      const [width, height] = 'adId' in bid ? [bid.width, bid.height] : [bid.w, bid.h];
      if (height)
        this.element.style.minHeight = `${Math.max(height, parseInt(this.element.style.minHeight, 10) || 0)}px`;
      const stage: Stage = {
        element: this.element,
        frameUrl: this.#settings.frameUrl,
        tell: (name, detail) => this.#tell(name, detail),
        fail: (error) => turn === this.#turn && this.#showNothing('error', { error }),
      };
      if ('adId' in bid) {
        if (!drawHeaderBid(stage, bid)) return this.#showNothing('empty', {});
      } else {
        const stop = await draw(stage, bid);
        if (turn !== this.#turn) return stop();
        this.#stops.push(stop);
      }
      this.#tell('filled', {
        width,
        height,
        ...('adId' in bid ? { bidder: bid.bidder } : { mtype: bid.mtype, campaignId: bid.cid, creativeId: bid.crid }),
      });
      this.#scheduleRefresh();
    } catch (error) {
      if (turn !== this.#turn) return;
      // A page that is left loses its request. When the page is shown again, it requests another ad.
      if (timesHidden() !== hidden) return void this.#fill(near);
      this.#showNothing('error', { error });
    }
  }

  async #withHeaderBids(ask: Ask): Promise<Ask> {
    const { adUnit, element } = ask;
    const timeoutMs = this.#settings.headerBidTimeoutMs;
    const headerBids = await gatherHeaderBids(window.placardHeaderBids, { adUnit, element, timeoutMs });
    return { ...ask, headerBids };
  }

  #ask(): Ask | null {
    const { adUnit = '', media = 'banner', position = '' } = this.element.dataset;
    const sizes = this.#sizes();
    const kinds = media.split(/[\s,]+/);
    if (sizes.length === 0 && kinds[0] === 'banner' && kinds.length === 1 && this.element.dataset.sizes !== undefined)
      return null;
    const keyValues = keyValuesOf(this.element);
    return { element: this.element, adUnit, media: kinds, sizes, position, keyValues, headerBids: [] };
  }

  #sizes(): ReturnType<typeof sizesFor> {
    return sizesFor(this.element.dataset.sizes ?? '', innerWidth);
  }

  /** Reserves the space of the tallest size from the start, so that nothing moves when the ad comes. */
  #reserve(): void {
    if (this.element.dataset.reserve === 'off') return;
    const tallest = Math.max(0, ...this.#sizes().map(([, height]) => height));
    if (tallest > 0) this.element.style.minHeight = `${tallest}px`;
  }

  /** No ad: shows the page's own fallback, or gives the space back as soon as that moves nothing in view. */
  #showNothing(name: string, detail: object): void {
    this.close();
    const { collapse } = this.element.dataset;
    if (this.#fallback.length > 0) this.#showFallback(true);
    else if (collapse !== 'never') {
      const turn = this.#turn;
      const timer = setInterval(() => this.#collapse(timer), 250);
      this.#stops.push(() => clearInterval(timer));
      if (turn === this.#turn) this.#collapse(timer);
    }
    this.#tell(name, detail);
  }

  #collapse(timer: ReturnType<typeof setInterval>): void {
    if (isInView(this.element) && this.element.dataset.collapse !== 'always') return;
    clearInterval(timer);
    this.element.style.display = 'none';
  }

  #showFallback(shown: boolean): void {
    for (const element of this.#fallback) (element as HTMLElement).hidden = !shown;
  }

  /** Seconds in which the ad was in view of a page that is seen; then it is replaced. */
  #scheduleRefresh(): void {
    const wanted = numberOr(this.element.dataset.refresh, 0);
    if (wanted === 0 || this.#refreshes >= REFRESHES_MAX) return;
    let left = Math.max(wanted, REFRESH_FLOOR_S);
    const timer = setInterval(() => {
      if (document.hidden || !isInView(this.element)) return;
      left -= 1;
      if (left > 0) return;
      clearInterval(timer);
      this.#refreshes += 1;
      void this.#fill();
    }, 1_000);
    this.#stops.push(() => clearInterval(timer));
  }

  #tell(name: string, detail: object): boolean {
    const event = new CustomEvent(`placard:${name}`, { bubbles: true, cancelable: true, detail });
    return this.element.dispatchEvent(event);
  }
}
