import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addClockDays, instantOf, midnightAfter, wallTimeOf } from './wall-time.ts';

const ZONES = ['Europe/Warsaw', 'America/New_York', 'Asia/Kolkata', 'Pacific/Chatham', 'America/Santiago', 'UTC'];
const anyMinute = fc
  .integer({ min: Date.UTC(2020, 0, 1) / 60_000, max: Date.UTC(2040, 0, 1) / 60_000 })
  .map((minute) => minute * 60_000);

test('an instant is found again from what clocks show, or it is the second of two such instants', () => {
  fc.assert(
    fc.property(anyMinute, fc.constantFrom(...ZONES), (atMs, zone) => {
      const wall = wallTimeOf(atMs, zone);
      const found = instantOf(wall, zone);
      expect(found).not.toBeNull();
      expect(wallTimeOf(found as number, zone)).toBe(wall);
      expect(found).toBeLessThanOrEqual(atMs);
    }),
  );
});

test.each([
  ['2026-11-24T00:00', 'Europe/Warsaw', '2026-11-23T23:00:00.000Z'],
  ['2026-07-01T00:00', 'Europe/Warsaw', '2026-06-30T22:00:00.000Z'],
  // Clocks go back at 3:00: the first 2:30 counts.
  ['2026-10-25T02:30', 'Europe/Warsaw', '2026-10-25T00:30:00.000Z'],
  // Clocks go forward at 2:00: there is no 2:30.
  ['2026-03-29T02:30', 'Europe/Warsaw', '2026-03-29T01:30:00.000Z'],
])('the time %s in %s is the instant %s', (wall, zone, instant) => {
  expect(new Date(instantOf(wall, zone) as number).toISOString()).toBe(instant);
});

test.each(['', 'soon', '2026-02-30T00:00', '2026-13-01T00:00', '2026-01-01T25:00'])(
  'a text such as %j is none',
  (text) => {
    expect(instantOf(text, 'UTC')).toBeNull();
  },
);

test('tomorrow begins at midnight of the zone, whatever the hour is in UTC', () => {
  expect(midnightAfter(Date.parse('2026-11-24T23:30:00Z'), 1, 'Europe/Warsaw')).toBe('2026-11-26T00:00');
  expect(midnightAfter(Date.parse('2026-11-24T23:30:00Z'), 1, 'UTC')).toBe('2026-11-25T00:00');
});

test.each([
  ['2026-10-20T22:00:00.000Z', 30, 'Europe/Warsaw', '2026-11-19T23:00:00.000Z'],
  ['2026-11-19T23:00:00.001Z', -30, 'Europe/Warsaw', '2026-10-20T22:00:00.001Z'],
  ['2026-10-20T22:00:00.000Z', 30, 'UTC', '2026-11-19T22:00:00.000Z'],
])('%s moved by %d days of %s is %s', (iso, days, zone, moved) => {
  expect(addClockDays(iso, days, zone)).toBe(moved);
});
