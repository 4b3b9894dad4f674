import { expect, test } from 'vitest';
import { clockSpanMs, moveOnClock, startOfDayBefore, zonedAt } from './time-zone.ts';

test.each([
  { timezone: 'Europe/Warsaw', at: '2026-04-08T10:00:00Z', start: '2026-03-10T23:00:00Z' },
  { timezone: 'Europe/Warsaw', at: '2026-11-02T10:00:00Z', start: '2026-10-04T22:00:00Z' },
  { timezone: 'UTC', at: '2026-04-08T10:00:00Z', start: '2026-03-11T00:00:00Z' },
])(
  '28 days before $at in $timezone begin with a whole day, also across a change of clocks',
  ({ timezone, at, start }) => {
    expect(new Date(startOfDayBefore(timezone, Date.parse(at), 28)).toISOString()).toBe(new Date(start).toISOString());
  },
);

const DAY_MS = 86_400_000;

test.each([
  { timezone: 'Europe/Warsaw', from: '2026-10-20T22:00:00Z', days: 30, to: '2026-11-19T23:00:00Z' },
  { timezone: 'Europe/Warsaw', from: '2026-11-19T23:00:00.001Z', days: -30, to: '2026-10-20T22:00:00.001Z' },
  { timezone: 'America/New_York', from: '2026-03-01T05:00:00Z', days: 14, to: '2026-03-15T04:00:00Z' },
  // Clocks leave out 2:30, and show 2:30 twice.
  { timezone: 'Europe/Warsaw', from: '2026-03-28T01:30:00Z', days: 1, to: '2026-03-29T01:30:00Z' },
  { timezone: 'Europe/Warsaw', from: '2026-10-24T00:30:00Z', days: 1, to: '2026-10-25T00:30:00Z' },
])('$days days of the clock after $from in $timezone is $to', ({ timezone, from, days, to }) => {
  expect(new Date(moveOnClock(timezone, Date.parse(from), days * DAY_MS)).toISOString()).toBe(
    new Date(to).toISOString(),
  );
});

test('the clocks of each zone show the same time of day after whole days, unless they leave it out', () => {
  const day = Date.UTC(2026, 0, 1, 12, 34);
  for (const timezone of Intl.supportedValuesOf('timeZone')) {
    for (const days of [30, 91, 182, -91]) {
      const moved = moveOnClock(timezone, day, days * DAY_MS);
      expect([timezone, clockSpanMs(timezone, day, moved)]).toEqual([timezone, days * DAY_MS]);
      expect(zonedAt(timezone, moved).toPlainTime()).toEqual(zonedAt(timezone, day).toPlainTime());
    }
  }
});
