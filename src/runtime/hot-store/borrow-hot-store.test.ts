import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createTestFolder, silentLog } from '../../../test/support/stores.ts';
import { acquireDataLock, DataFolderLockedError, findLockHolder } from '../supervisor/data-lock.ts';
import { recordProcess } from '../supervisor/process-identity.ts';
import { writeEndpoints } from '../supervisor/run-files.ts';
import { borrowHotStore } from './borrow-hot-store.ts';
import { openServedHotStore } from './own-hot-store.ts';

let folder: ReturnType<typeof createTestFolder>;
let dataDir: string;
const TTL_MS = 60_000;

beforeEach(() => {
  folder = createTestFolder();
  dataDir = folder.dir;
});
afterEach(() => folder.remove());

const borrow = (): ReturnType<typeof borrowHotStore> => borrowHotStore({ dataDir, log: silentLog }, null);

/** Another process, which runs as long as this one, holds the data folder. */
function lockByOther(): void {
  writeFileSync(join(dataDir, 'placard.pid'), JSON.stringify(recordProcess(process.ppid)));
}

const endpoints = {
  bind: '127.0.0.1',
  corePort: 1,
  deliveryPort: 2,
  sqlPort: null,
  corePublicUrl: 'https://localhost:1',
  deliveryPublicUrl: 'https://localhost:2',
  postgresUrl: 'postgres://127.0.0.1:3/placard',
  postgresOwnerUrl: null,
  clickhouseUrl: 'http://127.0.0.1:4',
  redisUrl: null,
};

test('a command on a data folder that is still missing makes it', async () => {
  dataDir = join(folder.dir, 'new');
  const own = await borrow();
  expect(own.hot.readCountersNow(['c'])).toEqual([0n]);
  await own.close();
});

test('a command on a stopped service opens the store itself, and locks the data folder meanwhile', async () => {
  const own = await borrow();
  expect(findLockHolder(dataDir)?.pid).toBe(process.pid);
  expect(() => acquireDataLock(dataDir)).toThrow(DataFolderLockedError);
  expect(own.hot.readCountersNow(['c'])).toEqual([0n]);
  await own.close();
  expect(findLockHolder(dataDir)).toBeNull();
});

test('a command that has locked the data folder already leaves it locked', async () => {
  const lock = acquireDataLock(dataDir);
  const own = await borrow();
  await own.close();
  expect(findLockHolder(dataDir)?.pid).toBe(process.pid);
  lock.release();
});

test('a command beside a running service asks the owner of the store', async () => {
  lockByOther();
  writeEndpoints(dataDir, endpoints);
  const owner = await openServedHotStore({ dataDir, log: silentLog });
  await owner.hot.set('k', 'v', TTL_MS);
  const asked = await borrow();
  expect(asked.hot.readCountersNow(['c'])).toBeNull();
  expect(await asked.hot.get('k')).toBe('v');
  await asked.close();
  expect(await owner.hot.get('k')).toBe('v');
  await owner.close();
});

test('a command while a service starts, or beside another command, is refused', async () => {
  lockByOther();
  await expect(borrow()).rejects.toThrow(DataFolderLockedError);
});
