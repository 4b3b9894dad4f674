import { describe, expect, test } from 'vitest';
import { sampleOpportunity, sampleSnapshot, stateOf } from '../../../../test/worlds/sample-workspace.ts';
import type { SampleInput } from '../../../../test/worlds/sample-workspace.ts';
import type { Goal } from '../../../domain/booking/line-item.ts';
import { decide } from '../../decision/decide.ts';
import { compileWorkspace } from '../../decision/index/compile-workspace.ts';
import { goalWorth } from '../../../domain/pacing/goal-worth.ts';
import type { BookedState } from './booked-state.sql.ts';
import type { RivalFacts } from './change.ts';
import { makeChange } from './changes.ts';
import { diagnose } from './diagnose.ts';
import type { DiagnosisInput, RivalRecord } from './diagnose.ts';
import { sumOutcomes } from './sampled-causes.ts';

const NOW_MS = Date.parse('2026-11-20T10:00:00Z');
const DAY_MS = 86_400_000;
const GOAL: Goal = { kind: 'IMPRESSIONS', amount: 1_000, period: 'LIFETIME' };

/** A STANDARD line item as it is stored, as far as changes need it. */
function bookedOn(level: number, pacing: 'EVEN' | 'ASAP' = 'EVEN'): BookedState {
  const active = { id: 1n, version: 3, status: 'ACTIVE', starts_at: null, ends_at: null };
  return {
    network: { status: 'ACTIVE', version: 1 },
    advertiser: active,
    campaign: active,
    lineItem: { ...active, type: 'STANDARD', level, pacing, goal: GOAL, price_micros: 5_000_000n },
    deal: null,
    creatives: [{ ...active, review_state: 'APPROVED', master_creative_id: null }],
    targets: [],
  } as unknown as BookedState;
}

function rivalOf(type: 'STANDARD' | 'PRICE', level: number): RivalFacts {
  return { type, level, sharePercent: null, valueMicros: 5_000_000 };
}

interface Asked {
  readonly level?: number;
  readonly pacing?: 'EVEN' | 'ASAP';
  readonly rival: RivalFacts | null;
  readonly isOnPlan?: boolean;
}

function changeFor({ level = 8, pacing = 'EVEN', rival, isOnPlan = false }: Asked): object | null {
  const input = { booked: bookedOn(level, pacing), nowMs: NOW_MS, valueMicros: 5_000_000, isOnPlan, rival };
  return makeChange(input, { code: 'lost.plan', detail: '' })?.input ?? null;
}

describe('a goal that bids too little', () => {
  test.each<[string, Asked, object | null]>([
    ['goes above the level of the winner', { rival: rivalOf('STANDARD', 8) }, { level: 7 }],
    ['goes above a more important winner', { rival: rivalOf('STANDARD', 3) }, { level: 2 }],
    ['goes to level 1, beside a winner there', { rival: rivalOf('STANDARD', 1) }, { level: 1 }],
    ['delivers as soon as possible where PRICE won', { rival: rivalOf('PRICE', 1) }, { pacing: 'ASAP' }],
    ['delivers as soon as possible where a header bid won', { rival: null }, { pacing: 'ASAP' }],
    ['delivers as soon as possible on level 1', { level: 1, rival: rivalOf('STANDARD', 1) }, { pacing: 'ASAP' }],
    ['delivers as soon as possible above its winner', { level: 2, rival: rivalOf('STANDARD', 5) }, { pacing: 'ASAP' }],
    ['has no change left at the top', { level: 1, pacing: 'ASAP', rival: rivalOf('STANDARD', 1) }, null],
    ['needs no change while it is on its plan', { rival: rivalOf('STANDARD', 8), isOnPlan: true }, null],
  ])('the change follows from the winner: it %s', (_name, asked, change) => {
    expect(changeFor(asked)).toEqual(change);
  });
});

describe('the engine follows the change', () => {
  test('a goal as soon as possible takes what bids leave, before PRICE', () => {
    const winnerWith = (pacing: 'EVEN' | 'ASAP') => {
      const lineItems: SampleInput['lineItems'] = [
        {
          id: '1',
          type: 'STANDARD',
          goal: GOAL,
          pacing,
          startsAtMs: NOW_MS - DAY_MS,
          endsAtMs: NOW_MS + DAY_MS,
        },
        { id: '2', type: 'PRICE', priceMicros: 9_000_000 },
      ];
      const compiled = compileWorkspace(sampleSnapshot({ lineItems }), NOW_MS, (_id, error) => {
        throw error;
      });
      const paced = { mayDeliver: true, urgency: 0.5, worth: 0.5 };
      const state = { ...stateOf({}), hasWorths: () => true, pace: () => paced };
      const input = { state, nowMs: NOW_MS, random: () => 0.99, explain: true };
      const { placements, losers } = decide(compiled, sampleOpportunity({}), input);
      const { reason } = losers.find(({ lineItemId }) => lineItemId === '1') ?? { reason: 'won' };
      return [placements[0]?.lineItem.booked.id, reason];
    };
    expect(winnerWith('EVEN')).toEqual(['2', 'lost.plan']);
    expect(winnerWith('ASAP')).toEqual(['1', 'won']);
  });

  test('where not all goals fit, one on a level above the winner bids more once both are far behind', () => {
    const bidOn = (level: number, deficit: number) =>
      goalWorth({ deficit, left: 1_000, amount: 1_000, unitsPerAd: 1, level });
    expect(bidOn(2, 200)).toBeGreaterThan(bidOn(3, 900));
    // Until then, the one that is further behind bids more, whatever its level.
    expect(bidOn(2, 20)).toBeLessThan(bidOn(3, 30));
  });
});

describe('a diagnosis of one that is outranked', () => {
  const rival: RivalRecord = {
    lineItemId: '2',
    name: 'Important',
    type: 'STANDARD',
    level: 3,
    sharePercent: null,
    bidMicros: 5_000_000,
  };

  function diagnosisOf(delivered: number) {
    const exact = {
      reached: [],
      goal: { amount: 1_000, delivered, expected: 900 },
      responses: 0,
      impressions: 0,
      lifetimeImpressions: 0,
    };
    const input: DiagnosisInput = {
      hours: 24,
      nowMs: NOW_MS,
      booked: bookedOn(8),
      isLive: true,
      exact,
      sampled: sumOutcomes([{ failed: ['lost.plan'], winnerId: '2', quantity: 5_000 }], []),
      numbers: [],
      byHour: [],
      valueMicros: 5_000_000,
      findRival: (id) => (id === '2' ? rival : null),
    };
    return diagnose(input);
  }

  test('it offers a level above the winner, and gains no more than its goal lacks', () => {
    const { code, changes } = diagnosisOf(400);
    expect(code).toBe('lost.plan');
    expect(changes).toMatchObject([
      {
        sentence: 'Move it to level 2.',
        mutation: 'updateLineItem',
        variables: { id: '1', version: 3, input: { level: 2 } },
        missing: [],
        opportunities: 600,
        impressions: 600,
      },
    ]);
  });

  test('on its plan it needs no change, and gains nothing', () => {
    expect(diagnosisOf(890).changes).toMatchObject([
      { mutation: null, text: { code: 'advise_lost_plan' }, opportunities: null, impressions: null },
    ]);
  });
});
