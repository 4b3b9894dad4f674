import { readFileSync } from 'node:fs';
import { buildSchema, isInputObjectType } from 'graphql';
import { expect, test } from 'vitest';
import { nameKey } from '../api/bookings/names.ts';
import { isMessageKey } from '../messages/say.ts';
import { fieldsOfEntry, fieldTitle, type LogContext, namedIn, valueWords } from './change-words.ts';

const NAMES = new Map([
  [nameKey('adUnits', '17'), 'Sports top'],
  [nameKey('deals', '9'), 'Spring deal'],
]);
const CONTEXT: LogContext = {
  currency: 'PLN',
  timezone: 'Europe/Warsaw',
  nameOf: (kind, id) => NAMES.get(nameKey(kind, id)) ?? id,
};
const adUnit = { all: [{ test: { dimension: 'AD_UNIT', operator: 'IS', values: ['17'] } }] };

test.each([
  ['targeting', adUnit, 'ad unit is one of Sports top'],
  ['targeting', null, 'It runs everywhere, for everybody.'],
  ['dealId', '9', 'Spring deal'],
  ['dealId', '10', 'an object that is gone'],
  ['status', 'PAUSED', 'Paused'],
  ['pricingModel', 'CPM', 'CPM'],
  ['goalStatus', 'AT_RISK', 'At risk'],
  ['price', '12.5', 'PLN 12.50'],
  ['endsAt', '2026-11-30T23:00:00.000Z', 'Dec 1, 2026, 12:00 AM'],
  ['frequencyCaps', [{ event: 'IMPRESSIONS', count: 3, window: 'DAY' }], '3 impressions a day for each user'],
  ['caps', { impressionsPerDay: 500, spendLifetime: null }, 'Cap on impressions a day: 500'],
  ['sizes', [{ width: 300, height: 250 }], '300×250'],
  ['labels', ['a', 'b'], 'a and b'],
  ['pauseAfterGoal', true, 'Yes'],
  ['notes', '', '(none)'],
])('the value of %s (%j) is told in words', (name, value, words) => {
  expect(valueWords(name, value, CONTEXT)?.replaceAll(/\s/g, ' ')).toBe(words);
});

test('a value that has no words is not shown as data', () => {
  expect(valueWords('content', { html: { html: '<b>' } }, CONTEXT)).toBeNull();
});

test('a field without a title of its own is told by words, not by its name in the API', () => {
  expect(fieldTitle('endsAt')).toBe('End');
  expect(fieldTitle('someNewField')).toBe('Some new field');
});

test('every field that a mutation sets has a title in each language', () => {
  const schema = buildSchema(readFileSync(new URL('../../../contract/schema.graphql', import.meta.url), 'utf8'));
  const inputs = Object.values(schema.getTypeMap()).filter((type) => isInputObjectType(type));
  const changing = inputs.filter(({ name }) => /^(?:Create|Update)\w+Input$/.test(name));
  const names = new Set(changing.flatMap((type) => Object.keys(type.getFields())));
  expect(names.size).toBeGreaterThan(100);
  const lacks = (name: string): boolean =>
    !['field', 'catalog_column', 'audit_field'].some((prefix) => isMessageKey(`${prefix}.${name}`));
  expect([...names, 'goalStatus'].filter(lacks)).toEqual([]);
});

test('only fields that another value has are changed', () => {
  const details = { before: { level: 8, name: 'A' }, after: { level: 3, name: 'A' } };
  expect(fieldsOfEntry(details)).toEqual([{ name: 'level', before: 8, after: 3 }]);
});

test('the ids of a change are found, so that their names can be read', () => {
  expect(
    namedIn([
      { name: 'targeting', before: null, after: adUnit },
      { name: 'dealId', before: '9', after: null },
    ]),
  ).toEqual({ adUnits: ['17'], deals: ['9'] });
});
