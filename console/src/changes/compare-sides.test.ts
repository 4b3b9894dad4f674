import { expect, test } from 'vitest';
import { compareSides, keptInput } from './compare-sides.ts';

const base = { name: 'Spring', price: '10', endsAt: '2026-03-01T00:00:00.000Z', labels: ['a'] };
const mine = { name: 'Spring!', price: '12', endsAt: '2026-04-01T00:00:00.000Z', labels: ['a', 'b'] };
const clashes = (theirs: Readonly<Record<string, unknown>> | null): string[] =>
  compareSides({ base, mine }, theirs)
    .filter(({ isBoth }) => isBoth)
    .map(({ name }) => name);

test('a field is a clash if both members changed it, to different values', () => {
  expect(clashes({ ...base, price: '11' })).toEqual(['price']);
  expect(clashes({ ...base, price: '12' })).toEqual([]);
  expect(clashes(base)).toEqual([]);
  expect(clashes({ ...base, labels: ['c'] })).toEqual(['labels']);
});

test('nothing clashes before the other side is read', () => {
  expect(clashes(null)).toEqual([]);
});

test('ends that differ by seconds clash, although both are shown as the same minute', () => {
  expect(clashes({ ...base, endsAt: '2026-03-01T00:00:30.000Z' })).toEqual(['endsAt']);
  expect(clashes({ ...base, endsAt: '2026-03-01T00:00:00Z' })).toEqual([]);
});

test('the own value is saved without a choice, and the other member’s value stays where it is chosen', () => {
  const rows = compareSides({ base, mine }, { ...base, price: '11', name: 'Summer' });
  expect(keptInput({ mine }, rows, {})).toEqual(mine);
  const { price: _price, ...others } = mine;
  expect(keptInput({ mine }, rows, { price: 'theirs' })).toEqual(others);
});

test('a field that only this member changed is saved, whatever was chosen', () => {
  const rows = compareSides({ base, mine }, base);
  expect(keptInput({ mine }, rows, { price: 'theirs', name: 'theirs' })).toEqual(mine);
});

test('fields have the titles of their table, or the words for their names', () => {
  const [first] = compareSides({ base, mine: { price: '12' }, titles: { price: 'CPM' } }, base);
  expect(first).toMatchObject({ label: 'CPM', base: '10', mine: '12', theirText: '10' });
});
