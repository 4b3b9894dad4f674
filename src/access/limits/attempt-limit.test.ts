import { expect, test } from 'vitest';
import { MemoryHotStore } from '../../../test/simulation/memory-hot-store.ts';
import { AttemptLimit, type AttemptRule } from './attempt-limit.ts';

const NOW_MS = Date.parse('2026-11-20T10:00:00Z');
const RULE: AttemptRule = { purpose: 'code', max: 10, windowMs: 300_000, message: 'Too many codes' };

/** A store that fails while `isDown`. */
function failingStore() {
  const hot = new MemoryHotStore(() => NOW_MS);
  const store = { isDown: false, hot };
  const addToCounters = hot.addToCounters.bind(hot);
  hot.addToCounters = (increments) =>
    store.isDown ? Promise.reject(new Error('The store is down')) : addToCounters(increments);
  return store;
}

async function guess(limit: AttemptLimit, times: number): Promise<number> {
  let allowed = 0;
  for (let time = 0; time < times; time += 1) if ((await limit.begin('member')).error === null) allowed += 1;
  return allowed;
}

test('a process counts on from the shared count when the hot store fails', async () => {
  const store = failingStore();
  const limit = new AttemptLimit({ hot: store.hot, nowMs: () => NOW_MS }, RULE);
  expect(await guess(limit, 7)).toBe(7);
  store.isDown = true;
  expect(await guess(limit, 20)).toBe(3);
  store.isDown = false;
  expect(await guess(limit, 20), 'what the store never took').toBe(3);
  store.isDown = true;
  expect(await guess(limit, 20)).toBe(0);
});

test('tries that succeed use nothing up, with and without the hot store', async () => {
  const store = failingStore();
  const limit = new AttemptLimit({ hot: store.hot, nowMs: () => NOW_MS }, RULE);
  for (const isDown of [false, true, false, true]) {
    store.isDown = isDown;
    for (let time = 0; time < 30; time += 1) {
      const begun = await limit.begin('member');
      expect(begun.error).toBeNull();
      await begun.forgive();
    }
  }
});
