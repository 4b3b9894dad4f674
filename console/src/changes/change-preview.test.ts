import { describe, expect, test } from 'vitest';
import { changedFields, describeValue, isApplicable, isSameValue } from './change-preview.ts';

const changesOf = (input: Readonly<Record<string, unknown>>, before: Readonly<Record<string, unknown>> | null) =>
  changedFields({ variables: { input } }, before);

describe('the fields that a change sets', () => {
  test('only those that differ are named, with both values', () => {
    const before = { price: '18.50', level: 5, name: 'Top' };
    expect(changesOf({ price: '20', level: 5, name: 'Top' }, before)).toEqual([
      { name: 'price', before: '18.50', after: '20' },
    ]);
  });

  test('all fields of a new object are named', () => {
    expect(changesOf({ name: 'Top', labels: [] }, null)).toEqual([
      { name: 'name', before: undefined, after: 'Top' },
      { name: 'labels', before: undefined, after: [] },
    ]);
  });

  test('a field that is not set before nor after is not named', () => {
    expect(changesOf({ endsAt: null, goal: undefined }, { endsAt: null })).toEqual([]);
    expect(changesOf({ endsAt: null }, null)).toEqual([]);
  });

  test('members of limits are named one by one', () => {
    const before = { caps: { impressionsPerDay: 100, clicksPerDay: 5, spendPerDay: null } };
    expect(changesOf({ caps: { impressionsPerDay: 200, clicksPerDay: 5 } }, before)).toEqual([
      { name: 'caps.impressionsPerDay', before: 100, after: 200 },
    ]);
  });

  test('a limit that a change leaves out is removed', () => {
    expect(changesOf({ caps: {} }, { caps: { clicksPerDay: 5 } })).toEqual([
      { name: 'caps.clicksPerDay', before: 5, after: undefined },
    ]);
  });

  test('targeting is one field', () => {
    const before = { targeting: { test: { dimension: 'COUNTRY', values: ['PL'] }, all: null } };
    const after = { test: { dimension: 'COUNTRY', values: ['DE'] } };
    expect(changesOf({ targeting: after }, before)).toEqual([{ name: 'targeting', before: before.targeting, after }]);
  });

  test('a change without variables sets nothing', () => {
    expect(changedFields({ variables: null }, { price: '1' })).toEqual([]);
  });
});

describe('equal values', () => {
  test.each([
    ['an instant in two time zones', '2030-03-01T00:00:00Z', '2030-03-01T01:00:00+01:00', true],
    ['an instant with and without milliseconds', '2030-03-01T00:00:00Z', '2030-03-01T00:00:00.000Z', true],
    ['two instants', '2030-03-01T00:00:00Z', '2030-03-01T00:00:01Z', false],
    ['a member that is null, and none', { a: 1, b: null }, { a: 1 }, true],
    ['the order of members', { a: 1, b: { c: 2, d: 3 } }, { b: { d: 3, c: 2 }, a: 1 }, true],
    ['the order of members in a list', [{ a: 1, b: 2 }], [{ b: 2, a: 1 }], true],
    ['instants in a list', ['2030-03-01T00:00:00Z'], ['2030-03-01T00:00:00.000Z'], true],
    ['the order of a list', [1, 2], [2, 1], false],
    ['no value and null', undefined, null, true],
    ['an empty list and none', [], null, false],
    ['a number and its text', 1, '1', false],
    ['a text that begins like an instant', '2030-03-01T00:00 sale', '2030-03-01T00:00 sales', false],
  ])('%s', (_title, one, other, isSame) => {
    expect(isSameValue(one, other)).toBe(isSame);
    expect(isSameValue(other, one)).toBe(isSame);
  });
});

test.each([
  ['nothing', null, '(none)'],
  ['yes', true, 'Yes'],
  ['a number', 5, '5'],
  ['a text', 'Top', 'Top'],
  ['an object without its empty members', { a: 1, b: null }, '{"a":1}'],
])('a value is described: %s', (_title, value, text) => {
  expect(describeValue(value)).toBe(text);
});

test('a change can be sent when nothing is missing', () => {
  const change = { document: 'mutation', variables: { input: {} }, missing: [] };
  const isSendable = (over: object): boolean => isApplicable({ ...change, ...over } as never);
  expect(isSendable({})).toBe(true);
  expect(isSendable({ missing: ['amount'] })).toBe(false);
  expect(isSendable({ document: null })).toBe(false);
  expect(isSendable({ variables: null })).toBe(false);
});
