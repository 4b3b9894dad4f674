import type { CoreUp } from './part.ts';

/** How often a worker that waits for the core says that it still does: far below the time that the supervisor waits. */
const TELL_EVERY_MS = 2_000;

/** Whether the core is up, as a child learns it from the supervisor. */
export class CoreUpSignal implements CoreUp {
  readonly event: Promise<void>;
  readonly #up = Promise.withResolvers<void>();
  readonly #needsCore: () => void;
  readonly #stillStarting: () => void;
  #isUp = false;
  #waiting = 0;

  constructor(needsCore: () => void, stillStarting: () => void) {
    this.#needsCore = needsCore;
    this.#stillStarting = stillStarting;
    this.event = this.#up.promise;
  }

  /** True while the start of the part waits for the core. */
  get isAwaited(): boolean {
    return this.#waiting > 0 && !this.#isUp;
  }

  announce(): void {
    this.#isUp = true;
    this.#up.resolve();
  }

  get isUp(): boolean {
    return this.#isUp;
  }

  async await(): Promise<void> {
    if (this.#isUp) return;
    this.#waiting += 1;
    this.#needsCore();
    const beat = setInterval(this.#stillStarting, TELL_EVERY_MS);
    await this.event;
    clearInterval(beat);
    this.#waiting -= 1;
  }
}
