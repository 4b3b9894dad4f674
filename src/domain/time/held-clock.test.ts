import fc from 'fast-check';
import { beforeEach, expect, test } from 'vitest';
import { heldClock } from './held-clock.ts';

const START_MS = 1_700_000_000_000;
let wallMs = START_MS;
let monotonicMs = 5_000;
let sleptMs = 0;
let clock: () => number;

beforeEach(() => {
  wallMs = START_MS;
  monotonicMs = 5_000;
  sleptMs = 0;
  clock = heldClock({ wallMs: () => wallMs, monotonicMs: () => monotonicMs, bootMs: () => monotonicMs + sleptMs });
});

function pass(ms: number, driftMs = 0): void {
  wallMs += ms + driftMs;
  monotonicMs += ms;
}

test.each([3_600_000, -90_000])(
  'the clock goes on by the monotonic clock while the wall clock is %d ms off',
  (jumpMs) => {
    pass(1_000);
    expect(clock()).toBe(START_MS + 1_000);
    pass(20_000, jumpMs);
    expect(clock()).toBe(START_MS + 21_000);
    pass(20_000);
    expect(clock()).toBe(START_MS + 41_000);
    pass(1_000, -jumpMs);
    expect(clock()).toBe(wallMs);
  },
);

test('the clock follows a jump that lasts for ten minutes', () => {
  pass(1_000, 3_600_000);
  expect(clock()).toBe(START_MS + 1_000);
  pass(599_999);
  expect(clock()).toBe(START_MS + 600_999);
  pass(1);
  expect(clock()).toBe(wallMs);
  pass(10);
  expect(clock()).toBe(wallMs);
});

test('the clock follows a wall clock that is corrected in small steps', () => {
  for (let step = 0; step < 50; step += 1) {
    pass(1_000, 150);
    expect(clock()).toBe(wallMs);
  }
});

test('the clock follows at once when the machine wakes up, also twice', () => {
  for (const ms of [7_200_000, 60_000]) {
    wallMs += ms;
    sleptMs += ms;
    pass(1_000);
    expect(clock()).toBe(wallMs);
  }
  pass(1_000, 3_600_000);
  expect(clock()).toBe(wallMs - 3_600_000);
});

test('in any sequence of jumps that are set back and sleeps, the clock tells the real time within the tolerance', () => {
  const ms = fc.integer({ min: 0, max: 30_000 });
  const jump = fc.record({ ms, jumpMs: fc.integer({ min: -7_200_000, max: 7_200_000 }), sleepMs: fc.constant(0) });
  const sleep = fc.record({ ms, jumpMs: fc.constant(0), sleepMs: fc.integer({ min: 2_001, max: 100_000_000 }) });
  fc.assert(
    fc.property(fc.array(fc.oneof(jump, sleep), { maxLength: 20 }), (steps) => {
      let [wall, awake, slept] = [START_MS, 5_000, 0];
      const guarded = heldClock({ wallMs: () => wall, monotonicMs: () => awake, bootMs: () => awake + slept });
      for (const step of steps) {
        wall += step.ms + step.sleepMs;
        awake += step.ms;
        slept += step.sleepMs;
        const realMs = wall;
        wall += step.jumpMs;
        expect(Math.abs(guarded() - realMs)).toBeLessThanOrEqual(2_000);
        wall = realMs;
        expect(Math.abs(guarded() - realMs)).toBeLessThanOrEqual(2_000);
      }
    }),
  );
});

test('the clock of a process that starts within a jump goes on from the clock of one that ran before it, and follows ten minutes later', () => {
  pass(1_000);
  clock();
  pass(1_000, 7_200_000);
  const before = { heldMs: clock(), bootMs: monotonicMs + sleptMs };
  // Its own monotonic clock begins when it does.
  const startedMs = monotonicMs;
  const sources = {
    wallMs: () => wallMs,
    monotonicMs: () => monotonicMs - startedMs,
    bootMs: () => monotonicMs + sleptMs,
  };
  pass(500);
  const restarted = heldClock(sources, before);
  expect([heldClock(sources)(), restarted()]).toEqual([wallMs, START_MS + 2_500]);
  pass(599_999);
  expect(restarted()).toBe(START_MS + 602_499);
  pass(1);
  expect(restarted()).toBe(wallMs);
});
