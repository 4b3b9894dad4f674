import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Goal, GoalProgress } from '../api/bookings/desk-list.ts';
import { arrangeDays, daysOf, goalValue } from './delivery-days.ts';

const goal: Goal = { amount: 1_000, kind: 'IMPRESSIONS', period: 'LIFETIME' };
const flight = { startsAt: '2026-11-20T00:00:00Z', endsAt: '2026-11-30T00:00:00Z' };
const at = { timezone: 'UTC', nowMs: Date.parse('2026-11-24T12:00:00Z') };

test('the last day of a chart of a flight has its goal, and today has what the counters say', () => {
  fc.assert(
    fc.property(fc.nat(900), fc.array(fc.nat(200), { minLength: 5, maxLength: 5 }), (before, daily) => {
      const range = daysOf(goal, flight, at);
      const counts = new Map(daily.map((count, day) => [`2026-11-${20 + day}`, count]));
      const delivered = before + daily.reduce((sum, count) => sum + count, 0);
      const progress: GoalProgress = {
        delivered,
        goal: 1_000,
        percent: 0,
        expected: 450,
        pacingPercent: null,
        status: 'ON_TRACK',
        projected: { low: delivered, projected: delivered + 10, high: delivered + 20 },
      };
      const days = arrangeDays({ goal, progress, flight, counts, range, timezone: 'UTC' });
      expect(days.map(({ date }) => date).at(0)).toBe('2026-11-20');
      expect(days.at(-1)).toMatchObject({ date: '2026-11-29', plan: 1_000, delivered: null, high: delivered + 20 });
      expect(days.find(({ date }) => date === '2026-11-24')).toMatchObject({ delivered, plan: 450 });
    }),
  );
});

test('a goal is worth its price in the unit that it counts, and nothing is said of others', () => {
  expect(goalValue(goal, '18.50', 'CPM')).toBe('18.50');
  expect(goalValue({ ...goal, kind: 'CLICKS' }, '0.40', 'CPC')).toBe('400.00');
  expect(goalValue(goal, '0.40', 'CPC')).toBeNull();
  expect(goalValue(null, '1', 'CPM')).toBeNull();
});
