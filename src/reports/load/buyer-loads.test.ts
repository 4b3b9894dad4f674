import { expect, test } from 'vitest';
import type { NormalizedQuery } from '../query/query.ts';
import { bindToAdvertisers } from './buyer-loads.ts';

const QUERY: NormalizedQuery = {
  measures: ['campaign_overview.impressions'],
  dimensions: ['campaign_overview.campaign_name'],
  filters: [{ or: [{ member: 'campaign_overview.country', operator: 'equals', values: ['PL'] }] }],
  timeDimensions: [{ dimension: 'campaign_overview.time', granularity: 'day' }],
  order: [{ id: 'campaign_overview.time.day', desc: false }],
  limit: 10,
  rowLimit: 10,
  timezone: 'UTC',
  cacheMode: 'stale-if-slow',
};

test("a buyer's query is bound to its advertisers, whatever its own filters say", () => {
  const own = { member: 'campaign_overview.advertiser_id', operator: 'equals', values: ['1', '2'] };
  expect(bindToAdvertisers(QUERY, ['1', '2'])).toEqual({ ...QUERY, filters: [...QUERY.filters, own] });
  const others = { ...QUERY, filters: [{ ...own, operator: 'equals' as const, values: ['9'] }] };
  expect(bindToAdvertisers(others, ['1']).filters).toEqual([
    { ...own, values: ['9'] },
    { ...own, values: ['1'] },
  ]);
});

test('a key without advertisers reads nothing', () => {
  expect(bindToAdvertisers(QUERY, []).filters.at(-1)).toMatchObject({ values: ['0'] });
});

test.each([
  ['a measure', { measures: ['campaign_overview.requests'] }],
  ['a dimension', { dimensions: ['campaign_overview.deal_name'] }],
  ['an order', { order: [{ id: 'campaign_overview.deal_name', desc: true }] }],
  [
    'a nested filter',
    { filters: [{ and: [{ or: [{ member: 'campaign_overview.deal_id', operator: 'set' as const }] }] }] },
  ],
  ['a segment', { segments: ['campaign_overview.any'] }],
  ['a member of another cube', { measures: ['touches.count'] }],
  ["a member of the network's own", { dimensions: ['campaign_overview.custom_region'] }],
])('%s that buyers do not read is refused', (_name, more) => {
  expect(() => bindToAdvertisers({ ...QUERY, ...more }, ['1'])).toThrow('The key of a buyer does not read');
});
