import { describe, expect, test } from 'vitest';
import { sampleOpportunity, sampleSnapshot, stateOf } from '../../../test/worlds/sample-workspace.ts';
import type { ExperimentRule } from '../../domain/experiments/experiment.ts';
import { decide } from './decide.ts';
import type { DeliveryState, PaceAt } from './delivery-state.ts';
import { decidedBy } from './experiment-rules.ts';
import { compileWorkspace } from './index/compile-workspace.ts';
import type { CompiledLineItem } from './index/compile-line-items.ts';

const NOW_MS = Date.parse('2026-11-20T10:00:00Z');
const goal = { kind: 'IMPRESSIONS', amount: 1_000, period: 'LIFETIME' } as const;
const standard = (id: string, more: object = {}) => ({ id, type: 'STANDARD', goal, ...more }) as const;

const compile = (lineItems: NonNullable<Parameters<typeof sampleSnapshot>[0]['lineItems']>) =>
  compileWorkspace(sampleSnapshot({ lineItems }), NOW_MS, (_id, error) => {
    throw error;
  });

/** Decides in an arm. Null: as always. */
function decideBy(rule: ExperimentRule | null, compiled: ReturnType<typeof compile>, state: DeliveryState) {
  const arm = rule === null ? null : ({ experimentId: '1', arm: 'RULE', rule, sharePercent: 20 } as const);
  const { placements } = decide(compiled, sampleOpportunity({}), {
    ...decidedBy(arm),
    state,
    nowMs: NOW_MS,
    random: () => 0.5,
  });
  const [placement] = placements;
  return { winner: placement?.lineItem.booked.id ?? null, bidMicros: placement?.bidMicros };
}

describe('NO_PRICES', () => {
  const compiled = compile([
    standard('1', { level: 9 }),
    standard('2', { level: 3 }),
    { id: '9', type: 'PRICE', priceMicros: 5_000_000 },
  ]);
  const asked: PaceAt[] = [];
  const paced: DeliveryState = {
    ...stateOf({}),
    hasWorths: () => true,
    pace: ({ booked: { id } }: CompiledLineItem, at: PaceAt) => {
      asked.push(at);
      return { mayDeliver: true, urgency: 0, worth: id === '1' ? 0.4 : 0.2 };
    },
  };

  test('a goal stands before prices, by level, and is paced as a part of the traffic without bids', () => {
    expect(decideBy(null, compiled, paced).winner).toBe('9');
    expect(asked.every(({ shareWithoutBids }) => shareWithoutBids === undefined)).toBe(true);
    asked.length = 0;
    expect(decideBy('NO_PRICES', compiled, paced).winner).toBe('2');
    expect(new Set(asked.map(({ shareWithoutBids }) => shareWithoutBids))).toEqual(new Set([0.2]));
  });

  test('in a network by levels, goals stand before prices in all of the traffic', () => {
    const { workspace } = compiled.snapshot;
    const snapshot = { ...compiled.snapshot, workspace: { ...workspace, goalCompetition: 'LEVELS' as const } };
    asked.length = 0;
    expect(decideBy(null, { ...compiled, snapshot }, paced).winner).toBe('2');
    expect(decideBy('NO_LEARNING', { ...compiled, snapshot }, paced).winner).toBe('2');
    expect(asked.every(({ shareWithoutBids }) => shareWithoutBids === undefined)).toBe(true);
  });

  test('an arm does not use what the other one remembers', () => {
    const remembering = { ...paced, pacer: {} };
    const winners = [null, 'NO_PRICES', null, 'NO_PRICES'].map(
      (rule) => decideBy(rule as ExperimentRule | null, compiled, remembering).winner,
    );
    expect(winners).toEqual(['9', '2', '9', '2']);
  });
});

describe('NO_LEARNING', () => {
  const compiled = compile([
    { id: '1', type: 'PRICE', pricingModel: 'CPC', priceMicros: 1_000_000 },
    { id: '2', type: 'PRICE', pricingModel: 'CPC', priceMicros: 1_100_000 },
  ]);
  /** The first is clicked twenty times as often as usual. */
  const learnt: DeliveryState = {
    ...stateOf({}),
    rate: ({ lineItemId }) => ({ hits: lineItemId === '1' ? 2_000 : 100, trials: 100_000 }),
    lifts: () => ({ lift: () => 3 }),
  };

  test('line items are worth what new ones are: their prices times the usual rate, without trials or contexts', () => {
    expect(decideBy(null, compiled, learnt).winner).toBe('1');
    const ruled = decideBy('NO_LEARNING', compiled, learnt);
    const unknown = decideBy(null, compiled, stateOf({}));
    expect(ruled).toEqual(unknown);
    expect(ruled.winner).toBe('2');
  });
});

test('the rest of an experiment is decided as always', () => {
  expect(decidedBy({ experimentId: '1', arm: 'REST', rule: 'NO_PRICES', sharePercent: 20 })).toEqual({});
  expect(decidedBy(null)).toEqual({});
});
