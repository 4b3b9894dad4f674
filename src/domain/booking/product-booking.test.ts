import fc from 'fast-check';
import { expect, test } from 'vitest';
import { PRICING_MODELS } from '../pricing/pricing-models.ts';
import { costOf, narrowedTargeting, unitsFor } from './product-booking.ts';

test('a budget buys the whole units that it pays for, and not one more', () => {
  expect(unitsFor('CPM', 1_000_000_000n, 12_500_000n)).toBe(80_000n);
  expect(unitsFor('CPC', 10_000_000n, 300_000n)).toBe(33n);
  fc.assert(
    fc.property(
      fc.constantFrom(...PRICING_MODELS),
      fc.bigInt({ min: 1n, max: 10n ** 15n }),
      fc.bigInt({ min: 1n, max: 10n ** 12n }),
      (model, budget, price) => {
        const units = unitsFor(model, budget, price);
        expect(costOf(model, units, price)).toBeLessThanOrEqual(budget);
        expect(costOf(model, units + 1n, price)).toBeGreaterThan(budget);
      },
    ),
  );
});

test('a part of a micro costs a whole micro', () => {
  expect(costOf('CPM', 1n, 1_500n)).toBe(2n);
  expect(costOf('CPM', 2_000n, 1_500n)).toBe(3_000n);
  expect(costOf('FLAT', 7n, 900_000_000n)).toBe(6_300_000_000n);
});

test('added targeting narrows what is sold', () => {
  const sold = { dimension: 'site', operator: 'is', values: ['1'] } as const;
  const added = { dimension: 'country', operator: 'is', values: ['PL'] } as const;
  expect(narrowedTargeting(null, null)).toBeNull();
  expect(narrowedTargeting(sold, null)).toEqual(sold);
  expect(narrowedTargeting(null, added)).toEqual(added);
  expect(narrowedTargeting(sold, added)).toEqual({ all: [sold, added] });
  expect(narrowedTargeting({ all: [sold, sold] }, added)).toEqual({ all: [sold, sold, added] });
});
