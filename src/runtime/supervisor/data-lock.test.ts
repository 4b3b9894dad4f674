import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createTestFolder } from '../../../test/support/stores.ts';
import { acquireDataLock, acquireHotStoreLock, DataFolderLockedError } from './data-lock.ts';

let folder: ReturnType<typeof createTestFolder>;
let path: string;
beforeEach(() => {
  folder = createTestFolder();
  path = join(folder.dir, 'placard.pid');
});
afterEach(() => folder.remove());

/** A lock of a process on another machine, which shares the folder. */
function lockElsewhere(): void {
  const holder = { pid: 7, identity: '00000000-boot:123', space: '00000000-boot pid:[1]', host: 'other-host' };
  writeFileSync(path, JSON.stringify({ ...holder, since: '2026-11-30T00:00:00.000Z' }));
}

/** Touches the lock from a thread, since the test waits in a blocking call. */
function touchElsewhere(): Worker {
  const code = `
    const { utimesSync } = require('node:fs');
    setInterval(() => utimesSync(${JSON.stringify(path)}, new Date(), new Date()), 200);`;
  return new Worker(code, { eval: true });
}

test('a folder whose holder runs on another machine is refused with its host and start', async () => {
  lockElsewhere();
  const holder = touchElsewhere();
  try {
    await new Promise((resolve) => holder.once('online', resolve));
    expect(() => acquireDataLock(folder.dir)).toThrow(
      /is in use by a running placard \(process 7 on the machine or in the container other-host, since 2026-11-30T00:00:00\.000Z\)/,
    );
    expect(() => acquireDataLock(folder.dir)).toThrow(DataFolderLockedError);
  } finally {
    await holder.terminate();
  }
});

test('a lock from before this machine was started again, or of a hot store elsewhere, is taken over without a look', () => {
  const before = {
    pid: 7,
    identity: '00000000-boot:123',
    space: '00000000-boot pid:[1]',
    since: '2026-11-30T00:00:00.000Z',
  };
  const wait = vi.spyOn(Atomics, 'wait');
  writeFileSync(path, JSON.stringify({ ...before, host: hostname() }));
  acquireDataLock(folder.dir).release();
  mkdirSync(join(folder.dir, 'run'));
  writeFileSync(join(folder.dir, 'run', 'hot-store.pid'), JSON.stringify({ ...before, host: 'other-host' }));
  acquireHotStoreLock(folder.dir).release();
  expect(wait).not.toHaveBeenCalled();
  wait.mockRestore();
});

test('a lock that nobody on another machine touches any more is taken over, and touched by its new holder', async () => {
  lockElsewhere();
  const lock = acquireDataLock(folder.dir);
  expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({ pid: process.pid });
  const before = statSync(path).mtimeMs;
  await expect.poll(() => statSync(path).mtimeMs, { timeout: 20_000 }).toBeGreaterThan(before);
  lock.release();
});
