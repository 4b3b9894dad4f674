import { expect, test } from 'vitest';
import { defaultRestartLimits, RestartPolicy } from './restart-policy.ts';

/** Crashes one after the other, each `aliveMs` after its start; gives the delays. */
function crashes(count: number, aliveMs: number, wasEverReady = true): (number | null)[] {
  const policy = new RestartPolicy(defaultRestartLimits);
  let nowMs = 1_000;
  return Array.from({ length: count }, () => {
    const startedAtMs = nowMs;
    nowMs += aliveMs;
    const delayMs = policy.recordCrash(startedAtMs, nowMs, wasEverReady);
    nowMs += delayMs ?? 0;
    return delayMs;
  });
}

test('what was ready starts again at once, then after 250 ms to 30 s; the tenth crash in five minutes is the last', () => {
  expect(crashes(10, 0)).toEqual([0, 250, 500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, null]);
});

test('what was ready for a minute starts again at once', () => {
  expect(crashes(4, 60_000)).toEqual([0, 0, 0, 0]);
});

test('crashes outside of the window do not add up', () => {
  expect(crashes(40, 45_000).at(-1)).toBe(30_000);
});

test('what was never ready is given up at its third crash', () => {
  expect(crashes(3, 0, false)).toEqual([250, 500, null]);
});
