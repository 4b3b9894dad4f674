import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Liveness } from './liveness.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A watched child: it uses `shareUsed` of the time that passes. */
function watchChild({ responds, shareUsed }: { responds: boolean; shareUsed: number | null }) {
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
