import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Liveness } from './liveness.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('a child that responds is pinged for ever', () => {
  let asked = 0;
  let hung = 0;
  const liveness: Liveness = new Liveness({
    everyMs: 2,
    missedMax: 2,
    ping: () => {
      asked += 1;
      liveness.recordPong();
    },
    onHung: () => {
      hung += 1;
    },
  });
  vi.advanceTimersByTime(60);
  liveness.stop();
  expect(asked).toBe(30);
  expect(hung).toBe(0);
});

test('a child that stops responding counts as hung once, after the stated number of pings', () => {
  let asked = 0;
  let hung = 0;
  const liveness = new Liveness({
    everyMs: 2,
    missedMax: 3,
    ping: () => void (asked += 1),
    onHung: () => void (hung += 1),
  });
  vi.advanceTimersByTime(60);
  liveness.stop();
  expect([asked, hung]).toEqual([3, 1]);
});
