/** How often a ready child is pinged, and when it counts as hung. */
export interface LivenessOptions {
  readonly everyMs: number;
  /** A child that has used the processor for this many milliseconds since its last pong is caught in a loop. */
  readonly busyMsMax: number;
  /** A child that missed this many pings counts as hung, however little it ran: it may be blocked for ever. Those that it had no processor for do not count. */
  readonly missedMax: number;
  /** Sends a ping. */
  readonly ping: () => void;
  /** Processor time that the child's event loop has used so far, in milliseconds; null: unknown. */
  readonly usedMs: () => number | null;
  /** How long the child has waited for a processor so far, in milliseconds; null: unknown. */
  readonly waitedMs: () => number | null;
  /** Called once when the child counts as hung. */
  readonly onHung: () => void;
}

export const DEFAULT_LIVENESS = { everyMs: 5_000, busyMsMax: 30_000, missedMax: 36 } as const;

/**
 * A watch over one process. A child that gets no processor time is slow, and killing it would make that worse: so the watch counts what the
 * child has used, not the time that has passed. It counts pings for a child that neither uses nor awaits a processor: a machine
 * that slept has sent none meanwhile.
 */
export class Liveness {
  readonly #timer: NodeJS.Timeout;
  #missed = 0;
  #waitedMs: number | null;
  /** Processor time at the last pong. */
  #usedMs: number | null;
  readonly #options: LivenessOptions;

  constructor(options: LivenessOptions) {
    this.#options = options;
    this.#usedMs = options.usedMs();
    this.#waitedMs = options.waitedMs();
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
    const { ping, onHung, waitedMs, everyMs } = this.#options;
    const waited = waitedMs();
    const lostMs = (waited ?? 0) - (this.#waitedMs ?? 0);
    this.#waitedMs = waited;
    if (this.#isHung()) {
      this.stop();
      onHung();
      return;
    }
    // The first ping begins the count; a later one counts where the child could have run.
    if (this.#missed === 0 || lostMs < everyMs / 2) this.#missed += 1;
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

/** A smaller part of the limit is not worth another wait: a process on a quiet machine waits a little, too. */
const LOST_SHARE_MIN = 0.05;

/** The input of a limit of a process's own time. */
export interface OwnTimeOptions {
  readonly limitMs: number;
  /** How long the process has waited for a processor so far, in milliseconds; null: unknown. */
  readonly waitedMs: () => number | null;
  /** Called once when the time is over. */
  readonly onOver: () => void;
}

/** A limit of the time in which a process could have run: the time for which it waits for a processor does not count. */
export class OwnTimeLimit {
  readonly #options: OwnTimeOptions;
  #timer: NodeJS.Timeout | undefined;
  /** Waited when the timer was set. */
  #waitedMs: number | null = null;

  constructor(options: OwnTimeOptions) {
    this.#options = options;
    this.refresh();
  }

  /** The process has made progress: its time begins again. */
  refresh(): void {
    this.#set(this.#options.limitMs);
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  #set(afterMs: number): void {
    clearTimeout(this.#timer);
    this.#waitedMs = this.#options.waitedMs();
    this.#timer = setTimeout(() => this.#check(), afterMs);
  }

  #check(): void {
    const { limitMs, waitedMs, onOver } = this.#options;
    const lostMs = (waitedMs() ?? 0) - (this.#waitedMs ?? 0);
    if (lostMs > limitMs * LOST_SHARE_MIN) this.#set(lostMs);
    else onOver();
  }
}
