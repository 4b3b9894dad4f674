import { describe, expect, test } from 'vitest';
import type { StoredRow } from '../../kernel/field.ts';
import { flatCurve } from '../../../domain/pacing/traffic-curve.ts';
import { measureProgress } from './goal-progress.ts';

const figures = {
  impressions: 0,
  viewableImpressions: 0,
  clicks: 0,
  conversions: 0,
  videoCompletes: 0,
  spendNanos: 0n,
};
const row = (given: Record<string, unknown>): StoredRow => ({
  workspace_id: 1,
  id: 1n,
  version: 1,
  created_at: new Date('2026-11-01T00:00:00Z'),
  updated_at: new Date(0),
  updated_by: '',
  starts_at: null,
  ends_at: null,
  pacing: 'EVEN',
  day_parts: [],
  ...given,
});
const at = (now: string, delivered: Partial<typeof figures>, today: Partial<typeof figures> = {}) => ({
  lifetime: { ...figures, ...delivered },
  today: { ...figures, ...today },
  timezone: 'Europe/Warsaw',
  daysBefore: [],
  freeTraffic: null,
  curve: flatCurve('Europe/Warsaw'),
  campaign: null,
  isHistoryLoading: false,
  nowMs: Date.parse(now),
});
const lifetimeGoal = { kind: 'IMPRESSIONS', amount: 1_000, period: 'LIFETIME' };

