import { cpSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestFolder, silentLog } from '../../../test/support/stores.ts';
import { type CreateDiskFile, createDiskFile } from '../disk-file.ts';
import { LedgerDamagedError, ledgerPath, listLedgerFiles } from './ledger-files.ts';
import { type LedgerStore, openLedger } from './ledger-store.ts';

const folder = createTestFolder();
afterAll(() => folder.remove());

const HOUR = 3_600_000;
const nowMs = (): number => 1_700_000_000_000;
const open = async (dir: string, createFile: CreateDiskFile = createDiskFile): Promise<LedgerStore> =>
  openLedger({ dir, nowMs, log: silentLog, createFile });
const add = (store: LedgerStore, key: string): Promise<readonly bigint[]> =>
  store.addToCounters([{ key, by: 1n, ttlMs: HOUR }]);

/** Copies a ledger as a process leaves it that is killed. */
function copyOf(dir: string, name: string): string {
  const copy = join(folder.dir, name);
  rmSync(copy, { recursive: true, force: true });
  cpSync(dir, copy, { recursive: true });
  return copy;
}

describe('the log', () => {
  const dir = join(folder.dir, 'small');
  let path = '';
  let bytes = Buffer.alloc(0);
  /** Additions that are in the log up to its length so far. */
  const lengths: number[] = [];

  beforeAll(async () => {
    const store = await open(dir);
    path = ledgerPath(dir, 'log', 1);
    for (let round = 0; round < 6; round += 1) {
      await add(store, 'counter');
      lengths.push(readFileSync(path).length);
    }
    bytes = readFileSync(path);
    copyOf(dir, 'small-copy');
    await store.close();
  });

  const at = async (content: Buffer): Promise<bigint | undefined> => {
    const copy = copyOf(join(folder.dir, 'small-copy'), 'small-tried');
    writeFileSync(ledgerPath(copy, 'log', 1), content);
    const store = await open(copy);
    const [value] = store.readCountersNow(['counter']);
    await store.close();
    return value;
  };

  test('a log that was cut at any byte gives all additions before the cut', async () => {
    for (let length = 0; length <= bytes.length; length += 1)
      expect(await at(bytes.subarray(0, length))).toBe(BigInt(lengths.filter((end) => end <= length).length));
  });

  test('a log whose end is zeros or other bytes gives all additions before them', async () => {
    for (const end of [Buffer.alloc(5_000), Buffer.from('PLG1 and other bytes'), bytes.subarray(0, 30)])
      expect(await at(Buffer.concat([bytes, end]))).toBe(6n);
  });

  test('another byte anywhere before the last addition is found as damage', async () => {
    const last = lengths.at(-2) ?? 0;
    for (let position = 0; position < last; position += 1) {
      const changed = Buffer.from(bytes);
      changed[position] = (changed[position] ?? 0) ^ 0x10;
      await expect(at(changed), `byte ${position}`).rejects.toThrow(LedgerDamagedError);
    }
  });
});

test('a start reads checkpoint and log, whatever happened between them, and the checkpoint before a damaged one', async () => {
  const dir = join(folder.dir, 'checkpoints');
  const store = await open(dir);
  const copies: { readonly dir: string; readonly count: bigint }[] = [];
  for (let round = 1; round <= 4; round += 1) {
    await add(store, 'counter');
    await store.set(`gone ${round}`, 'x', HOUR);
    await store.delete(`gone ${round - 1}`);
    const checkpoint = store.checkpoint();
    // Changes while the checkpoint is written are in its log.
    await Promise.all([add(store, 'counter'), checkpoint]);
    await add(store, 'counter');
    copies.push({ dir: copyOf(dir, `checkpoint-${round}`), count: BigInt(round * 3) });
  }
  await store.close();
  expect(listLedgerFiles(dir).checkpoints).toHaveLength(2);
  for (const [at, copy] of copies.entries()) {
    await expectCount(copy.dir, copy.count, at + 1);
    const newest = listLedgerFiles(copy.dir).checkpoints.at(-1) ?? 0;
    truncateSync(ledgerPath(copy.dir, 'checkpoint', newest), 100);
    await expectCount(copy.dir, copy.count, at + 1);
  }
});

