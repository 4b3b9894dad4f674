import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Pacing } from '../booking/line-item.ts';
import { localDaySpan } from '../time/time-zone.ts';
import { COURSE_POINTS_MAX, drawCourse, type DrawnCourse } from './drawn-course.ts';
import { planTarget } from './pacing-plan.ts';
import type { Plan } from './pacing-plan.ts';
import { Timeline } from './pacing-timeline.ts';
import { flatCurve } from './traffic-curve.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const WARSAW = 'Europe/Warsaw';
const START_MS = Date.parse('2026-10-19T00:00:00+02:00');
const CURVE = { timezone: WARSAW, weights: flatCurve('').weights.map((_one, at) => (at % 24 < 6 ? 0.2 : 1.2)) };

function planFrom(startMs: number, lastMs: number, pacing: Pacing = 'EVEN', amount = 1_000): Plan {
  const timeline = new Timeline(CURVE, { timezone: WARSAW, dayParts: [] }, startMs);
  return { pacing, span: { startMs, endMs: startMs + lastMs }, amount, base: 0, timeline };
}

const drawn = fc.record({
  startMs: fc.integer({ min: 0, max: 400 * 24 * 60 }).map((minutes) => START_MS + minutes * 60_000),
  lastMs: fc.oneof(
    fc.integer({ min: 1, max: 3 * DAY_MS }),
    fc.integer({ min: 1, max: 3_000 }).map((days) => days * DAY_MS),
  ),
  pacing: fc.constantFrom<Pacing>('EVEN', 'FRONT_LOADED', 'ASAP'),
  nowShare: fc.double({ min: -0.2, max: 1.2, noNaN: true }),
  delivered: fc.integer({ min: 0, max: 1_500 }),
  timezone: fc.constantFrom(WARSAW, 'UTC', 'Asia/Kolkata', 'America/New_York'),
});

test('a course covers its whole span in order with at most 400 points, never falls, and ends at the goal', () => {
  fc.assert(
    fc.property(drawn, ({ startMs, lastMs, pacing, nowShare, delivered, timezone }) => {
      const plan = planFrom(startMs, lastMs, pacing);
      const nowMs = startMs + nowShare * lastMs;
      const { points } = drawCourse(plan, { timezone, nowMs, delivered, projection: null });
      expect(points.length).toBeGreaterThan(0);
      expect(points.length).toBeLessThanOrEqual(COURSE_POINTS_MAX);
      expect(points[0]?.startMs).toBe(startMs);
      for (const [at, point] of points.entries()) {
        const before = points[at - 1];
        if (before !== undefined) expect(point.startMs).toBeGreaterThan(before.startMs);
        if (before !== undefined) expect(point.planned).toBeGreaterThanOrEqual(before.planned);
      }
      if (nowMs < (points.at(-1)?.startMs ?? 0)) expect(points.at(-1)?.planned).toBeCloseTo(1_000, 6);
    }),
  );
});

test('a point has what the plan has at the end of its local day, the present one what the plan has now', () => {
  const plan = planFrom(START_MS + 5 * HOUR_MS, 20 * DAY_MS);
  const nowMs = START_MS + 3 * DAY_MS + 11 * HOUR_MS;
  const { step, points } = drawCourse(plan, { timezone: WARSAW, nowMs, delivered: 0, projection: null });
  expect(step).toBe('DAY');
  // Clocks go back on 25 October.
  expect(points.slice(0, 8).map(({ startMs }) => new Date(startMs).toISOString().slice(0, 16))).toEqual([
    '2026-10-19T03:00',
    '2026-10-19T22:00',
    '2026-10-20T22:00',
    '2026-10-21T22:00',
    '2026-10-22T22:00',
    '2026-10-23T22:00',
    '2026-10-24T22:00',
    '2026-10-25T23:00',
  ]);
  for (const { startMs, planned } of points) {
    const { endMs } = localDaySpan(WARSAW, startMs);
    expect(planned).toBe(planTarget(plan, startMs <= nowMs && nowMs < endMs ? nowMs : endMs));
  }
});

test('a week is drawn by hour, FRONT_LOADED before EVEN, and ASAP as the EVEN that it keeps at least', () => {
  const draw = (pacing: Pacing): DrawnCourse =>
    drawCourse(planFrom(START_MS, 7 * DAY_MS, pacing), { timezone: WARSAW, nowMs: 0, delivered: 0, projection: null });
  const [even, front, soon] = [draw('EVEN'), draw('FRONT_LOADED'), draw('ASAP')];
  expect([even.step, even.points.length, even.isLeast]).toEqual(['HOUR', 168, false]);
  for (const [at, { planned }] of even.points.entries())
    expect(front.points[at]?.planned).toBeGreaterThanOrEqual(planned - 1e-9);
  expect(front.points[40]?.planned).toBeGreaterThan(1.1 * (even.points[40]?.planned ?? 0));
  expect(soon).toEqual({ ...even, isLeast: true });
});

test('a projection goes from what is delivered now to its end along the plan', () => {
  const plan = planFrom(START_MS, 20 * DAY_MS);
  const nowMs = START_MS + 5 * DAY_MS + 12 * HOUR_MS;
  const projection = { projected: 900, low: 800, high: 1_000 };
  const { points } = drawCourse(plan, { timezone: WARSAW, nowMs, delivered: 200, projection });
  expect(points.slice(0, 5).every((point) => point.projection === null)).toBe(true);
  expect(points[5]?.projection).toEqual({ projected: 200, low: 200, high: 200 });
  expect(points.at(-1)?.projection?.projected).toBeCloseTo(900, 6);
  expect(points.at(-1)?.projection?.low).toBeCloseTo(800, 6);
  const planned = planTarget(plan, nowMs);
  for (const point of points.slice(6)) {
    const share = (point.planned - planned) / (1_000 - planned);
    expect(point.projection?.projected).toBeCloseTo(200 + share * 700, 6);
  }
});
