import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ReportShare, restMsAt, runningAt, SHARE_RULE, type WorkerLoad } from './report-share.ts';

const LATE: WorkerLoad = { lagMs: 1, waitShare: SHARE_RULE.lateWaitShare };
const BETWEEN: WorkerLoad = { lagMs: 1, waitShare: (SHARE_RULE.lateWaitShare + SHARE_RULE.calmWaitShare) / 2 };
const CALM: WorkerLoad = { lagMs: 1, waitShare: SHARE_RULE.calmWaitShare };

function bench() {
  let nowMs = 0;
  const share = new ReportShare(() => nowMs);
  const step = (load: WorkerLoad, times = 1, worker = 0): number => {
    for (let time = 0; time < times; time += 1) {
      nowMs += SHARE_RULE.stepMs;
      share.record(worker, load);
    }
    return share.value;
  };
  const wait = (ms: number): number => {
    nowMs += ms;
    return share.value;
  };
  return { share, step, wait };
}

describe('the share of reports', () => {
  test('the share halves with each late step and stays at its floor', () => {
    const { step } = bench();
    expect([step(LATE), step(LATE), step(LATE), step(LATE), step(LATE)]).toEqual([0.5, 0.25, 0.125, 0.125, 0.125]);
  });

  test('the share is full again some time after all workers are on time', () => {
    const { step } = bench();
    step(LATE, 10);
    const calmSteps = SHARE_RULE.calmMs / SHARE_RULE.stepMs;
    expect(step(CALM, calmSteps)).toBe(SHARE_RULE.floor);
    expect(step(CALM, 1)).toBeCloseTo(SHARE_RULE.floor + SHARE_RULE.rise);
    expect(step(CALM, Math.ceil(1 / SHARE_RULE.rise))).toBe(1);
  });

  test('the share stays between late and on time', () => {
    const { step } = bench();
    step(LATE, 2);
    expect(step(BETWEEN, 50)).toBe(0.25);
    expect(step(CALM, 4)).toBe(0.25);
    expect(step(BETWEEN)).toBe(0.25);
    expect(step(CALM, 4)).toBe(0.25);
  });

  test('one late worker is enough, and a worker that is gone no longer counts', () => {
    const { share, step, wait } = bench();
    step(CALM, 1, 1);
    expect(step(LATE, 1, 2)).toBe(0.5);
    expect(share.worst).toEqual(LATE);
    expect(wait(SHARE_RULE.staleMs + 1)).toBe(1);
    expect(share.worst).toBeNull();
  });

  test('the lag of the event loop decides where the wait is not known', () => {
    const { step } = bench();
    expect(step({ lagMs: SHARE_RULE.lateLagMs - 1, waitShare: null }, 5)).toBe(1);
    expect(step({ lagMs: SHARE_RULE.lateLagMs, waitShare: null })).toBe(0.5);
  });

  test('a worker that is busy with its own work alone leaves reports alone', () => {
    const { step } = bench();
    expect(step({ lagMs: 500, waitShare: 0 }, 5)).toBe(1);
  });

  test('listeners learn of each change, with the share before', () => {
    const { share, step } = bench();
    const changes: [number, number][] = [];
    share.watch((after, before) => void changes.push([after, before]));
    step(LATE, 2);
    step(BETWEEN, 3);
    expect(changes).toEqual([
      [0.5, 1],
      [0.25, 0.5],
    ]);
  });

  test('the share never leaves its bounds, never falls while all are on time, and never rises while one is late', () => {
    const load = fc.record({
      lagMs: fc.double({ min: 0, max: 1e4, noNaN: true }),
      waitShare: fc.option(fc.double({ min: 0, max: 1, noNaN: true }), { nil: null }),
    });
    const sample = fc.record({ load, worker: fc.nat(3), afterMs: fc.nat(3_000) });
    fc.assert(
      fc.property(fc.array(sample, { maxLength: 200 }), (samples) => {
        let nowMs = 0;
        const share = new ReportShare(() => nowMs);
        let changedAtMs = Number.NEGATIVE_INFINITY;
        for (const { load: one, worker, afterMs } of samples) {
          nowMs += afterMs;
          const before = share.value;
          share.record(worker, one);
          const after = share.value;
          expect(after).toBeGreaterThanOrEqual(SHARE_RULE.floor);
          expect(after).toBeLessThanOrEqual(1);
          expect(after).toBeGreaterThanOrEqual(before / 2);
          expect(after).toBeLessThanOrEqual(before + SHARE_RULE.rise);
          const isLate =
            one.waitShare === null ? one.lagMs >= SHARE_RULE.lateLagMs : one.waitShare >= SHARE_RULE.lateWaitShare;
          if (isLate) expect(after).toBeLessThanOrEqual(before);
          const isCalm =
            one.waitShare === null ? one.lagMs <= SHARE_RULE.calmLagMs : one.waitShare <= SHARE_RULE.calmWaitShare;
          if (isCalm && worker === 0 && samples.every((all) => all.worker === 0)) {
            expect(after).toBeGreaterThanOrEqual(before);
          }
          if (after !== before) {
            expect(nowMs - changedAtMs).toBeGreaterThanOrEqual(SHARE_RULE.stepMs);
            changedAtMs = nowMs;
          }
        }
      }),
    );
  });
});

test('at least one statement runs at any share, and all of them at full speed', () => {
  fc.assert(
    fc.property(fc.double({ min: 0.0001, max: 1, noNaN: true }), fc.integer({ min: 1, max: 100 }), (share, max) => {
      const running = runningAt(share, max);
      expect(running).toBeGreaterThanOrEqual(1);
      expect(running).toBeLessThanOrEqual(max);
      expect(runningAt(1, max)).toBe(max);
    }),
  );
});

test('rests are bounded, and there are none above a quarter of the full speed', () => {
  fc.assert(
    fc.property(
      fc.double({ min: 0.0001, max: 1, noNaN: true }),
      fc.double({ min: 0, max: 1e9, noNaN: true }),
      (share, took) => {
        const restMs = restMsAt(share, took);
        expect(restMs).toBeGreaterThanOrEqual(0);
        expect(restMs).toBeLessThanOrEqual(2_000);
        if (share >= 0.25) expect(restMs).toBe(0);
      },
    ),
  );
  expect(restMsAt(1 / 16, 100)).toBe(300);
});
