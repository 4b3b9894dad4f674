import { expect, test } from 'vitest';
import { beginsWithDay, isCalendarDay, isTimeZone, localDay } from './calendar.ts';

test('isTimeZone accepts names in any case and offsets, and rejects everything else that a calendar can read', () => {
  const accepted = ['UTC', 'Europe/Berlin', 'europe/berlin', 'US/Pacific', 'Etc/GMT+5', '+02:00', '-0330', '+14'];
  expect(accepted.filter((name) => !isTimeZone(name))).toEqual([]);
  const rejected = ['', 'Z', 'Mars/Olympus', 'UTC+1', '+25:00', '+02:00:30', '2026-01-01T00:00Z', 'T00Z', '00:00[UTC]'];
  expect(rejected.filter(isTimeZone)).toEqual([]);
});

test('localDay changes at local midnight, also on days of 23 and 25 hours', () => {
  const dayIn = (iso: string) => localDay(Date.parse(iso), 'Europe/Berlin');
  expect(dayIn('2026-03-28T22:59:59.999Z')).toBe('2026-03-28');
  expect(dayIn('2026-03-28T23:00:00Z')).toBe('2026-03-29');
  expect(dayIn('2026-03-29T22:00:00Z')).toBe('2026-03-30');
  expect(dayIn('2026-10-25T22:59:59.999Z')).toBe('2026-10-25');
  expect(dayIn('2026-10-25T23:00:00Z')).toBe('2026-10-26');
});

test.each([
  ['2026-02-28', true],
  ['2026-02-29', false],
  ['2028-02-29', true],
  ['2026-04-31', false],
  ['2026-00-10', false],
  ['2026-2-1', false],
  ['', false],
])('%s is a day of the calendar, alone or with a time: %s', (text, isDay) => {
  expect([isCalendarDay(text), beginsWithDay(`${text}T00:00Z`)]).toEqual([isDay, isDay]);
  expect(isCalendarDay(`${text}T00:00`)).toBe(false);
});
