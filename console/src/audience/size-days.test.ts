import { expect, test } from 'vitest';
import { sizeChange, sizeDays } from './size-days.ts';

const HISTORY = [
  { day: '2026-03-28', size: 10 },
  { day: '2026-03-29', size: 14 },
  { day: '2026-03-31', size: 20 },
];

test('the line has every day from the first size to today, with a gap where none was recorded, and the present size today', () => {
  expect(sizeDays(HISTORY, '2026-04-01', 25)).toEqual([
    { date: '2026-03-28', size: 10 },
    { date: '2026-03-29', size: 14 },
    { date: '2026-03-30', size: null },
    { date: '2026-03-31', size: 20 },
    { date: '2026-04-01', size: 25 },
  ]);
  expect(sizeDays(HISTORY, '2026-03-31', 25).at(-1)).toEqual({ date: '2026-03-31', size: 25 });
});

test('a segment without a history has its present size alone', () => {
  expect(sizeDays([], '2026-04-01', 7)).toEqual([{ date: '2026-04-01', size: 7 }]);
  // The clock of the browser is behind that of the server.
  expect(sizeDays([{ day: '2026-04-02', size: 6 }], '2026-04-01', 7)).toEqual([{ date: '2026-04-01', size: 7 }]);
});

test('the change is from the first day that is shown to now', () => {
  expect(sizeChange(sizeDays(HISTORY, '2026-04-01', 25))).toEqual({ by: 15, days: 4 });
  expect(sizeChange(sizeDays(HISTORY, '2026-04-01', 4))).toEqual({ by: -6, days: 4 });
  expect(sizeChange(sizeDays([], '2026-04-01', 7))).toBeNull();
});
