import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { silentLog } from '../../../test/support/stores.ts';
import { describeEventCounts } from './fixtures/event-counts-contract.ts';
import { describeHotStore } from './fixtures/hot-contract.ts';
import { openRedisHotStore } from './redis-hot-store.ts';

const url = process.env['PLACARD_TEST_REDIS_URL'] ?? 'redis://127.0.0.1:6379';
const keyPrefix = `placard-test-${process.pid}-`;

describeHotStore('Redis', {
  open: () => openRedisHotStore({ url, log: silentLog, keyPrefix }),
  advance: (ms) => sleep(ms),
});

describeEventCounts('Redis', {
  open: () => openRedisHotStore({ url, log: silentLog, keyPrefix }),
  advance: (ms) => sleep(ms),
});

test('two connections that claim the same keys at once count each once', async () => {
  const stores = [1, 2].map(() => openRedisHotStore({ url, log: silentLog, keyPrefix }));
  const ops = Array.from({ length: 2_000 }, (_one, at) => ({
    key: `claim-${at}`,
    value: 'v',
    ttlMs: 20_000,
    increments: [{ key: 'claimed', by: 1n, ttlMs: 20_000 }],
  }));
  await Promise.all(stores.map((store) => store.applyOnceAll(ops)));
  expect(await stores[0]?.readCounters(['claimed'])).toEqual([2_000n]);
  await Promise.all(stores.map((store) => store.close()));
});

test('an unavailable Redis makes operations fail, not hang', async () => {
  const store = openRedisHotStore({ url: 'redis://127.0.0.1:9', log: silentLog });
  await expect(store.get('k')).rejects.toThrow();
  await store.close();
});
