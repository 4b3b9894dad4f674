import { setTimeout as sleep } from 'node:timers/promises';
import { RecurringJob } from '../../domain/time/recurring-job.ts';
import type { Log } from '../../domain/log/log.ts';
import type { HotStore } from './hot-store.ts';

/** How often the walk goes on. */
const SWEEP_EVERY_MS = 1_000;
/** Turns in which all entries are looked at: what has expired is gone half an hour later. */
const TURNS_A_WALK = 1_800;
/** Entries of one step, which others wait for. */
const SLICE = 500;

/** Dependencies of a sweeper. */
interface HotSweeperDeps {
  readonly hot: Pick<HotStore, 'sweep'>;
  readonly nowMs: () => number;
  readonly log: Log;
}

/**
 * Deletes what has expired in the hot store: each second it walks over one part in 1,800 of all entries, and 500 at least, in steps that
 * are each followed by a pause as long as the step took, so that half of the time at least is left to those who count.
 */
export class HotSweeper extends RecurringJob {
  readonly #deps: HotSweeperDeps;

  constructor(deps: HotSweeperDeps) {
    super({ firstMs: SWEEP_EVERY_MS, everyMs: SWEEP_EVERY_MS });
    this.#deps = deps;
  }

  /** Walks over the part of a second. @throws what the store throws */
  async run(): Promise<void> {
    const { hot, nowMs } = this.#deps;
    let left = SLICE;
    for (let walked = 0; walked < left && !this.isStopped; ) {
      const startedMs = performance.now();
      const { seen, entries } = await hot.sweep(nowMs(), SLICE);
      if (seen < SLICE) return;
      walked += seen;
      left = Math.max(SLICE, entries / TURNS_A_WALK);
      await sleep(performance.now() - startedMs);
    }
  }

  protected logFailure(error: unknown): void {
    this.#deps.log.event('hot_store.sweep_failed', { err: error });
  }
}
