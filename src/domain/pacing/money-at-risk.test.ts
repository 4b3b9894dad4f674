import { expect, test } from 'vitest';
import { type GoalStanding, moneyAtRisk } from './money-at-risk.ts';

const GOAL = { kind: 'IMPRESSIONS', amount: 100_000, period: 'LIFETIME' } as const;
const standing = (change: Partial<GoalStanding> = {}): GoalStanding => ({
  goal: GOAL,
  delivered: 20_000,
  expected: 50_000,
  projection: { projected: 60_000, low: 50_000, high: 70_000 },
  status: 'AT_RISK',
  spendNanos: 0n,
  deliveredInTotal: 20_000,
  days: 10,
  ...change,
});
/** A price of 2 for a thousand impressions: each earns 0.002, which is 2,000,000 nanos. */
const CPM = { pricingModel: 'CPM', priceMicros: 2_000_000 } as const;

test('a goal at risk lacks what it will not reach, at its price', () => {
  expect(moneyAtRisk(standing(), CPM)).toEqual({
    missingNanos: 40_000n * 2_000_000n,
    leftNanos: 80_000n * 2_000_000n,
  });
});

test('a goal that will be reached lacks what its plan had by now', () => {
  const projection = { projected: 100_000, low: 90_000, high: 100_000 };
  expect(moneyAtRisk(standing({ status: 'BEHIND', projection }), CPM).missingNanos).toBe(30_000n * 2_000_000n);
});

test('a goal on its plan lacks nothing, and never more than is left of it', () => {
  expect(moneyAtRisk(standing({ status: 'ON_TRACK' }), CPM).missingNanos).toBe(0n);
  expect(moneyAtRisk(standing({ delivered: 99_999, expected: 100_000 }), CPM).missingNanos).toBe(2_000_000n);
  expect(moneyAtRisk(standing({ delivered: 120_000, status: 'REACHED' }), CPM)).toEqual({
    missingNanos: 0n,
    leftNanos: 0n,
  });
});

test('a price for other events counts what units have earned so far, and nothing before the first', () => {
  const cpc = { pricingModel: 'CPC', priceMicros: 1_000_000 } as const;
  expect(moneyAtRisk(standing({ spendNanos: 5_000_000n }), cpc).missingNanos).toBe(10_000_000n);
  expect(moneyAtRisk(standing({ deliveredInTotal: 0 }), cpc).missingNanos).toBe(0n);
});

test('a price for a day is spread over the goal', () => {
  const flat = { pricingModel: 'FLAT', priceMicros: 3_000_000 } as const;
  // Ten days of 3 each; 40 % of the goal is missing.
  expect(moneyAtRisk(standing(), flat).missingNanos).toBe(12_000_000_000n);
  expect(moneyAtRisk(standing({ days: null }), flat).missingNanos).toBe(0n);
});
