import fc from 'fast-check';
import { expect, test } from 'vitest';
import { trialWorth } from './trial-worth.ts';

const DAY_MS = 86_400_000;

test('a trial is worth most where the flight has no end and few line items are tried', () => {
  expect(trialWorth(Number.POSITIVE_INFINITY, 0, 1)).toBeCloseTo(1 / 1.2);
  expect(trialWorth(Number.POSITIVE_INFINITY, 0, 5)).toBe(trialWorth(Number.POSITIVE_INFINITY, 0, 1));
});

test('a trial is worth less the nearer the end is and the more line items are tried, but always something', () => {
  const days = fc.integer({ min: 0, max: 60 });
  const count = fc.integer({ min: 0, max: 10_000 });
  fc.assert(
    fc.property(days, days, count, count, (left, less, rated, more) => {
      const worth = trialWorth(left * DAY_MS, 0, rated);
      expect(worth).toBeGreaterThan(0);
      expect(worth).toBeLessThan(1);
      expect(trialWorth((left - less) * DAY_MS, 0, rated + more)).toBeLessThanOrEqual(worth);
    }),
  );
});
