import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Catalog } from '../../domain/booking/snapshot.ts';
import { requireWholeAnalytics } from '../../events/marks/compare-marks.ts';
import { rebuildHotStore } from '../../events/recovery/hot-rebuild.ts';
import { readCountedSums } from '../../reports/rollups/counted-sums.olap.ts';
import { finishRebuild, readRebuildOrder } from '../../storage/ledger/own-ledger.ts';
import type { ChildContext } from '../supervisor/part.ts';
import type { Stores } from './stores.ts';

const RETRY_MS = 1_000;
const TELL_EVERY_MS = 10_000;
/** Longest that a worker waits for its counters before it gives up and starts again. */
const WAIT_MAX_MS = 3_600_000;

/**
 * After a damaged hot store was moved aside, worker 0 makes its counters again; the others wait. No budget is spent, and no event
 * counted, before that.
 * @throws Error when it takes more than an hour
 */
export async function rebuildWhereOrdered(
  context: ChildContext,
  stores: Pick<Stores, 'hot' | 'olap' | 'sql'>,
  catalog: Catalog,
): Promise<void> {
  const { settings, workerIndex, log, endpoints, stillStarting } = context;
  if (endpoints.redisUrl !== null) return;
  const beat = setInterval(stillStarting, TELL_EVERY_MS);
  const untilMs = performance.now() + WAIT_MAX_MS;
  try {
    for (let order = readRebuildOrder(settings.dataDir); order !== null; order = readRebuildOrder(settings.dataDir)) {
      if (performance.now() > untilMs) throw new Error('The counters of the hot store were not rebuilt within an hour');
      if (workerIndex === 0) await tryRebuild();
      if (readRebuildOrder(settings.dataDir) !== null) await sleep(RETRY_MS);
    }
  } finally {
    clearInterval(beat);
  }

  async function tryRebuild(): Promise<void> {
    try {
      await requireWholeAnalytics(stores.sql.db, stores.olap);
      await rebuildHotStore({
        hot: stores.hot,
        olap: stores.olap,
        readSums: readCountedSums(stores.olap),
        catalog,
        spoolDir: join(settings.dataDir, 'spool'),
        nowMs: Date.now,
        log,
      });
      finishRebuild(settings.dataDir);
    } catch (error) {
      log.event('hot_store.rebuild_failed', { err: error });
    }
  }
}
