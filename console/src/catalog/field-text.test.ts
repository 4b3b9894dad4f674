import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ApiProblem } from '../api/problem.ts';
import type { CatalogField } from './catalog-kinds.tsx';
import { countShown, inputOf, problemOf, textsOf } from './field-text.ts';

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
    inputOf(FIELDS, { ...nothing, priority: 'high', sizes: '300x250, wide' }, nothing);
    expect.unreachable();
  } catch (error) {
    expect(problemOf(error, 'priority')).toMatch(/whole number/);
    expect(problemOf(error, 'sizes')).toMatch(/300x250/);
    expect(problemOf(error, 'name')).toBeNull();
  }
});

test('a required field that is empty is sent if it is a text, and named if it is not', () => {
  expect(inputOf(FIELDS, nothing, nothing)).toEqual({ name: '' });
  try {
    inputOf([{ name: 'siteId', kind: 'site', isRequired: true }], { siteId: '' }, { siteId: '' });
    expect.unreachable();
  } catch (error) {
    expect(problemOf(error, 'siteId')).toBe('Choose a site.');
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
