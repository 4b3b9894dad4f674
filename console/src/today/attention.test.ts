import { expect, test } from 'vitest';
import type { GoalStatus, LineItem, Standing, StandingReason } from '../api/bookings/desk-list.ts';
import { listAttention } from './attention.ts';
import type { Watched } from '../api/bookings/attention.ts';

const NOW_MS = Date.parse('2026-11-24T12:00:00Z');
const figures = { impressions: 10, viewableImpressions: 0, clicks: 0, spend: '0' };
const PROGRESS = { delivered: 10, goal: 100, percent: 10, expected: 10, pacingPercent: 100, projected: null };
const lineItem = (id: string, change: Partial<LineItem> = {}): LineItem => ({
  id,
  name: `Line item ${id}`,
  status: 'ACTIVE',
  version: 1,
  startsAt: null,
  endsAt: null,
  createdAt: '2026-11-01T00:00:00Z',
  updatedAt: '2026-11-01T00:00:00Z',
  updatedBy: 'key:1',
  delivery: { today: figures, lifetime: figures, progress: null },
  type: 'PRICE',
  price: '1',
  pricingModel: 'CPM',
  timezone: null,
  goal: null,
  level: 8,
  labels: [],
  frequencyCaps: [],
  standing: null,
  campaign: null,
  ...change,
});
const standing = (reason: StandingReason): Standing => ({ tab: null, reason, movedAt: null });
const listed = (
  lineItems: readonly LineItem[],
  { creatives = [], limits = [] }: Partial<Omit<Watched, 'lineItems'>> = {},
) =>
  listAttention({ lineItems, creatives, limits }, { nowMs: NOW_MS, timezone: 'UTC' }).map(
    ({ kind, lineItemId, actions }) => [kind, lineItemId, actions.map((action) => action.kind).join()],
  );
const reviewed = (id: string, reviewState: 'PENDING' | 'REJECTED', status: LineItem['status'] = 'ACTIVE') => ({
  id,
  name: 'Banner',
  version: 1,
  reviewState,
  lineItem: { id, name: `Line item ${id}`, status },
});

test('the most urgent comes first, each with what one button does about it', () => {
  const soon = '2026-11-25T00:00:00Z';
  const lineItems = [
    lineItem('1', { standing: standing('SERVING') }),
    lineItem('2', { standing: standing('SERVING'), endsAt: soon }),
    lineItem('3', { standing: standing('QUIET') }),
    lineItem('4', { standing: standing('BEHIND'), endsAt: soon }),
    lineItem('5', { standing: standing('AT_RISK') }),
    lineItem('6', { standing: standing('PAUSED'), endsAt: soon }),
    lineItem('7', { standing: standing('NO_CREATIVE') }),
  ];
  const creatives = [reviewed('1', 'REJECTED'), reviewed('8', 'PENDING'), reviewed('9', 'PENDING', 'PAUSED')];
  const limits = [
    { title: 'Reports', used: 86, limit: 100 },
    { title: 'Events', used: 84, limit: 100 },
  ];
  expect(listed(lineItems, { creatives, limits })).toEqual([
    ['AT_RISK', '5', 'open'],
    ['SILENT', '3', 'open'],
    ['REJECTED', '1', ''],
    ['LIMIT', null, 'limits'],
    ['BEHIND', '4', 'extend,open'],
    ['NO_CREATIVE', '7', 'open'],
    ['PENDING', '8', 'approve'],
    ['ENDING', '2', 'extend,open'],
    ['ENDING', '6', 'resume,open'],
  ]);
});

test('line items that deliver, wait or are over need nobody', () => {
  const reasons = ['SERVING', 'DRAFT', 'NOT_BEGUN', 'FLIGHT_OVER', 'PAUSED', 'CAMPAIGN_STOPPED'] as const;
  expect(listed(reasons.map((reason) => lineItem(reason, { standing: standing(reason) })))).toEqual([]);
});

test('a line item that has caught up since the table was made needs nobody, and one that fell back is called so', () => {
  const progressOf = (status: GoalStatus): LineItem['delivery'] => ({
    today: figures,
    lifetime: figures,
    progress: { ...PROGRESS, status },
  });
  expect(
    listed([
      lineItem('1', { standing: standing('AT_RISK'), delivery: progressOf('ON_TRACK') }),
      lineItem('2', { standing: standing('AT_RISK'), delivery: progressOf('BEHIND') }),
      lineItem('3', { standing: standing('BEHIND'), delivery: progressOf('AT_RISK') }),
    ]),
  ).toEqual([
    ['AT_RISK', '3', 'open'],
    ['BEHIND', '2', 'open'],
  ]);
});
