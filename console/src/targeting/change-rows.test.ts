import { expect, test } from 'vitest';
import type { TargetingTree } from '../api/bookings/targeting.ts';
import { changeTargeting } from './change-rows.ts';
import { NEW_ROW, type TargetingRow, targetingOf } from './targeting-rows.ts';

const row = (dimension: TargetingRow['dimension'], values: readonly string[], more: Partial<TargetingRow> = {}) => ({
  ...NEW_ROW,
  dimension,
  values,
  ...more,
});
const poland = row('COUNTRY', ['PL']);
const desktop = row('DEVICE_TYPE', ['desktop']);
/** A denial of alternatives, which rows cannot say. */
const nested: TargetingTree = { not: { any: [{ test: { dimension: 'COUNTRY', operator: 'IS', values: ['PL'] } }] } };

test('added values join those of a single condition on the same', () => {
  const after = changeTargeting(targetingOf([poland, desktop]), { way: 'add', rows: [row('COUNTRY', ['DE', 'PL'])] });
  expect(after).toEqual(targetingOf([row('COUNTRY', ['PL', 'DE']), desktop]));
});

test.each([
  ['on something else', row('OS', ['ios'])],
  ['of the opposite', row('COUNTRY', ['DE'], { isNot: true })],
  ['on another key', row('KEY_VALUE', ['news'], { key: 'section' })],
])('an added condition %s is one more condition', (_what, added) => {
  expect(changeTargeting(targetingOf([poland]), { way: 'add', rows: [added] })).toEqual(targetingOf([poland, added]));
});

test('an added condition does not join an alternative of conditions', () => {
  const alternative = targetingOf([poland, { ...desktop, isOr: true }]);
  const added = row('COUNTRY', ['DE']);
  expect(changeTargeting(alternative, { way: 'add', rows: [added] })).toEqual(
    targetingOf([poland, { ...desktop, isOr: true }, added]),
  );
});

test('to a targeting that rows cannot say, a condition is added beside it, and none is taken from it', () => {
  expect(changeTargeting(nested, { way: 'add', rows: [desktop] })).toEqual({
    all: [nested, ...(targetingOf([desktop])?.all ?? [])],
  });
  expect(changeTargeting(nested, { way: 'remove', rows: [poland] })).toBeUndefined();
});

test('taken values leave the others, and a condition without values is gone', () => {
  const before = targetingOf([row('COUNTRY', ['PL', 'DE']), desktop]);
  const without = (rows: readonly TargetingRow[]) => changeTargeting(before, { way: 'remove', rows });
  expect(without([poland])).toEqual(targetingOf([row('COUNTRY', ['DE']), desktop]));
  expect(without([row('COUNTRY', ['DE', 'PL'])])).toEqual(targetingOf([desktop]));
  expect(without([row('COUNTRY', ['PL', 'DE'], { isNot: true })])).toEqual(before);
});

test('a row without values takes away every condition on the same', () => {
  const before = targetingOf([row('COUNTRY', ['PL', 'DE']), desktop]);
  expect(changeTargeting(before, { way: 'remove', rows: [row('COUNTRY', []), row('DEVICE_TYPE', [])] })).toBeNull();
});

test('an alternative that loses a condition stays one condition', () => {
  const before = targetingOf([desktop, poland, { ...row('OS', ['ios']), isOr: true }]);
  expect(changeTargeting(before, { way: 'remove', rows: [poland] })).toEqual(
    targetingOf([desktop, row('OS', ['ios'])]),
  );
});

test('a replacement is the whole targeting, and no rows are none', () => {
  expect(changeTargeting(nested, { way: 'replace', rows: [poland] })).toEqual(targetingOf([poland]));
  expect(changeTargeting(nested, { way: 'replace', rows: [] })).toBeNull();
});
