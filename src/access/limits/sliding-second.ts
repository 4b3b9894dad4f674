/**
 * Slots of one millisecond. One more than a second holds, so that two uses in one slot are a full second apart, and four more
 * for the way from the decision to an observer that counts as well.
 */
const SLOTS = 1_005;

/** How many units were used within the last second, exactly to the millisecond and never too few. Needs no clean-up. */
export class SlidingSecond {
  readonly #slots = new Uint32Array(SLOTS);
  #sum = 0;
  #lastMs = 0;

  /** Units used in the second up to `nowMs`. A clock that goes back counts as standing still. */
  count(nowMs: number): number {
    const now = Math.floor(nowMs);
    const steps = now - this.#lastMs;
    if (steps <= 0) return this.#sum;
    if (steps >= SLOTS) {
      this.#slots.fill(0);
      this.#sum = 0;
    } else {
      for (let at = this.#lastMs + 1; at <= now; at += 1) {
        const slot = at % SLOTS;
        this.#sum -= this.#slots[slot] ?? 0;
        this.#slots[slot] = 0;
      }
    }
    this.#lastMs = now;
    return this.#sum;
  }

  /** Records one use at the instant of the last `count`. */
  use(): void {
    const slot = this.#lastMs % SLOTS;
    this.#slots[slot] = (this.#slots[slot] ?? 0) + 1;
    this.#sum += 1;
  }
}
