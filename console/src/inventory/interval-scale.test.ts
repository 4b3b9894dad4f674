import { expect, test } from 'vitest';
import type { ArmDifference } from '../api/inventory/experiments.ts';
import { axisEnd, percentOf, positionOf, verdictOf } from './interval-scale.ts';

const difference = (value: number | null, low: number | null, high: number | null, rest: number | null = 4) =>
  percentOf({ measure: 'REVENUE', value, low, high, rest } satisfies ArmDifference);

test('a difference is in percent of the rest; without a rest there is none', () => {
  expect(difference(-1, -2, 0.5)).toEqual({ value: -25, low: -50, high: 12.5 });
  expect(difference(-1, null, null)).toEqual({ value: -25, low: null, high: null });
  expect(difference(-1, -2, 1, 0)).toBeNull();
  expect(difference(null, null, null, null)).toBeNull();
});

test.each([
  ['none', difference(-1, -2, 0.5)],
  ['less', difference(-1, -2, -0.5)],
  ['more', difference(1, 0.5, 2)],
  ['early', difference(1, null, null)],
  ['early', null],
] as const)('the verdict "%s" follows from where the interval lies', (verdict, found) => {
  expect(verdictOf(found)).toBe(verdict);
});

test('the axis holds every interval, and ends at 100 percent', () => {
  expect(axisEnd([difference(0.1, -0.1, 0.3), null])).toBe(10);
  expect(axisEnd([difference(40, 20, 60)])).toBe(100);
  expect(axisEnd([])).toBe(1);
  expect([positionOf(0, 10), positionOf(-5, 10), positionOf(90, 10)]).toEqual([50, 25, 100]);
});
