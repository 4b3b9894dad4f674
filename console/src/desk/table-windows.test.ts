import { expect, test } from 'vitest';
import type { LineItem } from '../api/bookings/desk-list.ts';
import { combineWindows, WINDOW_ROWS, windowsOf, type WindowResult } from './table-windows.ts';

const rowsOf = (from: number, count: number): LineItem[] =>
  Array.from({ length: count }, (_none, at) => ({ id: String(from + at) }) as LineItem);
const loaded = (from: number, total: number): WindowResult =>
  ({
    data: { rows: rowsOf(from, Math.min(WINDOW_ROWS, total - from)), total },
    error: null,
  }) as unknown as WindowResult;
const open = { data: undefined, error: null } as unknown as WindowResult;

test.each([
  [0, 0, [0]],
  [10, 60, [0, 1]],
  [120, 130, [0, 2]],
  [149, 150, [0, 2, 3]],
])('rows %d to %d need these windows, the first one always', (first, last, windows) => {
  expect(windowsOf({ first, last })).toEqual(windows);
});

test('rows stand at their position in the whole list, and the others are holes', () => {
  const { rows, total } = combineWindows([0, 3], [loaded(0, 1_000_000), loaded(150, 1_000_000)]);
  expect(total).toBe(1_000_000);
  expect(rows?.length).toBe(1_000_000);
  expect([rows?.[0]?.id, rows?.[49]?.id, rows?.[150]?.id, rows?.[199]?.id]).toEqual(['0', '49', '150', '199']);
  expect([rows?.[50], rows?.[149], rows?.[200]]).toEqual([undefined, undefined, undefined]);
});

test('nothing is known before the first window, which counts the rows', () => {
  expect(combineWindows([0, 3], [open, loaded(150, 1_000)])).toMatchObject({ rows: undefined, total: 0 });
});

test('the error of any window is the error of the table', () => {
  const error = new Error('down');
  expect(combineWindows([0, 1], [loaded(0, 60), { ...open, error } as WindowResult]).error).toBe(error);
});
