import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DELIVERY_STATUSES, LINE_ITEM_TABS, LINE_ITEM_TYPES } from '../api/bookings/desk-list.ts';
import { FILTERED_DIMENSIONS, readDeskParams, toFilter, USUAL_SORT, writeDeskParams } from './desk-state.ts';

const COLUMNS = { all: ['status', 'type', 'campaign', 'goal'], usual: ['status'], sets: { money: ['goal'] } };
const id = fc.option(fc.integer({ min: 1, max: 1e9 }).map(String));
const state = fc.record({
  search: fc.string({ maxLength: 50 }),
  tab: fc.option(fc.constantFrom(...LINE_ITEM_TABS)),
  statuses: fc.subarray([...DELIVERY_STATUSES]),
  types: fc.subarray([...LINE_ITEM_TYPES]),
  advertiserId: id,
  campaignId: id,
  labels: fc.uniqueArray(fc.constantFrom('vip', 'low price'), { maxLength: 2 }),
  level: fc.option(fc.integer({ min: 1, max: 16 })),
  targets: fc.option(
    fc.record({ dimension: fc.constantFrom(...FILTERED_DIMENSIONS), value: fc.string({ maxLength: 20 }) }),
  ),
  set: fc.option(fc.constant('money')),
  sort: fc.record({
    field: fc.constantFrom('ID' as const, 'NAME' as const, 'ENDS_AT' as const, 'PACE' as const, 'SPEND' as const),
    direction: fc.constantFrom('ASC' as const, 'DESC' as const),
  }),
  columns: fc.option(fc.shuffledSubarray(COLUMNS.all)),
});

test('an address holds all of a table’s state', () => {
  fc.assert(
    fc.property(state, (one) => {
      expect(readDeskParams(writeDeskParams(one), COLUMNS)).toEqual(one);
    }),
  );
});

test('wrong parameters of an address are left out', () => {
  const search = {
    status: 'active,sold',
    type: 'house,other',
    advertiser: '1 or 1',
    sort: 'price',
    tab: 'lost',
    set: 'other',
    cols: 'goal,secret',
    level: '17',
    targets: 'weather~rain',
  };
  expect(readDeskParams(search, COLUMNS)).toEqual({
    search: '',
    tab: null,
    statuses: ['ACTIVE'],
    types: ['HOUSE'],
    advertiserId: null,
    campaignId: null,
    labels: [],
    level: null,
    targets: null,
    sort: USUAL_SORT,
    set: null,
    columns: ['goal'],
  });
});

test('the filter by type is one of line items: campaigns have none', () => {
  const search = { type: 'price' };
  expect(toFilter(readDeskParams(search, COLUMNS))).toMatchObject({ types: ['PRICE'] });
  expect(toFilter(readDeskParams(search, { ...COLUMNS, all: ['status'] }))).not.toHaveProperty('types');
});

test('the filter by targeting has a value only where a value is given', () => {
  const filterOf = (targets: string) => toFilter(readDeskParams({ targets, level: '3' }, COLUMNS));
  expect(filterOf('country~PL')).toMatchObject({ levels: [3], targets: { dimension: 'COUNTRY', values: ['PL'] } });
  expect(filterOf('segment~').targets).toEqual({ dimension: 'SEGMENT' });
});
