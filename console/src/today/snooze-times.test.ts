import { expect, test } from 'vitest';
import { SNOOZE_CHOICES, snoozeUntil } from './snooze-times.ts';

const all = (now: string) =>
  SNOOZE_CHOICES.map((choice) => snoozeUntil(choice, Date.parse(now), 'Europe/Warsaw').slice(0, 16));

test('a snooze ends in the morning of a day of the network', () => {
  // A Tuesday, 23:30 in Warsaw.
  expect(all('2026-11-24T22:30:00Z')).toEqual([
    '2026-11-25T02:30',
    '2026-11-25T07:00',
    '2026-11-30T07:00',
    '2026-12-08T07:00',
  ]);
});

test('on a Monday, Monday is that of the next week; on a Sunday, it is tomorrow', () => {
  expect(all('2026-11-30T10:00:00Z')[2]).toBe('2026-12-07T07:00');
  expect(all('2026-11-29T10:00:00Z')[2]).toBe('2026-11-30T07:00');
});
