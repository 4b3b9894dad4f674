import { restrictions } from '../consent.ts';
import { ownScript } from '../own-script.ts';
import { replaceTargeting } from '../slots.ts';
import type { GptEvent, GptEvents } from './gpt-events.ts';
import type { GptConfig, GptSlot, SlotDefaults } from './slot.ts';
import { type GptValue, Targeting } from './targeting.ts';

/** Percent of a viewport at which GPT fetches an ad, where a page enables lazy loading without a margin. */
const FETCH_MARGIN_PERCENT = 500;

interface PrivacySettings {
  readonly nonPersonalizedAds?: boolean;
  readonly restrictDataProcessing?: boolean;
  readonly limitedAds?: boolean;
  readonly childDirectedTreatment?: boolean | null;
  readonly underAgeOfConsent?: boolean | null;
}

/** What the service does with slots. */
export interface SlotWork {
  readonly slots: () => readonly GptSlot[];
  readonly request: (slot: GptSlot) => void;
  readonly clear: (slot: GptSlot) => void;
}

/** `googletag.pubads()`. */
export class PubAds {
  readonly #work: SlotWork;
  readonly #events: GptEvents;
  readonly targeting = new Targeting(() => {
    if (ownScript !== null) replaceTargeting(ownScript, this.targeting.keyValues());
  });
  #waitsForRefresh = false;
  #collapses = false;
  #lazyPx: number | null = null;

  constructor(work: SlotWork, events: GptEvents) {
    this.#work = work;
    this.#events = events;
  }

  /** How the slots of the page behave that say nothing else. */
  get defaults(): SlotDefaults {
    return { collapses: this.#collapses, lazyPx: this.#lazyPx };
  }

  disableInitialLoad(): void {
    this.#waitsForRefresh = true;
  }

  isInitialLoadDisabled(): boolean {
    return this.#waitsForRefresh;
  }

  /** Ad units that are displayed together always share a request. */
  enableSingleRequest(): boolean {
    return true;
  }

  isSRA(): boolean {
    return true;
  }

  enableLazyLoad({ fetchMarginPercent = FETCH_MARGIN_PERCENT }: { readonly fetchMarginPercent?: number } = {}): void {
    this.#lazyPx = fetchMarginPercent < 0 ? null : Math.round((fetchMarginPercent / 100) * innerHeight);
  }

  collapseEmptyDivs(): boolean {
    this.#collapses = true;
    return true;
  }

  refresh(slots?: readonly GptSlot[] | null): void {
    for (const slot of slots ?? this.#work.slots()) this.#work.request(slot);
  }

  clear(slots?: readonly GptSlot[]): boolean {
    for (const slot of slots ?? this.#work.slots()) this.#work.clear(slot);
    return true;
  }

  getSlots(): GptSlot[] {
    return [...this.#work.slots()];
  }

  addEventListener(name: string, listener: (event: GptEvent) => void): this {
    this.#events.add(name, listener);
    return this;
  }

  removeEventListener(name: string, listener: (event: GptEvent) => void): boolean {
    return this.#events.remove(name, listener);
  }

  setTargeting(key: string, value: GptValue): this {
    this.targeting.set(key, value);
    return this;
  }

  clearTargeting(key?: string): this {
    this.targeting.clear(key);
    return this;
  }

  getTargeting(key: string): string[] {
    return this.targeting.get(key);
  }

  getTargetingKeys(): string[] {
    return this.targeting.keys();
  }

  /** What restricts is followed, also where it comes after the first request: it counts from the next one. */
  setPrivacySettings(settings: PrivacySettings): this {
    const { nonPersonalizedAds, restrictDataProcessing, limitedAds, childDirectedTreatment, underAgeOfConsent } =
      settings;
    const isForChildren = childDirectedTreatment ?? underAgeOfConsent;
    if (isForChildren !== undefined && isForChildren !== null) restrictions.isForChildren = isForChildren;
    const said = [nonPersonalizedAds, restrictDataProcessing, limitedAds].filter((one) => one !== undefined);
    if (said.length > 0) restrictions.isImpersonal = said.includes(true);
    return this;
  }

  setRequestNonPersonalizedAds(value: 0 | 1): this {
    return this.setPrivacySettings({ nonPersonalizedAds: value === 1 });
  }

  setTagForChildDirectedTreatment(value: 0 | 1): this {
    return this.setPrivacySettings({ childDirectedTreatment: value === 1 });
  }

  setTagForUnderAgeOfConsent(value: 0 | 1 | 2): this {
    return this.setPrivacySettings({ underAgeOfConsent: value === 1 });
  }

  /** `googletag.setConfig`. */
  configure({ targeting, collapseDiv, lazyLoad, disableInitialLoad, privacyTreatments }: GptConfig): void {
    if (targeting === null) this.targeting.clear();
    else if (targeting !== undefined) this.targeting.setAll(targeting);
    if (collapseDiv !== undefined) this.#collapses = collapseDiv !== null && collapseDiv !== 'DISABLED';
    if (lazyLoad === null) this.#lazyPx = null;
    else if (lazyLoad !== undefined) this.enableLazyLoad(lazyLoad);
    if (disableInitialLoad !== undefined) this.#waitsForRefresh = disableInitialLoad === true;
    if (privacyTreatments !== undefined)
      restrictions.isImpersonal = (privacyTreatments?.treatments ?? []).includes('disablePersonalization');
  }

  getName(): string {
    return 'publisher_ads';
  }

  get(): null {
    return null;
  }

  getAttributeKeys(): string[] {
    return [];
  }
}

/** Calls that concern the server of GPT alone. */
const WITHOUT_EFFECT = [
  'set',
  'setCentering',
  'setCategoryExclusion',
  'clearCategoryExclusions',
  'setCookieOptions',
  'setForceSafeFrame',
  'setImaContent',
  'setLocation',
  'setPublisherProvidedId',
  'setSafeFrameConfig',
  'setVideoContent',
  'updateCorrelator',
  'enableAsyncRendering',
  'enableSyncRendering',
  'enableVideoAds',
  'clearTagForChildDirectedTreatment',
];
for (const name of WITHOUT_EFFECT)
  Object.defineProperty(PubAds.prototype, name, {
    value(this: PubAds) {
      return this;
    },
  });
