import { expect, test } from 'vitest';
import { type ObservedCall, silentMs, surelyAdmittedWithin } from './fixtures/observed-calls.ts';

const call = (sentMs: number, completedMs: number, more: Partial<ObservedCall> = {}): ObservedCall => ({
  worker: 0,
  sentMs,
  completedMs,
  admitted: true,
  ...more,
});

test('a call counts in a second only when it was sent and completed in it, and admitted', () => {
  const late = call(10, 1_050);
  const refused = call(20, 30, { admitted: false });
  expect(surelyAdmittedWithin([call(0, 5), late, refused, call(995, 1_000)], 1_000)).toBe(2);
  expect(surelyAdmittedWithin([late, call(995, 1_000), call(996, 1_009), call(1_049, 1_050)], 1_000)).toBe(3);
  expect(surelyAdmittedWithin([call(0, 5), call(1_001, 1_002)], 1_000)).toBe(1);
  expect(surelyAdmittedWithin([], 1_000)).toBe(0);
});

test('an excess call is found wherever its second begins', () => {
  const spread = Array.from({ length: 300 }, (_none, at) => call(at * 10, at * 10 + 4));
  expect(surelyAdmittedWithin(spread, 1_000)).toBe(100);
  expect(surelyAdmittedWithin([...spread, call(1_702, 1_703)], 1_000)).toBe(101);
});

test('silence is the longest gap of a worker beyond the gaps of a steady load', () => {
  const steady = Array.from({ length: 99 }, (_none, at) => call(at * 10, at * 10 + 10));
  const span = { fromMs: 0, untilMs: 1_000, gapMs: 10 };
  expect(silentMs(steady, span)).toBe(0);
  const gone = steady.filter(({ completedMs }) => completedMs <= 400 || completedMs >= 600);
  expect(silentMs([...steady, ...gone.map((one) => ({ ...one, worker: 1 }))], span)).toBe(190);
});
