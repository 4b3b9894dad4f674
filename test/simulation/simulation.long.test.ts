import { expect, test } from 'vitest';
import { firstUnlessAll } from '../support/longer-runs.ts';
import { silentLog } from '../support/stores.ts';
import { findFaults } from './find-faults.ts';
import type { Verdict } from './find-faults.ts';
import { nichesScenario, smallGoalsScenario, surprisesScenario } from './scenarios.ts';
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

test.each(firstUnlessAll([11, 23]))(
  'a spike of five times the traffic and an outage of six hours are absorbed (seed %i)',
  async (seed) => {
    const verdicts = await verdictsOf(surprisesScenario({ ...scale, seed }));
    for (const name of ['even', 'front-loaded']) {
      expect(reached(verdicts, name), name).toBeGreaterThan(0.98);
      expect(reached(verdicts, name), name).toBeLessThan(1.02);
      expect(pick(verdicts, name).deviation, name).toBeLessThan(0.1);
    }
  },
);

test.each(firstUnlessAll([7, 23]))(
  'line items that are eligible for two percent of the traffic, at other hours, keep to their own curve (seed %i)',
  async (seed) => {
    const verdicts = await verdictsOf(nichesScenario({ ...scale, seed, days: 7, requestsPerHour: 400 }));
    for (const name of ['narrow, a fifth', 'narrow, half', 'everybody']) {
      expect(Math.abs(reached(verdicts, name) - 1), name).toBeLessThan(0.02);
      // A few requests a day: chance alone is some percent of such a small goal.
      expect(pick(verdicts, name).deviation, name).toBeLessThan(0.13);
    }
  },
);

test.each(firstUnlessAll([11, 23]))(
  'goals of a hundred impressions over eight processes are met within five (seed %i)',
  async (seed) => {
    const verdicts = await verdictsOf(smallGoalsScenario({ ...scale, seed }));
    const small = [...verdicts.values()].filter(({ goal }) => goal !== null);
    expect(small).toHaveLength(10);
    for (const { name, total } of small) {
      expect(total, name).toBeLessThanOrEqual(105);
      expect(total, name).toBeGreaterThanOrEqual(95);
    }
  },
);
