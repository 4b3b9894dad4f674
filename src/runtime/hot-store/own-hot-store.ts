import { join } from 'node:path';
import type { Log } from '../../domain/log/log.ts';
import { guardedNowMs } from '../../storage/guarded-clock.ts';
import type { HotStore } from '../../storage/hot/hot-store.ts';
import { HotSweeper } from '../../storage/hot/hot-sweeper.ts';
import { serveHotStore } from '../../storage/hot-socket/serve-hot-store.ts';
import { openSocketHotStore } from '../../storage/hot-socket/socket-hot-store.ts';
import { markWaiting } from '../../events/spool/uncounted-marks.ts';
import { openOwnLedger, readRebuildOrder } from '../../storage/ledger/own-ledger.ts';
import type { LedgerStats } from '../../storage/ledger/ledger-store.ts';
import { acquireHotStoreLock } from '../supervisor/data-lock.ts';

/** A data folder with a hot store of its own. */
export interface HotStoreFolder {
  readonly dataDir: string;
  readonly log: Log;
}

/** A hot store, and what ends with it. */
export interface OpenHotStore {
  readonly hot: HotStore;
  readonly close: () => Promise<void>;
  /** Of a ledger that this process has open. */
  readonly stats?: () => LedgerStats;
}

/** The path of the socket of a data folder's hot store. */
export function hotSocketPath(dataDir: string): string {
  return join(dataDir, 'run', 'hot.sock');
}

/** Opens the hot store of a data folder for this process alone. @throws HotStoreOwnedError when a process has it open */
export async function openOwnHotStore(
  { dataDir, log }: HotStoreFolder,
  nowMs: () => number = guardedNowMs,
): Promise<OpenHotStore> {
  const lock = acquireHotStoreLock(dataDir);
  try {
    const hot = openOwnLedger(dataDir, {
      nowMs,
      log,
      onMayLackEnd: () => markWaiting(join(dataDir, 'spool')),
    });
    return {
      hot,
      stats: () => hot.stats,
      close: async () => {
        await hot.close();
        lock.release();
      },
    };
  } catch (error) {
    lock.release();
    throw error;
  }
}

/** Opens the hot store of a data folder, deletes what expires in it, and serves it to the other processes. @throws as `openOwnHotStore` */
export async function openServedHotStore(folder: HotStoreFolder): Promise<OpenHotStore> {
  const own = await openOwnHotStore(folder);
  const at = { path: hotSocketPath(folder.dataDir), isLost: lostUntilRebuilt(folder) };
  const server = await serveHotStore(own.hot, at).catch(async (error: unknown) => {
    await own.close();
    throw error;
  });
  const sweeper = new HotSweeper({ hot: own.hot, nowMs: guardedNowMs, log: folder.log });
  sweeper.start();
  return {
    ...own,
    close: async () => {
      await server.stop();
      await sweeper.stop();
      await own.close();
    },
  };
}

/** Whether the ledger lacks what it counted before: other processes wait until this one has made its counters again. */
function lostUntilRebuilt({ dataDir }: HotStoreFolder): () => boolean {
  let isLost = readRebuildOrder(dataDir) !== null;
  return () => isLost && (isLost = readRebuildOrder(dataDir) !== null);
}

/** The hot store of a data folder that another process has open. */
export function useServedHotStore({ dataDir, log }: HotStoreFolder): OpenHotStore {
  const hot = openSocketHotStore({ path: hotSocketPath(dataDir), log });
  return { hot, close: () => hot.close() };
}
