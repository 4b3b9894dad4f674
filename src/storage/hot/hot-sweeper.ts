import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../../domain/log/log.ts';
import type { HotStore } from './hot-store.ts';

/** How often expired entries are looked for. */
const SWEEP_EVERY_MS = 1_000;
/** Entries of one transaction, which others wait for: some milliseconds. */
const SLICE = 500;

/** What a sweeper needs. */
interface HotSweeperDeps {
  readonly hot: Pick<HotStore, 'sweep'>;
  readonly nowMs: () => number;
  readonly log: Log;
}

/**
 * Deletes what has expired in the hot store, each second all of it, however much: in small slices, each followed by a pause as long
 * as it took, so that half of the time at least is left to those who count. One impression leaves about five entries.
 */
export class HotSweeper {
  readonly #deps: HotSweeperDeps;
  #isStopped = true;
  #timer: NodeJS.Timeout | null = null;
  #turn: Promise<void> = Promise.resolve();

  constructor(deps: HotSweeperDeps) {
    this.#deps = deps;
  }

  start(): void {
    this.#isStopped = false;
    this.#schedule();
  }

  /** Resolves when the slice that is being deleted is. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    await this.#turn;
  }

  #schedule(): void {
    if (this.#isStopped) return;
    this.#timer = setTimeout(() => {
      this.#turn = this.#sweepAll().finally(() => this.#schedule());
    }, SWEEP_EVERY_MS);
  }

  async #sweepAll(): Promise<void> {
    const { hot, nowMs, log } = this.#deps;
    try {
      for (let swept = SLICE; swept === SLICE && !this.#isStopped; ) {
        const startedMs = performance.now();
        swept = await hot.sweep(nowMs(), SLICE);
        await sleep(performance.now() - startedMs);
      }
    } catch (error) {
      log.event('hot_store.sweep_failed', { err: error });
    }
  }
}
