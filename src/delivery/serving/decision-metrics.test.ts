import { Registry } from 'prom-client';
import { expect, test } from 'vitest';
import type { Placement } from '../decision/decision.ts';
import { DecisionMetrics } from './decision-metrics.ts';

const AD = {} as Placement;

/** The lines of the metrics that begin with the name. */
async function linesOf(registry: Registry, name: string): Promise<string[]> {
  return (await registry.metrics()).split('\n').filter((line) => line.startsWith(name));
}

test('decisions are counted by result, slots by whether they were filled, and each is measured', async () => {
  const metrics = new DecisionMetrics();
  const registry = new Registry();
  metrics.register(registry);
  metrics.record({ placements: [AD, null], noFill: null, losers: [] }, performance.now());
  metrics.record({ placements: [null, null, null], noFill: 'capped', losers: [] }, performance.now());
  metrics.record({ placements: [null], noFill: 'capped', losers: [] }, performance.now() - 1_000);
  // Twice: what was handed over once is not counted again.
  await registry.metrics();
  expect(await linesOf(registry, 'placard_decisions_total')).toEqual([
    'placard_decisions_total{result="filled"} 1',
    'placard_decisions_total{result="no_match"} 0',
    'placard_decisions_total{result="capped"} 2',
    'placard_decisions_total{result="budget"} 0',
    'placard_decisions_total{result="floor"} 0',
    'placard_decisions_total{result="network_paused"} 0',
    'placard_decisions_total{result="header_bid"} 0',
  ]);
  expect(await linesOf(registry, 'placard_slots_total')).toEqual([
    'placard_slots_total{result="filled"} 1',
    'placard_slots_total{result="empty"} 5',
  ]);
  expect(await linesOf(registry, 'placard_decision_seconds_bucket{le="+Inf"')).toEqual([
    'placard_decision_seconds_bucket{le="+Inf"} 3',
  ]);
});
