import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Liveness, OwnTimeLimit } from './liveness.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A watched child: it uses `shareUsed` of the time that passes. */
function watchChild({
  responds,
  shareUsed,
  shareWaited = 0,
}: {
  responds: boolean;
  shareUsed: number | null;
  shareWaited?: number;
}) {
  const seen = { pings: 0, hung: 0 };
  const liveness: Liveness = new Liveness({
    everyMs: 2,
    busyMsMax: 10,
    missedMax: 20,
    ping: () => {
      seen.pings += 1;
      if (responds) liveness.recordPong();
    },
    usedMs: () => (shareUsed === null ? null : Date.now() * shareUsed),
    waitedMs: () => Date.now() * shareWaited,
    onHung: () => void (seen.hung += 1),
  });
  vi.advanceTimersByTime(60);
  liveness.stop();
  return seen;
}

test('a child that responds is pinged for ever, however busy it is', () => {
  expect(watchChild({ responds: true, shareUsed: 1 })).toEqual({ pings: 30, hung: 0 });
});

test('a child that is busy and does not respond counts as hung once it has used its time', () => {
  expect(watchChild({ responds: false, shareUsed: 1 })).toEqual({ pings: 4, hung: 1 });
});

test('a child that hardly runs is not hung: it gets more time for the same use of the processor', () => {
  expect(watchChild({ responds: false, shareUsed: 0.3 })).toEqual({ pings: 16, hung: 1 });
});

test.each([[0], [null]])(
  'a child that uses %s of the processor counts as hung after the stated number of pings',
  (shareUsed) => {
    expect(watchChild({ responds: false, shareUsed })).toEqual({ pings: 20, hung: 1 });
  },
);

test('a child that waits for a processor most of the time is not hung, however long that takes', () => {
  expect(watchChild({ responds: false, shareUsed: 0.05, shareWaited: 0.9 })).toEqual({ pings: 30, hung: 0 });
});

/** When a limit of 100 ms is over for a process that waits for a processor for a share of the time; null: not within 10 s. */
function overAfterMs(shareWaited: number | null, refreshAtMs?: number): number | null {
  const startMs = Date.now();
  let overMs: number | null = null;
  const limit = new OwnTimeLimit({
    limitMs: 100,
    waitedMs: () => (shareWaited === null ? null : Date.now() * shareWaited),
    onOver: () => (overMs = Date.now() - startMs),
  });
  if (refreshAtMs !== undefined) setTimeout(() => limit.refresh(), refreshAtMs);
  vi.advanceTimersByTime(10_000);
  limit.stop();
  return overMs;
}

test('the time that a process waits for a processor does not count', () => {
  expect(overAfterMs(null)).toBe(100);
  expect(overAfterMs(0.01)).toBe(100);
  expect(overAfterMs(0.5)).toBeGreaterThanOrEqual(180);
  expect(overAfterMs(0.5)).toBeLessThanOrEqual(200);
  expect(overAfterMs(0.95)).toBeGreaterThanOrEqual(1_500);
});

test('progress begins the time again, and a limit that was stopped never ends', () => {
  expect(overAfterMs(0, 60)).toBe(160);
  const onOver = vi.fn();
  new OwnTimeLimit({ limitMs: 100, waitedMs: () => 0, onOver }).stop();
  vi.advanceTimersByTime(1_000);
  expect(onOver).not.toHaveBeenCalled();
});
