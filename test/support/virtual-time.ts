import type { Later } from '../../src/domain/time/time-limit.ts';

/** Ticks of the event loop in which everything that needs no time is done. */
const TICKS = 20;

/** Time that passes only when everybody waits for it. */
export class VirtualTime {
  #nowMs = 0;
  #timers: { readonly atMs: number; readonly run: () => void }[] = [];

  readonly nowMs = (): number => this.#nowMs;

  readonly later: Later = (delayMs, run) => {
    const timer = { atMs: this.#nowMs + delayMs, run };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((one) => one !== timer);
    };
  };

  /** Resolves after some milliseconds of this time. */
  sleep(ms: number): Promise<void> {
    return new Promise((resolve) => this.later(ms, resolve));
  }

  /** Lets time pass until a promise is fulfilled. @returns its value, and how long it took */
  async until<T>(promise: Promise<T>): Promise<{ readonly value: T; readonly tookMs: number }> {
    const startMs = this.#nowMs;
    let done: { readonly value: T } | null = null;
    let failure: { readonly error: unknown } | null = null;
    promise.then(
      (value) => (done = { value }),
      (error: unknown) => (failure = { error }),
    );
    for (;;) {
      for (let tick = 0; tick < TICKS; tick += 1) await new Promise((resolve) => setImmediate(resolve));
      const end = done as { readonly value: T } | null;
      if (end !== null) return { value: end.value, tookMs: this.#nowMs - startMs };
      const failed = failure as { readonly error: unknown } | null;
      if (failed !== null) throw failed.error;
      this.#step();
    }
  }

  /** Lets this much time pass. */
  async advance(ms: number): Promise<void> {
    await this.until(this.sleep(ms));
  }

  #step(): void {
    const [first, ...others] = this.#timers.toSorted((one, other) => one.atMs - other.atMs);
    if (first === undefined) return;
    this.#timers = others;
    this.#nowMs = Math.max(this.#nowMs, first.atMs);
    first.run();
  }
}
