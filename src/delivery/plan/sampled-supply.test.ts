import { expect, test } from 'vitest';
import { sampleOpportunity, sampleSlot, sampleSnapshot } from '../../../test/worlds/sample-workspace.ts';
import type { SampleInput } from '../../../test/worlds/sample-workspace.ts';
import type { Slot } from '../../domain/requests/opportunity.ts';
import { flatCurve } from '../../domain/pacing/traffic-curve.ts';
import { compileWorkspace } from '../decision/index/compile-workspace.ts';
import { costOfValue } from '../decision/opportunity-cost.ts';
import { listDemands } from './plan-demands.ts';
import type { DemandContext, PlanDemand } from './plan-demands.ts';
import { SampledSupply } from './sampled-supply.ts';
import { eligibleVolumes } from './supply.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** A Monday, midnight in UTC. */
const FROM_MS = Date.parse('2026-11-16T00:00:00Z');
const SLOTS_PER_HOUR = 10;

type LineItemInput = NonNullable<SampleInput['lineItems']>[number];

function goal(amount: number, more: LineItemInput = {}): LineItemInput {
  const flight = { startsAtMs: FROM_MS, endsAtMs: FROM_MS + 7 * DAY_MS, timezone: 'UTC' };
  return { type: 'STANDARD', goal: { kind: 'IMPRESSIONS', amount, period: 'LIFETIME' }, ...flight, ...more };
}

/** A week of plans for these line items: half of the sampled requests are from Germany. */
function planWeek(lineItems: readonly LineItemInput[], context: Partial<DemandContext> = {}) {
  const compiled = compileWorkspace(sampleSnapshot({ lineItems }), FROM_MS, (_id, error) => {
    throw error;
  });
  const sampled = new SampledSupply(compiled, { timezone: 'UTC', fromMs: FROM_MS });
  for (let hour = 0; hour < 168; hour += 1) {
    for (const country of ['pl', 'de']) {
      for (let times = 0; times < 10; times += 1)
        sampled.record(sampleOpportunity({ country }), FROM_MS - 7 * DAY_MS + hour * HOUR_MS);
    }
  }
  const untilMs = FROM_MS + 7 * DAY_MS;
  const all = { fromMs: FROM_MS, untilMs, representativeOf: () => 1, deliveredOf: () => NOTHING_YET, ...context };
  const demands = listDemands(compiled, all);
  const horizon = { fromMs: all.fromMs, untilMs, curve: flatCurve('UTC'), slotsPerHour: SLOTS_PER_HOUR };
  const supply = sampled.build(demands, horizon);
  const volumes = eligibleVolumes(supply);
  const volumeOf = (lineItemId: string) =>
    demands.reduce((sum, one, at) => sum + (one.lineItemId === lineItemId ? (volumes[at] as number) : 0), 0);
  return { demands, supply, volumeOf, mean: sampled.meanValueMicros };
}

const NOTHING_YET = { delivered: 0, yield: 1, reach: 1 };
const GERMANY = { dimension: 'country', operator: 'is', values: ['DE'] } as const;

function amountsOf(demands: readonly PlanDemand[]): number[] {
  return demands.map(({ amount }) => Math.round(amount));
}

test('the supply of a line item is what its targeting, flight and day-parts admit of the expected traffic', () => {
  const { volumeOf, supply } = planWeek([
    goal(100),
    goal(100, { targeting: GERMANY }),
    goal(100, { startsAtMs: FROM_MS + 5 * DAY_MS }),
    goal(100, { dayParts: [{ days: [1, 2, 3, 4, 5, 6, 7], startMinute: 18 * 60, endMinute: 24 * 60 }] }),
  ]);
  const hours = (count: number) => count * SLOTS_PER_HOUR;
  // Goals are planned to be reached an eighteenth of the flight, at most four hours, before its end.
  expect(volumeOf('1')).toBeCloseTo(hours(164));
  expect(volumeOf('2')).toBeCloseTo(hours(164) / 2);
  expect(volumeOf('3')).toBeCloseTo(hours(2 * 24 - 3));
  expect(volumeOf('4')).toBeCloseTo(hours(7 * 6 - 4));
  // Germany or not, before or after the start, in the evening or not; and the hour between the two aims.
  expect(supply.volumes).toHaveLength(9);
});

