import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { listSpoolFiles, newSpoolFileName, spoolFilePath } from './spool-files.ts';

/** Seals a file and opens it again, until it is told to stop. */
const RENAME = `
const { renameSync } = require('node:fs');
const { workerData: { open, sealed, stop } } = require('node:worker_threads');
const isStopped = new Int32Array(stop);
while (Atomics.load(isStopped, 0) === 0) {
  renameSync(open, sealed);
  renameSync(sealed, open);
  Atomics.wait(isStopped, 0, 0, 1);
}`;

test('a file that is sealed while its folder is read is listed', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'placard-'));
  const fileId = newSpoolFileName(Date.now(), null);
  const open = spoolFilePath(dir, fileId, 'open', 0);
  writeFileSync(open, 'line\n');
  const stop = new SharedArrayBuffer(4);
  const workerData = { open, sealed: spoolFilePath(dir, fileId, 'sealed', 5), stop };
  const worker = new Worker(RENAME, { eval: true, workerData });
  const ended = new Promise((resolve) => worker.once('exit', resolve));
  await new Promise((resolve) => worker.once('online', resolve));
  const counts = Array.from({ length: 20_000 }, () => listSpoolFiles(dir).length);
  Atomics.store(new Int32Array(stop), 0, 1);
  await ended;
  rmSync(dir, { recursive: true });
  expect(counts.filter((count) => count !== 1)).toEqual([]);
});
