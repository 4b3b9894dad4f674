import { expect, test, vi } from 'vitest';
import { ALL_MAX, countChosen, readChosen } from './chosen.ts';

const rows = (ids: readonly string[]) => ids.map((id) => ({ id }));

test('all that match are read again, so that rows that nobody has scrolled to are among them', async () => {
  const loadAll = vi.fn((_max: number) => Promise.resolve(rows(['1', '2', '3'])));
  const loadIds = vi.fn((ids: readonly string[]) => Promise.resolve(rows(ids)));
  const chosen = { ids: new Set(['1']), isAll: true };
  expect(await readChosen(chosen, { loaded: rows(['1']), loadAll, loadIds })).toEqual(rows(['1', '2', '3']));
  expect(loadAll).toHaveBeenCalledWith(ALL_MAX);
  expect(loadIds).not.toHaveBeenCalled();
});

test('chosen rows that the table has not loaded are read, a hundred at a time', async () => {
  const loadIds = vi.fn((ids: readonly string[]) => Promise.resolve(rows(ids)));
  const ids = Array.from({ length: 251 }, (_, at) => String(at));
  const loaded = rows(['0', '250', 'other']);
  const found = await readChosen(
    { ids: new Set(ids), isAll: false },
    { loaded, loadAll: () => Promise.reject(), loadIds },
  );
  expect(found.map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
  expect(loadIds.mock.calls.map(([some]) => some.length)).toEqual([100, 100, 49]);
});

test('a change of all that match takes at most as many as one change may, and says so', () => {
  const all = { ids: new Set(['1', '2']), isAll: true };
  expect([7, ALL_MAX, 44_080].map((total) => countChosen(all, total))).toEqual([7, ALL_MAX, ALL_MAX]);
  expect(countChosen({ ...all, isAll: false }, 44_080)).toBe(2);
});
