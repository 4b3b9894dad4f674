import { expect, test } from 'vitest';
import type { Goal } from '../api/bookings/desk-list.ts';
import { arrangeCampaign, campaignRange, type PlannedItem, plannedItems } from './campaign-days.ts';

const NOW_MS = Date.parse('2026-11-24T12:00:00Z');
const item = (id: string, goal: Partial<Goal> | null, flight: Partial<PlannedItem> = {}): PlannedItem => ({
  id,
  goal: goal === null ? null : { amount: 100, kind: 'IMPRESSIONS', period: 'DAY', ...goal },
  startsAt: null,
  endsAt: null,
  timezone: null,
  campaign: null,
  ...flight,
});
const planOf = (...items: PlannedItem[]): Map<string, number | null> => {
  const range = campaignRange('UTC', NOW_MS);
  return new Map(
    arrangeCampaign({ items, counts: new Map(), range, timezone: 'UTC' }).map(({ date, plan }) => [date, plan]),
  );
};

test('a chart of a campaign has the last thirty days with what was counted on each', () => {
  const range = campaignRange('Europe/Warsaw', Date.parse('2026-11-24T23:30:00Z'));
  expect(range).toEqual({ from: '2026-10-27', today: '2026-11-25' });
  const days = arrangeCampaign({ items: [], counts: new Map([['2026-11-25', 7]]), range, timezone: 'Europe/Warsaw' });
  expect([days.length, days.at(0)?.delivered, days.at(-1)?.delivered]).toEqual([30, 0, 7]);
});

test('goals of a day and of a whole flight add up on the days of each flight alone', () => {
  const plan = planOf(
    item('1', { amount: 100 }, { startsAt: '2026-11-20T00:00:00Z' }),
    item(
      '2',
      { amount: 1_000, period: 'LIFETIME' },
      { startsAt: '2026-11-19T00:00:00Z', endsAt: '2026-11-23T00:00:00Z' },
    ),
  );
  expect(['18', '19', '20', '22', '23', '24'].map((day) => plan.get(`2026-11-${day}`))).toEqual([
    0, 250, 350, 350, 100, 100,
  ]);
});

test('the flight of a campaign bounds those of its line items', () => {
  const campaign = {
    id: '1',
    name: 'Autumn',
    status: 'ACTIVE',
    version: 1,
    startsAt: '2026-11-22T00:00:00Z',
    endsAt: null,
    advertiser: null,
  } as const;
  const plan = planOf(item('1', {}, { campaign }));
  expect([plan.get('2026-11-21'), plan.get('2026-11-22')]).toEqual([0, 100]);
});

test('line items count together when they have a goal of the same kind, and a flight whose days are known', () => {
  const { kind, items } = plannedItems([
    item('free', null),
    item('clicks', { kind: 'CLICKS' }),
    item('daily', {}),
    item('open', { period: 'LIFETIME' }, { startsAt: '2026-11-01T00:00:00Z' }),
    item('flight', { period: 'LIFETIME' }, { startsAt: '2026-11-01T00:00:00Z', endsAt: '2026-12-01T00:00:00Z' }),
  ]);
  expect([kind, items.map(({ id }) => id)]).toEqual(['IMPRESSIONS', ['daily', 'flight']]);
  expect(plannedItems([item('free', null)])).toEqual({ kind: 'IMPRESSIONS', items: [] });
});
