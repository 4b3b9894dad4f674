/** How often a ready child is pinged, and after how many missed pings it counts as hung. */
export interface LivenessOptions {
  readonly everyMs: number;
  readonly missedMax: number;
  /** Sends a ping. */
  readonly ping: () => void;
  /** Called once when the child counts as hung. */
  readonly onHung: () => void;
}

export const DEFAULT_LIVENESS = { everyMs: 5_000, missedMax: 6 } as const;

/** A watch over one process. It counts pings, not time: a machine that slept has sent none meanwhile. */
export class Liveness {
  readonly #timer: NodeJS.Timeout;
  #missed = 0;

  constructor(options: LivenessOptions) {
    this.#timer = setInterval(() => {
      if (this.#missed >= options.missedMax) {
        this.stop();
        options.onHung();
        return;
      }
      this.#missed += 1;
      options.ping();
    }, options.everyMs);
    this.#timer.unref();
  }

  /** The child has responded to a ping. */
  recordPong(): void {
    this.#missed = 0;
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}
