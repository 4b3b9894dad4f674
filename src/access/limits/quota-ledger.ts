import { randomBytes } from 'node:crypto';
import type { Log } from '../../domain/log/log.ts';
import type { CounterIncrement, HotStore } from '../../storage/hot/hot-store.ts';
import { LedgerWriter } from './ledger-writer.ts';
import { HOT_TIMEOUT_MS, type Later, laterByTimer, withinTime } from '../../domain/time/time-limit.ts';

/** How often an unavailable hot store is logged while it lasts. */
const LOG_EVERY_MS = 10_000;

/** Dependencies of a ledger. */
export interface QuotaLedgerDeps {
  readonly hot: HotStore;
  readonly log: Log;
  /** Processes that share every limit (nodes × their workers), at least 1. */
  readonly processes: number;
  /** How long the hot store may take before it counts as unavailable; default 250 ms. */
  readonly timeoutMs?: number;
  /** Runs something later; default: a timer of this machine. */
  readonly later?: Later;
}

/** The counters that leases are taken from: added to atomically over all processes and nodes, each addition once. */
export class QuotaLedger {
  readonly #deps: QuotaLedgerDeps;
  /** A part of the names of writers: no other process ever uses them. */
  readonly #instance = randomBytes(9).toString('base64url');
  #writers = 0;
  #failures = 0;
  #loggedMs = 0;
  #unavailable = false;

  constructor(deps: QuotaLedgerDeps) {
    this.#deps = deps;
  }

  get processes(): number {
    return Math.max(1, this.#deps.processes);
  }

  get timeoutMs(): number {
    return this.#deps.timeoutMs ?? HOT_TIMEOUT_MS;
  }

  get later(): Later {
    return this.#deps.later ?? laterByTimer;
  }

  /** Calls that failed or took too long. */
  get failures(): number {
    return this.#failures;
  }

  /**
   * A writer of its own for one quota, whose counters begin with its name. `ttlMs`: how long the store remembers its newest addition, and an
   * addition is sent again.
   */
  newWriter(quota: string, ttlMs: number): LedgerWriter {
    this.#writers += 1;
    return this.#writerNamed(`${quota}/${this.#instance}/${this.#writers}`, ttlMs);
  }

  /**
   * Finishes the last addition of a dead process: cancels it unless it was made. Repeating it changes nothing. Resolves with whether the
   * addition was made.
   * @throws when the hot store does not respond in time
   */
  async finishFor(last: { writer: string; number: number }, ttlMs: number): Promise<boolean> {
    const cancelled = { ...last, ttlMs, increments: [] };
    const values = await this.withinTime(this.#deps.hot.addNumbered(cancelled));
    return values !== null && values.length > 0;
  }

  /** Waits for something as long as for a response of the hot store. @throws when it takes longer */
  withinTime<T>(promise: Promise<T>): Promise<T> {
    return withinTime(promise, this.timeoutMs, this.later);
  }

  /** The writer that returns the units of a dead writer: the same one for every process. */
  heirOf(writer: string, ttlMs: number): LedgerWriter {
    return this.#writerNamed(`${writer}/heir`, ttlMs);
  }

  /** Adds once, without knowing for certain: what is late or lost is not sent again. @throws when there is no response in time. */
  async add(key: string, by: number, ttlMs: number): Promise<number> {
    const [value = 0] = await this.#watched(this.#deps.hot.addToCounters([{ key, by: BigInt(by), ttlMs }]));
    return value;
  }

  /** Reads counters. @throws as `add`. */
  async read(keys: readonly string[]): Promise<number[]> {
    return this.#watched(this.#deps.hot.readCounters(keys));
  }

  #writerNamed(name: string, ttlMs: number): LedgerWriter {
    return new LedgerWriter(name, {
      ttlMs,
      timeoutMs: this.timeoutMs,
      later: this.later,
      send: (number, increments: readonly CounterIncrement[]) =>
        this.#deps.hot.addNumbered({ writer: name, number, ttlMs, increments }),
      recordSuccess: () => this.#recordSuccess(),
      recordFailure: (error) => this.#recordFailure(error),
    });
  }

  async #watched(response: Promise<readonly bigint[]>): Promise<number[]> {
    try {
      const values = await this.withinTime(response);
      this.#recordSuccess();
      return values.map(Number);
    } catch (error) {
      this.#recordFailure(error);
      throw error;
    }
  }

  #recordSuccess(): void {
    if (this.#unavailable) this.#deps.log.event('limits.shared_again');
    this.#unavailable = false;
  }

  #recordFailure(error: unknown): void {
    this.#failures += 1;
    this.#unavailable = true;
    const nowMs = performance.now();
    if (this.#loggedMs !== 0 && nowMs - this.#loggedMs < LOG_EVERY_MS) return;
    this.#loggedMs = nowMs;
    this.#deps.log.event('limits.not_shared', { err: error, failures: this.#failures });
  }
}
