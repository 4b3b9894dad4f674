import { expect, test } from 'vitest';
import { watchedFilters } from './attention.ts';

const SOON = '2026-11-30T00:00:00.000Z';

test('the whole network is watched without what the member has snoozed', () => {
  const { paused, snoozed } = watchedFilters(null, SOON, false);
  expect(paused).toEqual({ isSnoozed: false, reasons: ['PAUSED'], endsBefore: SOON });
  expect(snoozed).not.toHaveProperty('isSnoozed');
});

test.each([
  ['campaign', { campaignIds: ['7'] }],
  ['advertiser', { advertiserIds: ['7'] }],
] as const)('one %s narrows every list', (kind, narrow) => {
  const filters = watchedFilters({ kind, id: '7' }, SOON, false);
  for (const filter of Object.values(filters)) expect(filter).toMatchObject(narrow);
});
