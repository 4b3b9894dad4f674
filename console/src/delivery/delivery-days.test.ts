import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Goal } from '../api/bookings/desk-list.ts';
import type { GoalCourse } from '../api/bookings/desk-object.ts';
import { arrangeDays, countsOf, daysOf, goalValue } from './delivery-days.ts';

const HOUR_MS = 3_600_000;
const goal: Goal = { amount: 1_000, kind: 'IMPRESSIONS', period: 'LIFETIME' };
const flight = { startsAt: '2026-11-20T00:00:00Z', endsAt: '2026-11-30T00:00:00Z' };
const at = { timezone: 'UTC', nowMs: Date.parse('2026-11-24T12:00:00Z') };

/** Ten days of a plan of a hundred a day. By noon of the fifth, 450 are planned. */
const COURSE: GoalCourse = {
  step: 'DAY',
  isLeast: false,
  points: Array.from({ length: 10 }, (_none, day) => ({
    startsAt: new Date(Date.parse(flight.startsAt) + day * 24 * HOUR_MS).toISOString(),
    planned: day === 4 ? 450 : 100 * (day + 1),
    projected: day < 4 ? null : { low: 400, projected: 400 + 100 * (day - 4), high: 1_000 },
  })),
};

test('a chart of a flight has the plan of the server by the end of each day, and today has what the counters say', () => {
  fc.assert(
    fc.property(fc.nat(900), fc.array(fc.nat(200), { minLength: 5, maxLength: 5 }), (before, daily) => {
      const range = daysOf(goal, flight, at);
      const counts = new Map(daily.map((count, day) => [`2026-11-${20 + day}`, count]));
      const delivered = before + daily.reduce((sum, count) => sum + count, 0);
      const days = arrangeDays({ ...at, goal, course: COURSE, delivered, counts, range });
      expect(days.map(({ date }) => date)).toEqual(Array.from({ length: 10 }, (_none, day) => `2026-11-${20 + day}`));
      expect(days[0]).toMatchObject({ delivered: before + (daily[0] ?? 0), plan: 100, projected: null });
      expect(days[4]).toMatchObject({ delivered, plan: 450, projected: 400 });
      expect(days.at(-1)).toMatchObject({ plan: 1_000, delivered: null, projected: 900, high: 1_000 });
    }),
  );
});

test('a course by hour has the counts of its hours in local time, whatever the minute at which the flight begins', () => {
  const timezone = 'Europe/Warsaw';
  const startsMs = Date.parse('2026-11-24T09:30:00Z');
  const points = [startsMs, startsMs + HOUR_MS / 2, startsMs + 1.5 * HOUR_MS, startsMs + 2.5 * HOUR_MS].map(
    (startMs, hour) => ({ startsAt: new Date(startMs).toISOString(), planned: 10 * (hour + 1), projected: null }),
  );
  const rows = [
    ['2026-11-24T10:00:00.000', '3'],
    ['2026-11-24T11:00:00.000', '4'],
    ['2026-11-24T12:00:00.000', '5'],
  ].map(([hour, count]) => ({
    'campaign_overview.time.hour': hour ?? '',
    'campaign_overview.impressions': count ?? '',
  }));
  const days = arrangeDays({
    goal,
    course: { step: 'HOUR', isLeast: false, points },
    delivered: 12,
    counts: countsOf(rows, goal, 'hour'),
    range: { from: '2026-11-24', today: '2026-11-24' },
    timezone,
    nowMs: Date.parse('2026-11-24T11:40:00Z'),
  });
  expect(days.map(({ date, delivered }) => [date.slice(11, 16), delivered])).toEqual([
    ['10:30', 3],
    ['11:00', 7],
    ['12:00', 12],
    ['13:00', null],
  ]);
});

test('a flight of more days than a report has begins with what was delivered before', () => {
  const range = { from: '2026-11-23', today: '2026-11-24' };
  const counts = new Map([
    ['2026-11-23', 100],
    ['2026-11-24', 40],
  ]);
  const days = arrangeDays({ ...at, goal, course: COURSE, delivered: 500, counts, range });
  expect(days.map(({ delivered }) => delivered).slice(0, 3)).toEqual([460, 500, null]);
  expect(days[0]?.plan).toBe(400);
});

test('a goal is worth its price in the unit that it counts, and nothing is said of others', () => {
  expect(goalValue(goal, '18.50', 'CPM')).toBe('18.50');
  expect(goalValue({ ...goal, kind: 'CLICKS' }, '0.40', 'CPC')).toBe('400.00');
  expect(goalValue(goal, '0.40', 'CPC')).toBeNull();
  expect(goalValue(null, '1', 'CPM')).toBeNull();
});
