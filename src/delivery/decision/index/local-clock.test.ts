import fc from 'fast-check';
import { expect, test } from 'vitest';
import { zonedAt } from '../../../domain/time/time-zone.ts';
import { LocalClock } from './local-clock.ts';

const ZONES = ['Europe/Warsaw', 'America/New_York', 'Asia/Kolkata', 'Australia/Lord_Howe', 'Asia/Kathmandu', 'UTC'];

test('a clock shows what the calendar says, in any order of instants', () => {
  const instant = fc.oneof(
    fc.integer({ min: Date.parse('2000-01-01'), max: Date.parse('2040-01-01') }),
    // Around a change of the clocks, with steps of seconds.
    fc.integer({ min: -7_200, max: 7_200 }).map((s) => Date.parse('2026-10-25T01:00:00Z') + s * 1_000),
    fc.integer({ min: -7_200, max: 7_200 }).map((s) => Date.parse('2026-04-04T15:00:00Z') + s * 1_000),
  );
  fc.assert(
    fc.property(fc.array(fc.tuple(instant, fc.constantFrom(...ZONES)), { maxLength: 40 }), (asked) => {
      const clock = new LocalClock();
      for (const [atMs, zone] of asked) {
        const there = zonedAt(zone, atMs);
        const expected = {
          day: there.toPlainDate().toString(),
          weekday: there.dayOfWeek,
          minute: there.hour * 60 + there.minute,
        };
        expect(clock.at(atMs, zone)).toEqual(expected);
      }
    }),
    { numRuns: 300 },
  );
});

test('an unknown time zone is refused', () => {
  expect(() => new LocalClock().at(0, 'Europe/Nowhere')).toThrow(RangeError);
});
