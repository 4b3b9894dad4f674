import { expect, test } from 'vitest';
import { findLoss } from './compare-marks.ts';

const MARK = { storeId: 'a', number: 7, rows: 251 };
const FOUND = { storeId: 'a', number: 7, rows: 251 };

test.each([
  ['holds what it did', MARK, FOUND, null],
  ['holds more', MARK, { ...FOUND, number: 8, rows: 300 }, null],
  ['is empty', MARK, { storeId: null, number: 0, rows: 0 }, 'it is new, and it holds 0 of 251 events'],
  [
    'is another one',
    MARK,
    { ...FOUND, storeId: 'b', rows: 900 },
    'it is another store, and it holds 900 of 251 events',
  ],
  [
    'is an older copy',
    MARK,
    { ...FOUND, number: 6, rows: 91 },
    'it is an older copy (mark 6 of 7), and it holds 91 of 251 events',
  ],
  ['has lost a part', MARK, { ...FOUND, rows: 160 }, 'it holds 160 of 251 events'],
  ['has fewer events while some are deleted', { ...MARK, rows: null }, { ...FOUND, rows: 160 }, null],
] as const)('a store that %s is compared by its mark and its events', (_title, mark, found, lost) => {
  expect(findLoss(mark, found)).toBe(lost);
});
