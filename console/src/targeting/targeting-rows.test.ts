import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isWhole, toTargetingInput, type TargetingTree } from '../api/bookings/targeting.ts';
import { DIMENSIONS, rowsOf, type TargetingRow, targetingOf } from './targeting-rows.ts';

const row: fc.Arbitrary<TargetingRow> = fc
  .record({
    dimension: fc.constantFrom(...DIMENSIONS),
    key: fc.constantFrom('section', 'topic'),
    isNot: fc.boolean(),
    isOr: fc.boolean(),
    values: fc.array(fc.string({ minLength: 1 }), { minLength: 1, maxLength: 3 }),
  })
  .map((one) => (one.dimension === 'KEY_VALUE' ? one : { ...one, key: '' }));
const rows = fc
  .array(row, { maxLength: 6 })
  .map((all) => all.map((one, at) => (at === 0 ? { ...one, isOr: false } : one)));

test('rows that are joined by OR are a group, and every group must hold', () => {
  const one = { dimension: 'COUNTRY', key: '', isNot: false, isOr: false, values: ['PL'] } as const;
  const other = { dimension: 'DEVICE_TYPE', key: '', isNot: true, isOr: true, values: ['tv'] } as const;
  const test = ({ dimension, values }: TargetingRow, operator: string) => ({ test: { dimension, operator, values } });
  expect(targetingOf([one, other, { ...one, values: ['DE'] }])).toEqual({
    all: [{ any: [test(one, 'IS'), test(other, 'IS_NOT')] }, test({ ...one, values: ['DE'] }, 'IS')],
  });
});

test('rows can be read from the tree that they became', () => {
  fc.assert(
    fc.property(rows, (all) => {
      expect(rowsOf(targetingOf(all) as TargetingTree | null)).toEqual(all);
    }),
  );
});

test('a tree that rows cannot say is not taken apart', () => {
  const leaf = { test: { dimension: 'COUNTRY', operator: 'IS', key: null, values: ['PL'] } } as const;
  expect(rowsOf({ not: { any: [leaf, leaf] } })).toBeNull();
  expect(rowsOf({ all: [{ any: [{ all: [leaf, leaf] }] }] })).toBeNull();
  expect(rowsOf({ test: { ...leaf.test, operator: 'CONTAINS' } })).toBeNull();
});

test('a tree that was read in part is told from a whole one, and a whole one is written without absent members', () => {
  const leaf = {
    test: { dimension: 'COUNTRY', operator: 'IS', key: null, values: ['PL'] },
    not: null,
    any: null,
    all: null,
  } as const;
  expect(isWhole({ all: [leaf, { not: leaf }] })).toBe(true);
  expect(isWhole({ all: [leaf, { not: {} }] })).toBe(false);
  expect(toTargetingInput({ all: [leaf, { not: leaf, test: null }] })).toEqual({
    all: [
      { test: { dimension: 'COUNTRY', operator: 'IS', values: ['PL'] } },
      { not: { test: { dimension: 'COUNTRY', operator: 'IS', values: ['PL'] } } },
    ],
  });
});
