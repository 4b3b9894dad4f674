import { beforeEach, expect, test } from 'vitest';
import { heldClock } from './held-clock.ts';

const START_MS = 1_700_000_000_000;
let wallMs = START_MS;
let monotonicMs = 5_000;
let clock: () => number;

beforeEach(() => {
  wallMs = START_MS;
  monotonicMs = 5_000;
  clock = heldClock({ wallMs: () => wallMs, monotonicMs: () => monotonicMs });
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
