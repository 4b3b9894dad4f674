/**
 * A map of at most `entriesMax` entries that forgets the least recently used. It has two generations: when the young one reaches
 * half of the bound, the old one is dropped; a hit in the old one moves the entry to the young one. So a hit costs one look-up.
 */
export class RecentCache<K, V> {
  #young = new Map<K, V>();
  #old = new Map<K, V>();
  readonly #generationMax: number;

  constructor(entriesMax: number) {
    this.#generationMax = Math.max(1, Math.floor(entriesMax / 2));
  }

  get(key: K): V | undefined {
    const value = this.#young.get(key);
    if (value !== undefined) return value;
    const older = this.#old.get(key);
    if (older !== undefined) this.set(key, older);
    return older;
  }

  set(key: K, value: V): void {
    this.#young.set(key, value);
    if (this.#young.size < this.#generationMax) return;
    this.#old = this.#young;
    this.#young = new Map();
  }
}
