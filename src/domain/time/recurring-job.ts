import { withJitter } from './jitter.ts';

/** How long a job waits, in milliseconds. */
export interface JobWaits {
  /** Before its first run. */
  readonly firstMs: number;
  /** After a run. */
  readonly everyMs: number;
  /** After a run that failed; absent: as after any. */
  readonly retryMs?: number;
}

/** What a job is told by a lease that it runs under. */
export interface JobTerms {
  /** Asked before each run; false: the run is left out. */
  readonly mayRun: () => boolean;
  /** At least so long before the first run, in milliseconds. */
  readonly notBeforeMs: number;
  /** Told after each run that did not fail: when it began, epoch milliseconds. */
  readonly onRan: (startedMs: number) => void;
  /** Told after each run that failed. */
  readonly onFailed: (startedMs: number) => void;
}

const FREE: JobTerms = { mayRun: () => true, notBeforeMs: 0, onRan: () => undefined, onFailed: () => undefined };

/** Work that a process repeats until it stops; one run at a time. */
export abstract class RecurringJob {
  readonly #waits: JobWaits;
  #timer: NodeJS.Timeout | null = null;
  #running: Promise<void> = Promise.resolve();
  #endRest: (() => void) | null = null;
  #isStarted = false;
  #isStopped = false;
  #terms = FREE;

  constructor(waits: JobWaits) {
    this.#waits = waits;
  }

  /** Whether a long run has to end early. */
  protected get isStopped(): boolean {
    return this.#isStopped;
  }

  /** Plans the first run. A job that was stopped may start again. */
  start(terms: JobTerms = FREE): void {
    if (this.#isStarted) return;
    this.#terms = terms;
    this.#isStarted = true;
    this.#isStopped = false;
    this.#schedule(Math.max(this.#waits.firstMs, terms.notBeforeMs));
  }

  /** Ends the repetition, and waits for the present run. */
  async stop(): Promise<void> {
    this.#isStarted = false;
    this.#isStopped = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#endRest?.();
    await this.#running;
  }

  /** Waits between two parts of a long run; a stop ends the wait. */
  protected rest(ms: number): Promise<void> {
    if (this.#isStopped) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.#endRest?.(), ms);
      this.#endRest = () => {
        clearTimeout(timer);
        this.#endRest = null;
        resolve();
      };
    });
  }

  /** The work of one time. */
  abstract run(): Promise<unknown>;

  /** Logs why a run failed. */
  protected abstract logFailure(error: unknown): void;

  #schedule(afterMs: number): void {
    if (this.#isStopped) return;
    this.#timer = setTimeout(() => {
      this.#running = this.#step();
    }, afterMs).unref();
  }

  async #step(): Promise<void> {
    const { everyMs, retryMs = everyMs } = this.#waits;
    const { mayRun, onRan, onFailed } = this.#terms;
    const startedMs = Date.now();
    try {
      if (mayRun()) {
        await this.run();
        onRan(startedMs);
      }
      this.#schedule(everyMs);
    } catch (error) {
      this.logFailure(error);
      onFailed(startedMs);
      // Not all processes at once when a store is back.
      this.#schedule(withJitter(retryMs));
    }
  }
}
