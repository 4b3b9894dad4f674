import { describe, expect, test } from 'vitest';
import type { LineItem } from '../../domain/booking/line-item.ts';
import { sampleOpportunity, sampleSlot, sampleSnapshot, stateOf } from '../../../test/worlds/sample-workspace.ts';
import { decide } from './decide.ts';
import type { DeliveryState } from './delivery-state.ts';
import { compileWorkspace } from './index/compile-workspace.ts';

const NOW_MS = Date.parse('2026-11-20T10:00:00Z');
const DECISIONS = 6_000;

type Draft = Partial<Omit<LineItem, 'caps'>>;

/** The share of decisions that each line item wins, by its id; line items are numbered from 1. */
function sharesOfWins(
  lineItems: readonly Draft[],
  state: DeliveryState = stateOf({}),
  decisions = DECISIONS,
): Map<string, number> {
  const compiled = compileWorkspace(sampleSnapshot({ lineItems }), NOW_MS, (_id, error) => {
    throw error;
  });
  const random = seeded(7);
  const opportunity = sampleOpportunity({ userHash: '', slots: [sampleSlot({})] });
  const shares = new Map<string, number>();
  for (let made = 0; made < decisions; made += 1) {
    const [placement] = decide(compiled, opportunity, { state, nowMs: NOW_MS, random }).placements;
    const id = placement?.lineItem.booked.id ?? 'none';
    shares.set(id, (shares.get(id) ?? 0) + 1 / decisions);
  }
  return shares;
}

function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Within five standard errors. */
function expectShare(shares: ReadonlyMap<string, number>, id: string, share: number): void {
  const error = Math.sqrt((share * (1 - share)) / DECISIONS);
  expect(Math.abs((shares.get(id) ?? 0) - share), `share of line item ${id}`).toBeLessThan(5 * error);
}

const GOAL = { kind: 'IMPRESSIONS', amount: 1_000, period: 'LIFETIME' } as const;
/** Filtered by the last of all checks, which the index does not make. */
const CAPPED: Draft = {
  frequencyCaps: [{ event: 'IMPRESSIONS', count: 1, window: 'DAY', every: 1 }],
  serveWithoutUser: false,
};

const TIERS: readonly (readonly [string, Draft])[] = [
  ['STANDARD line items of equal urgency', { type: 'STANDARD', goal: GOAL, pacing: 'ASAP' }],
  ['STANDARD line items without a goal', { type: 'STANDARD' }],
  ['PRICE line items of one price', { type: 'PRICE', priceMicros: 2_000_000 }],
  ['PRICE line items of one price by the click', { type: 'PRICE', priceMicros: 2_000_000, pricingModel: 'CPC' }],
  ['HOUSE line items of one share', { type: 'HOUSE', sharePercent: 30 }],
];

/** A state whose pacer's results are remembered, so that large groups are ordered. */
function pacedState(): DeliveryState {
  const pacer = {};
  const pace: DeliveryState['pace'] = (lineItem, { nowMs }) =>
    (lineItem.pacing = { by: pacer, mayDeliver: true, urgency: 0.5, untilMs: nowMs + 1_000 });
  return { ...stateOf({}), pacer, pace };
}

