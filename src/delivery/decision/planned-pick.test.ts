import { describe, expect, test } from 'vitest';
import type { Opportunity } from '../../domain/requests/opportunity.ts';
import { sampleOpportunity, sampleSlot, sampleSnapshot, stateOf } from '../../../test/worlds/sample-workspace.ts';
import type { SampleInput } from '../../../test/worlds/sample-workspace.ts';
import { compileWorkspace } from './index/compile-workspace.ts';
import { decide } from './decide.ts';
import type { Allocation, PlannedShare } from './allocation.ts';
import type { DeliveryState } from './delivery-state.ts';

const NOW_MS = Date.parse('2026-11-20T10:00:00Z');
const DAY_MS = 86_400_000;

type LineItems = NonNullable<SampleInput['lineItems']>;

/** A goal of which exactly as much is delivered as its pacing wants. */
function goal(id: string, more: Partial<LineItems[number]> = {}): LineItems[number] {
  return {
    id,
    type: 'STANDARD',
    goal: { kind: 'IMPRESSIONS', amount: 1_000, period: 'LIFETIME' },
    startsAtMs: NOW_MS - DAY_MS,
    endsAtMs: NOW_MS + DAY_MS,
    ...more,
  };
}

function share(fair: number, more: Partial<PlannedShare> = {}): PlannedShare {
  return { fair, need: 0, costFair: 0, costNeed: 0, untilMs: Number.POSITIVE_INFINITY, ...more };
}

function planOf(shares: Record<string, PlannedShare>, meanValueMicros = 0): Allocation {
  return { isConstant: true, meanValueMicros, find: (id) => shares[id] ?? null };
}

/** Far ahead of its pacing: nothing idle is for it. */
const AHEAD: NonNullable<DeliveryState['pace']> = () => ({ mayDeliver: true, urgency: -5 });

interface Played {
  readonly lineItems: LineItems;
  readonly plan: Allocation | null;
  readonly state?: Partial<DeliveryState>;
  /** How often a lattice of draws decides; each further draw of a decision has so many values as well. */
  readonly runs?: number;
  /** What a header bidder pays, CPM micros. */
  readonly headerMicros?: number;
}

function slotsOf(cpmMicros: number | undefined): Partial<Opportunity> {
  if (cpmMicros === undefined) return {};
  const headerBid = { bidder: 'bidco', adId: 'ad-1', cpmMicros, width: 0, height: 0 };
  return { slots: [sampleSlot({ headerBid })] };
}

/** How many of a hundred decisions each line item wins, over an even lattice of two draws. */
function winsOf({
  lineItems,
  plan,
  state = { pace: AHEAD },
  runs = 100,
  headerMicros,
}: Played): Record<string, number> {
  const compiled = compileWorkspace(sampleSnapshot({ lineItems }), NOW_MS, (_id, error) => {
    throw error;
  });
  const wins: Record<string, number> = {};
  for (let run = 0; run < runs * runs; run += 1) {
    const draws = [((run % runs) + 0.5) / runs, (Math.floor(run / runs) + 0.5) / runs];
    let at = 0;
    const { placements, headerBids } = decide(
      compiled,
      sampleOpportunity({ userHash: '1', ...slotsOf(headerMicros) }),
      {
        state: { ...stateOf({}), plan: () => plan, ...state },
        nowMs: NOW_MS,
        random: () => draws[at++] ?? 0.5,
      },
    );
    const id = placements[0]?.lineItem.booked.id ?? headerBids?.[0]?.bidder ?? 'none';
    wins[id] = (wins[id] ?? 0) + 100 / (runs * runs);
  }
  return Object.fromEntries(Object.entries(wins).map(([id, count]) => [id, Math.round(count)]));
}

