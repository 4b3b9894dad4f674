/** How long a job waits, in milliseconds. */
export interface JobWaits {
  /** Before its first run. */
  readonly firstMs: number;
  /** After a run. */
  readonly everyMs: number;
  /** After a run that failed; absent: as after any. */
  readonly retryMs?: number;
}

/** Work that a process repeats until it stops; one run at a time. */
export abstract class RecurringJob {
  readonly #waits: JobWaits;
  #timer: NodeJS.Timeout | null = null;
  #running: Promise<void> = Promise.resolve();
  #isStarted = false;
  #isStopped = false;

  constructor(waits: JobWaits) {
    this.#waits = waits;
  }

  /** Whether a long run has to end early. */
  protected get isStopped(): boolean {
    return this.#isStopped;
  }

  /** Plans the first run. */
  start(): void {
    if (this.#isStarted) return;
    this.#isStarted = true;
    this.#isStopped = false;
    this.#schedule(this.#waits.firstMs);
  }

  /** Ends the repetition, and waits for the present run. */
  async stop(): Promise<void> {
    this.#isStarted = false;
    this.#isStopped = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    await this.#running;
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
    try {
      await this.run();
      this.#schedule(everyMs);
    } catch (error) {
      this.logFailure(error);
      this.#schedule(retryMs);
    }
  }
}
