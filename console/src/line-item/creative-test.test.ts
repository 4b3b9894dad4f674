import { expect, test } from 'vitest';
import { compareRates } from './creative-test.ts';

test('two rates are compared by the two-proportion z-test', () => {
  // By hand: pooled 0.0225, error 0.0022246, z = 2.5286, p = 0.0114.
  const { pValue, verdict, lift } = compareRates(
    { impressions: 10_000, clicks: 200 },
    { impressions: 8_000, clicks: 205 },
  );
  expect(pValue).toBeCloseTo(0.01145, 4);
  expect(verdict).toBe('better');
  expect(lift).toBeCloseTo(0.28125, 5);
});

test('a difference that chance explains stays open, and says how many impressions would tell', () => {
  const found = compareRates({ impressions: 10_000, clicks: 100 }, { impressions: 10_000, clicks: 110 });
  expect(found.verdict).toBe('open');
  expect(found.low).toBeLessThan(0);
  expect(found.high).toBeGreaterThan(0);
  // 0.01 against 0.011 at 95 % and 80 %: 163,094 by the usual formula.
  expect(found.needed).toBeGreaterThan(160_000);
  expect(found.needed).toBeLessThan(166_000);
});

test.each([
  [
    { impressions: 0, clicks: 0 },
    { impressions: 0, clicks: 0 },
  ],
  [
    { impressions: 500, clicks: 1 },
    { impressions: 500, clicks: 6 },
  ],
  [
    { impressions: 1_000_000, clicks: 0 },
    { impressions: 1_000_000, clicks: 0 },
  ],
])('figures that are too small say nothing: %j against %j', (first, second) => {
  const found = compareRates(first, second);
  expect(found.verdict).toBe('too_little');
  expect(Object.values(found).filter((value) => typeof value === 'number')).toEqual(
    expect.not.arrayContaining([Number.NaN]),
  );
});

test('the worse creative is worse by as much as the other is better', () => {
  const [a, b] = [
    { impressions: 20_000, clicks: 300 },
    { impressions: 20_000, clicks: 400 },
  ];
  expect([compareRates(a, b).verdict, compareRates(b, a).verdict]).toEqual(['better', 'worse']);
  expect(compareRates(a, b).pValue).toBeCloseTo(compareRates(b, a).pValue, 12);
});
