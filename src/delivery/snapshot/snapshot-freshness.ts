/**
 * Since when the snapshot may lack a change of the database: one that was noticed and is not in it, or any at all while the feed of changes is
 * not connected.
 */
export class SnapshotFreshness {
  readonly #nowMs: () => number;
  readonly #observe: (durationMs: number) => void;
  #isConnected = false;
  /** Of the oldest change that no read has begun to cover. */
  #pendingSinceMs: number | null;
  /** Of the oldest change that the present read covers; a failed read leaves it to the next one. */
  #readingSinceMs: number | null = null;

  /** @param observe called with the time from a change's notice to the snapshot that has it, in milliseconds */
  constructor(nowMs: () => number, observe: (durationMs: number) => void) {
    this.#nowMs = nowMs;
    this.#observe = observe;
    this.#pendingSinceMs = nowMs();
  }

  /** Epoch milliseconds; null: the snapshot has every change. */
  get behindSinceMs(): number | null {
    return this.#readingSinceMs ?? this.#pendingSinceMs;
  }

  connected(): void {
    this.#isConnected = true;
  }

  lost(): void {
    this.#isConnected = false;
    this.noticed();
  }

  /** There is a change that the snapshot does not have. */
  noticed(): void {
    this.#pendingSinceMs ??= this.#nowMs();
  }

  /** A read begins: it covers what was noticed until now. */
  begin(): void {
    this.#readingSinceMs ??= this.#pendingSinceMs;
    this.#pendingSinceMs = null;
  }

  /** The read is in use. */
  read(): void {
    const nowMs = this.#nowMs();
    if (this.#readingSinceMs !== null) this.#observe(Math.max(0, nowMs - this.#readingSinceMs));
    this.#readingSinceMs = null;
    if (!this.#isConnected) this.#pendingSinceMs ??= nowMs;
  }
}
