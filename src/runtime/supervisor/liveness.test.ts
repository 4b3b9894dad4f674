import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Liveness } from './liveness.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('a child that answers is asked for ever', () => {
  let asked = 0;
  let hung = 0;
  const liveness: Liveness = new Liveness({
    everyMs: 2,
    unansweredMax: 2,
    ask: () => {
      asked += 1;
      liveness.answered();
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

test('a child that stops answering is taken for hung once, after so many questions', () => {
  let asked = 0;
  let hung = 0;
  const liveness = new Liveness({
    everyMs: 2,
    unansweredMax: 3,
    ask: () => void (asked += 1),
    onHung: () => void (hung += 1),
  });
  vi.advanceTimersByTime(60);
  liveness.stop();
  expect([asked, hung]).toEqual([3, 1]);
});
