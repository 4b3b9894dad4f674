import { mkdirSync } from 'node:fs';
import { openRedisHotStore } from '../../storage/hot/redis-hot-store.ts';
import { acquireDataLock, DataFolderLockedError, findLockHolder } from '../supervisor/data-lock.ts';
import { endLeftovers } from '../supervisor/leftovers.ts';
import { readEndpoints } from '../supervisor/run-files.ts';
import { type HotStoreFolder, type OpenHotStore, openOwnHotStore, useServedHotStore } from './own-hot-store.ts';

const LEFTOVERS_MS = 20_000;

/**
 * The hot store for a command: Redis; that of a running instance, through its owner; or the store of a data folder on which nothing runs, which
 * this process opens while it holds the lock of the folder.
 * @param redisUrl null: the store is in the data folder
 * @throws DataFolderLockedError while an instance is just starting, or another command has the folder
 */
export async function borrowHotStore(folder: HotStoreFolder, redisUrl: string | null): Promise<OpenHotStore> {
  const { dataDir, log } = folder;
  if (redisUrl !== null) {
    const hot = openRedisHotStore({ url: redisUrl, log, keeper: 'nobody' });
    return { hot, close: () => hot.close() };
  }
  const holder = findLockHolder(dataDir);
  if (holder?.pid === process.pid) return openOwnHotStore(folder);
  if (holder === null) return openUnderLock(folder);
  if (readEndpoints(dataDir) === null) throw new DataFolderLockedError(dataDir, holder);
  return useServedHotStore(folder);
}

async function openUnderLock(folder: HotStoreFolder): Promise<OpenHotStore> {
  const { dataDir, log } = folder;
  mkdirSync(dataDir, { recursive: true });
  const lock = acquireDataLock(dataDir);
  try {
    // Workers of a killed instance may have it open.
    await endLeftovers({ dataDir, timeoutMs: LEFTOVERS_MS, log });
    const own = await openOwnHotStore(folder);
    return {
      hot: own.hot,
      close: async () => {
        await own.close();
        lock.release();
      },
    };
  } catch (error) {
    lock.release();
    throw error;
  }
}