describe('a draw by the order of a large group', () => {
  test.each(TIERS)('%s win equally often', (_title, draft) => {
    const shares = sharesOfWins(
      Array.from({ length: 80 }, () => draft),
      pacedState(),
    );
    for (let id = 1; id <= 80; id += 1) expectShare(shares, String(id), 1 / 80);
  });

  test.each(TIERS)('%s that are not eligible leave their wins to the others evenly', (_title, draft) => {
    const drafts = Array.from({ length: 80 }, (_none, index) => (index % 4 === 1 ? draft : { ...draft, ...CAPPED }));
    const shares = sharesOfWins(drafts, pacedState());
    for (let id = 2; id <= 80; id += 4) expectShare(shares, String(id), 1 / 20);
  });

  test.each(TIERS)('%s win when all others are not eligible', (_title, draft) => {
    const drafts = Array.from({ length: 300 }, (_none, index) => (index === 150 ? draft : { ...draft, ...CAPPED }));
    expect([...sharesOfWins(drafts, pacedState(), 300).keys()]).toEqual(['151']);
  });

  test('a HOUSE line item wins by its share', () => {
    const shares = sharesOfWins(
      Array.from({ length: 100 }, (_none, index): Draft => ({ type: 'HOUSE', sharePercent: index < 50 ? 10 : 30 })),
      pacedState(),
    );
    for (let id = 1; id <= 100; id += 1) expectShare(shares, String(id), id <= 50 ? 1 / 200 : 3 / 200);
  });

  test('a flight that begins or ends changes the order at that moment', () => {
    const lineItems = Array.from({ length: 100 }, (_none, index): Draft => {
      const isDearest = index === 40;
      const startsLater = index === 60;
      return {
        priceMicros: isDearest ? 9_000_000 : startsLater ? 8_000_000 : 1_000_000,
        ...(isDearest ? { endsAtMs: NOW_MS + 500 } : {}),
        ...(startsLater ? { startsAtMs: NOW_MS + 700 } : {}),
      };
    });
    const compiled = compileWorkspace(sampleSnapshot({ lineItems }), NOW_MS, () => {});
    const opportunity = sampleOpportunity({ slots: [sampleSlot({})] });
    const state = pacedState();
    const winnersAt = (nowMs: number): Set<string | undefined> =>
      new Set(
        Array.from({ length: 30 }, () => {
          const [placement] = decide(compiled, opportunity, { state, nowMs, random: Math.random }).placements;
          return placement?.lineItem.booked.id;
        }),
      );
    expect(winnersAt(NOW_MS)).toEqual(new Set(['41']));
    expect(winnersAt(NOW_MS + 500).size).toBeGreaterThan(2);
    expect(winnersAt(NOW_MS + 700)).toEqual(new Set(['61']));
  });
});

test('an order asks for no counter that the decision does not need where counters are read later', () => {
  const countries = (code: string) => ({ dimension: 'country', operator: 'is', values: [code] }) as const;
  const lineItems = Array.from({ length: 200 }, (_none, index): Draft => {
    const byClick = { pricingModel: 'CPC', priceMicros: 2_000_000 } as const;
    const toGoal = { type: 'STANDARD', goal: GOAL } as const;
    return { ...(index < 100 ? byClick : toGoal), targeting: countries(index % 2 === 0 ? 'pl' : 'de'), ...CAPPED };
  });
  const compiled = compileWorkspace(sampleSnapshot({ lineItems }), NOW_MS, () => {});
  const opportunity = sampleOpportunity({ slots: [sampleSlot({})] });
  const asked = new Set<number>();
  const askedBy = (lineItemId: string): void => void asked.add(Number(lineItemId) % 2);
  const paced = pacedState();
  const state: DeliveryState = {
    ...paced,
    readsLater: true,
    counter: (key) => {
      askedBy(/li\/(\d+)/.exec(key)?.[1] ?? '0');
      return 0;
    },
    pace: (lineItem, at) => {
      askedBy(lineItem.booked.id);
      return paced.pace?.(lineItem, at) ?? { mayDeliver: true, urgency: 0 };
    },
  };
  for (let made = 0; made < 30; made += 1) decide(compiled, opportunity, { state, nowMs: NOW_MS, random: () => 0.5 });
  expect([...asked], 'only line items with odd ids target Poland').toEqual([1]);
});

describe('a draw among equals', () => {
  test.each(TIERS)('%s win equally often', (_title, draft) => {
    const shares = sharesOfWins(Array.from({ length: 7 }, () => draft));
    for (let id = 1; id <= 7; id += 1) expectShare(shares, String(id), 1 / 7);
  });

  test.each(TIERS)('%s that are not eligible leave their wins to the others evenly', (_title, draft) => {
    const ineligible = { ...draft, ...CAPPED };
    const drafts = [ineligible, draft, ineligible, draft, draft, ...Array.from({ length: 20 }, () => ineligible)];
    const shares = sharesOfWins(drafts);
    for (const id of ['2', '4', '5']) expectShare(shares, id, 1 / 3);
  });

  test('a HOUSE line item wins by its share of the eligible shares', () => {
    const house = (sharePercent: number | null, more: Draft = {}): Draft => ({ type: 'HOUSE', sharePercent, ...more });
    const shares = sharesOfWins([house(10), house(30), house(500, CAPPED), house(60), house(null), house(0)]);
    expectShare(shares, '1', 10 / 200);
    expectShare(shares, '2', 30 / 200);
    expectShare(shares, '4', 60 / 200);
    expectShare(shares, '5', 100 / 200);
    expect(shares.has('3')).toBe(false);
    expect(shares.has('6')).toBe(false);
  });
});

