import { expect, test } from 'vitest';
import { CountingHotStore } from '../fixtures/counting-hot-store.ts';
import { dailyKey, usedKey } from './daily-quota.ts';
import { readUse, resetUse } from './limit-use.ts';
import { quotaName } from './request-limits.ts';

const NOW_MS = Date.parse('2026-11-22T10:00:00Z');
const QUOTA = { workspaceId: 7, limit: 'events' } as const;
const NAME = quotaName(7, 'events');

/** A store that responds to each call a turn of the event loop later, with units taken and used today. */
async function openStore(taken: number, used: number): Promise<CountingHotStore> {
  const hot = new CountingHotStore();
  await hot.addToCounters([
    { key: dailyKey(NAME, NOW_MS), by: BigInt(taken), ttlMs: 1_000 },
    { key: usedKey(NAME, NOW_MS), by: BigInt(used), ttlMs: 1_000 },
  ]);
  hot.delay = () => new Promise((resolve) => setImmediate(resolve));
  return hot;
}

test('a reset subtracts used units and leaves the leases of processes alone', async () => {
  const hot = await openStore(120, 100);
  expect(await resetUse(hot.asHotStore(), QUOTA, NOW_MS)).toBe(100);
  expect(await readUse(hot.asHotStore(), 7, NOW_MS)).toMatchObject({ events: 0 });
  expect(hot.valueOf(dailyKey(NAME, NOW_MS))).toBe(20);
});

test('ten resets at the same instant subtract once', async () => {
  const hot = await openStore(120, 100);
  await Promise.all(Array.from({ length: 10 }, () => resetUse(hot.asHotStore(), QUOTA, NOW_MS)));
  expect([hot.valueOf(usedKey(NAME, NOW_MS)), hot.valueOf(dailyKey(NAME, NOW_MS))]).toEqual([0, 20]);
});

test('a later reset subtracts what was used since', async () => {
  const hot = await openStore(120, 100);
  await resetUse(hot.asHotStore(), QUOTA, NOW_MS);
  await hot.addToCounters([{ key: usedKey(NAME, NOW_MS), by: 5n, ttlMs: 1_000 }]);
  expect(await resetUse(hot.asHotStore(), QUOTA, NOW_MS + 1)).toBe(5);
  expect(hot.valueOf(usedKey(NAME, NOW_MS))).toBe(0);
});
