import { describe, expect, test } from 'vitest';
import { seeded } from '../../../bench/values/seeded.ts';
import { drawRate, meanRate, normalQuantile } from './draw-rate.ts';

const DRAWS = 20_000;

describe('a draw of a rate', () => {
  test.each([
    [0.5, 500],
    [1, 1_000],
    [5, 1_000],
    [200, 13_000],
    [50, 100],
  ])(
    'the draws after %d events of %d trials have the mean and the deviation of a Beta distribution',
    (hits, trials) => {
      const random = seeded(3);
      const drawn = Array.from({ length: DRAWS }, () => drawRate({ hits, trials }, random));
      const mean = drawn.reduce((sum, rate) => sum + rate, 0) / DRAWS;
      const variance = drawn.reduce((sum, rate) => sum + (rate - mean) ** 2, 0) / DRAWS;
      const expected = hits / trials;
      expect(mean / expected).toBeCloseTo(1, 1);
      expect(Math.sqrt(variance / ((expected * (1 - expected)) / (trials + 1)))).toBeCloseTo(1, 1);
    },
  );

  test.each([0, 0.5, 1 - 2 ** -53])('a draw by the random number %d alone is a rate', (number) => {
    for (const hits of [0.001, 0.5, 3, 1e6]) {
      const rate = drawRate({ hits, trials: 2e6 }, () => number);
      expect(rate).toBeGreaterThanOrEqual(0);
      expect(rate).toBeLessThanOrEqual(1);
    }
  });

  test('a rate that is certain is never drawn', () => {
    const none = (): number => {
      throw new Error('no draw is needed');
    };
    expect(drawRate({ hits: 1, trials: 1 }, none)).toBe(1);
    expect(drawRate({ hits: 3, trials: 2 }, none)).toBe(1);
    expect(meanRate({ hits: 1, trials: 4 })).toBe(0.25);
  });

  test('the quantiles of the normal distribution are those of tables', () => {
    const table = [0.001, 0.025, 0.5, 0.841_344_746, 0.999].map((share) => normalQuantile(share));
    for (const [at, expected] of [-3.090_232, -1.959_964, 0, 1, 3.090_232].entries())
      expect(table[at]).toBeCloseTo(expected, 5);
  });
});