test('sponsors take their shares of voice before goals', () => {
  const { volumeOf } = planWeek([
    goal(100),
    { type: 'SPONSORSHIP', sharePercent: 30, level: 1, targeting: GERMANY },
    { type: 'SPONSORSHIP', sharePercent: 20, level: 2 },
  ]);
  const week = 164 * SLOTS_PER_HOUR;
  expect(volumeOf('1')).toBeCloseTo((week / 2) * 0.8 + (week / 2) * 0.8 * 0.7);
});

test('a line item with a frequency cap reaches the part of its opportunities that has not seen it', () => {
  const { volumeOf } = planWeek([goal(100)], { deliveredOf: () => ({ ...NOTHING_YET, reach: 0.25 }) });
  expect(volumeOf('1') / (168 * SLOTS_PER_HOUR)).toBeCloseTo(0.25, 1);
});

test('opportunities cost what PRICE would pay, and only demands for the cheap part heed it', () => {
  const { demands, supply, mean } = planWeek([goal(100), { priceMicros: 8_000_000, targeting: GERMANY }], {
    representativeOf: () => 0.4,
  });
  expect(mean).toBe(4_000_000);
  expect(Array.from(supply.costs.toSorted())).toEqual([0, costOfValue(8_000_000, mean)]);
  expect(demands.map(({ amount, heedsCost }) => [Math.round(amount), heedsCost])).toEqual([
    [40, false],
    [60, true],
  ]);
});

test('a goal that ends after the plan is planned in proportion', () => {
  const { demands } = planWeek([goal(100, { endsAtMs: FROM_MS + 14 * DAY_MS })]);
  expect(demands.map(({ amount }) => amount / 100)).toEqual([expect.closeTo(168 / 332)]);
});

test('a goal needs as many responses as its yield says, for what is not delivered', () => {
  const deliveredOf = () => ({ ...NOTHING_YET, delivered: 20, yield: 0.5 });
  expect(amountsOf(planWeek([goal(100)], { deliveredOf }).demands)).toEqual([160]);
  expect(planWeek([goal(20)], { deliveredOf }).demands).toEqual([]);
});

test('a daily goal has a part for today and one for the days after it', () => {
  const daily = goal(0, { goal: { kind: 'IMPRESSIONS', amount: 24, period: 'DAY' } });
  const { demands } = planWeek([daily], {
    fromMs: FROM_MS + 12 * HOUR_MS,
    deliveredOf: () => ({ ...NOTHING_YET, delivered: 4 }),
  });
  expect(amountsOf(demands)).toEqual([20, 6 * 24]);
  expect(demands.map(({ endsAtMs }) => (endsAtMs - FROM_MS) / DAY_MS)).toEqual([1, 7]);
});

test('a lifetime goal without an end is not planned', () => {
  expect(planWeek([goal(100, { endsAtMs: null })]).demands).toEqual([]);
});

test('a header bid counts as what PRICE would pay, where it is more and reaches the floors', () => {
  const compiled = compileWorkspace(
    sampleSnapshot({ lineItems: [goal(100), { type: 'PRICE', priceMicros: 2_000_000, targeting: GERMANY }] }),
    FROM_MS,
    (_id, error) => {
      throw error;
    },
  );
  const meanOf = (country: string, slot: Partial<Slot>): number => {
    const sampled = new SampledSupply(compiled, { timezone: 'UTC', fromMs: FROM_MS });
    sampled.record(sampleOpportunity({ country, slots: [sampleSlot(slot)] }), FROM_MS);
    return sampled.meanValueMicros;
  };
  const headerBid = { bidder: 'bidco', adId: 'ad-1', cpmMicros: 3_000_000, width: 0, height: 0 };
  expect([meanOf('pl', {}), meanOf('de', {})]).toEqual([0, 2_000_000]);
  expect([meanOf('pl', { headerBid }), meanOf('de', { headerBid })]).toEqual([3_000_000, 3_000_000]);
  expect(meanOf('de', { headerBid: { ...headerBid, cpmMicros: 1_000_000 } })).toBe(2_000_000);
  expect(meanOf('pl', { headerBid, floorMicros: 3_000_001 })).toBe(0);
});
