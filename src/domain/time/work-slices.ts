/** How long work goes on before everything else of the process gets its turn, in milliseconds. */
const SLICE_MS = 4;

/** The time and the turns of the process; a test passes its own. */
export interface SliceClock {
  readonly nowMs: () => number;
  /** Runs when other work of the process has had its turn. */
  readonly afterOthers: (run: () => void) => void;
  /** Runs when the callbacks of all promises that are resolved now have run. */
  readonly afterPromises: (run: () => void) => void;
}

/** The clock and the event loop of this process. */
export const PROCESS_CLOCK: SliceClock = {
  nowMs: () => performance.now(),
  afterOthers: (run) => void setImmediate(run),
  // Ticks that a tick asks for run before promises: the detour lets the promises go first.
  afterPromises: (run) => queueMicrotask(() => process.nextTick(run)),
};

/**
 * Lets the work of many requests share one event loop: a request that asks for a turn goes on at once while the slice lasts; otherwise
 * it waits until the rest of the process has had its turn. The groups (networks) of waiting requests take turns, so that one group's
 * large request does not delay the small requests of others.
 */
export class WorkSlices {
  readonly #clock: SliceClock;
  /** The waiting requests, by group; the first key is next. */
  readonly #groups = new Map<string, (() => void)[]>();
  #startedMs: number | null = null;
  #isPumping = false;

  constructor(clock: SliceClock = PROCESS_CLOCK) {
    this.#clock = clock;
  }

  /** undefined: go on. A promise: go on when it resolves; it never rejects. */
  turn(group: string): Promise<void> | undefined {
    if (!this.#isPumping && !this.#isSliceOver()) return undefined;
    const { promise, resolve } = Promise.withResolvers<void>();
    const waiting = this.#groups.get(group);
    if (waiting === undefined) this.#groups.set(group, [resolve]);
    else waiting.push(resolve);
    this.#pump();
    return promise;
  }

  #isSliceOver(): boolean {
    const nowMs = this.#clock.nowMs();
    if (this.#startedMs !== null) return nowMs - this.#startedMs >= SLICE_MS;
    this.#startedMs = nowMs;
    this.#clock.afterOthers(() => {
      this.#startedMs = null;
    });
    return false;
  }

  #pump(): void {
    if (this.#isPumping) return;
    this.#isPumping = true;
    this.#clock.afterOthers(() => this.#runSlice());
  }

  #runSlice(): void {
    const startedMs = this.#clock.nowMs();
    const step = (): void => {
      if (this.#clock.nowMs() - startedMs >= SLICE_MS) return this.#clock.afterOthers(() => this.#runSlice());
      const next = this.#nextInTurn();
      if (next === undefined) {
        this.#isPumping = false;
        return;
      }
      next();
      this.#clock.afterPromises(step);
    };
    step();
  }

  #nextInTurn(): (() => void) | undefined {
    const first = this.#groups.entries().next().value;
    if (first === undefined) return undefined;
    const [group, waiting] = first;
    const next = waiting.shift();
    // The group moves to the end of the round.
    this.#groups.delete(group);
    if (waiting.length > 0) this.#groups.set(group, waiting);
    return next;
  }
}
