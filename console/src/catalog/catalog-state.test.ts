import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type CatalogState,
  NEW,
  readCatalogParams,
  REVIEWS,
  STATUSES,
  toCatalogFilter,
  writeCatalogParams,
} from './catalog-state.ts';

const anyId = fc.bigInt({ min: 1n, max: 2n ** 62n }).map(String);
const anyState: fc.Arbitrary<CatalogState> = fc.record({
  search: fc.string({ maxLength: 200 }),
  statuses: fc.subarray([...STATUSES]),
  reviews: fc.subarray([...REVIEWS]),
  siteId: fc.option(anyId),
  isGallery: fc.boolean(),
  sort: fc.record({
    field: fc.constantFrom('ID', 'NAME', 'UPDATED_AT'),
    direction: fc.constantFrom('ASC', 'DESC'),
  }),
  open: fc.oneof(fc.constantFrom(null, NEW), anyId),
});

test('an address shows the state that it was written from, and keeps the parameters of others', () => {
  fc.assert(
    fc.property(anyState, (state) => {
      const written = writeCatalogParams({ env: 'staging', q: 'old', open: '1' }, state);
      expect(written['env']).toBe('staging');
      expect(readCatalogParams(written)).toEqual(state);
    }),
  );
});

test('an address without parameters shows all that is not archived, newest first', () => {
  const state = readCatalogParams({});
  expect(toCatalogFilter(state, ['ACTIVE', 'ARCHIVED'])).toEqual({ statuses: ['ACTIVE'] });
  expect(writeCatalogParams({}, state)).toEqual({});
});

test('an invalid parameter is ignored', () => {
  const state = readCatalogParams({ status: 'gone', review: '?', site: "1' or 1", sort: '-price', open: '../x' });
  expect(state).toEqual(readCatalogParams({}));
});

test('a status that the kind does not have is not requested', () => {
  const state = readCatalogParams({ status: 'paused' });
  expect(toCatalogFilter(state, ['ACTIVE', 'ARCHIVED'])).toEqual({ statuses: ['ACTIVE'] });
  expect(toCatalogFilter(state, STATUSES)).toEqual({ statuses: ['PAUSED'] });
});
