import { replaceTargeting } from '../slots.ts';
import {
  adUnitOf,
  type GptMapping,
  type GptSizes,
  listSizes,
  mappingText,
  mediaOf,
  sizesText,
} from './ad-unit-path.ts';
import { type GptValue, Targeting } from './targeting.ts';

/** Members of `slot.setConfig` and `googletag.setConfig` that this shim follows. */
export interface GptConfig {
  readonly targeting?: Readonly<Record<string, GptValue>> | null;
  readonly collapseDiv?: 'DISABLED' | 'BEFORE_FETCH' | 'ON_NO_FILL' | null;
  readonly lazyLoad?: { readonly fetchMarginPercent?: number } | null;
  readonly disableInitialLoad?: boolean | null;
  readonly privacyTreatments?: { readonly treatments?: readonly string[] } | null;
}

/** How an ad without a response is treated, and how near an element is when its ad is requested. */
export interface SlotDefaults {
  readonly collapses: boolean;
  /** Pixels; null: at once. */
  readonly lazyPx: number | null;
}

/** What the last response said of a slot. */
export interface ResponseInformation {
  readonly advertiserId: null;
  readonly campaignId: string | null;
  readonly creativeId: string | null;
  readonly creativeTemplateId: null;
  readonly lineItemId: string | null;
}

/** A slot as `googletag.defineSlot` returns it. */
export class GptSlot {
  readonly path: string;
  readonly elementId: string;
  readonly sizes: GptSizes | undefined;
  readonly targeting: Targeting;
  /** `display` was called. */
  isDisplayed = false;
  /** The tag has its element. */
  isRequested = false;
  response: ResponseInformation | null = null;
  #mapping: GptMapping | null = null;
  #collapses: boolean | null = null;

  constructor(path: string, sizes: GptSizes | undefined, elementId: string) {
    this.path = path;
    this.sizes = sizes;
    this.elementId = elementId;
    this.targeting = new Targeting(() => this.#tellElement());
  }

  get element(): HTMLElement | null {
    return document.getElementById(this.elementId);
  }

  /** Makes its element an ad unit of the tag. */
  show({ collapses, lazyPx }: SlotDefaults): void {
    const { element } = this;
    if (element === null) return;
    const sizes = this.#mapping === null ? sizesText(this.sizes) : mappingText(this.#mapping, innerHeight);
    Object.assign(element.dataset, {
      ...(sizes === '' ? {} : { sizes }),
      adUnit: adUnitOf(this.path),
      media: mediaOf(this.sizes),
      collapse: (this.#collapses ?? collapses) ? 'always' : 'never',
      lazy: lazyPx === null ? 'off' : String(lazyPx),
      reserve: 'off',
    });
    this.#tellElement();
    this.isRequested = true;
  }

  #tellElement(): void {
    if (this.element !== null) replaceTargeting(this.element, this.targeting.keyValues());
  }

  addService(): this {
    return this;
  }

  defineSizeMapping(mapping: GptMapping | null): this {
    this.#mapping = mapping;
    return this;
  }

  setCollapseEmptyDiv(collapses: boolean): this {
    this.#collapses = collapses;
    return this;
  }

  setConfig({ targeting, collapseDiv }: GptConfig): void {
    if (targeting === null) this.targeting.clear();
    else if (targeting !== undefined) this.targeting.setAll(targeting);
    if (collapseDiv !== undefined) this.#collapses = collapseDiv === null ? null : collapseDiv !== 'DISABLED';
  }

  getConfig(): GptConfig {
    return { targeting: this.targeting.map() };
  }

  setTargeting(key: string, value: GptValue): this {
    this.targeting.set(key, value);
    return this;
  }

  updateTargetingFromMap(values: Readonly<Record<string, GptValue>>): this {
    this.targeting.setAll(values);
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

  getTargetingMap(): Record<string, string[]> {
    return this.targeting.map();
  }

  getAdUnitPath(): string {
    return this.path;
  }

  getSlotElementId(): string {
    return this.elementId;
  }

  getSlotId(): object {
    const id = `${this.path}_${this.elementId}`;
    return {
      getId: () => id,
      getDomId: () => this.elementId,
      getName: () => this.path,
      getAdUnitPath: () => this.path,
      toString: () => id,
    };
  }

  getSizes(): object[] {
    return listSizes(this.sizes).map((size) => {
      if (typeof size === 'string') return { getWidth: () => 0, getHeight: () => 0, toString: () => size };
      const [width, height] = size;
      return { getWidth: () => width, getHeight: () => height, toString: () => `${width}x${height}` };
    });
  }

  getResponseInformation(): ResponseInformation | null {
    return this.response;
  }

  getOutOfPage(): boolean {
    return this.sizes === undefined;
  }

  getHtml(): string {
    return '';
  }

  getContentUrl(): string {
    return '';
  }

  getClickUrl(): string {
    return '';
  }

  getServices(): object[] {
    return [];
  }

  get(): null {
    return null;
  }

  getAttributeKeys(): string[] {
    return [];
  }

  getCategoryExclusions(): string[] {
    return [];
  }
}

/** Calls that concern the server of GPT alone. They change nothing here, and return what a chain of calls needs. */
const WITHOUT_EFFECT = [
  'set',
  'setClickUrl',
  'setCategoryExclusion',
  'clearCategoryExclusions',
  'setForceSafeFrame',
  'setSafeFrameConfig',
];
for (const name of WITHOUT_EFFECT)
  Object.defineProperty(GptSlot.prototype, name, {
    value(this: GptSlot) {
      return this;
    },
  });
