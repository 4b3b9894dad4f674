import { describe, expect, test } from 'vitest';
import type { Delivery, GoalProgress } from '../api/bookings/desk-list.ts';
import { type DeliveringItem, deliveryStateOf, describeDelivery } from './delivery-sentence.ts';

const NOW = Date.parse('2030-03-10T12:00:00Z');
const figures = (impressions: number) => ({ impressions, viewableImpressions: 0, clicks: 0, spend: '0' });
const progressOf = (over: Partial<GoalProgress> = {}): GoalProgress => ({
  delivered: 400,
  goal: 1_000,
  percent: 40,
  expected: 500,
  pacingPercent: 80,
  status: 'BEHIND',
  isHistoryLoading: false,
  projected: { low: 700, projected: 800, high: 900 },
  ...over,
});
const deliveryOf = (progress: GoalProgress | null): Delivery => ({
  today: figures(1),
  lifetime: figures(2_500),
  progress,
});
const campaign = { id: '1', name: 'Spring', status: 'ACTIVE', version: 1, startsAt: null, endsAt: null } as const;
const itemOf = (over: Partial<DeliveringItem> = {}): DeliveringItem => ({
  status: 'ACTIVE',
  startsAt: '2030-03-01T00:00:00Z',
  endsAt: '2030-04-01T00:00:00Z',
  campaign: { ...campaign, advertiser: null },
  goal: { amount: 1_000, kind: 'IMPRESSIONS', period: 'LIFETIME' },
  delivery: deliveryOf(progressOf()),
  timezone: null,
  ...over,
});
const stateOf = (over: Partial<DeliveringItem>) => deliveryStateOf(itemOf(over), NOW);
const say = (over: Partial<DeliveringItem> = {}, timezone?: string) =>
  describeDelivery(itemOf(over), { nowMs: NOW, timezone }).replaceAll('\u00a0', ' ');

describe('the state of delivery', () => {
  test.each([
    ['the state is the status of the goal while the line item serves', {}, 'BEHIND'],
    [
      'a goal stays missed after the line item has ended',
      { endsAt: '2030-03-02T00:00:00Z', delivery: deliveryOf(progressOf({ status: 'MISSED' })) },
      'MISSED',
    ],
    [
      'a goal stays reached while the line item is paused',
      { status: 'PAUSED', delivery: deliveryOf(progressOf({ status: 'REACHED' })) },
      'REACHED',
    ],
    ['a paused line item does not serve', { status: 'PAUSED' }, 'NOT_SERVING'],
    [
      'a line item of a paused campaign does not serve',
      { campaign: { ...campaign, advertiser: null, status: 'PAUSED' } },
      'NOT_SERVING',
    ],
    ['a line item serves without a campaign', { campaign: null }, 'BEHIND'],
    ['a line item has ended at the instant of its end', { endsAt: '2030-03-10T12:00:00Z' }, 'ENDED'],
    ['a line item has not ended a moment before its end', { endsAt: '2030-03-10T12:00:00.001Z' }, 'BEHIND'],
    [
      'a line item has ended with its campaign',
      { campaign: { ...campaign, advertiser: null, endsAt: '2030-03-05T00:00:00Z' } },
      'ENDED',
    ],
    ['a line item has not started a moment before its start', { startsAt: '2030-03-10T12:00:00.001Z' }, 'NOT_STARTED'],
    ['a line item has started at the instant of its start', { startsAt: '2030-03-10T12:00:00Z' }, 'BEHIND'],
    ['the state is unknown without counters', { delivery: null }, 'UNKNOWN'],
    [
      'a line item has ended, whether or not its counters are known',
      { delivery: null, endsAt: '2030-03-02T00:00:00Z' },
      'ENDED',
    ],
    ['a line item without a goal says so', { goal: null, delivery: deliveryOf(null) }, 'NO_GOAL'],
    [
      'a line item has no plan while the status of its goal is not known',
      { delivery: deliveryOf(progressOf({ status: null })) },
      'NO_PLAN',
    ],
    [
      'nothing is known of the pace while history is loading',
      { delivery: deliveryOf(progressOf({ status: null, isHistoryLoading: true })) },
      'HISTORY_LOADING',
    ],
    [
      'a goal is reached although history is loading',
      { delivery: deliveryOf(progressOf({ status: 'REACHED', isHistoryLoading: true })) },
      'REACHED',
    ],
  ] as const satisfies readonly (readonly [string, Partial<DeliveringItem>, string])[])('%s', (_title, over, state) => {
    expect(stateOf(over)).toBe(state);
  });
});

describe('the sentence of delivery', () => {
  test.each([
    [
      'a line item behind its plan says what is likely by its last day',
      {},
      'It is behind its plan. 400 of 1,000 impressions delivered. That is 80 % of the 500 that the plan expects by now. About 800 are likely by Mar 31.',
    ],
    [
      'a goal of a day speaks of today',
      { goal: { amount: 1_000, kind: 'CLICKS', period: 'DAY' } },
      'It is behind its plan. 400 of 1,000 clicks delivered today. That is 80 % of the 500 that the plan expects by now. About 800 are likely by the end of the day.',
    ],
    [
      'a line item on track has no forecast',
      { delivery: deliveryOf(progressOf({ status: 'ON_TRACK', pacingPercent: 101 })) },
      'It is on track. 400 of 1,000 impressions delivered. That is 101 % of the 500 that the plan expects by now.',
    ],
    [
      'an open end has no day by which something is likely',
      { endsAt: null, delivery: deliveryOf(progressOf({ expected: null })) },
      'It is behind its plan. 400 of 1,000 impressions delivered.',
    ],
    [
      'a line item without a goal says today and in total',
      { goal: null, delivery: deliveryOf(null) },
      'It serves without a goal. 1 impression today, 2,500 in total.',
    ],
    [
      'a paused line item says what it has delivered',
      { status: 'PAUSED' },
      'It is paused and does not serve. 400 of 1,000 impressions delivered.',
    ],
    [
      'a paused campaign is the reason, where the line item is active',
      { campaign: { ...campaign, advertiser: null, status: 'PAUSED' } },
      'It does not serve, because its campaign is not active. 400 of 1,000 impressions delivered.',
    ],
    ['no counters leave no blank behind', { status: 'DRAFT', delivery: null }, 'It is a draft and does not serve.'],
    [
      'an end without counters leaves no blank behind',
      { endsAt: '2030-03-02T00:00:00Z', delivery: null },
      'It ended on Mar 1.',
    ],
    ['a start is a day', { startsAt: '2030-03-15T00:00:00Z' }, 'It starts on Mar 15.'],
    ['counters that are unavailable are said to be', { delivery: null }, 'Its counters are unavailable at the moment.'],
  ] as const satisfies readonly (readonly [string, Partial<DeliveringItem>, string])[])('%s', (_title, over, text) => {
    expect(say(over, 'UTC')).toBe(text);
  });

  test('days are those of the line item, else of the network', () => {
    const startsAt = '2030-03-15T23:30:00Z';
    expect(say({ startsAt, timezone: 'Asia/Tokyo' }, 'UTC')).toBe('It starts on Mar 16.');
    expect(say({ startsAt }, 'America/New_York')).toBe('It starts on Mar 15.');
  });
});
