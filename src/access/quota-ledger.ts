import type { Logger } from 'pino';
import type { CounterIncrement, HotStore } from '../storage/hot/hot-store.ts';
import { withinTime } from './time-limit.ts';

/** How often "the hot store is away" is logged while it lasts. */
const LOG_EVERY_MS = 10_000;

/** What a ledger works with. */
export interface QuotaLedgerDeps {
  readonly hot: HotStore;
  readonly log: Logger;
  /** Processes that share every limit (nodes × their workers), at least 1: each one's part when the hot store is away. */
  readonly processes: number;
  /** How long the hot store may take before it counts as away; default 250 ms. */
  readonly timeoutMs?: number;
}

/** The counters that leases are taken from: one key a quota, added to atomically over all processes and nodes. */
export class QuotaLedger {
  readonly #deps: QuotaLedgerDeps;
  #failures = 0;
  #loggedMs = 0;
  #away = false;

  constructor(deps: QuotaLedgerDeps) {
    this.#deps = deps;
  }

  get processes(): number {
    return Math.max(1, this.#deps.processes);
  }

  /** Calls that failed or took too long. */
  get failures(): number {
    return this.#failures;
  }

  /** Adds to one counter and gives its new value. @throws when the hot store does not answer in time. */
  async add(key: string, by: number, ttlMs: number): Promise<number> {
    const [value = 0] = await this.addAll([{ key, by: BigInt(by), ttlMs }]);
    return value;
  }

  /** Adds to several counters at once, atomically, and gives their new values in order. @throws as `add`. */
  async addAll(increments: readonly CounterIncrement[]): Promise<number[]> {
    try {
      const values = await withinTime(this.#deps.hot.addToCounters(increments), this.#deps.timeoutMs);
      if (this.#away) this.#deps.log.info('limits are shared between processes again');
      this.#away = false;
      return values.map(Number);
    } catch (error) {
      this.#noteFailure(error);
      throw error;
    }
  }

  /** Reads counters. @throws as `add`. */
  async read(keys: readonly string[]): Promise<number[]> {
    try {
      return (await withinTime(this.#deps.hot.readCounters(keys), this.#deps.timeoutMs)).map(Number);
    } catch (error) {
      this.#noteFailure(error);
      throw error;
    }
  }

  #noteFailure(error: unknown): void {
    this.#failures += 1;
    this.#away = true;
    const nowMs = performance.now();
    if (this.#loggedMs !== 0 && nowMs - this.#loggedMs < LOG_EVERY_MS) return;
    this.#loggedMs = nowMs;
    const part = `1/${this.processes}`;
    this.#deps.log.error(
      { err: error, failures: this.#failures },
      `the hot store is away: each process admits ${part} of every limit`,
    );
  }
}
