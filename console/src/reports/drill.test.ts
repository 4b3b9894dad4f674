import { expect, test } from 'vitest';
import { drillInto, filterByValue, nextDimension } from './drill.ts';
import { DEFAULT_CUBE, DEFAULT_LENS, type LensState } from './lens-state.ts';

const member = (name: string): string => `${DEFAULT_CUBE}.${name}`;
const state: LensState = { ...DEFAULT_LENS, dimensions: [member('country'), member('site_name')], filters: [] };

test('a drill leads down its path, to a dimension that the report has', () => {
  const existing = new Set([member('campaign_id'), member('region'), member('line_item_name')]);
  expect(nextDimension(member('advertiser_name'), existing)).toBe(member('campaign_id'));
  expect(nextDimension(member('country'), existing)).toBe(member('region'));
  expect(nextDimension(member('deal_id'), existing)).toBe(member('line_item_name'));
  expect(nextDimension(member('creative_name'), existing)).toBeNull();
  expect(nextDimension(member('country'), new Set())).toBeNull();
});

test('one value is kept in place of the one before, and values that are left out add up', () => {
  const kept = filterByValue(filterByValue(state, member('country'), 'PL', true), member('country'), 'DE', true);
  expect(kept.filters).toEqual([{ member: member('country'), operator: 'equals', values: ['DE'] }]);
  const out = filterByValue(filterByValue(state, member('country'), 'PL', false), member('country'), 'DE', false);
  expect(out.filters).toEqual([{ member: member('country'), operator: 'notEquals', values: ['PL', 'DE'] }]);
});

test('rows without a value are kept and left out as such', () => {
  expect(filterByValue(state, member('country'), null, true).filters[0]).toMatchObject({
    operator: 'notSet',
    values: [],
  });
  expect(filterByValue(state, member('country'), null, false).filters[0]).toMatchObject({
    operator: 'set',
    values: [],
  });
});

test('a drill replaces the coarse dimension by the finer one, and drops its order and pivot', () => {
  const from = { member: member('country'), value: 'PL' };
  const ordered = { ...state, order: { member: member('country'), descending: true }, pivot: member('country') };
  const drilled = drillInto(ordered, from, member('region'));
  expect(drilled.dimensions).toEqual([member('region'), member('site_name')]);
  expect([drilled.order, drilled.pivot]).toEqual([null, null]);
  expect(drillInto(state, from, member('site_name')).dimensions).toEqual([member('site_name')]);
});
