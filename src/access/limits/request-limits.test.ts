import { expect, test } from 'vitest';
import { silentLog } from '../../../test/support/stores.ts';
import type { WorkspaceRecord } from '../keys/directory-data.ts';
import { CountingHotStore } from '../fixtures/counting-hot-store.ts';
import { LedgerLimits } from './request-limits.ts';

const NOON_MS = 20_000 * 86_400_000 + 43_200_000;

test('the reported use of daily limits covers all processes and leaves out their leases', async () => {
  const hot = new CountingHotStore();
  const newLimits = () =>
    new LedgerLimits({ hot: hot.asHotStore(), log: silentLog, processes: 2, nowMs: () => NOON_MS });
  const [one, other] = [newLimits(), newLimits()];
  const workspace = { workspaceId: 7, limits: { management: 100 } } as WorkspaceRecord;
  for (const limits of [one, other, one]) await limits.admit(workspace, 'management');
  await other.admit({ ...workspace, workspaceId: 8 }, 'management');
  for (const limits of [one, other]) limits.start();
  await expect.poll(async () => (await one.readDailyUse(workspace))[0]?.used).toBe(3);
  expect(await other.readDailyUse(workspace)).toEqual([
    { name: 'management', limit: 100, used: 3, resetsAtMs: 20_001 * 86_400_000 },
    { name: 'reports', limit: 500_000, used: 0, resetsAtMs: 20_001 * 86_400_000 },
    { name: 'events', limit: 50_000_000, used: 0, resetsAtMs: 20_001 * 86_400_000 },
  ]);
  await Promise.all([one, other].map((limits) => limits.stop()));
});

test('a clock that is set ahead and back refuses requests for a moment at most, and counts them in the right day', async () => {
  let nowMs = NOON_MS;
  const limits = new LedgerLimits({
    hot: new CountingHotStore().asHotStore(),
    log: silentLog,
    processes: 1,
    nowMs: () => nowMs,
  });
  limits.start();
  const workspace = { workspaceId: 7, limits: { ads: 5, management: 3 } } as WorkspaceRecord;
  const admitted = async (limit: 'ads' | 'management'): Promise<boolean> =>
    (await limits.admit(workspace, limit)).admitted;
  nowMs += 400 * 86_400_000;
  for (let times = 0; times < 10; times += 1) for (const limit of ['ads', 'management'] as const) await admitted(limit);
  // The limits look at the clock a few times a second.
  await new Promise((resolve) => setTimeout(resolve, 600));
  nowMs = NOON_MS;
  await expect.poll(() => admitted('ads')).toBe(true);
  await expect.poll(() => admitted('management')).toBe(true);
  expect(await limits.readDailyUse(workspace)).toMatchObject([
    { name: 'management', resetsAtMs: 20_001 * 86_400_000 },
    {},
    {},
  ]);
  await expect.poll(async () => (await limits.readDailyUse(workspace))[0]?.used).toBeGreaterThan(0);
  await limits.stop();
});
