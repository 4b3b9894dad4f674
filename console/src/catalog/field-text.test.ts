import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ApiProblem, problemOf } from '../api/transport/problem.ts';
import type { CatalogField } from './catalog-fields.ts';
import { countShown, faultOf, inputOf, mergeTyped, readField, textOf, textsOf } from './field-text.ts';

const FIELDS: readonly CatalogField[] = [
  { name: 'name', kind: 'text', isRequired: true },
  { name: 'floor', kind: 'decimal' },
  { name: 'priority', kind: 'integer' },
  { name: 'domains', kind: 'list' },
  { name: 'sizes', kind: 'sizes' },
];
const nothing = textsOf(FIELDS, null);

test('an unchanged form sends no field', () => {
  const anyRow = fc.record({
    name: fc.stringMatching(/^[a-z]{1,20}$/),
    floor: fc.constantFrom('0', '1.25', null),
    priority: fc.integer(),
    domains: fc.array(fc.domain(), { maxLength: 3 }),
    sizes: fc.array(fc.record({ width: fc.nat(9_999), height: fc.nat(9_999) }), { maxLength: 3 }),
  });
  fc.assert(
    fc.property(anyRow, (row) => {
      const texts = textsOf(FIELDS, row as never);
      expect(inputOf(FIELDS, texts, texts)).toEqual({});
      // Typed into an empty form, the same texts mean the same values.
      const { floor, domains, sizes, ...rest } = row;
      const full = {
        ...rest,
        ...(floor === null ? {} : { floor }),
        ...(domains.length === 0 ? {} : { domains }),
        ...(sizes.length === 0 ? {} : { sizes }),
      };
      expect(inputOf(FIELDS, texts, nothing)).toEqual(full);
    }),
  );
});

test('an emptied field clears the value, and an emptied list is an empty list', () => {
  const before = { ...nothing, floor: '1.5', domains: 'a.example, b.example' };
  expect(inputOf(FIELDS.slice(1), nothing, before)).toEqual({ floor: null, domains: [] });
});

test('a text that cannot be read names all such fields at once, and money stays exact', () => {
  expect(inputOf(FIELDS.slice(1), { ...nothing, floor: '9007199254740993,10' }, nothing)).toEqual({
    floor: '9007199254740993.10',
  });
  try {
    inputOf(FIELDS, { ...nothing, floor: '1.2.3', priority: 'high', sizes: '300x250, wide' }, nothing);
    expect.unreachable();
  } catch (error) {
    expect(problemOf(error, 'floor')).toMatch(/amount/);
    expect(problemOf(error, 'priority')).toMatch(/whole number/);
    expect(problemOf(error, 'sizes')).toMatch(/300x250/);
    expect(problemOf(error, 'name')).toBeNull();
  }
});

test('seconds are typed as days, and each number of seconds has a text of its own', () => {
  const field = { name: 'clickWindowSeconds', kind: 'days' } as const;
  expect(textOf(field, 2_592_000)).toBe('30');
  expect(readField(field, '0,5')).toBe(43_200);
  for (const text of ['', 'soon', '-1', '1e3']) expect([text, readField(field, text)]).toEqual([text, undefined]);
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 2_592_000 }), (seconds) => {
      expect(readField(field, textOf(field, seconds))).toBe(seconds);
    }),
  );
});

test('a choice takes its own values, and a flag yes or no', () => {
  const kind = { name: 'kind', kind: 'choice', choices: [['PRIVATE', 'deal_kind.PRIVATE']] } as const;
  expect([readField(kind, 'PRIVATE'), readField(kind, 'OTHER')]).toEqual(['PRIVATE', undefined]);
  const flag = { name: 'reportable', kind: 'flag' } as const;
  expect([textOf(flag, true), readField(flag, 'false'), readField(flag, '')]).toEqual(['true', false, undefined]);
});

test('a required field that is empty is sent if it is a text, and named if it is not', () => {
  expect(inputOf(FIELDS, nothing, nothing)).toEqual({ name: '' });
  try {
    inputOf([{ name: 'siteId', kind: 'object', of: 'sites', isRequired: true }], { siteId: '' }, { siteId: '' });
    expect.unreachable();
  } catch (error) {
    expect(problemOf(error, 'siteId')).toBe('Choose an object.');
  }
});

