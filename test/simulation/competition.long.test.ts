import { describe, expect, test } from 'vitest';
import { silentLog } from '../support/stores.ts';
import { findFaults } from './find-faults.ts';
import type { Verdict } from './find-faults.ts';
import { competitionScenario } from './scenarios.ts';
import type { Scale } from './scenarios.ts';
import { Simulation } from './simulation.ts';
import type { SimulationInput } from './simulation.ts';

const scale: Scale = { seed: 11, days: 10, requestsPerHour: 150, log: silentLog };

async function verdictsOf(input: SimulationInput): Promise<ReadonlyMap<string, Verdict>> {
  const outcome = await new Simulation(input).run();
  return new Map(findFaults(input, outcome).map((verdict) => [verdict.name, verdict]));
}

function pick(verdicts: ReadonlyMap<string, Verdict>, name: string): Verdict {
  const verdict = verdicts.get(name);
  if (verdict === undefined) throw new Error(`No line item ${name}`);
  return verdict;
}

/** Delivered as a share of the goal. */
function reached(verdicts: ReadonlyMap<string, Verdict>, name: string): number {
  const verdict = pick(verdicts, name);
  return verdict.total / (verdict.goal?.amount ?? 1);
}

describe('pacing over simulated days', () => {
  test('line items of all tiers that compete get the delivery of their tier, and hard limits hold to the unit', async () => {
    const input = competitionScenario(scale);
    const outcome = await new Simulation(input).run();
    const verdicts = new Map(findFaults(input, outcome).map((verdict) => [verdict.name, verdict]));
    expectHardLimits(input, verdicts);
    const requests = outcome.requestsByHour.reduce((sum, count) => sum + count, 0);
    const shown = requests * input.audience.shownChance;
    // Within four standard errors of the expected value.
    const tolerance = 4 * Math.sqrt((0.2 * 0.8) / shown);
    expect(Math.abs(pick(verdicts, 'sponsor 20 %').impressions / shown - 0.2)).toBeLessThan(tolerance);
    expect(Math.abs(pick(verdicts, 'sponsor 10 %').impressions / shown - 0.1)).toBeLessThan(tolerance);
    for (const name of ['even', 'front-loaded', 'as soon as possible', 'viewable']) {
      expect(Math.abs(reached(verdicts, name) - 1), name).toBeLessThan(0.02);
    }
    for (const name of ['even', 'front-loaded']) expect(pick(verdicts, name).deviation, name).toBeLessThan(0.1);
    const daily = pick(verdicts, 'each day');
    for (const day of daily.days) expect(Math.abs(day / (daily.goal?.amount ?? 1) - 1)).toBeLessThan(0.02);
    // Clicks are random, four in a thousand impressions.
    const clicks = pick(verdicts, 'clicks');
    expect(clicks.total).toBeGreaterThan(0);
    expect(Math.abs(clicks.total - (clicks.goal?.amount ?? 0))).toBeLessThanOrEqual(
      4 * Math.sqrt(clicks.goal?.amount ?? 0),
    );
    // The lowest tier gets the requests that the higher tiers leave.
    const all = [...verdicts.values()].reduce((sum, { impressions }) => sum + impressions, 0);
    expect(Math.abs(all / shown - 1)).toBeLessThan(0.02);
    const early = pick(verdicts, 'as soon as possible').days;
    expect((early[0] ?? 0) + (early[1] ?? 0) + (early[2] ?? 0)).toBe(pick(verdicts, 'as soon as possible').total);
  });

  test('the same seed gives the same days', async () => {
    const short = { ...scale, days: 1 };
    const first = await verdictsOf(competitionScenario(short));
    const second = await verdictsOf(competitionScenario(short));
    expect([...second.values()].map(({ total }) => total)).toEqual([...first.values()].map(({ total }) => total));
  });
});

/** Thousands of responses compete for the limits of the competition's line items. */
function expectHardLimits(input: SimulationInput, verdicts: ReadonlyMap<string, Verdict>): void {
  const capsOf = (name: string) => input.network.lineItems?.find((lineItem) => lineItem.name === name)?.caps;
  const { days } = pick(verdicts, 'price, capped by day');
  expect(Math.max(...days)).toBe(capsOf('price, capped by day')?.impressionsPerDay);
  // 5 units of currency per thousand: 5,000 micros each.
  const budget = capsOf('price, budget')?.spendMicrosLifetime ?? 0;
  expect(pick(verdicts, 'price, budget').impressions).toBe(Math.floor(budget / 5_000));
}
