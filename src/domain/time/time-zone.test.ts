import { expect, test } from 'vitest';
import { startOfDayBefore } from './time-zone.ts';

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
