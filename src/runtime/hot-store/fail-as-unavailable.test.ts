import { expect, test } from 'vitest';
import { PlacardError } from '../../domain/errors.ts';
import { withinTime } from '../../domain/time/time-limit.ts';
import type { HotStore } from '../../storage/hot/hot-store.ts';
import { failAsUnavailable } from './fail-as-unavailable.ts';

const storeWith = (calls: Partial<HotStore>): HotStore => failAsUnavailable(calls as HotStore);

test('a call that fails is unavailable, with its cause', async () => {
  const cause = new Error('socket closed');
  const hot = storeWith({ readCounters: () => Promise.reject(cause) });
  await expect(hot.readCounters(['a'])).rejects.toMatchObject({ code: 'unavailable', cause });
});

test('results, results at once and errors in words stay as they are', async () => {
  const refusal = new PlacardError('overloaded');
  const hot = storeWith({
    readCounters: () => Promise.resolve([7n]),
    readCountersNow: () => [8n],
    ping: () => Promise.reject(refusal),
  });
  expect([await hot.readCounters(['a']), hot.readCountersNow(['a'])]).toEqual([[7n], [8n]]);
  await expect(hot.ping()).rejects.toBe(refusal);
});

test('a call that takes too long is unavailable', async () => {
  const never = new Promise<never>(() => {});
  const atOnce = (_delayMs: number, run: () => void): (() => void) => {
    queueMicrotask(run);
    return () => {};
  };
  await expect(withinTime(never, 250, atOnce)).rejects.toMatchObject({ code: 'unavailable' });
});
