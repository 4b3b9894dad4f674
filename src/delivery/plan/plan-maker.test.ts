import { describe, expect, test } from 'vitest';
import { sampleOpportunity, sampleSnapshot } from '../../../test/worlds/sample-workspace.ts';
import { flatCurve } from '../../domain/pacing/traffic-curve.ts';
import { compileWorkspace } from '../decision/index/compile-workspace.ts';
import { PlanMaker } from './plan-maker.ts';
import { PLAN_KEPT_MS, PlanTable } from './published-plan.ts';
import type { PublishedPlan } from './published-plan.ts';
import { SampledSupply } from './sampled-supply.ts';

const DAY_MS = 86_400_000;
/** Pacing aims at the goal four hours before the end of the ten days. */
const AIMED_HOURS = 236;
/** The part of the traffic that such a plan counts on where the goal needs most of it. */
const COUNTED_ON = 1 - 0.2 / Math.sqrt(AIMED_HOURS / 24);
const NOW_MS = Date.parse('2026-11-20T10:00:00Z');

/** A goal of some of the 240 opportunities of ten days, and one of PRICE where it has a price. */
function makePlans(
  counters: readonly Record<string, number>[],
  { amount = 100, priceMicros = 0 }: { amount?: number; priceMicros?: number } = {},
): PublishedPlan[] {
  const flight = { startsAtMs: NOW_MS, endsAtMs: NOW_MS + 10 * DAY_MS };
  const goal = { kind: 'IMPRESSIONS', amount, period: 'LIFETIME' } as const;
  const price = { id: '2', type: 'PRICE' as const, priceMicros };
  const lineItems = [{ id: '1', type: 'STANDARD' as const, goal, ...flight }, ...(priceMicros > 0 ? [price] : [])];
  const compiled = compileWorkspace(sampleSnapshot({ lineItems }), NOW_MS, () => {});
  const curve = flatCurve('UTC');
  const supply = new SampledSupply(compiled, { timezone: 'UTC', fromMs: NOW_MS });
  for (let at = 1; at <= 168; at += 1) supply.record(sampleOpportunity({}), NOW_MS - at * 3_600_000);
  const maker = new PlanMaker();
  const about = { compiled, supply, curve, slotsPerHour: 1, recent: [], workspaceId: 1 };
  return counters.map((counts) => maker.make({ ...about, nowMs: NOW_MS, counter: (key) => counts[key] ?? 0 }));
}

describe('the plans of a workspace', () => {
  test('a goal has the same part of each opportunity up to the aim, and less when it is delivered', () => {
    const [first, next] = makePlans([{}, { 'd/1/li/1/imp/all': 50, 'd/1/li/1/ans/all': 50 }]);
    expect(first).toMatchObject({ isFeasible: true, meanValueMicros: 0, madeAtMs: NOW_MS });
    const [[id, untilMs, fair, , costFair] = []] = first?.shares ?? [];
    expect([id, untilMs, costFair]).toEqual(['1', NOW_MS + 10 * DAY_MS, 0]);
    expect(fair).toBeCloseTo(100 / AIMED_HOURS, 3);
    expect(next?.shares[0]?.[2]).toBeCloseTo(50 / AIMED_HOURS, 3);
  });

  test('a goal of most of the opportunities is ahead, for the case that fewer come', () => {
    const [[, , fair] = []] = makePlans([{}], { amount: 200 })[0]?.shares ?? [];
    expect(fair).toBeCloseTo(200 / AIMED_HOURS / COUNTED_ON, 3);
  });

  test('a goal beside PRICE has half of its share evenly, and half heeds prices', () => {
    const [[, , fair, , costFair] = []] = makePlans([{}], { priceMicros: 2_000_000 })[0]?.shares ?? [];
    expect(fair).toBeCloseTo(50 / AIMED_HOURS, 3);
    expect(costFair).toBeCloseTo(50 / AIMED_HOURS, 3);
  });

  test('the reach of a goal falls with draws in vain, so that the rest of its opportunities gives more', () => {
    const [, refused] = makePlans([{}, { 'd/1/li/1/ref/all': 600, 'd/1/li/1/ans/all': 600 }]);
    expect(refused?.shares[0]?.[2]).toBeGreaterThan(0.8);
  });

  test('a table finds the part of a plan that is valid, and is too old after half an hour', () => {
    const [plan] = makePlans([{}]) as [PublishedPlan];
    const shares = [
      ['1', NOW_MS + 10, 0.1, 0, 0, 0],
      ['1', NOW_MS + 20, 0.2, 1, 0, 0],
    ] as const;
    const table = new PlanTable({ ...plan, shares });
    expect([0, 10, 20].map((ms) => table.find('1', NOW_MS + ms)?.fair)).toEqual([0.1, 0.2, undefined]);
    expect(table.find('2', NOW_MS)).toBeNull();
    expect([table.isKeptAt(NOW_MS + PLAN_KEPT_MS - 1), table.isKeptAt(NOW_MS + PLAN_KEPT_MS)]).toEqual([true, false]);
  });
});