test('the dearest eligible PRICE line item wins behind many dearer ones that are not eligible', () => {
  const dearer = Array.from({ length: 40 }, (_none, index) => ({ priceMicros: 9_000_000 - index, ...CAPPED }));
  const shares = sharesOfWins([...dearer, { priceMicros: 3_000_000 }, { priceMicros: 2_000_000 }]);
  expect([...shares.keys()]).toEqual(['41']);
});

test('a PRICE line item by the click wins against those by the impression only when its expected earning is higher', () => {
  const byClick = (priceMicros: number): Draft => ({ pricingModel: 'CPC', priceMicros });
  // The prior: one click in a thousand impressions.
  expect([...sharesOfWins([{ priceMicros: 2_000_000 }, byClick(1_900_000), byClick(2_100_000)]).keys()]).toEqual(['3']);
  expect([...sharesOfWins([{ priceMicros: 2_000_000 }, byClick(1_900_000)]).keys()]).toEqual(['1']);
});

test('an urgency is cached until the pacer says otherwise, for one pacer, unless its line item may deliver no more', () => {
  const lineItems = [GOAL, GOAL].map((goal): Draft => ({ type: 'STANDARD', goal, pacing: 'ASAP' }));
  const compiled = compileWorkspace(sampleSnapshot({ lineItems }), NOW_MS, () => {});
  const opportunity = sampleOpportunity({ userHash: '', slots: [sampleSlot({})] });
  const pacerOf = (urgencies: Readonly<Record<string, number>>, untilMs: number) => {
    const pacer = {};
    const state: DeliveryState = {
      ...stateOf({}),
      pacer,
      pace: (lineItem) => {
        const urgency = urgencies[lineItem.booked.id] ?? 0;
        return (lineItem.pacing = { by: pacer, mayDeliver: urgency > 0, urgency, untilMs });
      },
    };
    return state;
  };
  const winnerOf = (state: DeliveryState, nowMs: number) =>
    decide(compiled, opportunity, { state, nowMs, random: () => 0 }).placements[0]?.lineItem.booked.id ?? null;

  const urgencies: Record<string, number> = { 1: 0.9, 2: 0.1 };
  const state = pacerOf(urgencies, NOW_MS + 1_000);
  expect(winnerOf(state, NOW_MS)).toBe('1');
  // Its allotment is used up: the line item that was more urgent a moment ago gets no ad.
  urgencies['1'] = 0;
  expect(winnerOf(state, NOW_MS + 1)).toBe('2');
  urgencies['1'] = 0.9;
  urgencies['2'] = 0.95;
  expect(winnerOf(state, NOW_MS + 1_000)).toBe('2');
  expect(winnerOf(pacerOf({ 1: 0.3, 2: 0.2 }, NOW_MS + 9_000), NOW_MS + 1_001)).toBe('1');
});

test('a line item whose allotment runs out is checked once, until its pacer reads counters again', () => {
  const lineItems = [GOAL, GOAL].map((goal): Draft => ({ type: 'STANDARD', goal, pacing: 'ASAP' }));
  const compiled = compileWorkspace(sampleSnapshot({ lineItems }), NOW_MS, () => {});
  const opportunity = sampleOpportunity({ userHash: '', slots: [sampleSlot({})] });
  const pacer = {};
  const used = new Set<string>();
  let asked = 0;
  const state: DeliveryState = {
    ...stateOf({}),
    pacer,
    pace: (lineItem, { nowMs }) => {
      const { id } = lineItem.booked;
      if (id === '1') asked += 1;
      const untilMs = nowMs < NOW_MS + 1_000 ? NOW_MS + 1_000 : NOW_MS + 2_000;
      return (lineItem.pacing = { by: pacer, mayDeliver: !used.has(id), urgency: id === '1' ? 0.9 : 0.1, untilMs });
    },
  };
  const winnerAt = (nowMs: number) =>
    decide(compiled, opportunity, { state, nowMs, random: () => 0 }).placements[0]?.lineItem.booked.id ?? null;
  expect(winnerAt(NOW_MS)).toBe('1');
  used.add('1');
  asked = 0;
  for (let at = 1; at <= 20; at += 1) expect(winnerAt(NOW_MS + at)).toBe('2');
  expect(asked).toBe(1);
  used.clear();
  expect(winnerAt(NOW_MS + 1_000)).toBe('1');
});
