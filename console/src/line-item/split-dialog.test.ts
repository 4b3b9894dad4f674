import fc from 'fast-check';
import { expect, test } from 'vitest';
import { shareOf, sidesOf } from './split-dialog.tsx';

const GOAL = { amount: 1_000, kind: 'IMPRESSIONS', period: 'LIFETIME' } as const;

test('delivered impressions stay with the old line item, and the rest is shared', () => {
  expect(shareOf(1_000, 400, 50)).toEqual({ kept: 700, part: 300, delivered: 400 });
  expect(shareOf(1_000, 1_200, 50)).toEqual({ kept: 1_000, part: 0, delivered: 1_000 });
});

test('both parts together are always the whole goal, and the old one keeps at least what is delivered', () => {
  const counts = fc.nat(1_000_000_000);
  fc.assert(
    fc.property(counts, counts, fc.integer({ min: 1, max: 99 }), (amount, delivered, percent) => {
      const shares = shareOf(amount, delivered, percent);
      expect(shares.kept + shares.part).toBe(amount);
      expect(shares.kept).toBeGreaterThanOrEqual(Math.min(delivered, amount));
    }),
  );
});

test('a split by targeting excludes the part from the old line item', () => {
  const where = { test: { dimension: 'COUNTRY', operator: 'IS', values: ['PL'] } };
  const chosen = { by: 'targeting', name: ' North ', shares: null, where } as const;
  expect(sidesOf({ goal: GOAL, targeting: null }, chosen)).toEqual({
    change: { targeting: { all: [{ not: where }] } },
    part: { name: 'North', targeting: { all: [where] } },
  });
});

test('a split by goal changes the amounts alone', () => {
  const chosen = { by: 'goal', name: 'North', shares: shareOf(1_000, 0, 25), where: null } as const;
  expect(sidesOf({ goal: GOAL, targeting: null }, chosen)).toEqual({
    change: { goal: { ...GOAL, amount: 750 } },
    part: { name: 'North', goal: { ...GOAL, amount: 250 } },
  });
});
