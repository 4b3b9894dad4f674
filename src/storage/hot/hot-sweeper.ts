import { setTimeout as sleep } from 'node:timers/promises';
import { RecurringJob } from '../../domain/time/recurring-job.ts';
import type { Log } from '../../domain/log/log.ts';
import type { HotStore } from './hot-store.ts';

/** How often expired entries are looked for. */
const SWEEP_EVERY_MS = 1_000;
/** Entries of one transaction, which others wait for: some milliseconds. */
const SLICE = 500;

/** Dependencies of a sweeper. */
interface HotSweeperDeps {
  readonly hot: Pick<HotStore, 'sweep'>;
  readonly nowMs: () => number;
  readonly log: Log;
}

/**
 * Deletes what has expired in the hot store, each second all of it, however much: in small slices, each followed by a pause as long
 * as it took, so that half of the time at least is left to those who count. One impression leaves about five entries.
 */
export class HotSweeper extends RecurringJob {
  readonly #deps: HotSweeperDeps;

  constructor(deps: HotSweeperDeps) {
    super({ firstMs: SWEEP_EVERY_MS, everyMs: SWEEP_EVERY_MS });
    this.#deps = deps;
  }

  /** Deletes all that has expired by now. @throws what the store throws */
  async run(): Promise<void> {
    const { hot, nowMs } = this.#deps;
    for (let swept = SLICE; swept === SLICE && !this.isStopped; ) {
      const startedMs = performance.now();
      swept = await hot.sweep(nowMs(), SLICE);
      await sleep(performance.now() - startedMs);
    }
  }

  protected logFailure(error: unknown): void {
    this.#deps.log.event('hot_store.sweep_failed', { err: error });
  }
}
