import type { Log } from '../../domain/log/log.ts';
import { type Later, laterThanArrived, withinTime } from '../../domain/time/time-limit.ts';
import type { HotStore } from './hot-store.ts';
import { HotStoreLostError } from './lost-shards.ts';

/** Longest that one decision waits for the hot store, in milliseconds, over all of its calls. */
export const DECISION_WAIT_MS = 25;
/** Calls that fail or are late, one after the other, until decisions go on without the store. */
const FAILURES_MAX = 3;
/** How often an unavailable store is probed. */
const PROBE_EVERY_MS = 250;

/** A decision goes on without the hot store. */
export class HotStoreUnavailableError extends Error {
  override readonly name = 'HotStoreUnavailableError';
}

export interface HotCircuitDeps {
  readonly hot: Pick<HotStore, 'ping'>;
  readonly log: Log;
  /** Milliseconds that only grow; default: of this process. */
  readonly nowMs?: () => number;
  readonly later?: Later;
}

/**
 * Keeps decisions from waiting for a hot store that is down, slow or hanging. After three failures in a row it is open: calls are not made.
 * Probes in the background close it; no decision waits for them.
 */
export class HotCircuit {
  readonly #deps: HotCircuitDeps;
  readonly #later: Later;
  readonly #nowMs: () => number;
  #failures = 0;
  #isOpen = false;
  #late = 0;
  #skipped = 0;

  constructor(deps: HotCircuitDeps) {
    this.#deps = deps;
    this.#later = deps.later ?? laterThanArrived;
    this.#nowMs = deps.nowMs ?? (() => performance.now());
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Calls that failed or were late, and calls that were not made because the circuit was open. */
  get stats(): { readonly late: number; readonly skipped: number } {
    return { late: this.#late, skipped: this.#skipped };
  }

  /** The waiting time of one decision. */
  newWait(): HotWait {
    return new HotWait(this, this.#nowMs);
  }

  /** @throws HotStoreUnavailableError when the circuit is open; else what the call throws, or when it takes longer */
  async run<T>(call: () => Promise<T>, waitMs: number): Promise<T> {
    if (this.#isOpen || waitMs <= 0) {
      this.#skipped += 1;
      throw new HotStoreUnavailableError('The hot store is unavailable; the decision goes on without it');
    }
    try {
      const result = await withinTime(call(), waitMs, this.#later);
      this.#failures = 0;
      return result;
    } catch (error) {
      // A store that says what it has lost responds in time.
      if (error instanceof HotStoreLostError) this.#failures = 0;
      else this.#recordFailure(error);
      throw error;
    }
  }

  #recordFailure(error: unknown): void {
    this.#late += 1;
    this.#failures += 1;
    if (this.#isOpen || this.#failures < FAILURES_MAX) return;
    this.#isOpen = true;
    this.#deps.log.event('hot_store.decisions_without', { err: error });
    this.#probeLater();
  }

  #probeLater(): void {
    this.#later(PROBE_EVERY_MS, () => {
      withinTime(this.#deps.hot.ping(), DECISION_WAIT_MS, this.#later).then(
        () => this.#close(),
        () => this.#probeLater(),
      );
    });
  }

  #close(): void {
    this.#isOpen = false;
    this.#failures = 0;
    this.#deps.log.event('hot_store.decisions_with', this.stats);
  }
}

/**
 * The time that one decision may wait for the hot store. Only waiting uses it: a worker that is busy between two calls of a decision has
 * not waited for the store, and still asks it. After a failure nothing is left.
 */
export class HotWait {
  readonly #circuit: HotCircuit;
  readonly #nowMs: () => number;
  #usedMs = 0;
  #waiting = 0;
  #sinceMs = 0;
  #isOver = false;

  constructor(circuit: HotCircuit, nowMs: () => number) {
    this.#circuit = circuit;
    this.#nowMs = nowMs;
  }

  /** The time that is left, in milliseconds. */
  get leftMs(): number {
    if (this.#isOver || this.#circuit.isOpen) return 0;
    const nowUsedMs = this.#waiting > 0 ? this.#nowMs() - this.#sinceMs : 0;
    return Math.max(0, DECISION_WAIT_MS - this.#usedMs - nowUsedMs);
  }

  /** Calls the store within the time that is left. @throws as `HotCircuit.run` */
  async run<T>(call: () => Promise<T>): Promise<T> {
    const { leftMs } = this;
    if (this.#waiting === 0) this.#sinceMs = this.#nowMs();
    this.#waiting += 1;
    try {
      return await this.#circuit.run(call, leftMs);
    } catch (error) {
      if (!(error instanceof HotStoreLostError)) this.#isOver = true;
      throw error;
    } finally {
      this.#waiting -= 1;
      // Calls at the same time are one wait.
      if (this.#waiting === 0) this.#usedMs += this.#nowMs() - this.#sinceMs;
    }
  }
}
