/** How often a ready child is asked whether it lives, and how many questions may stay unanswered before it is taken for hung. */
export interface LivenessOptions {
  readonly everyMs: number;
  readonly unansweredMax: number;
  /** Sends the question. */
  readonly ask: () => void;
  /** Called once when the child is taken for hung. */
  readonly onHung: () => void;
}

export const DEFAULT_LIVENESS = { everyMs: 5_000, unansweredMax: 6 } as const;

/** A watch over one process. Questions are counted, not time: a machine that slept has asked nothing meanwhile. */
export class Liveness {
  readonly #timer: NodeJS.Timeout;
  #unanswered = 0;

  constructor(options: LivenessOptions) {
    this.#timer = setInterval(() => {
      if (this.#unanswered >= options.unansweredMax) {
        this.stop();
        options.onHung();
        return;
      }
      this.#unanswered += 1;
      options.ask();
    }, options.everyMs);
    this.#timer.unref();
  }

  /** The child answered. */
  answered(): void {
    this.#unanswered = 0;
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}
