import { describe, expect, test } from 'vitest';
import { sampleOpportunity, sampleSlot, sampleSnapshot, stateOf } from '../../../test/worlds/sample-workspace.ts';
import type { SampleInput } from '../../../test/worlds/sample-workspace.ts';
import type { Slot } from '../../domain/requests/opportunity.ts';
import type { Allocation } from './allocation.ts';
import { shrunkEvidence } from '../value/rate-evidence.ts';
import { compileWorkspace } from './index/compile-workspace.ts';
import { decide } from './decide.ts';
import type { Decision } from './decision.ts';
import type { DeliveryState } from './delivery-state.ts';

const NOW_MS = Date.parse('2026-11-20T10:00:00Z');
const DAY_MS = 86_400_000;

type LineItems = NonNullable<SampleInput['lineItems']>;

/** Maximises clicks under a goal of many impressions, which may lag by half a percent. */
function choosy(id: string, more: Partial<LineItems[number]> = {}): LineItems[number] {
  return {
    id,
    type: 'PRICE',
    optimisationGoal: 'CLICKS',
    goal: { kind: 'IMPRESSIONS', amount: 100_000, period: 'LIFETIME' },
    startsAtMs: NOW_MS - 10 * DAY_MS,
    endsAtMs: NOW_MS + 10 * DAY_MS,
    ...more,
  };
}

const NONE = { hits: 0, trials: 0 };
const OTHER = { id: '9', type: 'HOUSE', sharePercent: 1 } as const;

/** A line item that needs two fifths of its opportunities, in units whose rates are 1 % or 5 %. */
function stateAt(more: Partial<DeliveryState> = {}): DeliveryState {
  const sure = 2 ** 50;
  return {
    ...stateOf({ 'd/1/li/1/imp/all': 1_000, 'd/1/li/1/clk/all': 5 }),
    pace: () => ({ mayDeliver: true, urgency: 0.002 }),
    rate: ({ unit }) => ({ hits: (unit === '2' ? 0.05 : 0.01) * sure, trials: sure }),
    unitBar: () => ({ at: (share) => (Math.abs(share - 0.4) < 1e-9 ? 0.03 : 1) }),
    ...more,
  };
}

interface Played {
  readonly lineItems: LineItems;
  readonly state?: Partial<DeliveryState>;
  readonly slots?: readonly Partial<Slot>[];
  readonly random?: () => number;
}

function play({ lineItems, state, slots = [{ adUnitId: '1' }], random = () => 0.5 }: Played): Decision {
  const compiled = compileWorkspace(sampleSnapshot({ lineItems, adUnits: [{}, {}] }), NOW_MS, (_id, error) => {
    throw error;
  });
  const asked = slots.map((slot, at) => sampleSlot({ slotId: String(at + 1), ...slot }));
  const opportunity = sampleOpportunity({ slots: asked });
  return decide(compiled, opportunity, { state: stateAt(state), nowMs: NOW_MS, random, explain: true });
}

const winnersOf = ({ placements }: Decision) => placements.map((one) => one?.lineItem.booked.id ?? null);

