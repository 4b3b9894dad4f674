import { expect, test } from 'vitest';
import { watchedFilters } from './attention.ts';

const SOON = '2026-11-30T00:00:00.000Z';

test('the whole network is watched without a filter of its creatives', () => {
  const { lineItems, creatives } = watchedFilters(null, SOON);
  expect([lineItems.all, lineItems.paused, creatives]).toEqual([{}, { statuses: ['PAUSED'], endsBefore: SOON }, {}]);
});

test.each([
  ['campaign', { campaignIds: ['7'] }, { id: { eq: '7' } }],
  ['advertiser', { advertiserIds: ['7'] }, { advertiserId: { eq: '7' } }],
] as const)('one %s narrows every list', (kind, narrow, campaign) => {
  const { lineItems, creatives } = watchedFilters({ kind, id: '7' }, SOON);
  for (const filter of Object.values(lineItems)) expect(filter).toMatchObject(narrow);
  expect(creatives).toEqual({ where: { lineItem: { campaign } } });
});
