import fc from 'fast-check';
import { expect, test } from 'vitest';
import { amountOf, nanosOf } from './exact-money.ts';

test('a decimal of a report is read to the billionth', () => {
  expect([nanosOf('0'), nanosOf('12.345678901'), nanosOf('0.1')]).toEqual([0n, 12_345_678_901n, 100_000_000n]);
  expect(() => nanosOf('1e3')).toThrow(RangeError);
});

test('sums of decimals are exact, where numbers are not', () => {
  expect(amountOf(nanosOf('0.1') + nanosOf('0.2'))).toBe(0.3);
});

test('an amount of cents comes back as it was', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 1_000_000_000 }), (cents) => {
      const text = (cents / 100).toFixed(2);
      expect(amountOf(nanosOf(text))).toBe(Number(text));
    }),
  );
});
