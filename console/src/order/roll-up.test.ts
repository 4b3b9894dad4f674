import { expect, test } from 'vitest';
import type { LineItem } from '../api/bookings/desk-list.ts';
import { rollUp } from './roll-up.ts';

const NOW = Date.parse('2026-03-10T00:00:00Z');

function item(some: Partial<LineItem>, figures?: { delivered: number; expected: number; goal: number }): LineItem {
  const progress = figures === undefined ? null : { ...figures, percent: 0, pacingPercent: null, status: 'ON_TRACK' };
  return {
    status: 'ACTIVE',
    startsAt: '2026-03-01T00:00:00Z',
    endsAt: '2026-04-01T00:00:00Z',
    campaign: null,
    timezone: null,
    price: '2.00',
    pricingModel: 'CPM',
    goal: { amount: 100_000, kind: 'IMPRESSIONS', period: 'LIFETIME' },
    delivery: { progress },
    ...some,
  } as unknown as LineItem;
}

test('goals of different kinds add up by their money, and pace is weighted with it', () => {
  const clicks = {
    goal: { amount: 100, kind: 'CLICKS', period: 'LIFETIME' },
    price: '6.00',
    pricingModel: 'CPC',
  } as const;
  const rolled = rollUp(
    [
      item({}, { delivered: 40_000, expected: 50_000, goal: 100_000 }),
      item(clicks, { delivered: 50, expected: 50, goal: 100 }),
    ],
    NOW,
  );
  // 80 of 100 and 300 of 300 are expected by now.
  expect(rolled).toMatchObject({ booked: '800.00', unpriced: 0, pacePercent: 95 });
});

test('a line item without a priced goal is counted and left out of the money', () => {
  const house = item({ goal: null, price: '0.00' });
  const daily = item({ goal: { amount: 1_000, kind: 'IMPRESSIONS', period: 'DAY' } });
  expect(rollUp([house, daily, item({})], NOW)).toMatchObject({ booked: '200.00', unpriced: 2, pacePercent: null });
  expect(rollUp([house], NOW).booked).toBeNull();
});

test('line items are counted by how they stand, most first', () => {
  const paused = item({ status: 'PAUSED' });
  const later = item({ startsAt: '2026-03-20T00:00:00Z' });
  expect(rollUp([later, paused, paused], NOW).states).toEqual([
    { state: 'NOT_SERVING', count: 2 },
    { state: 'NOT_STARTED', count: 1 },
  ]);
});
