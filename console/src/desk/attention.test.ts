import { expect, test } from 'vitest';
import type { LineItem } from '../api/desk-list.ts';
import { listAttention } from './attention.ts';

const NOW_MS = Date.parse('2026-11-24T12:00:00Z');
const figures = { impressions: 10, clicks: 0, spend: '0' };
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
  campaign: null,
  ...change,
});
const silent = { today: { ...figures, impressions: 0 }, lifetime: figures, progress: null };
const listed = (lineItems: readonly LineItem[], creatives: Parameters<typeof listAttention>[1] = []) =>
  listAttention(lineItems, creatives, { nowMs: NOW_MS, timezone: 'UTC' }).map(({ kind, lineItemId }) => [
    kind,
    lineItemId,
  ]);

test('the most urgent comes first, and what delivers as planned is left out', () => {
  const progress = { delivered: 1, goal: 10, percent: 10, expected: 5, pacingPercent: 20, projected: null };
  const goal = { amount: 10, kind: 'IMPRESSIONS', period: 'LIFETIME' } as const;
  const behind = { ...silent, progress: { ...progress, status: 'BEHIND' as const } };
  const atRisk = { ...silent, progress: { ...progress, status: 'AT_RISK' as const } };
  const lineItems = [
    lineItem('1'),
    lineItem('2', { endsAt: '2026-11-25T00:00:00Z' }),
    lineItem('3', { delivery: silent }),
    lineItem('4', { goal, delivery: behind }),
    lineItem('5', { goal, delivery: atRisk }),
  ];
  const reviewed = {
    id: '9',
    name: 'Banner',
    reviewState: 'REJECTED',
    lineItem: { id: '1', name: 'One', status: 'ACTIVE' },
  } as const;
  expect(listed(lineItems, [reviewed])).toEqual([
    ['AT_RISK', '5'],
    ['BEHIND', '4'],
    ['SILENT', '3'],
    ['REJECTED', '1'],
    ['ENDING', '2'],
  ]);
});

test('a line item that has just begun, or is not to serve, is not silent', () => {
  const lineItems = [
    lineItem('1', { delivery: silent, startsAt: '2026-11-24T11:00:00Z' }),
    lineItem('2', { delivery: silent, createdAt: '2026-11-24T11:30:00Z' }),
    lineItem('3', { delivery: silent, status: 'PAUSED' }),
    lineItem('4', { delivery: null }),
  ];
  expect(listed(lineItems)).toEqual([]);
});
