/** How often a ready child is pinged, and when it counts as hung. */
export interface LivenessOptions {
  readonly everyMs: number;
  /** A child that has used the processor for this many milliseconds since its last pong is caught in a loop. */
  readonly busyMsMax: number;
  /** A child that missed this many pings counts as hung, however little it ran: it may be blocked for ever. */
  readonly missedMax: number;
  /** Sends a ping. */
  readonly ping: () => void;
  /** Processor time that the child's event loop has used so far, in milliseconds; null: unknown. */
  readonly usedMs: () => number | null;
  /** Called once when the child counts as hung. */
  readonly onHung: () => void;
}

export const DEFAULT_LIVENESS = { everyMs: 5_000, busyMsMax: 30_000, missedMax: 36 } as const;

/**
 * A watch over one process. A child that gets no processor time is slow, and killing it would make that worse: so the watch counts what the
 * child has used, not the time that has passed. It counts pings for one that uses nothing: a machine that slept has sent none meanwhile.
 */
export class Liveness {
  readonly #timer: NodeJS.Timeout;
  #missed = 0;
  /** Processor time at the last pong. */
  #usedMs: number | null;
  readonly #options: LivenessOptions;

  constructor(options: LivenessOptions) {
    this.#options = options;
    this.#usedMs = options.usedMs();
    this.#timer = setInterval(() => this.#check(), options.everyMs);
    this.#timer.unref();
  }

  /** The child has responded to a ping. */
  recordPong(): void {
    this.#missed = 0;
    this.#usedMs = this.#options.usedMs();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #check(): void {
    const { ping, onHung } = this.#options;
    if (this.#isHung()) {
      this.stop();
      onHung();
      return;
    }
    this.#missed += 1;
    ping();
  }

  #isHung(): boolean {
    const { busyMsMax, missedMax, usedMs } = this.#options;
    if (this.#missed === 0) return false;
    if (this.#missed >= missedMax) return true;
    const nowUsedMs = usedMs();
    return nowUsedMs !== null && this.#usedMs !== null && nowUsedMs - this.#usedMs >= busyMsMax;
  }
}
