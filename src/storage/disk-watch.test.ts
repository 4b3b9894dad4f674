import { describe, expect, test } from 'vitest';
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
  test('refuses what would leave less than its bound, and nothing once there is space again', async () => {
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

  test('refuses nothing while the figures cannot be read', async () => {
    const disk = watch({ bytes: null }, { nowMs: 0 });
    await disk.requireSpace(1e12);
    expect(disk.state).toEqual({ space: null, isLow: false });
  });
});
