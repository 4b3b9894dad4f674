import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { silentLog } from '../../test/support/stores.ts';
import { DiskWatch } from './disk-watch.ts';

function watch(free: { bytes: number | null }, clock: { nowMs: number }): DiskWatch {
  return new DiskWatch({
    dir: '/data',
    lowBytes: 1_000,
    log: silentLog,
    nowMs: () => clock.nowMs,
    read: async () => {
      if (free.bytes === null) throw new Error('no figures');
      return { freeBytes: free.bytes, totalBytes: 10_000 };
    },
  });
}

describe('disk watch', () => {
  test('disk watch refuses writes that would leave less than its bound, and accepts them once there is space again', async () => {
    const clock = { nowMs: 0 };
    const free = { bytes: 1_500 as number | null };
    const disk = watch(free, clock);
    await disk.requireSpace(500);
    await expect(disk.requireSpace(501)).rejects.toMatchObject({ code: 'disk_space_low' });
    free.bytes = 999;
    clock.nowMs += 1_000;
    await expect(disk.requireSpace()).rejects.toMatchObject({ code: 'disk_space_low' });
    expect(disk.state).toEqual({ space: { freeBytes: 999, totalBytes: 10_000 }, isLow: true });
    free.bytes = 1_000;
    clock.nowMs += 1_000;
    await disk.requireSpace();
    expect(disk.state.isLow).toBe(false);
  });

  test('disk watch refuses nothing while the figures cannot be read', async () => {
    const disk = watch({ bytes: null }, { nowMs: 0 });
    await disk.requireSpace(1e12);
    expect(disk.state).toEqual({ space: null, isLow: false });
  });
});

/** A file system of 8 MB; null where this process may not mount one. */
function mountSmall(): string | null {
  const dir = mkdtempSync(join(tmpdir(), 'placard-small-'));
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=8m', 'tmpfs', dir]).status === 0;
  if (!mounted) rmSync(dir, { recursive: true });
  return mounted ? dir : null;
}

const small = mountSmall();
afterAll(() => {
  if (small === null) return;
  spawnSync('umount', [small]);
  rmSync(small, { recursive: true });
});

test.skipIf(small === null)('disk watch follows a real file system that fills up and is cleared', async () => {
  const dir = small ?? '';
  let nowMs = 0;
  const disk = new DiskWatch({ dir, lowBytes: 3_000_000, log: silentLog, nowMs: () => (nowMs += 1_000) });
  await disk.requireSpace(1_000_000);
  writeFileSync(join(dir, 'spool'), Buffer.alloc(6_000_000));
  await expect(disk.requireSpace()).rejects.toMatchObject({ code: 'disk_space_low' });
  // The space below the bound is still there for events.
  writeFileSync(join(dir, 'more'), Buffer.alloc(1_000_000));
  rmSync(join(dir, 'spool'));
  await disk.requireSpace(1_000_000);
  expect(disk.state.isLow).toBe(false);
});