describe('progress of a line item', () => {
  test('a line item without a goal has no progress', () => {
    expect(measureProgress(row({ goal: null }), at('2026-11-10T00:00:00Z', {}))).toBeNull();
  });

  test.each([
    ['half-way and on time', '2026-11-06T00:00:00Z', 500, { expected: 500, percent: 50, pacingPercent: 100 }],
    ['half-way and behind', '2026-11-06T00:00:00Z', 250, { expected: 500, percent: 25, pacingPercent: 50 }],
    ['before the start', '2026-10-31T00:00:00Z', 0, { expected: 0, percent: 0, pacingPercent: null }],
    ['after the end', '2026-12-31T00:00:00Z', 900, { expected: 1_000, percent: 90, pacingPercent: 90 }],
  ])('progress of a lifetime goal is measured against the flight %s', (_name, now, impressions, expected) => {
    const flight = { starts_at: new Date('2026-11-01T00:00:00Z'), ends_at: new Date('2026-11-11T00:00:00Z') };
    expect(measureProgress(row({ goal: lifetimeGoal, ...flight }), at(now, { impressions }))).toMatchObject(expected);
  });

  test.each([
    ['halfway without a delivered unit', '2026-11-06T00:00:00Z', 0, null],
    ['before the start', '2026-10-31T00:00:00Z', 0, 'NOT_STARTED'],
    ['with its goal in the counters', '2026-11-06T00:00:00Z', 1_000, 'REACHED'],
  ])('a line item whose history is loading is neither late nor early %s', (_title, now, impressions, status) => {
    const loading = { ...at(now, { impressions }), isHistoryLoading: true };
    const progress = measureProgress(
      row({
        goal: lifetimeGoal,
        starts_at: new Date('2026-11-01T00:00:00Z'),
        ends_at: new Date('2026-11-11T00:00:00Z'),
      }),
      loading,
    );
    expect(progress).toMatchObject({ status, pacingPercent: null, projection: null, isHistoryLoading: true });
  });

  test('a line item that bids at its bound and stays behind is at risk, with what it will reach', () => {
    const flight = { starts_at: new Date('2026-11-01T00:00:00Z'), ends_at: new Date('2026-11-11T00:00:00Z') };
    const late = measureProgress(row({ goal: lifetimeGoal, ...flight }), {
      ...at('2026-11-06T00:00:00Z', { impressions: 250 }, { impressions: 2 }),
      daysBefore: [50, 50],
    });
    expect(late?.status).toBe('AT_RISK');
    const { projected = 0, low = 0, high = 0 } = late?.projection ?? {};
    expect(Math.abs(projected - 500)).toBeLessThan(5);
    expect([low < projected, projected < high]).toEqual([true, true]);
    const held = measureProgress(
      row({ goal: lifetimeGoal, ...flight }),
      at('2026-11-06T00:00:00Z', { impressions: 500 }, { impressions: 4 }),
    );
    expect(held).toMatchObject({ status: 'ON_TRACK', projection: { high: 1_000 } });
    const ended = measureProgress(
      row({ goal: lifetimeGoal, ...flight }),
      at('2026-11-12T00:00:00Z', { impressions: 900 }),
    );
    expect(ended).toMatchObject({ status: 'MISSED', projection: null });
  });

  test('a flight from 1970 on is measured from the creation of the line item', () => {
    const flight = { starts_at: new Date(0), ends_at: new Date('2026-11-11T00:00:00Z') };
    const progress = measureProgress(
      row({ goal: lifetimeGoal, ...flight }),
      at('2026-11-06T00:00:00Z', { impressions: 250 }),
    );
    expect(progress).toMatchObject({ expected: 500, pacingPercent: 50 });
  });

  test('a flight without an end has no expected progress', () => {
    const progress = measureProgress(row({ goal: lifetimeGoal }), at('2026-11-06T00:00:00Z', { impressions: 10 }));
    expect(progress).toMatchObject({ expected: null, pacingPercent: null, percent: 1 });
  });

  test.each([
    ['at local noon of a usual day', '2026-11-20T11:00:00Z', 500],
    [
      'at local noon of the day of 23 hours: 11 hours have passed',
      '2026-03-29T10:00:00Z',
      Math.round((11 / 23) * 1_000),
    ],
    [
      'at local noon of the day of 25 hours: 13 hours have passed',
      '2026-10-25T11:00:00Z',
      Math.round((13 / 25) * 1_000),
    ],
    ['at the first instant of the day', '2026-11-19T23:00:00Z', 0],
  ])('progress of a daily goal is measured against the local day %s', (_name, now, expected) => {
    const goal = { ...lifetimeGoal, period: 'DAY', kind: 'CLICKS' };
    const progress = measureProgress(row({ goal }), at(now, { clicks: 9_999 }, { clicks: 7 }));
    expect(progress).toMatchObject({ expected, delivered: 7 });
  });

  describe('expected progress', () => {
    const flight = { starts_at: new Date('2026-11-01T23:00:00Z'), ends_at: new Date('2026-11-11T23:00:00Z') };
    const halfway = '2026-11-06T23:00:00Z';

    test('expected progress follows the traffic curve, with nothing at night', () => {
      const byDay = {
        timezone: 'Europe/Warsaw',
        weights: flatCurve('').weights.map((_one, at) => (at % 24 < 12 ? 0 : 2)),
      };
      const atNoon = { ...at('2026-11-06T11:00:00Z', {}), curve: byDay };
      expect(measureProgress(row({ goal: lifetimeGoal, ...flight }), atNoon)?.expected).toBe(400);
      const atEvening = { ...at('2026-11-06T17:00:00Z', {}), curve: byDay };
      expect(measureProgress(row({ goal: lifetimeGoal, ...flight }), atEvening)?.expected).toBe(450);
    });

    test('FRONT_LOADED is ahead of even, and ASAP has no plan', () => {
      const of = (pacing: string) => measureProgress(row({ goal: lifetimeGoal, ...flight, pacing }), at(halfway, {}));
      expect(of('EVEN')?.expected).toBe(500);
      expect(of('FRONT_LOADED')?.expected).toBe(600);
      expect(of('ASAP')).toMatchObject({ expected: null, pacingPercent: null, status: null, projection: null });
    });

    test('a course is drawn to the goal by the plan, for ASAP as the least, and without an end not at all', () => {
      const of = (over: object) =>
        measureProgress(row({ goal: lifetimeGoal, ...flight, ...over }), at(halfway, { impressions: 480 }))?.course();
      const even = of({ pacing: 'EVEN' });
      expect(even?.points.map(({ planned }) => Math.round(planned))).toEqual([
        100, 200, 300, 400, 500, 500, 700, 800, 900, 1_000,
      ]);
      expect(even?.points[5]?.projection?.projected).toBe(480);
      expect(even?.points.at(-1)?.projection?.projected).toBe(1_000);
      expect(of({ pacing: 'ASAP' })).toMatchObject({ isLeast: true, points: { length: 10, 9: { planned: 1_000 } } });
      expect(of({ ends_at: null })).toBeNull();
    });

    test('expected progress grows only within the day-parts', () => {
      // 2 November 2026 is a Monday: of ten days, eight are workdays; four of them have passed by Friday midnight.
      const dayParts = [{ days: [1, 2, 3, 4, 5], startMinute: 0, endMinute: 1_440 }];
      const workdays = row({ goal: lifetimeGoal, ...flight, day_parts: dayParts });
      expect(measureProgress(workdays, at('2026-11-05T23:00:00Z', {}))?.expected).toBe(500);
      expect(measureProgress(workdays, at('2026-11-08T12:00:00Z', {}))?.expected).toBe(625);
    });

    test("expected progress grows only within the campaign's flight", () => {
      const campaign = row({ starts_at: new Date('2026-11-05T23:00:00Z'), ends_at: new Date('2026-11-07T23:00:00Z') });
      const progress = measureProgress(row({ goal: lifetimeGoal, ...flight }), { ...at(halfway, {}), campaign });
      expect(progress?.expected).toBe(500);
    });

    test('expected progress is 0 on a day after the end', () => {
      const goal = { ...lifetimeGoal, period: 'DAY' };
      expect(measureProgress(row({ goal, ...flight }), at('2026-11-15T12:00:00Z', {}))?.expected).toBe(0);
    });
  });
});