describe('a line item that chooses its units', () => {
  test('a line item waits in a unit below its bar, with a reason, and is shown in one above', () => {
    const lineItems = [choosy('1'), OTHER];
    const worse = play({ lineItems });
    expect(winnersOf(worse)).toEqual(['9']);
    expect(worse.losers).toMatchObject([{ lineItemId: '1', reason: 'better_unit', failed: ['better_unit'] }]);
    expect(worse.weighed).toMatchObject([{ drawn: 0.01 }]);
    expect(winnersOf(play({ lineItems, slots: [{ adUnitId: '2' }] }))).toEqual(['1']);
  });

  test('each slot of a request has a choice of its own', () => {
    const lineItems = [choosy('1', { roadblock: 'AS_MANY_AS_POSSIBLE' }), OTHER];
    const made = play({ lineItems, slots: [{ adUnitId: '1' }, { adUnitId: '2' }] });
    expect(winnersOf(made)).toEqual(['9', '1']);
    expect(made.weighed).toMatchObject([{ drawn: 0.01 }, { drawn: 0.05 }]);
  });

  test.each<[string, Partial<LineItems[number]>, Partial<DeliveryState>, Partial<Slot>]>([
    ['is as far behind its plan as it may be', {}, { pace: () => ({ mayDeliver: true, urgency: 0.005 }) }, {}],
    ['has no optimisation goal', { optimisationGoal: undefined } as never, {}, {}],
    ['is of type STANDARD and has no share by a plan', { type: 'STANDARD' }, {}, {}],
    ['has no goal of delivery', { goal: null }, {}, {}],
    ['has had four events', {}, stateOf({ 'd/1/li/1/imp/all': 1_000, 'd/1/li/1/clk/all': 4 }), {}],
    ['is asked in no unit that is known', {}, {}, { adUnitId: '', siteId: '' }],
    ['knows no bar', {}, { unitBar: () => null }, {}],
    ['is paced as soon as possible', { pacing: 'ASAP' }, {}, {}],
  ])('a line item that %s is shown without a draw', (_what, more, state, slot) => {
    const made = play({ lineItems: [choosy('1', more), OTHER], state, slots: [{ adUnitId: '1', ...slot }] });
    expect(winnersOf(made)).toEqual(['1']);
    expect(made.weighed).toEqual([]);
  });

  test('a line item that is ahead of its plan waits without a draw', () => {
    const made = play({
      lineItems: [choosy('1'), OTHER],
      state: { pace: () => ({ mayDeliver: true, urgency: -0.001 }) },
    });
    expect(winnersOf(made)).toEqual(['9']);
    expect(made.weighed).toEqual([]);
  });

  test('a draw is a number while the impressions of the line item are unknown', () => {
    const rate: DeliveryState['rate'] = (asked, parent) =>
      shrunkEvidence(asked.kind, parent ?? { hits: 1, trials: 1 }, NONE);
    const { weighed } = play({
      lineItems: [choosy('1'), OTHER],
      state: { ...stateOf({ 'd/1/li/1/clk/all': 5 }), rate },
    });
    expect(weighed).toMatchObject([{ drawn: 1 }]);
  });

  test('the site stands for a unit that is not known', () => {
    const units: (string | undefined)[] = [];
    const rate: DeliveryState['rate'] = ({ unit }) => {
      units.push(unit);
      return { hits: 10, trials: 1_000 };
    };
    play({ lineItems: [choosy('1'), OTHER], state: { rate }, slots: [{ adUnitId: '', siteId: '3' }] });
    expect(units).toContain('s3');
  });
});

describe('a line item that chooses its units by an allocation plan', () => {
  const share = (fair: number) => ({ fair, need: 0, costFair: 0, costNeed: 0, untilMs: Number.POSITIVE_INFINITY });
  const planOf = (fair: number): Allocation => ({
    isConstant: true,
    meanValueMicros: 0,
    find: (id) => ({ '1': share(fair), '2': share(0.1) })[id] ?? null,
  });
  const other = choosy('2', { type: 'STANDARD', optimisationGoal: undefined } as never);
  const price = { id: '9', type: 'PRICE', priceMicros: 1_000_000 } as const;
  const lineItems = [choosy('1', { type: 'STANDARD' }), other, price];

  /** How many of a hundred decisions in a unit each line item wins. */
  function winsIn(adUnitId: string, fair = 0.1, urgency = 0.002): Record<string, number> {
    const wins: Record<string, number> = {};
    for (let run = 0; run < 100; run += 1) {
      const made = play({
        lineItems,
        state: {
          plan: () => planOf(fair),
          pace: ({ booked }) => ({ mayDeliver: true, urgency: booked.id === '1' ? urgency : -5 }),
        },
        slots: [{ adUnitId }],
        random: () => (run + 0.5) / 100,
      });
      expect(made.refused).toEqual([]);
      const id = winnersOf(made)[0] ?? 'none';
      wins[id] = (wins[id] ?? 0) + 1;
    }
    return wins;
  }

  test('its share is that of the plan by the share of opportunities that it wants, where it wants one', () => {
    // What both leave is for PRICE. It wants two fifths of them: 0.1 / 0.4.
    expect(winsIn('2')).toEqual({ '1': 25, '2': 10, '9': 65 });
  });

  test('its share is left to the others where it waits, and the plan is not told that it was drawn in vain', () => {
    expect(winsIn('1')).toEqual({ '2': 10, '9': 90 });
  });

  test('a line item ahead of its pacing wants a quarter more than its share by the plan', () => {
    expect(winsIn('2', 0.32, -0.01)).toEqual({ '1': 80, '2': 10, '9': 10 });
    expect(winsIn('1', 0.32, -0.01)).toEqual({ '2': 10, '9': 90 });
  });

  test('a line item that needs four fifths of its opportunities by the plan waits for none', () => {
    expect(winsIn('1', 0.8, -0.01)).toEqual({ '1': 80, '2': 10, '9': 10 });
  });
});
