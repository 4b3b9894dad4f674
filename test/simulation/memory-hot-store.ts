import type { CounterIncrement, HotStore } from '../../src/storage/hot/hot-store.ts';

interface Counter {
  value: bigint;
  readonly expiresAtMs: number;
}

/** A view of the store that fails calls before or after they take effect. */
export interface Faults {
  /** Null: the call succeeds. `before`: it fails without effect. `after`: it takes effect, and its caller is told that it failed. */
  next(): 'before' | 'after' | null;
}

/**
 * The counters of a hot store in memory on a simulated clock; all other calls throw. For simulations: real stores have tests of their own.
 */
export class MemoryHotStore {
  readonly #counters: Map<string, Counter>;
  readonly #nowMs: () => number;
  readonly #faults: Faults | null;

  constructor(nowMs: () => number, sharing?: { readonly with: MemoryHotStore; readonly faults: Faults }) {
    this.#nowMs = nowMs;
    this.#counters = sharing === undefined ? new Map() : sharing.with.#counters;
    this.#faults = sharing?.faults ?? null;
  }

  asHotStore(): HotStore {
    return this as unknown as HotStore;
  }

  async readCounters(keys: readonly string[]): Promise<readonly bigint[]> {
    const fault = this.#faults?.next() ?? null;
    if (fault !== null) throw new Error('The store is unavailable.');
    return this.readCountersNow(keys);
  }

  readCountersNow(keys: readonly string[]): readonly bigint[] {
    return keys.map((key) => this.#read(key)?.value ?? 0n);
  }

  async addToCounters(increments: readonly CounterIncrement[]): Promise<readonly bigint[]> {
    const fault = this.#faults?.next() ?? null;
    if (fault === 'before') throw new Error('The store is unavailable.');
    const values = increments.map((increment) => this.add(increment));
    if (fault === 'after') throw new Error('the store did not respond');
    return values;
  }

  add({ key, by, ttlMs }: CounterIncrement): bigint {
    const stored = this.#read(key);
    if (stored !== null) {
      stored.value += by;
      return stored.value;
    }
    this.#counters.set(key, { value: by, expiresAtMs: this.#nowMs() + ttlMs });
    return by;
  }

  /** Removes expired counters. */
  sweep(): void {
    for (const [key, { expiresAtMs }] of this.#counters) if (expiresAtMs <= this.#nowMs()) this.#counters.delete(key);
  }

  #read(key: string): Counter | null {
    const counter = this.#counters.get(key);
    return counter === undefined || counter.expiresAtMs <= this.#nowMs() ? null : counter;
  }
}
