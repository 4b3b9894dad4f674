import fc from 'fast-check';
import { expect, test } from 'vitest';
import { AHEAD_MAX, goalWorth, isBeyondPlan, isFarAhead } from './goal-worth.ts';
import type { GoalStanding } from './goal-worth.ts';

const standing: fc.Arbitrary<GoalStanding> = fc
  .record({
    amount: fc.integer({ min: 1, max: 1_000_000_000 }),
    leftShare: fc.double({ min: 0, max: 1, noNaN: true }),
    deficitShare: fc.double({ min: -2, max: 1, noNaN: true }),
    unitsPerAd: fc.double({ min: 1e-5, max: 1, noNaN: true }),
    level: fc.integer({ min: 1, max: 16 }),
  })
  .map(({ amount, leftShare, deficitShare, unitsPerAd, level }) => ({
    amount,
    planned: amount * (1 - leftShare),
    left: amount * leftShare,
    deficit: amount * deficitShare,
    unitsPerAd,
    level,
  }));

test('every goal that is on its plan bids about the usual price', () => {
  fc.assert(
    fc.property(standing, (one) => {
      expect(goalWorth({ ...one, deficit: 0 })).toBeCloseTo(1, 2);
    }),
  );
});

test('a goal that is further behind bids at least as much, and no bid is above the bound of its level', () => {
  fc.assert(
    fc.property(standing, fc.double({ min: 0, max: 1, noNaN: true }), (one, more) => {
      const bid = goalWorth(one);
      expect(goalWorth({ ...one, deficit: one.deficit + more * one.amount })).toBeGreaterThanOrEqual(bid);
      expect(bid).toBeGreaterThan(0);
      expect(bid).toBeLessThanOrEqual(1_000 * 2 ** (16 - one.level));
    }),
  );
});

test('goals that cannot be reached bid by level first', () => {
  fc.assert(
    fc.property(standing, fc.integer({ min: 1, max: 15 }), (one, level) => {
      const lost = { ...one, deficit: one.amount, left: 0 };
      expect(goalWorth({ ...lost, level })).toBeGreaterThan(1.9 * goalWorth({ ...lost, level: level + 1 }));
    }),
  );
});

test('a goal that needs nearly all of its traffic bids as if it were behind, within the bound of its level', () => {
  const goal = { left: 50_000, amount: 100_000, unitsPerAd: 1, level: 8, deficit: 0 };
  const bidAt = (tightness: number) => goalWorth({ ...goal, tightness });
  expect([bidAt(0), bidAt(0.8)]).toEqual([goalWorth(goal), goalWorth(goal)]);
  expect(bidAt(1)).toBeCloseTo(goalWorth({ ...goal, deficit: 2_000 }), 6);
  expect(bidAt(1.2)).toBeCloseTo(goalWorth({ ...goal, deficit: 4_000 }), 3);
  // What cannot be reached takes nothing from what can.
  expect(bidAt(1.5)).toBe(goalWorth(goal));
  fc.assert(
    fc.property(standing, fc.double({ min: 0, max: 2, noNaN: true }), (one, tightness) => {
      const bid = goalWorth({ ...one, tightness });
      expect(bid).toBeGreaterThanOrEqual(goalWorth(one));
      expect(bid).toBeLessThanOrEqual(1_000 * 2 ** (16 - one.level));
    }),
  );
});

test('a hundredth of the rest behind bids e times the usual price, and one or two ads bid little more', () => {
  const goal = { left: 50_000, amount: 100_000, unitsPerAd: 1, level: 8 };
  expect(goalWorth({ ...goal, deficit: 500 })).toBeCloseTo(Math.E, 2);
  expect(goalWorth({ ...goal, deficit: -1_000 })).toBeCloseTo(1 / Math.E, 2);
  expect(goalWorth({ left: 50, amount: 100, unitsPerAd: 1, level: 8, deficit: 1 })).toBeCloseTo(Math.sqrt(Math.E), 2);
});

test('a goal waits once it is ahead by a tenth of its plan so far, at most by its bound, and by two ads', () => {
  const goal = { amount: 10_000, unitsPerAd: 0.5 };
  const waitsAt = (planned: number, ahead: number) => isFarAhead({ ...goal, planned, deficit: -ahead });
  expect([waitsAt(0, 11), waitsAt(0, 11.1)]).toEqual([false, true]);
  expect([waitsAt(1_000, 101), waitsAt(1_000, 101.1)]).toEqual([false, true]);
  expect([waitsAt(9_000, 10_000 * AHEAD_MAX + 1), waitsAt(9_000, 10_000 * AHEAD_MAX + 1.1)]).toEqual([false, true]);
});

test('a goal that waits is not beyond its plan, unless its end or its amount was changed', () => {
  fc.assert(
    fc.property(standing, (one) => {
      if (isBeyondPlan(one)) expect(isFarAhead(one)).toBe(true);
    }),
  );
  expect(isBeyondPlan({ deficit: -450, amount: 10_000, unitsPerAd: 1 })).toBe(false);
  expect(isBeyondPlan({ deficit: -800, amount: 10_000, unitsPerAd: 1 })).toBe(true);
});
