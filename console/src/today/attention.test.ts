import { expect, test } from 'vitest';
import type { WatchedItem } from '../api/bookings/attention.ts';
import type { GoalStatus, LineItem, Standing, StandingReason } from '../api/bookings/desk-list.ts';
import type { DeliveryChange } from '../api/bookings/diagnosis.ts';
import { groupAttention, nearLimits, remedyOf } from './attention.ts';

const NOW_MS = Date.parse('2026-11-24T12:00:00Z');
const SOON = '2026-11-25T00:00:00Z';
const figures = { impressions: 10, viewableImpressions: 0, clicks: 0, spend: '0' };
const PROGRESS = {
  delivered: 10,
  goal: 100,
  percent: 10,
  expected: 10,
  pacingPercent: 100,
  isHistoryLoading: false,
  projected: null,
};
const NOBODY = { snoozedUntil: null, handedTo: null, handedBy: null, handedAt: null };
const campaign = (id: string): NonNullable<LineItem['campaign']> => ({
  id,
  name: `Campaign ${id}`,
  status: 'ACTIVE',
  version: 1,
  startsAt: null,
  endsAt: null,
  advertiser: { id: '1', name: 'Alder' },
});
const lineItem = (id: string, change: Partial<WatchedItem> = {}): WatchedItem => ({
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
  campaign: campaign('1'),
  attention: NOBODY,
  ...change,
});
const standing = (reason: StandingReason, atRisk = '0'): Standing => ({ tab: null, reason, movedAt: null, atRisk });
const grouped = (lineItems: readonly WatchedItem[]) =>
  groupAttention(lineItems, { nowMs: NOW_MS, timezone: 'UTC', userId: '7' });
const listed = (lineItems: readonly WatchedItem[]) =>
  grouped(lineItems).flatMap(({ entries }) => entries.map(({ kind, item }) => `${kind} ${item.id}`));

test('the most money at risk comes first, whatever its kind, and of equal money the most urgent', () => {
  expect(
    listed([
      lineItem('1', { standing: standing('BEHIND', '2000.5') }),
      lineItem('2', { standing: standing('AT_RISK', '40') }),
      lineItem('3', { standing: standing('NO_CREATIVE', '300') }),
      lineItem('4', { standing: standing('QUIET') }),
      lineItem('5', { standing: standing('SERVING'), endsAt: SOON }),
      lineItem('6', { standing: standing('PAUSED', '7'), endsAt: SOON }),
      lineItem('7', { standing: standing('REVIEW_REJECTED') }),
      lineItem('8', { standing: standing('REVIEW_PENDING') }),
    ]),
  ).toEqual(['BEHIND 1', 'NO_CREATIVE 3', 'AT_RISK 2', 'ENDING 6', 'SILENT 4', 'REJECTED 7', 'PENDING 8', 'ENDING 5']);
});

test('line items of a campaign stand together, and campaigns by the sum of their money', () => {
  const found = grouped([
    lineItem('1', { standing: standing('AT_RISK', '50'), campaign: campaign('a') }),
    lineItem('2', { standing: standing('AT_RISK', '30'), campaign: campaign('b') }),
    lineItem('3', { standing: standing('AT_RISK', '30'), campaign: campaign('b') }),
  ]);
  expect(found.map(({ id, atRisk, entries }) => [id, atRisk, entries.length])).toEqual([
    ['b', 60, 2],
    ['a', 50, 1],
  ]);
});

test('a line item of a colleague is behind all others, and one that was handed to the member is not', () => {
  const handed = (id: string) => ({ ...NOBODY, handedTo: { id, name: 'Ann' } });
  expect(
    listed([
      lineItem('1', { standing: standing('AT_RISK', '500'), attention: handed('8') }),
      lineItem('2', { standing: standing('AT_RISK', '20') }),
      lineItem('3', { standing: standing('AT_RISK', '30'), attention: handed('7') }),
    ]),
  ).toEqual(['AT_RISK 3', 'AT_RISK 2', 'AT_RISK 1']);
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
  ).toEqual(['AT_RISK 3', 'BEHIND 2']);
});

test('a line item whose history is loading is called neither late nor at risk', () => {
  const progress = { ...PROGRESS, status: null, isHistoryLoading: true };
  const loading = { standing: standing('AT_RISK', '9'), delivery: { today: figures, lifetime: figures, progress } };
  expect(listed([lineItem('1', loading)])).toEqual([]);
});

const change = (over: Partial<DeliveryChange>): DeliveryChange => ({
  code: 'x',
  sentence: '',
  text: null,
  mutation: 'updateLineItem',
  document: 'mutation { x }',
  variables: { id: '1', version: 1, input: {} },
  missing: [],
  impressions: null,
  ...over,
});

test('the button mends the cause: the first change that can be made, else what the kind asks for', () => {
  const incomplete = change({ code: 'incomplete', missing: ['input.price'] });
  const possible = change({ code: 'possible' });
  const item = lineItem('1', { standing: standing('QUIET'), endsAt: SOON });
  expect(remedyOf({ kind: 'SILENT', item }, { changes: [incomplete, possible] })).toEqual({
    kind: 'change',
    change: possible,
  });
  expect(remedyOf({ kind: 'SILENT', item }, null)).toEqual({ kind: 'open' });
  expect(remedyOf({ kind: 'BEHIND', item }, { changes: [] })).toEqual({ kind: 'extend' });
  expect(remedyOf({ kind: 'BEHIND', item: lineItem('2') }, null)).toEqual({ kind: 'open' });
  expect(remedyOf({ kind: 'PENDING', item }, { changes: [possible] })).toEqual({ kind: 'review' });
  expect(remedyOf({ kind: 'NO_CREATIVE', item }, null)).toEqual({ kind: 'creatives', campaignId: '1' });
  const paused = lineItem('3', { standing: standing('PAUSED') });
  expect(remedyOf({ kind: 'ENDING', item: paused }, null)).toEqual({ kind: 'resume' });
});

test('a change that lacks what only a person can add leads to the page where it is added', () => {
  const item = lineItem('1', { standing: standing('QUIET') });
  const creative = change({ mutation: 'createCreative', missing: ['input.content'] });
  expect(remedyOf({ kind: 'SILENT', item }, { changes: [creative] })).toEqual({ kind: 'creatives', campaignId: '1' });
  const variables = { id: '9', version: 1, input: {} };
  const advertiser = change({ mutation: 'updateAdvertiser', missing: ['input.name'], variables });
  expect(remedyOf({ kind: 'SILENT', item }, { changes: [advertiser] })).toEqual({
    kind: 'advertiser',
    advertiserId: '9',
  });
});

test('a limit is told from 85 % of its use on', () => {
  const limits = [
    { title: 'Reports', used: 86, limit: 100 },
    { title: 'Events', used: 84, limit: 100 },
    { title: 'Nothing', used: 0, limit: 0 },
  ];
  expect(nearLimits(limits).map(({ title }) => title)).toEqual(['Reports']);
});
