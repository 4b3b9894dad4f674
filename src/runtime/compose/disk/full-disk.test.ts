/** What writes on a disk that is full: each write fails in words, leaves nothing half behind, and works again when there is space. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { silentLog } from '../../../../test/support/stores.ts';
import { BackupWriter } from '../../../backup/backup-files.ts';
import { readSnapshotFile, writeSnapshotFile } from '../../../delivery/snapshot/snapshot-file.ts';
import { DecisionLogFiles } from '../../../delivery/insight/decision-log/decision-log-files.ts';
import { decodeSpoolLine, encodeSpoolLine } from '../../../events/spool/spool-line.ts';
import { openSpool } from '../../../events/spool/spool.ts';
import { listSpoolFiles } from '../../../events/spool/spool-files.ts';
import { splitLines } from '../../../events/fixtures/split-lines.ts';
import { LocalReportFiles } from '../../../reports/legacy/report-files.ts';
import { openAssetStore } from '../../../storage/assets.ts';
import { openExportFolder } from '../../../storage/export/export-folder.ts';
import { openLedger } from '../../../storage/ledger/ledger-store.ts';

/** A file system of 2 MB; null where this process may not mount one. */
function mountSmall(): string | null {
  const dir = mkdtempSync(join(tmpdir(), 'placard-full-'));
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', dir]).status === 0) return dir;
  rmSync(dir, { recursive: true });
  return null;
}

const small = mountSmall();
const root = small ?? '';
const ballast = join(root, 'ballast');
afterEach(() => {
  if (small === null) return;
  for (const name of readdirSync(root)) rmSync(join(root, name), { recursive: true });
});
afterAll(() => {
  if (small === null) return;
  spawnSync('umount', [small]);
  rmSync(small, { recursive: true });
});

/** Leaves so many bytes, in whole pages. */
function fillDisk(leftBytes = 0): void {
  const { bavail, bsize } = statfsSync(root);
  writeFileSync(ballast, Buffer.alloc(bavail * bsize - leftBytes));
}
const clearDisk = (): void => rmSync(ballast);
const FULL = { code: 'ENOSPC' };
const BIG = Buffer.alloc(200_000, 'x');

