import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { SILENT_LOG } from '../domain/log/log.ts';
import { ScheduledBackup, type ScheduledBackupDeps } from './scheduled-backup.ts';

const DAY_MS = 86_400_000;
const START_MS = Date.UTC(2026, 10, 1, 3, 15, 0);
let dir: string;
let nowMs: number;

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'scheduled-'));
  nowMs = START_MS;
});
afterEach(() => rmSync(dir, { recursive: true }));

const writeWhole: ScheduledBackupDeps['write'] = (folder) => {
  mkdirSync(folder);
  writeFileSync(join(folder, 'manifest.json'), '{}');
  return Promise.resolve();
};

const open = (deps: Partial<ScheduledBackupDeps> = {}): ScheduledBackup =>
  new ScheduledBackup({ location: dir, keep: 3, write: writeWhole, nowMs: () => nowMs, log: SILENT_LOG, ...deps });

const names = (): string[] => readdirSync(dir).sort();

test('the newest backups stay, and what is not of this job', async () => {
  mkdirSync(join(dir, 'before-the-upgrade'));
  writeFileSync(join(dir, '2020-01-01T000000Z.txt'), 'a note');
  const job = open();
  for (let day = 0; day < 5; day += 1) {
    nowMs = START_MS + day * DAY_MS;
    await job.run();
  }
  expect(names()).toEqual([
    '2020-01-01T000000Z.txt',
    '2026-11-03T031500Z',
    '2026-11-04T031500Z',
    '2026-11-05T031500Z',
    'before-the-upgrade',
  ]);
});

test('a backup that fails deletes none, and its rest goes with the next good one', async () => {
  const job = open();
  await job.run();
  nowMs += DAY_MS;
  const failing = open({
    keep: 1,
    write: (folder) => {
      mkdirSync(folder);
      return Promise.reject(new Error('the disk is full'));
    },
  });
  await expect(failing.run()).rejects.toThrow('the disk is full');
  expect(names()).toEqual(['2026-11-01T031500Z', '2026-11-02T031500Z']);
  nowMs += DAY_MS;
  await job.run();
  expect(names()).toEqual(['2026-11-01T031500Z', '2026-11-03T031500Z']);
});

test('a backup for a bucket gets its address, and nothing of the bucket is deleted', async () => {
  const written: string[] = [];
  const write: ScheduledBackupDeps['write'] = (location) => {
    written.push(location);
    return Promise.resolve();
  };
  await open({ location: 'https://s3.example/backups/placard/', write }).run();
  expect(written).toEqual(['https://s3.example/backups/placard/2026-11-01T031500Z']);
});

test('a stop ends the backup that is being written', async () => {
  const { promise: began, resolve } = Promise.withResolvers<void>();
  const job = open({
    write: (_location, signal) =>
      new Promise((_done, reject) => {
        signal.addEventListener('abort', () => reject(new Error('ended')));
        resolve();
      }),
  });
  const run = job.run();
  await began;
  await job.stop();
  await expect(run).rejects.toThrow('ended');
});
