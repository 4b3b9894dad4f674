import { HOT_BATCH_MAX } from '../storage/hot/hot-store.ts';
import type { HotStore } from '../storage/hot/hot-store.ts';

/** What a decision may know about deliveries so far. Values are exact up to 2^53, then rounded. */
export interface DeliveryState {
  /** The present value of a counter; 0 for one that was never counted, or is not known yet. */
  counter(key: string): number;
}

/**
 * Counters of one decision, read from the hot store when first asked for. Over Redis they cannot be read at once: then the
 * decision is made again after `fetchMissing`, until nothing is missing.
 */
export class HotDeliveryState implements DeliveryState {
  readonly #hot: HotStore;
  readonly #known = new Map<string, number>();
  #missing: string[] = [];

  constructor(hot: HotStore) {
    this.#hot = hot;
  }

  counter(key: string): number {
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const read = this.#hot.readCountersNow([key]);
    if (read === null) {
      this.#known.set(key, 0);
      this.#missing.push(key);
      return 0;
    }
    const value = Number(read[0] ?? 0n);
    this.#known.set(key, value);
    return value;
  }

  /** True when the last decision was made on counters that it did not know. */
  get isIncomplete(): boolean {
    return this.#missing.length > 0;
  }

  /** Reads what the last decision missed, at most `HOT_BATCH_MAX` counters. */
  async fetchMissing(): Promise<void> {
    const keys = this.#missing.slice(0, HOT_BATCH_MAX);
    this.#missing = [];
    const values = await this.#hot.readCounters(keys);
    for (const [index, key] of keys.entries()) this.#known.set(key, Number(values[index] ?? 0n));
  }
}
