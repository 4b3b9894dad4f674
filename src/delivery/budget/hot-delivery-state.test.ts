import { expect, test } from 'vitest';
import type { HotStore } from '../../storage/hot/hot-store.ts';
import { ContextModel } from '../value/context-model.ts';
import { meanRate } from '../value/draw-rate.ts';
import { hashFacts } from '../value/rate-context.ts';
import { RateMemory } from '../value/rate-memory.ts';
import { RecentDraws } from '../value/recent-draws.ts';
import { HotDeliveryState, RecentCounters } from './hot-delivery-state.ts';

const context = { siteId: '1', adUnitId: '2', deviceType: 'tv', country: 'PL', timeMs: 0 };
const asked = { kind: 'click', workspaceId: 1, advertiserId: '7', lineItemId: '21', creativeId: '31' } as const;
const parent = { hits: 10, trials: 1_000 };
const hot = { readCountersNow: (keys: readonly string[]) => keys.map(() => 0n) } as unknown as HotStore;

function stateWith(model: ContextModel | null): HotDeliveryState {
  const live = {
    counters: new RecentCounters(),
    pacer: undefined,
    pace: () => ({ mayDeliver: true, urgency: 0 }),
    isUsedUp: () => false,
    rates: new RateMemory(),
    unitDraws: new RecentDraws(),
    contextModelOf: (workspaceId: number) => (workspaceId === 1 ? model : null),
  };
  return new HotDeliveryState(hot, live, { nowMs: 0 });
}

test('the rate of a creative in a context is that of the creative, lifted by the context model of its workspace', () => {
  const [, , device = 0] = hashFacts(asked, context);
  const state = stateWith(new ContextModel({ madeAtMs: 0, weights: [[device, Math.log(2)]] }));
  const everywhere = meanRate(stateWith(null).rate({ ...asked, context }, parent));
  expect(meanRate(state.rate({ ...asked, context }, parent))).toBeCloseTo(2 * everywhere, 10);
  expect(meanRate(state.rate(asked, parent))).toBeCloseTo(everywhere, 10);
  expect(meanRate(state.rate({ ...asked, context: { ...context, deviceType: 'mobile' } }, parent))).toBe(everywhere);
  expect(meanRate(state.rate({ ...asked, creativeId: '32', context }, parent))).toBe(everywhere);
  expect(meanRate(state.rate({ ...asked, workspaceId: 2, context }, parent))).toBe(everywhere);
});
