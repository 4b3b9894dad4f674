import type { PlacardKeyValues } from '../../tag.d.ts';

/** A value of a key as GPT takes it; null removes the key in `setConfig`. */
export type GptValue = string | number | readonly (string | number)[] | null | undefined;

/** Keys that Prebid.js sets for the line items of an ad server that cannot compare prices. This ad server gets the bids themselves. */
const OF_PREBID = /^hb_/;

/** The key-values of a slot, or of all. */
export class Targeting {
  readonly #values = new Map<string, readonly string[]>();
  readonly #changed: () => void;

  constructor(changed: () => void) {
    this.#changed = changed;
  }

  set(key: string, value: GptValue): void {
    if (value === null || value === undefined) this.#values.delete(key);
    else this.#values.set(key, (Array.isArray(value) ? value : [value]).map(String));
    this.#changed();
  }

  setAll(values: Readonly<Record<string, GptValue>>): void {
    for (const [key, value] of Object.entries(values)) this.set(key, value);
  }

  get(key: string): string[] {
    return [...(this.#values.get(key) ?? [])];
  }

  keys(): string[] {
    return [...this.#values.keys()];
  }

  map(): Record<string, string[]> {
    return Object.fromEntries(this.keys().map((key) => [key, this.get(key)]));
  }

  clear(key?: string): void {
    if (key === undefined) this.#values.clear();
    else this.#values.delete(key);
    this.#changed();
  }

  /** What a request says of them. */
  keyValues(): PlacardKeyValues {
    return Object.fromEntries([...this.#values].filter(([key]) => !OF_PREBID.test(key)));
  }
}
