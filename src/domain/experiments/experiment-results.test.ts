import { describe, expect, test } from 'vitest';
import { type ArmDay, pairedInterval, summarizeArms, tQuantile } from './experiment-results.ts';
import type { ExperimentArm } from './experiment.ts';

/** Numbers of a seed, uniform in [0, 1). */
function uniform(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return (state + 0.5) / 2 ** 32;
  };
}

/** A normal number by Box and Muller. */
const normal = (random: () => number): number => Math.sqrt(-2 * Math.log(random())) * Math.cos(2 * Math.PI * random());

test.each([
  [1, 12.706],
  [2, 4.303],
  [6, 2.447],
  [9, 2.262],
  [10, 2.228],
  [20, 2.086],
  [30, 2.042],
  [120, 1.98],
  [365, 1.966],
])('the quantile of Student with %i degrees of freedom is that of tables', (freedom, known) => {
  expect(tQuantile(freedom)).toBeCloseTo(known, 2);
  expect(Math.abs(tQuantile(freedom) - known)).toBeLessThan(0.0006);
});

describe('the interval of a mean of days', () => {
  test.each([3, 7, 28])('it holds the true mean in 95 of 100 experiments of %i days', (days) => {
    const random = uniform(days);
    const rounds = 4_000;
    let held = 0;
    for (let round = 0; round < rounds; round += 1) {
      const { low, high } = pairedInterval(Array.from({ length: days }, () => 5 + 2 * normal(random)));
      if ((low as number) <= 5 && 5 <= (high as number)) held += 1;
    }
    expect(Math.abs(held / rounds - 0.95)).toBeLessThan(4 * Math.sqrt((0.95 * 0.05) / rounds));
  });

  test('fewer than three days have a mean and no interval, and no day has neither', () => {
    expect(pairedInterval([1, 3])).toEqual({ value: 2, low: null, high: null });
    expect(pairedInterval([])).toEqual({ value: null, low: null, high: null });
    expect(pairedInterval([1, 2, 3])).toEqual({
      value: 2,
      low: expect.closeTo(-0.484, 2),
      high: expect.closeTo(4.484, 2),
    });
  });
});

describe('the results of an experiment', () => {
  const dayOf = (day: number, arm: ExperimentArm, more: Partial<ArmDay> = {}): ArmDay => ({
    day: `2026-11-0${day}`,
    arm,
    requests: arm === 'RULE' ? 100 : 900,
    impressions: arm === 'RULE' ? 80 : 720,
    clicks: 1,
    conversions: 0,
    guaranteedImpressions: arm === 'RULE' ? 50 : 360,
    revenueNanos: arm === 'RULE' ? 200_000_000n : 2_700_000_000n,
    ...more,
  });
  const threeDays = [1, 2, 3].flatMap((day) => [dayOf(day, 'RULE'), dayOf(day, 'REST')]);

  test('arms are summed up, and compared for a thousand requests, so that shares do not matter', () => {
    const { arms, days, differences } = summarizeArms(threeDays, '2026-11-09');
    expect(days).toBe(3);
    expect(arms).toMatchObject([
      { arm: 'RULE', requests: 300, impressions: 240, clicks: 3, revenueNanos: 600_000_000n },
      { arm: 'REST', requests: 2_700, guaranteedImpressions: 1_080 },
    ]);
    const byMeasure = Object.fromEntries(differences.map((one) => [one.measure, one]));
    expect(byMeasure['REVENUE']).toMatchObject({ value: expect.closeTo(-1), rest: expect.closeTo(3) });
    expect(byMeasure['IMPRESSIONS']).toMatchObject({ value: expect.closeTo(0), low: expect.closeTo(0) });
    expect(byMeasure['GUARANTEED_IMPRESSIONS']).toMatchObject({
      value: expect.closeTo(100),
      rest: expect.closeTo(400),
    });
    expect(byMeasure['CLICKS']?.value).toBeCloseTo(10 - 1_000 / 900);
  });

  test('a day that is not over, and one on which an arm had no request, count in the sums alone', () => {
    const more = [...threeDays, dayOf(4, 'RULE'), dayOf(5, 'RULE'), dayOf(5, 'REST')];
    const { arms, days } = summarizeArms(more, '2026-11-05');
    expect(days).toBe(3);
    expect(arms.map(({ requests }) => requests)).toEqual([500, 3_600]);
    expect(summarizeArms([], '2026-11-05')).toMatchObject({ days: 0, arms: [{ requests: 0 }, { requests: 0 }] });
  });
});
