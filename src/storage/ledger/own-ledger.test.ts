import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createTestFolder, silentLog } from '../../../test/support/stores.ts';
import { ledgerPath } from './ledger-files.ts';
import { finishRebuild, listDamaged, openOwnLedger, readRebuildOrder } from './own-ledger.ts';

let folder: ReturnType<typeof createTestFolder>;
let dataDir: string;
let lacking = 0;
let nowMs = 1_700_000_000_000;
const open = async (): Promise<ReturnType<typeof openOwnLedger>> =>
  openOwnLedger(dataDir, { nowMs: () => (nowMs += 1_000), log: silentLog, onMayLackEnd: () => (lacking += 1) });

beforeEach(() => {
  folder = createTestFolder();
  dataDir = folder.dir;
});
afterEach(() => folder.remove());

/** Counts once in a ledger of a machine that has recorded events. */
async function countOnce(): Promise<void> {
  const store = await open();
  await store.addToCounters([{ key: 'c', by: 1n, ttlMs: 3_600_000 }]);
  await store.close();
  mkdirSync(join(dataDir, 'spool'), { recursive: true });
}

test('a first start needs no rebuild, and a ledger that stands is opened as it is', async () => {
  await countOnce();
  const store = await open();
  expect(store.readCountersNow(['c'])).toEqual([1n]);
  expect(readRebuildOrder(dataDir)).toBeNull();
  await store.close();
});

test('a ledger that is gone beside a spool begins again, and its counters are ordered until they are made', async () => {
  await countOnce();
  rmSync(join(dataDir, 'ledger'), { recursive: true });
  const store = await open();
  await store.close();
  expect(readRebuildOrder(dataDir)).toMatchObject({ reason: 'the ledger is gone' });
  await (await open()).close();
  expect(readRebuildOrder(dataDir)).not.toBeNull();
  finishRebuild(dataDir);
  await (await open()).close();
  expect(readRebuildOrder(dataDir)).toBeNull();
});

test('a damaged ledger is kept aside with its order, and the oldest of four is deleted', async () => {
  for (let damage = 1; damage <= 4; damage += 1) {
    await countOnce();
    const [first = ''] = readdirSync(join(dataDir, 'ledger'));
    writeFileSync(join(dataDir, 'ledger', first), 'no log');
    const later = ledgerPath(join(dataDir, 'ledger'), 'log', 9);
    writeFileSync(later, '');
    const store = await open();
    expect(store.readCountersNow(['c'])).toEqual([0n]);
    await store.close();
    expect(listDamaged(dataDir)).toHaveLength(Math.min(damage, 3));
    expect(readRebuildOrder(dataDir)?.reason).toMatch(/^log \d+ /);
  }
});

test('a start after a power cut tells that the end may be missing, a start after a kill or a stop does not', async () => {
  await countOnce();
  const mark = join(dataDir, 'ledger', 'synced');
  const restartMachine = (): void =>
    writeFileSync(
      mark,
      readFileSync(mark, 'utf8').replace(/[0-9a-f-]{36}/, 'another-boot'.replaceAll(/[^0-9a-f-]/g, '0')),
    );
  lacking = 0;
  restartMachine();
  const stopped = await open();
  await stopped.flushed();
  await open();
  expect(lacking).toBe(0);
  restartMachine();
  await open();
  expect(lacking).toBe(1);
});
