import type { GptSlot } from './slot.ts';

/** An event of GPT. */
export type GptEvent = Readonly<Record<string, unknown>> & { readonly slot: GptSlot; readonly serviceName: string };
type Listener = (event: GptEvent) => void;

const SERVICE = 'publisher_ads';
/** Steps in which the share of an ad in view is told. */
const SHARES = Array.from({ length: 11 }, (_, tenth) => tenth / 10);

interface Detail {
  readonly width?: number;
  readonly height?: number;
  readonly campaignId?: string;
  readonly creativeId?: string;
}

/** Turns events of the tag into those of GPT. */
export class GptEvents {
  readonly #listeners = new Map<string, Set<Listener>>();
  readonly #slotOf: (element: EventTarget | null) => GptSlot | null;
  /** Slots whose frame has loaded since its ad was drawn: a frame loads again when the ad is written into it. */
  readonly #loaded = new Set<GptSlot>();
  readonly #watched = new Map<GptSlot, IntersectionObserver>();

  constructor(slotOf: (element: EventTarget | null) => GptSlot | null) {
    this.#slotOf = slotOf;
    this.#on('requested', (slot) => this.#tell('slotRequested', slot, {}));
    this.#on('filled', (slot, { width, height, campaignId = null, creativeId = null }) => {
      this.#loaded.delete(slot);
      slot.response = { advertiserId: null, campaignId, creativeId, creativeTemplateId: null, lineItemId: null };
      this.#tell('slotResponseReceived', slot, {});
      const size = width === undefined || height === undefined ? null : [width, height];
      this.#tell('slotRenderEnded', slot, { ...slot.response, isEmpty: false, size, isBackfill: false });
      if (this.#listeners.has('slotVisibilityChanged')) this.#watch(slot);
    });
    for (const name of ['empty', 'error'])
      this.#on(name, (slot) => {
        slot.response = null;
        this.#tell('slotResponseReceived', slot, {});
        this.#tell('slotRenderEnded', slot, { isEmpty: true, size: null, isBackfill: false });
      });
    this.#on('viewable', (slot) => this.#tell('impressionViewable', slot, {}));
    // Loading does not bubble.
    document.addEventListener('load', ({ target }) => this.#tellLoaded(target), true);
  }

  add(name: string, listener: Listener): void {
    const known = this.#listeners.get(name) ?? new Set();
    this.#listeners.set(name, known.add(listener));
  }

  remove(name: string, listener: Listener): boolean {
    return this.#listeners.get(name)?.delete(listener) ?? false;
  }

  /** Ends what watches a slot. */
  forget(slot: GptSlot): void {
    this.#loaded.delete(slot);
    this.#watched.get(slot)?.disconnect();
    this.#watched.delete(slot);
  }

  #on(name: string, then: (slot: GptSlot, detail: Detail) => void): void {
    document.addEventListener(`placard:${name}`, (event) => {
      const slot = this.#slotOf(event.target);
      if (slot !== null) then(slot, (event as CustomEvent<Detail>).detail);
    });
  }

  #tell(name: string, slot: GptSlot, detail: object): void {
    for (const listener of this.#listeners.get(name) ?? [])
      try {
        listener({ ...detail, slot, serviceName: SERVICE });
      } catch (error) {
        // The page's own error stops neither the ad nor the other listeners.
        reportError(error);
      }
  }

  #tellLoaded(target: EventTarget | null): void {
    if (!(target instanceof HTMLIFrameElement)) return;
    const slot = this.#slotOf(target.closest('[data-ad-unit]'));
    if (slot === null || this.#loaded.has(slot)) return;
    this.#loaded.add(slot);
    this.#tell('slotOnload', slot, {});
  }

  #watch(slot: GptSlot): void {
    this.forget(slot);
    const observer = new IntersectionObserver(
      (entries) => {
        const inViewPercentage = Math.round((entries.at(-1)?.intersectionRatio ?? 0) * 100);
        this.#tell('slotVisibilityChanged', slot, { inViewPercentage });
      },
      { threshold: SHARES },
    );
    if (slot.element !== null) observer.observe(slot.element);
    this.#watched.set(slot, observer);
  }
}
