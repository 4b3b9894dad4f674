import {
  closeSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createTestFolder, silentLog } from '../../../test/support/stores.ts';
import { checkBeforeUse, checkHotStore, finishRebuild, listDamaged, readRebuildOrder } from './check-hot-store.ts';
import { openLmdbHotStore } from './lmdb-hot-store.ts';

let folder: ReturnType<typeof createTestFolder>;
const hour = 3_600_000;

beforeEach(async () => {
  folder = createTestFolder();
  const store = openLmdbHotStore(join(folder.dir, 'hot'), Date.now);
  const ops = Array.from({ length: 3_000 }, (_none, at) => ({
    key: `e/${at}`,
    value: `0/x/${at}`,
    ttlMs: hour,
    increments: [{ key: `d/${at % 50}`, by: 1n, ttlMs: hour }],
    pushes: [{ key: `t/${at % 20}`, value: 'touch', max: 3, ttlMs: hour }],
  }));
  await store.applyOnceAll(ops);
  const lines = ['e/01BX5ZZKBKACTAV9WEVGEMMVRY:imp', 'e/other'].map((key, at) => {
    return { offset: at, key, ttlMs: hour, increments: [], pushes: [] };
  });
  // Two sets, the progress of the file, and since when there are sets.
  await store.countLines({ file: '0/file', from: 0, to: 2, lines });
  await store.flushed();
  await store.close();
});
afterEach(() => folder.remove());

const dataFile = (): string => join(folder.dir, 'hot', 'data.mdb');
const check = () => checkBeforeUse({ dataDir: folder.dir, log: silentLog, timeLimitMs: 20_000, nowMs: Date.now() });

describe('the check of a hot store', () => {
  test('the check of a hot store finds a sound store whole, with every entry', async () => {
    expect(await checkHotStore(folder.dir, 20_000)).toEqual({ state: 'whole', entries: 3_000 + 50 + 20 + 4 });
    expect(await checkHotStore(join(folder.dir, 'none'), 20_000)).toEqual({ state: 'whole', entries: 0 });
  });

  test('stops at its time limit, and says how far it came', async () => {
    expect(await checkHotStore(folder.dir, 0)).toMatchObject({ state: 'unfinished' });
  });

  test.each([
    ['is cut', (path: string) => truncate(path, statSync(path).size / 2)],
    ['is empty', (path: string) => truncate(path, 0)],
    ['is cut to its first pages', (path: string) => truncate(path, 8_192)],
    ['has random bytes in its pages', (path: string) => overwrite(path, (at) => (at * 31) % 251, 16_384)],
    ['has zeros in its pages', (path: string) => overwrite(path, () => 0, 16_384)],
    ['has garbled first pages', (path: string) => overwrite(path, (at) => at % 256, 0)],
  ])('the check of a hot store moves a store aside that %s, and orders a rebuild', async (_title, damage) => {
    damage(dataFile());
    const damaged = readFileSync(dataFile());
    expect(await check()).toBe(true);
    expect(readRebuildOrder(folder.dir)).toMatchObject({ reason: expect.any(String) });
    const [name = ''] = listDamaged(folder.dir);
    expect(readFileSync(join(folder.dir, name, 'data.mdb')).equals(damaged)).toBe(true);
    const store = openLmdbHotStore(join(folder.dir, 'hot'), Date.now);
    expect(await store.get('e/1')).toBeNull();
    await store.close();
    expect(await check()).toBe(false);
    finishRebuild(folder.dir);
    expect(readRebuildOrder(folder.dir)).toBeNull();
  });

  test.each(['SIGINT', 'SIGTERM', 'SIGKILL'] as const)(
    'the check of a hot store leaves the store whole when %s ends it',
    async (signal) => {
      const checking = check();
      process.kill(await findCheckProcess(), signal);
      expect(await checking).toBe(false);
      expect(listDamaged(folder.dir)).toEqual([]);
      expect(readRebuildOrder(folder.dir)).toBeNull();
    },
  );

  test('the check of a hot store leaves a store whose files the system does not let it read', async () => {
    rmSync(dataFile());
    mkdirSync(dataFile());
    expect(await checkHotStore(folder.dir, 20_000)).toMatchObject({ state: 'unchecked' });
    expect(await check()).toBe(false);
    expect(readRebuildOrder(folder.dir)).toBeNull();
  });

  test('orders a rebuild of a store that is gone where workers have been, and none for a new data folder', async () => {
    rmSync(join(folder.dir, 'hot'), { recursive: true });
    expect(await check()).toBe(false);
    expect(readRebuildOrder(folder.dir)).toBeNull();
    mkdirSync(join(folder.dir, 'spool'));
    expect(await check()).toBe(true);
    expect(readRebuildOrder(folder.dir)).toMatchObject({ reason: 'the store is gone' });
  });

  test('the check of a hot store keeps the newest three damaged stores', async () => {
    for (let times = 0; times < 5; times += 1) {
      writeFileSync(dataFile(), 'garbage'.repeat(10_000));
      expect(await check()).toBe(true);
      writeFileSync(dataFile(), '');
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    expect(readdirSync(folder.dir).filter((name) => name.startsWith('hot-damaged-'))).toHaveLength(3);
  });
});

/** The process of the check of this test's folder. */
async function findCheckProcess(): Promise<number> {
  for (;;) {
    for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
      const command = readCommand(pid);
      if (command.includes('check-process') && command.includes(folder.dir)) return Number(pid);
    }
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}

function readCommand(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}

function truncate(path: string, bytes: number): void {
  const fd = openSync(path, 'r+');
  ftruncateSync(fd, Math.floor(bytes));
  closeSync(fd);
}

/** From this byte on, a quarter of the file. */
function overwrite(path: string, byteAt: (at: number) => number, from: number): void {
  const content = readFileSync(path);
  for (let at = from; at < from + content.length / 4; at += 1) content[at] = byteAt(at);
  writeFileSync(path, content);
}
