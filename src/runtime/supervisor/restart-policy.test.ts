import { expect, test } from 'vitest';
import { defaultRestartLimits, RestartPolicy } from './restart-policy.ts';

/** Crashes one after the other, each `aliveMs` after its start; gives the delays. */
function crashes(count: number, aliveMs: number, wasReady = true): (number | null)[] {
  const policy = new RestartPolicy(defaultRestartLimits);
  let nowMs = 1_000;
  return Array.from({ length: count }, () => {
    const startedAtMs = nowMs;
    nowMs += aliveMs;
    const delayMs = policy.recordCrash(startedAtMs, nowMs, { wasReady, wasEverReady: wasReady });
    nowMs += delayMs ?? 0;
    return delayMs;
  });
}

test('a process that was ready starts again at once three times, then after waits of 250 ms to 30 s, and is never given up', () => {
  const delays = crashes(1_000, 0);
  expect(delays.slice(0, 12)).toEqual([0, 0, 0, 250, 500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
  expect(new Set(delays.slice(12))).toEqual(new Set([30_000]));
});

test('a process that crashes before it is ready starts again after a wait, even if one before it was ready', () => {
  const policy = new RestartPolicy(defaultRestartLimits);
  expect(policy.recordCrash(0, 1_000, { wasReady: true, wasEverReady: true })).toBe(0);
  expect(policy.recordCrash(1_000, 1_100, { wasReady: false, wasEverReady: true })).toBe(250);
  expect(policy.recordCrash(1_350, 1_400, { wasReady: false, wasEverReady: true })).toBe(500);
});

test('a child that was ready for a minute starts again at once', () => {
  expect(crashes(4, 60_000)).toEqual([0, 0, 0, 0]);
});

test('a child that was never ready is not abandoned when its crashes are further apart than the window', () => {
  expect(crashes(40, 160_000, false)).not.toContain(null);
});

test('a child that was never ready is abandoned at its third crash', () => {
  expect(crashes(3, 0, false)).toEqual([250, 500, null]);
});
