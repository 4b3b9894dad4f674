/**
 * `gpt.js`: the page tag with the calls of Google's publisher tag, so that a page that was made for GPT, and Prebid.js on it, works
 * with another address of the script alone.
 */
import '../tag.ts';
import type { PlacardTag } from '../../tag.d.ts';
import type { GptMapping, GptSizes } from './ad-unit-path.ts';
import { GptEvents } from './gpt-events.ts';
import { headerBidsOf } from './prebid-bids.ts';
import { PubAds } from './pub-ads.ts';
import { type GptConfig, GptSlot } from './slot.ts';

type Command = () => void;
const page = window as unknown as {
  googletag?: { cmd?: Command[]; apiReady?: boolean };
  placard?: PlacardTag;
};

/** Runs a command of the page. Its own error stops no other command. */
function run(command: Command): void {
  try {
    command();
  } catch (error) {
    reportError(error);
  }
}

/** Rows of a size mapping, one call each. */
function sizeMapping(): object {
  const rows: GptMapping[number][] = [];
  const builder = {
    addSize(viewport: readonly [number, number], sizes: GptSizes) {
      rows.push([viewport, sizes]);
      return builder;
    },
    build: () => rows,
  };
  return builder;
}

/** A service of GPT that has no ads here. */
function emptyService(): object {
  const service = { addEventListener: () => service, removeEventListener: () => false, getSlots: () => [] };
  return service;
}

/** The slots of the page, and what the tag knows of them. */
class Slots {
  readonly #tag: PlacardTag;
  readonly pubAds: PubAds;
  readonly #events: GptEvents;
  #all: GptSlot[] = [];
  #isEnabled = false;
  #anonymous = 0;

  constructor(tag: PlacardTag) {
    this.#tag = tag;
    this.#events = new GptEvents((element) => this.find(element));
    const work = {
      slots: () => this.#all,
      request: (slot: GptSlot) => this.#request(slot),
      clear: (slot: GptSlot) => this.#clear(slot),
    };
    this.pubAds = new PubAds(work, this.#events);
  }

  /** Null for an element that has a slot already, as in GPT. */
  define(path: string, sizes: GptSizes | undefined, elementId?: string): GptSlot | null {
    if (this.#all.some((slot) => slot.elementId === elementId)) return null;
    const slot = new GptSlot(path, sizes, elementId ?? `gpt_unit_${(this.#anonymous += 1)}`);
    this.#all.push(slot);
    return slot;
  }

  /** The slot of an element, or of its id. */
  find(where: EventTarget | string | null): GptSlot | null {
    const id = typeof where === 'string' ? where : (where as Element | null)?.id;
    return this.#all.find((slot) => slot.elementId === id) ?? null;
  }

  enable(): void {
    this.#isEnabled = true;
    this.#all.filter(({ isDisplayed }) => isDisplayed).forEach((slot) => this.#begin(slot));
  }

  display(target: string | Element | GptSlot): void {
    const slot = target instanceof GptSlot ? target : this.find(target);
    if (slot === null) return;
    slot.isDisplayed = true;
    this.#begin(slot);
  }

  /** Whether there was one. */
  destroy(which?: readonly GptSlot[]): boolean {
    const gone = new Set(which ?? this.#all);
    const before = this.#all.length;
    gone.forEach((slot) => this.#clear(slot));
    this.#all = this.#all.filter((slot) => !gone.has(slot));
    return this.#all.length < before;
  }

  #begin(slot: GptSlot): void {
    if (!slot.isRequested && !this.pubAds.isInitialLoadDisabled()) this.#request(slot);
  }

  #request(slot: GptSlot): void {
    const { element, isRequested } = slot;
    if (!this.#isEnabled || element === null) return;
    slot.show(this.pubAds.defaults);
    if (isRequested) this.#tag.refresh(element);
    else this.#tag.display(element);
  }

  #clear(slot: GptSlot): void {
    this.#events.forget(slot);
    if (slot.element !== null) this.#tag.destroy(slot.element);
    slot.isRequested = false;
  }
}

function start(tag: PlacardTag): void {
  const slots = new Slots(tag);
  const { pubAds } = slots;
  const googletag = {
    cmd: { push: (...commands: Command[]) => (commands.forEach(run), commands.length) },
    apiReady: true,
    pubadsReady: true,
    enums: { OutOfPageFormat: { TOP_ANCHOR: 2, BOTTOM_ANCHOR: 3, REWARDED: 4, INTERSTITIAL: 5 } },
    secureSignalProviders: { push: () => 0, clearAllCache: () => undefined },
    pubads: () => pubAds,
    companionAds: emptyService,
    content: emptyService,
    defineSlot: (path: string, sizes: GptSizes, elementId?: string) => slots.define(path, sizes, elementId),
    // A number names a format over the page, which this ad server does not have.
    defineOutOfPageSlot: (path: string, where?: string | number) =>
      typeof where === 'number' ? null : slots.define(path, undefined, where),
    sizeMapping,
    enableServices: () => slots.enable(),
    display: (target: string | Element | GptSlot) => slots.display(target),
    destroySlots: (which?: readonly GptSlot[]) => slots.destroy(which),
    setConfig: (config: GptConfig) => pubAds.configure(config),
    getConfig: () => ({ targeting: pubAds.targeting.map() }),
    getVersion: () => 'placard',
    setAdIframeTitle: () => undefined,
    openConsole: () => undefined,
    disablePublisherConsole: () => undefined,
  };
  window.placardHeaderBids ??= (_adUnit, element) => {
    const slot = slots.find(element);
    return slot === null ? [] : headerBidsOf(slot);
  };
  const queued = page.googletag?.cmd ?? [];
  // A page keeps the object that it made first.
  page.googletag = Object.assign(page.googletag ?? {}, googletag) as never;
  queued.forEach(run);
}

if (page.placard !== undefined && 'refresh' in page.placard && page.googletag?.apiReady !== true) start(page.placard);