describe.skipIf(small === null)('a full disk', () => {
  test('an uploaded file is refused, and stored when there is space', async () => {
    const assets = openAssetStore(root);
    mkdirSync(join(root, 'assets'));
    fillDisk();
    await expect(assets.put(BIG, 'png')).rejects.toMatchObject(FULL);
    expect(readdirSync(join(root, 'assets'))).toEqual([]);
    clearDisk();
    const path = await assets.put(BIG, 'png');
    expect((await assets.get(path.replace('/assets/', '')))?.bytes).toEqual(BIG);
  });

  test('a report fails, leaves no file, and is made when there is space', async () => {
    const files = new LocalReportFiles(join(root, 'reports'));
    const id = { token: 'a'.repeat(20), attempt: 1 };
    const make = async (): Promise<void> => {
      const writers = await Promise.all([files.create(id, 'csv'), files.create(id, 'ndjson')]);
      try {
        for (const writer of writers) await writer.write(BIG.toString());
      } catch (error) {
        for (const writer of writers) await writer.discard();
        throw error;
      }
      for (const writer of writers) await writer.finish();
      await files.publish(id);
    };
    fillDisk(8_192);
    await expect(make()).rejects.toMatchObject(FULL);
    expect(readdirSync(join(root, 'reports'))).toEqual([]);
    clearDisk();
    await make();
    expect((await files.open(id, 'csv'))?.sizeBytes).toBe(BIG.length);
  });

  test('an export is refused as low disk space, leaves no file, and is written when there is space', async () => {
    const target = openExportFolder(join(root, 'export'));
    await target.write('a.json', 'before');
    fillDisk(4_096);
    await expect(target.write('a.json', BIG.toString())).rejects.toMatchObject({ code: 'disk_space_low' });
    expect(readdirSync(join(root, 'export'))).toEqual(['a.json']);
    expect(String(await target.read('a.json'))).toBe('before');
    clearDisk();
    await target.write('a.json', BIG.toString());
    expect((await target.read('a.json'))?.length).toBe(BIG.length);
  });

  test('a snapshot is not written, and the last good one stays', async () => {
    const dir = join(root, 'snapshot');
    await writeSnapshotFile(dir, [], 'first');
    fillDisk();
    await expect(writeSnapshotFile(dir, [], 'x'.repeat(100_000))).rejects.toMatchObject(FULL);
    expect(await readSnapshotFile(dir)).toMatchObject({ program: 'first' });
    expect(readdirSync(dir)).toHaveLength(1);
    clearDisk();
    await writeSnapshotFile(dir, [], 'second');
    expect(await readSnapshotFile(dir)).toMatchObject({ program: 'second' });
  });

  test('a decision log keeps whole lines, and goes on when there is space', async () => {
    const dir = join(root, 'decisions');
    const files = new DecisionLogFiles({
      dir,
      workerIndex: 0,
      retentionMs: 86_400_000,
      bytesMax: 1_000_000,
      nowMs: () => 1_700_000_000_000,
      log: silentLog,
    });
    const record = (name: string): string => JSON.stringify({ name, text: 'x'.repeat(3_000) });
    await files.append([record('first')], new Set());
    fillDisk(4_096);
    const many = Array.from({ length: 20 }, (_none, at) => record(`lost ${at}`));
    await expect(files.append(many, new Set())).rejects.toMatchObject(FULL);
    clearDisk();
    await files.append([record('second')], new Set());
    const [name = ''] = readdirSync(dir);
    const lines = readFileSync(join(dir, name), 'utf8').trimEnd().split('\n');
    expect(lines.map((line) => (JSON.parse(line) as { name: string }).name)).toEqual(['first', 'second']);
  });

  test('a backup fails, and never looks whole', async () => {
    const writer = new BackupWriter(join(root, 'backup'));
    await writer.write('first', 'whole');
    fillDisk(4_096);
    await expect(writer.write('second', BIG)).rejects.toMatchObject(FULL);
    expect(writer.files().map(({ path }) => path)).toEqual(['first']);
  });

  test('events are refused as unavailable; those that were accepted are in the spool, and it goes on when there is space', async () => {
    const spool = openSpool({
      dir: join(root, 'spool'),
      workerIndex: 0,
      nowMs: Date.now,
      log: silentLog,
      sealAfterMs: 60_000,
    });
    const append = (name: string) =>
      spool.append(encodeSpoolLine({ name, text: 'x'.repeat(1_000) }, null)).then(() => name);
    const accepted = [await append('before')];
    fillDisk(8_192);
    const tried = await Promise.allSettled(Array.from({ length: 100 }, (_none, at) => append(`full ${at}`)));
    for (const one of tried) if (one.status === 'fulfilled') accepted.push(one.value);
    const refused = tried.filter((one) => one.status === 'rejected');
    expect(refused.length).toBeGreaterThan(50);
    expect(refused.every(({ reason }) => (reason as { code: string }).code === 'unavailable')).toBe(true);
    clearDisk();
    await expect
      .poll(
        () =>
          append('after').then(
            () => true,
            () => false,
          ),
        { timeout: 20_000 },
      )
      .toBe(true);
    await spool.close();
    const names = listSpoolFiles(join(root, 'spool')).flatMap((file) =>
      splitLines(readFileSync(file.path).subarray(0, file.bytes)).map(
        (text) => (JSON.parse(decodeSpoolLine(text)?.row ?? '{}') as { name?: string }).name,
      ),
    );
    expect(accepted.filter((name) => !names.includes(name))).toEqual([]);
  });

  test('a counter is refused; those that were accepted are in the ledger after a restart, and it goes on when there is space', async () => {
    const dir = join(root, 'hot');
    const open = () => openLedger({ dir, nowMs: Date.now, log: silentLog });
    let ledger = open();
    const add = (key: string) => ledger.addToCounters([{ key, by: 1n, ttlMs: 3_600_000 }]).then(() => key);
    const accepted = [await add('before')];
    fillDisk(4_096);
    const tried: PromiseSettledResult<string>[] = [];
    for (let at = 0; at < 200; at += 1)
      tried.push(...(await Promise.allSettled([add(`full ${at} ${'x'.repeat(200)}`)])));
    for (const one of tried) if (one.status === 'fulfilled') accepted.push(one.value);
    expect(tried.filter(({ status }) => status === 'rejected').length).toBeGreaterThan(0);
    clearDisk();
    await expect
      .poll(
        () =>
          add('after').then(
            () => true,
            () => false,
          ),
        { timeout: 20_000 },
      )
      .toBe(true);
    await ledger.close();
    ledger = open();
    const values = await ledger.readCounters(accepted);
    expect(accepted.filter((_key, at) => values[at] === 0n)).toEqual([]);
    await ledger.close();
  });
});
