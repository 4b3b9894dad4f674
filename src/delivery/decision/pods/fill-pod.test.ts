import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DRAW_SEED } from '../../../../test/support/draw-seed.ts';
import { bestByTryingAll, drawPod, worthOf } from '../../../../test/worlds/random-pod.ts';
import { fillPod } from './fill-pod.ts';
import { runsOf } from '../../../../test/support/longer-runs.ts';

const size = (slots: number, candidates: number, labels: number) =>
  fc.record({
    slots: fc.integer({ min: 1, max: slots }),
    candidates: fc.integer({ min: 0, max: candidates }),
    labels: fc.integer({ min: 0, max: labels }),
  });
/** Numbers of one seed. */
const drawsOf = (seed: number) => {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
};
const sorted = (filled: readonly number[]) => filled.toSorted((one, other) => one - other);
const seeds = fc.integer({ min: 0, max: 2 ** 31 });

test('the filling of a small pod is worth as much as the best of all fillings', () => {
  fc.assert(
    fc.property(size(4, 7, 2), seeds, (podSize, seed) => {
      const pod = drawPod(podSize, drawsOf(seed));
      expect(worthOf(pod, fillPod(pod))).toBe(bestByTryingAll(pod));
    }),
    { numRuns: runsOf(400), seed: DRAW_SEED },
  );
});

test('the filling of a large pod keeps every rule', () => {
  fc.assert(
    fc.property(size(20, 200, 10), seeds, (podSize, seed) => {
      const pod = drawPod(podSize, drawsOf(seed));
      expect(worthOf(pod, fillPod(pod))).not.toBeNull();
    }),
    { numRuns: runsOf(100), seed: DRAW_SEED },
  );
});

test('time is given to two short ads rather than one long ad of a higher price', () => {
  const option = (seconds: number, worth: number) => ({
    durationMs: seconds * 1_000,
    worths: [worth, worth],
    groups: [],
  });
  const pod = { sharedTimes: [0, 0], timesMs: [30_000], groupMax: [], options: [option(30, 9), option(15, 5)] };
  expect(fillPod(pod)).toEqual([0, -1]);
  expect(sorted(fillPod({ ...pod, options: [...pod.options, option(15, 5)] }))).toEqual([1, 2]);
});

test('the dearer of two competitors plays, and the next label fills the other slot', () => {
  const option = (worth: number, group: number) => ({ durationMs: 15_000, worths: [worth, worth], groups: [group] });
  const options = [option(9, 0), option(8, 0), option(2, 1)];
  const pod = { sharedTimes: [-1, -1], timesMs: [], groupMax: [1, 1], options };
  expect(sorted(fillPod(pod))).toEqual([0, 2]);
  expect(sorted(fillPod({ ...pod, groupMax: [2, 1] }))).toEqual([0, 1]);
});