describe('decisions by an allocation plan', () => {
  test('each goal gets its share, whatever its level, and HOUSE the rest', () => {
    const lineItems = [goal('1', { level: 1 }), goal('2', { level: 16 }), { id: '3', type: 'HOUSE' as const }];
    const plan = planOf({ '1': share(0.2), '2': share(0.5) });
    expect(winsOf({ lineItems, plan })).toEqual({ '1': 20, '2': 50, '3': 30 });
  });

  test('the need of a goal raises its share, and where shares exceed the opportunity, all pay one price', () => {
    const plan = planOf({ '1': share(0.5, { need: 1 }), '2': share(0.5) });
    // 0.5 × (2 − price) + 0.5 × (1 − price) = 1 at a price of 0.5.
    expect(winsOf({ lineItems: [goal('1'), goal('2')], plan })).toEqual({ '1': 75, '2': 25 });
  });

  test('the share of a goal that may not serve goes to the others as if it were not there', () => {
    const caps = [{ event: 'IMPRESSIONS', count: 1, window: 'LIFETIME', every: 1 }] as const;
    const lineItems = [goal('1', { frequencyCaps: [...caps] }), goal('2'), goal('3')];
    const plan = planOf({ '1': share(0.6), '2': share(0.3, { need: 1 }), '3': share(0.1) });
    const counter = (key: string) => (key.startsWith('f/') ? 1 : 0);
    expect(winsOf({ lineItems, plan, state: { pace: AHEAD, counter } })).toEqual({ '2': 60, '3': 10, none: 30 });
  });

  test('line items without a share and those as soon as possible have what is left over, before PRICE', () => {
    const price = { id: '9', type: 'PRICE' as const, priceMicros: 1_000_000 };
    const plan = planOf({ '1': share(0.4), '2': share(0.1) });
    const soon = [goal('1'), goal('2', { pacing: 'ASAP' }), price];
    expect(winsOf({ lineItems: soon, plan })).toEqual({ '1': 40, '2': 60 });
    expect(winsOf({ lineItems: [goal('1'), goal('2'), goal('3'), price], plan })).toEqual({
      '1': 40,
      '2': 10,
      '3': 50,
    });
  });

  test('a goal that heeds prices leaves dear opportunities to PRICE, except its representative part', () => {
    const priceOf = (priceMicros: number) => ({ id: '9', type: 'PRICE' as const, priceMicros });
    const plan = planOf({ '1': share(0.2, { costFair: 0.2, costNeed: 3 }) }, 4_000_000);
    // A price of half the mean costs 2: 0.2 × (1 + 3 − 2) are taken besides.
    expect(winsOf({ lineItems: [goal('1'), priceOf(2_000_000)], plan })).toEqual({ '1': 60, '9': 40 });
    expect(winsOf({ lineItems: [goal('1'), priceOf(8_000_000)], plan })).toEqual({ '1': 20, '9': 80 });
  });

  test('the share of a goal that heeds prices and may not serve goes to the others as if it were not there', () => {
    const caps = [{ event: 'IMPRESSIONS', count: 1, window: 'LIFETIME', every: 1 }] as const;
    const lineItems = [
      goal('1', { frequencyCaps: [...caps] }),
      goal('2'),
      { id: '9', type: 'PRICE' as const, priceMicros: 2_000_000 },
    ];
    const plan = planOf({ '1': share(0.2, { costFair: 0.2, costNeed: 3 }), '2': share(0.3, { need: 1 }) }, 4_000_000);
    const counter = (key: string) => (key.startsWith('f/') ? 1 : 0);
    expect(winsOf({ lineItems, plan, state: { pace: AHEAD, counter } })).toEqual({ '2': 60, '9': 40 });
  });

  test.each([
    ['the part that does not heed prices', 0.19, 0],
    ['the part that heeds them', 0.21, 1],
  ])('PRICE is asked only where the winner depends on it: %s', (_part, drawn, expected) => {
    const price = { id: '9', type: 'PRICE' as const, priceMicros: 2_000_000, caps: { impressionsLifetime: 5 } };
    const compiled = compileWorkspace(sampleSnapshot({ lineItems: [goal('1'), price] }), NOW_MS, (_id, error) => {
      throw error;
    });
    const plan = planOf({ '1': share(0.2, { costFair: 0.2, costNeed: 3 }) }, 4_000_000);
    const asked: string[] = [];
    const counter = (key: string) => {
      asked.push(key);
      return 0;
    };
    const state = { ...stateOf({}), counter, pace: AHEAD, plan: () => plan };
    const { placements } = decide(compiled, sampleOpportunity({}), { state, nowMs: NOW_MS, random: () => drawn });
    expect(placements[0]?.lineItem.booked.id).toBe('1');
    expect(asked.filter((key) => key.includes('li/9'))).toHaveLength(expected);
  });

  test('a goal that heeds prices leaves dear opportunities to a header bidder as to PRICE, and the dearer of both wins', () => {
    const plan = planOf({ '1': share(0.2, { costFair: 0.2, costNeed: 3 }) }, 4_000_000);
    const price = { id: '9', type: 'PRICE' as const, priceMicros: 2_000_000 };
    const house = { id: '3', type: 'HOUSE' as const };
    expect(winsOf({ lineItems: [goal('1'), house], plan, headerMicros: 2_000_000 })).toEqual({ '1': 60, bidco: 40 });
    expect(winsOf({ lineItems: [goal('1'), price], plan, headerMicros: 8_000_000 })).toEqual({ '1': 20, bidco: 80 });
    expect(winsOf({ lineItems: [goal('1'), price], plan, headerMicros: 2_000_000 })).toEqual({ '1': 60, '9': 40 });
  });

  test('a header bidder has what goals leave before one that is not ahead of its pacing', () => {
    const state: Partial<DeliveryState> = { pace: () => ({ mayDeliver: true, urgency: 0.01 }) };
    const plan = planOf({ '1': share(0.2) });
    expect(winsOf({ lineItems: [goal('1')], plan, state, headerMicros: 1 })).toEqual({ '1': 20, bidco: 80 });
  });

  test('an opportunity that neither the plan nor PRICE wants goes to a goal that is not ahead of its pacing, before HOUSE', () => {
    const lineItems = [goal('1'), { id: '3', type: 'HOUSE' as const }];
    const plan = planOf({ '1': share(0.2) });
    const at = (urgency: number): Partial<DeliveryState> => ({ pace: () => ({ mayDeliver: true, urgency }) });
    expect(winsOf({ lineItems, plan, state: at(0.01) })).toEqual({ '1': 100 });
    expect(winsOf({ lineItems, plan, state: at(-0.1) })).toEqual({ '1': 20, '3': 80 });
    expect(winsOf({ lineItems, plan, state: { pace: () => ({ mayDeliver: false, urgency: 1 }) } })).toEqual({
      '3': 100,
    });
  });

  test('a sponsor comes before the plan, and without a plan levels decide', () => {
    const lineItems = [
      goal('1'),
      goal('2', { level: 16 }),
      { id: '3', type: 'SPONSORSHIP' as const, sharePercent: 50 },
    ];
    const plan = planOf({ '1': share(0), '2': share(1) });
    expect(winsOf({ lineItems, plan })).toEqual({ '2': 50, '3': 50 });
    expect(winsOf({ lineItems, plan: null })).toEqual({ '1': 50, '3': 50 });
  });

  test('a new plan replaces what decisions remember, and a part of a plan ends', () => {
    const compiled = compileWorkspace(sampleSnapshot({ lineItems: [goal('1')] }), NOW_MS, () => {});
    const filled = (plan: Allocation, nowMs = NOW_MS) => {
      const state = { ...stateOf({}), plan: () => plan, pace: AHEAD };
      return decide(compiled, sampleOpportunity({}), { state, nowMs, random: () => 0.5 }).placements[0] !== null;
    };
    const ending: Allocation = {
      isConstant: true,
      meanValueMicros: 0,
      find: (_id, nowMs) =>
        share(nowMs < NOW_MS + 10 ? 1 : 0, { untilMs: nowMs < NOW_MS + 10 ? NOW_MS + 10 : NOW_MS + 99 }),
    };
    expect(filled(planOf({ '1': share(1) }))).toBe(true);
    expect(filled(planOf({ '1': share(0) }))).toBe(false);
    expect([filled(ending), filled(ending, NOW_MS + 10)]).toEqual([true, false]);
  });

  test('an explanation says that the plan gives an opportunity to others', () => {
    const compiled = compileWorkspace(sampleSnapshot({ lineItems: [goal('1'), goal('2')] }), NOW_MS, () => {});
    const plan = planOf({ '1': share(0), '2': share(1) });
    const { losers } = decide(compiled, sampleOpportunity({}), {
      state: { ...stateOf({}), plan: () => plan, pace: AHEAD },
      nowMs: NOW_MS,
      random: () => 0.5,
      explain: true,
    });
    expect(losers).toMatchObject([{ lineItemId: '1', reason: 'lost.plan' }]);
  });
});
