import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DELIVERY_STATUSES } from '../api/desk-list.ts';
import { readDeskParams, USUAL_SORT, writeDeskParams } from './desk-state.ts';

const COLUMNS = ['status', 'campaign', 'goal'];
const id = fc.option(fc.integer({ min: 1, max: 1e9 }).map(String));
const state = fc.record({
  search: fc.string({ maxLength: 50 }),
  statuses: fc.subarray([...DELIVERY_STATUSES]),
  advertiserId: id,
  campaignId: id,
  sort: fc.record({
    field: fc.constantFrom('ID' as const, 'NAME' as const, 'CREATED_AT' as const, 'UPDATED_AT' as const),
    direction: fc.constantFrom('ASC' as const, 'DESC' as const),
  }),
  columns: fc.option(fc.subarray(COLUMNS)),
});

test('an address holds all of a table’s state', () => {
  fc.assert(
    fc.property(state, (one) => {
      expect(readDeskParams(writeDeskParams(one), COLUMNS)).toEqual(one);
    }),
  );
});

test('wrong parameters of an address are left out', () => {
  const search = { status: 'active,sold', advertiser: '1 or 1', sort: 'price', cols: 'goal,secret' };
  expect(readDeskParams(search, COLUMNS)).toEqual({
    search: '',
    statuses: ['ACTIVE'],
    advertiserId: null,
    campaignId: null,
    sort: USUAL_SORT,
    columns: ['goal'],
  });
});
