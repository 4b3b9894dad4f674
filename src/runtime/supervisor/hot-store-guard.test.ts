import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createTestFolder, silentLog } from '../../../test/support/stores.ts';
import { readRebuildOrder } from '../../storage/hot/check-hot-store.ts';
import { openLmdbHotStore } from '../../storage/hot/lmdb-hot-store.ts';
import { HotStoreGuard } from './hot-store-guard.ts';

let folder: ReturnType<typeof createTestFolder>;
let restarted: number;
let guard: HotStoreGuard;

beforeEach(async () => {
  folder = createTestFolder();
  mkdirSync(join(folder.dir, 'spool'));
  const store = openLmdbHotStore(join(folder.dir, 'hot'), Date.now);
  await store.set('key', 'value', 60_000);
  await store.close();
  restarted = 0;
  const user = {
    isRunning: () => restarted === 0,
    restart: () => {
      restarted += 1;
    },
  };
  guard = new HotStoreGuard({ dataDir: folder.dir, log: silentLog, users: () => [user] });
});
afterEach(() => folder.remove());

test('after a worker died on a store whose files were deleted, all workers start again on counters that are rebuilt', async () => {
  rmSync(join(folder.dir, 'hot'), { recursive: true });
  guard.recordDeath('SIGKILL');
  await guard.ready();
  expect([restarted, readRebuildOrder(folder.dir)?.reason]).toEqual([1, 'the store is gone']);
});

test('a killed worker starts again on a store that is there, and no other is touched', async () => {
  guard.recordDeath('SIGKILL');
  await guard.ready();
  expect([restarted, readRebuildOrder(folder.dir)]).toEqual([0, null]);
});
