import { expect, test } from 'vitest';
import type { AvailableDay } from '../api/bookings/availability.ts';
import { barOf, sumOf, weeksOf } from './calendar-weeks.ts';

const day = (date: string, given: Partial<AvailableDay> = {}): AvailableDay => ({
  day: date,
  expected: 100,
  low: null,
  high: null,
  sold: 0,
  reserved: 0,
  free: 100,
  freeUpTo: 100,
  ...given,
});

test('weeks begin on Monday, with empty cells before the first and after the last day', () => {
  // A Wednesday and the Monday after it.
  const days = ['2026-11-25', '2026-11-26', '2026-11-27', '2026-11-28', '2026-11-29', '2026-11-30'].map((one) =>
    day(one),
  );
  const weeks = weeksOf(days);
  expect(weeks.map((week) => week.map((cell) => (cell.day === null ? '' : cell.date.slice(8))))).toEqual([
    ['', '', '25', '26', '27', '28', '29'],
    ['30', '', '', '', '', '', ''],
  ]);
  expect(weeksOf([])).toEqual([]);
});

test('a bar shows the booked parts of a day, and is full where more is booked', () => {
  expect(barOf(day('2026-11-25', { sold: 25, reserved: 10 }))).toEqual({ sold: 25, reserved: 10 });
  expect(barOf(day('2026-11-25', { sold: 150, reserved: 50 }))).toEqual({ sold: 75, reserved: 25 });
  expect(barOf(day('2026-11-25', { expected: null }))).toEqual({ sold: 0, reserved: 0 });
});

test('unknown days are left out of the sums', () => {
  const days = [
    day('2026-11-25', { sold: 30, free: 70, freeUpTo: 90 }),
    day('2026-11-26', { expected: null, free: null, freeUpTo: null, sold: 5 }),
  ];
  expect(sumOf(days)).toEqual({ expected: 100, sold: 35, reserved: 0, free: 70, freeUpTo: 90 });
});
