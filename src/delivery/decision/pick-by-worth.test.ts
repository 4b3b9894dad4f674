import { expect, test } from 'vitest';
import { sampleOpportunity, sampleSlot, sampleSnapshot, stateOf } from '../../../test/worlds/sample-workspace.ts';
import type { SampleInput } from '../../../test/worlds/sample-workspace.ts';
import type { HeaderBid } from '../../domain/requests/opportunity.ts';
import { decide } from './decide.ts';
import { compileWorkspace } from './index/compile-workspace.ts';

const NOW_MS = Date.parse('2026-11-20T10:00:00Z');
const goal = { kind: 'IMPRESSIONS', amount: 1_000, period: 'LIFETIME' } as const;
const standard = (id: string, more: object = {}) => ({ id, type: 'STANDARD', goal, ...more }) as const;
const price = (id: string, cpm: number) => ({ id, type: 'PRICE', priceMicros: cpm * 1_000_000 }) as const;

interface Asked {
  readonly lineItems: NonNullable<SampleInput['lineItems']>;
  /** By line item; those without one are paced out. */
  readonly worths: Readonly<Record<string, number>>;
  readonly headerCpm?: number;
}

function play({ lineItems, worths, headerCpm }: Asked) {
  const compiled = compileWorkspace(sampleSnapshot({ lineItems }), NOW_MS, (_id, error) => {
    throw error;
  });
  const headerBid: HeaderBid | undefined =
    headerCpm === undefined
      ? undefined
      : { bidder: 'b', adId: '1', cpmMicros: headerCpm * 1_000_000, width: 300, height: 250 };
  const slots = [sampleSlot(headerBid === undefined ? {} : { headerBid })];
  const state = {
    ...stateOf({}),
    hasWorths: () => true,
    pace: ({ booked: { id } }: { booked: { id: string } }) => ({
      mayDeliver: id in worths,
      urgency: 0,
      worth: worths[id] ?? 0,
    }),
  };
  const decision = decide(compiled, sampleOpportunity({ slots }), {
    state,
    nowMs: NOW_MS,
    random: () => 0.5,
    explain: true,
  });
  const reasons = Object.fromEntries(decision.losers.map(({ lineItemId, reason }) => [lineItemId, reason]));
  const winner = decision.placements[0]?.lineItem.booked.id ?? (decision.noFill === 'header_bid' ? 'header' : null);
  return { winner, reasons, decision };
}

test('a goal takes an opportunity when it bids at least what PRICE pays, as a multiple of the usual price', () => {
  // The usual price is 6.
  const lineItems = [standard('1'), price('8', 2), price('9', 6)];
  expect(play({ lineItems, worths: { '1': 1 } }).winner).toBe('1');
  const lost = play({ lineItems, worths: { '1': 0.99 } });
  expect(lost.winner).toBe('9');
  expect(lost.reasons).toMatchObject({ '1': 'lost.plan', '8': 'lost.price' });
  expect(lost.decision.losers.find(({ lineItemId }) => lineItemId === '1')?.worth).toBe(0.99);
});

test('the goal that bids most is compared, whatever its level', () => {
  const lineItems = [standard('1', { level: 1 }), standard('2', { level: 16 }), price('9', 1)];
  const { winner, reasons, decision } = play({ lineItems, worths: { '1': 2, '2': 3 } });
  expect(winner).toBe('2');
  expect(reasons).toMatchObject({ '1': 'lost.plan' });
  expect(decision.placements[0]?.worth).toBe(3);
});

test('a header bid counts as PRICE, and the goal that bids less leaves it the slot', () => {
  const lineItems = [standard('1'), price('9', 1)];
  expect(play({ lineItems, worths: { '1': 5 }, headerCpm: 5 }).winner).toBe('1');
  expect(play({ lineItems, worths: { '1': 5 }, headerCpm: 5.1 }).winner).toBe('header');
});

test('goals as soon as possible, then line items without a goal, take the opportunities that other goals leave, before PRICE', () => {
  const soon = standard('2', { pacing: 'ASAP' });
  const free = standard('3', { goal: null });
  const lineItems = [standard('1'), soon, free, price('9', 100)];
  expect(play({ lineItems, worths: { '1': 0.5, '2': 0.1, '3': 1 } }).winner).toBe('2');
  expect(play({ lineItems, worths: { '1': 1, '2': 0.1, '3': 1 } }).winner).toBe('1');
  expect(play({ lineItems, worths: { '1': 0.5, '3': 1 } }).winner).toBe('3');
  expect(play({ lineItems: [standard('1'), price('9', 100)], worths: { '1': 0.5 } }).winner).toBe('9');
});

test('the usual price is that of the dearest tenth of PRICE, of any line item without PRICE, and one unit where nothing has a price', () => {
  const usual = (lineItems: Asked['lineItems']) =>
    compileWorkspace(sampleSnapshot({ lineItems }), NOW_MS, () => undefined).competition.usualCpmMicros;
  expect(usual([standard('1', { priceMicros: 4_000_000 }), { id: '2', type: 'HOUSE', priceMicros: 0 }])).toBe(
    4_000_000,
  );
  expect(usual([standard('1', { priceMicros: 4_000_000 }), price('9', 2)])).toBe(2_000_000);
  expect(usual([{ id: '2', type: 'HOUSE', priceMicros: 0 }])).toBe(1_000_000);
  const twenty = Array.from({ length: 20 }, (_none, at) => price(String(at + 1), at + 1));
  expect(usual(twenty)).toBe(18_000_000);
});