test('a checkpoint counts only when the log holds all that changed while it was written', async () => {
  const dir = join(folder.dir, 'half');
  let isFull = false;
  const store = await open(dir, async (path, inDir) => {
    const file = await createDiskFile(path, inDir);
    const isLog = basename(path).startsWith('log');
    if (!isLog && listLedgerFiles(dir).checkpoints.length === 0) {
      isFull = true;
      void add(store, 'counter').catch(() => undefined);
    }
    return {
      ...file,
      write: async (bytes, position) => {
        if (isFull && isLog) throw new Error('ENOSPC');
        return file.write(bytes, position);
      },
    };
  });
  await add(store, 'counter');
  await expect(store.checkpoint()).rejects.toThrow('ENOSPC');
  expect(listLedgerFiles(dir).checkpoints).toEqual([]);
  isFull = false;
  await add(store, 'counter');
  await expectCount(copyOf(dir, 'half-copy'), 3n);
  await store.close();
});

test('many starts without a checkpoint lead to one', async () => {
  const dir = join(folder.dir, 'starts');
  for (let start = 0; start < 70; start += 1) {
    const store = await open(dir);
    await add(store, 'counter');
    await store.close();
  }
  expect(listLedgerFiles(dir).logs.length).toBeLessThan(70);
  await expectCount(dir, 70n);
});

test('a log that is missing between others, and one without its end, are damage', async () => {
  const dir = join(folder.dir, 'missing');
  for (let start = 0; start < 3; start += 1) {
    const store = await open(dir);
    await add(store, 'counter');
    await store.close();
  }
  const missing = copyOf(dir, 'missing-log');
  rmSync(ledgerPath(missing, 'log', 2));
  await expect(open(missing)).rejects.toThrow('log 2 is missing');
  const cut = copyOf(dir, 'cut-log');
  truncateSync(ledgerPath(cut, 'log', 2), 50);
  await expect(open(cut)).rejects.toThrow('log 2 has lost its end');
  await expectCount(dir, 3n);
});

test('a log that has lost bytes which were on stable storage is damage, even when its frames are whole', async () => {
  const dir = join(folder.dir, 'synced');
  const store = await open(dir);
  await add(store, 'counter');
  const { length } = readFileSync(ledgerPath(dir, 'log', 1));
  await add(store, 'counter');
  await store.flushed();
  await add(store, 'counter');
  const killed = copyOf(dir, 'synced-killed');
  await store.close();
  await expectCount(killed, 3n);
  truncateSync(ledgerPath(killed, 'log', 1), length);
  await expect(open(killed)).rejects.toThrow(LedgerDamagedError);
  rmSync(ledgerPath(killed, 'log', 1));
  await expect(open(killed)).rejects.toThrow('log 1 is missing');
});

test('the ledger writes again what a disk did not take, and a failed sync leads to a checkpoint', async () => {
  const dir = join(folder.dir, 'failing');
  const fault: { write: 'short' | 'error' | null; sync: boolean } = { write: null, sync: false };
  const createFile: CreateDiskFile = async (path, inDir) => {
    const file = await createDiskFile(path, inDir);
    return {
      ...file,
      write: async (bytes, position) => {
        if (fault.write === 'error') throw new Error('EIO');
        return file.write(fault.write === 'short' ? bytes.subarray(0, bytes.length / 2) : bytes, position);
      },
      sync: async () => {
        if (fault.sync) throw new Error('EIO');
        await file.sync();
      },
    };
  };
  const store = await open(dir, createFile);
  await add(store, 'counter');
  for (const write of ['short', 'error', 'short'] as const) {
    fault.write = write;
    await expect(add(store, 'counter')).rejects.toThrow();
    expect(store.stats.isFailing).toBe(true);
  }
  await store.delete('unknown').catch(() => undefined);
  fault.write = null;
  await add(store, 'counter');
  fault.sync = true;
  await expect(store.flushed()).rejects.toThrow('EIO');
  fault.sync = false;
  await store.flushed();
  expect(store.stats.checkpoint).not.toBeNull();
  await expectCount(copyOf(dir, 'failing-copy'), 5n);
  await store.close();
});

async function expectCount(dir: string, count: bigint, round?: number): Promise<void> {
  const store = await open(copyOf(dir, 'tried'));
  expect(store.readCountersNow(['counter'])).toEqual([count]);
  if (round !== undefined) expect(await store.readValues([`gone ${round - 1}`, `gone ${round}`])).toEqual([null, 'x']);
  await store.close();
}