test('a fault of one member of a list is shown at the list', () => {
  const fields = [{ path: 'input.domains[1]', code: 'invalid', message: 'It is not a domain.' }];
  const error = new ApiProblem({ code: 'validation_failed', message: '', status: 200, fields });
  expect(problemOf(error, 'domains')).toBe('It is not a domain.');
});

test('a rule is sent when it differs, as null when it is taken away, and all its faults are shown', () => {
  const fields: readonly CatalogField[] = [
    { name: 'name', kind: 'text' },
    { name: 'rule', kind: 'rule' },
  ];
  const rule = { any: [{ keyValue: { key: 'topic', values: ['travel'] }, activity: null }] };
  const stored = textsOf(fields, { name: 'Travellers', rule } as never);
  expect(inputOf(fields, stored, stored)).toEqual({});
  expect(inputOf(fields, { ...stored, rule: '' }, stored)).toEqual({ rule: null });
  const none = textsOf(fields, null);
  expect(inputOf(fields, { ...none, rule: stored['rule'] ?? '' }, none)).toEqual({
    rule: { any: [{ keyValue: { key: 'topic', values: ['travel'] } }] },
  });
  const faults = ['input.name', 'input.rule.any.0.keyValue.key', 'input.rule.any.1.activity.activityId', 'input.owner'];
  const error = new ApiProblem({
    code: 'validation_failed',
    message: '',
    status: 400,
    fields: faults.map((path) => ({ path, code: 'invalid', message: 'It is wrong.' })),
  });
  expect(countShown(error, fields)).toBe(3);
});

test('typed fields stay when somebody else saves, and untouched fields follow', () => {
  const merge = (name: string, typed: string, before: string, now: string): string =>
    mergeTyped(name, { texts: { [name]: typed }, before: { [name]: before }, now: { [name]: now } });
  expect(merge('floor', '2', '1', '3')).toBe('2');
  expect(merge('floor', '1', '1', '3')).toBe('3');
  expect(mergeTyped('floor', { texts: {}, before: {}, now: { floor: '3' } })).toBe('3');
});

test('an amount with two meanings is refused with both, in the form as in a cell', () => {
  expect(readField({ name: 'floor', kind: 'decimal' }, '1,200')).toBeUndefined();
  expect(faultOf({ kind: 'decimal' }, '1,200')).toBe('1,200 can mean 1.20 or 1200. Write 1.20 or 1200.');
  expect(readField({ name: 'priority', kind: 'integer' }, '1,200')).toBe(1_200);
});

test('rows and groups of parts are read as they were written, and an unreadable part is a fault of the field', () => {
  const field: CatalogField = {
    name: 'priceOptions',
    kind: 'rows',
    parts: [
      { name: 'id', kind: 'text', isRequired: true },
      { name: 'price', kind: 'decimal' },
      { name: 'advertiserIds', kind: 'objects', of: 'advertisers' },
    ],
  };
  const text = textOf(field, [{ id: 'cpm', price: '12.5', advertiserIds: ['3', '4'], __typename: 'PriceOption' }]);
  expect(readField(field, text)).toEqual([{ id: 'cpm', price: '12.5', advertiserIds: ['3', '4'] }]);
  expect(readField(field, JSON.stringify([{ id: 'a', price: 'dear' }]))).toBeUndefined();
  expect(readField(field, textOf(field, []))).toEqual([]);
  const group: CatalogField = { ...field, kind: 'group' };
  expect(textOf(group, null)).toBe('');
  expect(readField(group, '')).toBeNull();
  expect(readField(group, textOf(group, { id: 'a', price: null, advertiserIds: [] }))).toEqual({ id: 'a' });
});

test('an empty optional number, choice or targeting clears the field', () => {
  for (const kind of ['integer', 'decimal', 'targeting'] as const)
    expect(readField({ name: 'f', kind, isOptional: true }, '')).toBeNull();
  expect(readField({ name: 'f', kind: 'integer' }, '')).toBeUndefined();
});
