import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseChildMessage, parseParentMessage } from './messages.ts';
import { parseThreadTimes, waitShareOf } from './worker-load.ts';

test('times of a thread are read from the first two numbers of schedstat', () => {
  expect(parseThreadTimes('1123726 856134 4\n')).toEqual({ ranNs: 1_123_726, waitedNs: 856_134 });
  expect(parseThreadTimes('')).toBeNull();
  expect(parseThreadTimes('12\n')).toBeNull();
});

test('the wait of a thread is the part of the needed time in which it had no core', () => {
  const before = { ranNs: 1e9, waitedNs: 1e9 };
  expect(waitShareOf(before, { ranNs: 1.3e9, waitedNs: 1.1e9 }, 500)).toBeCloseTo(0.25);
  expect(waitShareOf(before, before, 500)).toBe(0);
});

test('a thread that needed less than a twentieth of a core has no wait', () => {
  const none = { ranNs: 0, waitedNs: 0 };
  expect(waitShareOf(none, { ranNs: 1e6, waitedNs: 23e6 }, 500)).toBe(0);
  expect(waitShareOf(none, { ranNs: 1e6, waitedNs: 25e6 }, 500)).toBeGreaterThan(0.8);
});

test('the wait of a thread is always between none and all', () => {
  const times = fc.record({ ranNs: fc.nat(), waitedNs: fc.nat() });
  fc.assert(
    fc.property(times, times, fc.nat(10_000), (before, after, elapsedMs) => {
      const share = waitShareOf(before, after, elapsedMs);
      expect(share).toBeGreaterThanOrEqual(0);
      expect(share).toBeLessThanOrEqual(1);
    }),
  );
});

test('the load of a worker passes the supervisor unchanged, and anything else is dropped', () => {
  const message = { type: 'workerLoad', workerIndex: 3, load: { lagMs: 1.5, waitShare: null } };
  expect(parseChildMessage(message)).toEqual(message);
  expect(parseParentMessage(message)).toEqual(message);
  expect(parseParentMessage({ ...message, load: { lagMs: '1', waitShare: null } })).toBeNull();
  expect(parseChildMessage({ ...message, load: null })).toBeNull();
});
