import { describe, expect, test } from 'vitest';
import { sampleOpportunity, sampleSlot, sampleSnapshot, stateOf } from '../../../test/worlds/sample-workspace.ts';
import type { SampleInput } from '../../../test/worlds/sample-workspace.ts';
import type { Slot } from '../../domain/requests/opportunity.ts';
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

describe('a guaranteed goal that chooses its units', () => {
  const other = choosy('2', { type: 'STANDARD', optimisationGoal: undefined } as never);
  const price = { id: '9', type: 'PRICE', priceMicros: 1_000_000 } as const;
  const lineItems = [choosy('1', { type: 'STANDARD' }), other, price];

  /** Who wins in a unit, when goals bid so much. */
  function winnerIn(
    adUnitId: string,
    { bids, hasWorths = true }: { bids: readonly [number, number]; hasWorths?: boolean },
  ) {
    const made = play({
      lineItems,
      state: {
        hasWorths: () => hasWorths,
        pace: ({ booked }) => ({
          mayDeliver: true,
          urgency: booked.id === '1' ? 0.002 : 0.001,
          worth: bids[booked.id === '1' ? 0 : 1],
        }),
      },
      slots: [{ adUnitId }],
      random: () => 0.5,
    });
    return winnersOf(made)[0];
  }

  test('a goal that chooses takes a unit that it wants when it bids most, and waits in others', () => {
    expect(winnerIn('2', { bids: [9, 3] })).toBe('1');
    expect(winnerIn('1', { bids: [9, 3] })).toBe('2');
    expect(winnerIn('1', { bids: [9, 0.1] })).toBe('9');
  });

  test('where urgency decides, a goal chooses no units: its lag would win where it is not wanted', () => {
    expect(winnerIn('1', { bids: [1, 1], hasWorths: false })).toBe('1');
  });
});
