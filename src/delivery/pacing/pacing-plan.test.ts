import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compileWorkspace } from '../decision/index/compile-workspace.ts';
import type { CompiledLineItem } from '../decision/index/compile-line-items.ts';
import { sampleSnapshot } from '../../../test/worlds/sample-workspace.ts';
import { buildCurve, flatCurve } from '../../domain/pacing/traffic-curve.ts';
import { aimMs, planRate, planSpan, planTarget } from '../../domain/pacing/pacing-plan.ts';
import type { Plan } from '../../domain/pacing/pacing-plan.ts';
import { Timeline } from '../../domain/pacing/pacing-timeline.ts';
import { localDaySpan } from '../../domain/time/time-zone.ts';
import { PUBLISHER_WEEK } from '../../../test/simulation/traffic.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const WARSAW = 'Europe/Warsaw';
const open = { timezone: WARSAW, dayParts: [] };
const at = (text: string): number => Date.parse(text);

function compileOnly(booked: NonNullable<Parameters<typeof sampleSnapshot>[0]['lineItems']>[number]): CompiledLineItem {
  const [lineItem] = compileWorkspace(
    sampleSnapshot({ lineItems: [booked] }),
    at('2026-01-01T00:00:00Z'),
    () => {},
  ).lineItems;
  if (lineItem === undefined) throw new Error('The line item does not compile');
  return lineItem;
}

describe('the traffic curve', () => {
  const untilMs = at('2026-11-23T00:00:00Z');
  const hours = (days: number, requests: (hour: number) => number) =>
    Array.from({ length: days * 24 }, (_none, back) => ({
      startMs: untilMs - (back + 1) * HOUR_MS,
      requests: requests(days * 24 - 1 - back),
    }));

  test('the curve is flat without data', () => {
    expect(buildCurve([], WARSAW, untilMs)).toEqual(flatCurve(WARSAW));
  });

  test('the curve learns the hours of the local week', () => {
    const curve = buildCurve(
      hours(28, (hour) => (hour % 24 === 0 ? 2_300 : 100)),
      WARSAW,
      untilMs,
    );
    const busiest = curve.weights.indexOf(Math.max(...curve.weights));
    // 28 days back is Monday, 26 October 2026, 00:00 UTC: one in the morning in Warsaw.
    expect(busiest % 24).toBe(1);
    expect(curve.weights.reduce((sum, weight) => sum + weight, 0)).toBeCloseTo(168, 6);
  });

  test('the curve ignores one spike or one outage', () => {
    const calm = buildCurve(
      hours(28, () => 100),
      WARSAW,
      untilMs,
    );
    const troubled = buildCurve(
      hours(28, (hour) => (hour === 300 ? 5_000 : hour > 100 && hour < 107 ? 0 : 100)),
      WARSAW,
      untilMs,
    );
    for (const [hour, weight] of troubled.weights.entries()) expect(weight).toBeCloseTo(calm.weights[hour] ?? 0, 1);
  });
});

describe('spans of goals', () => {
  test.each([
    ['a day of 23 hours', '2026-03-29T12:00:00+02:00', 23],
    ['a day of 25 hours', '2026-10-25T12:00:00+01:00', 25],
    ['any other day', '2026-11-20T12:00:00+01:00', 24],
  ])('%s', (_title, now, hours) => {
    const { startMs, endMs } = localDaySpan(WARSAW, at(now));
    expect((endMs - startMs) / HOUR_MS).toBe(hours);
  });

  test('a daily goal covers the part of the local day that is in flight', () => {
    const startsAtMs = at('2026-11-20T10:00:00+01:00');
    const goal = { kind: 'IMPRESSIONS', amount: 100, period: 'DAY' } as const;
    const span = planSpan(compileOnly({ goal, startsAtMs }), goal, at('2026-11-20T15:00:00+01:00'));
    expect(span).toEqual({ startMs: startsAtMs, endMs: at('2026-11-21T00:00:00+01:00') });
  });

  test('a lifetime goal without an end has no span', () => {
    const goal = { kind: 'CLICKS', amount: 100, period: 'LIFETIME' } as const;
    expect(planSpan(compileOnly({ goal }), goal, at('2026-11-20T15:00:00Z'))).toBeNull();
  });
});

describe('a plan', () => {
  const startMs = at('2026-10-19T00:00:00+02:00');
  const endMs = startMs + 14 * DAY_MS + HOUR_MS;
  const curve = { timezone: WARSAW, weights: PUBLISHER_WEEK };
  const plan: Plan = {
    pacing: 'EVEN',
    span: { startMs, endMs },
    amount: 10_000,
    base: 0,
    timeline: new Timeline(curve, open, startMs),
  };

  test('a plan follows the curve: the evening peak gets more than the small hours', () => {
    const between = (from: string, to: string) => planTarget(plan, at(to)) - planTarget(plan, at(from));
    const night = between('2026-10-20T02:00:00+02:00', '2026-10-20T04:00:00+02:00');
    const evening = between('2026-10-20T19:00:00+02:00', '2026-10-20T21:00:00+02:00');
    expect(evening).toBeGreaterThan(night * 4);
  });

  test('a plan gives the repeated hour of a day of 25 hours its own part', () => {
    const first = planTarget(plan, at('2026-10-25T02:00:00+01:00')) - planTarget(plan, at('2026-10-25T02:00:00+02:00'));
    const second =
      planTarget(plan, at('2026-10-25T03:00:00+01:00')) - planTarget(plan, at('2026-10-25T02:00:00+01:00'));
    expect(first).toBeGreaterThan(0);
    expect(second).toBeCloseTo(first, 6);
  });

  test('a plan expects nothing outside of day-parts', () => {
    const dayParts = [{ days: [1, 2, 3, 4, 5], startMinute: 8 * 60, endMinute: 18 * 60 }];
    const timeline = new Timeline(curve, { timezone: WARSAW, dayParts }, startMs);
    const parted = { ...plan, timeline };
    const saturday = planTarget(parted, at('2026-10-24T00:00:00+02:00'));
    expect(planTarget(parted, at('2026-10-26T08:00:00+01:00'))).toBeCloseTo(saturday, 6);
    expect(planTarget(parted, at('2026-10-26T09:00:00+01:00'))).toBeGreaterThan(saturday);
  });

  test('a plan never falls, starts at zero and ends at its goal, front-loaded or not', () => {
    const share = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(share, share, fc.constantFrom('EVEN' as const, 'FRONT_LOADED' as const), (left, right, pacing) => {
        const own = { ...plan, pacing };
        const target = (part: number) => planTarget(own, startMs + part * (endMs - startMs));
        expect(target(Math.max(left, right))).toBeGreaterThanOrEqual(target(Math.min(left, right)));
        expect(target(0)).toBe(0);
        expect(target(1)).toBe(10_000);
        if (pacing === 'FRONT_LOADED')
          expect(target(left)).toBeLessThanOrEqual(planTarget(plan, startMs + left * (endMs - startMs)) * 1.4 + 1e-6);
      }),
    );
  });

  test.each([
    ['on time', 0, 1, 1],
    ['far behind: half as much again', 1_500, 1.5, 1.5],
    ['so far behind that the rest needs more', 5_000, 2, 4],
    ['far ahead, with a tenth of the rest to deliver', -3_500, 0.05, 0.15],
    ['beyond its goal', -5_000, 0, 0],
    ['a little behind', 50, 1.01, 1.49],
  ])('%s', (_title, behind, least, most) => {
    const nowMs = at('2026-10-27T12:00:00+01:00');
    const { target } = planRate(plan, nowMs, 0);
    const even = (planRate(plan, nowMs + 60_000, 0).target - target) / 60_000;
    const { unitsPerMs } = planRate(plan, nowMs, target - behind);
    expect(unitsPerMs / even).toBeGreaterThanOrEqual(least - 1e-9);
    expect(unitsPerMs / even).toBeLessThanOrEqual(most + 1e-9);
  });

  test('a plan reaches its goal four hours before the end, an eighteenth of a short span before it', () => {
    expect(aimMs(plan.span)).toBe(endMs - 4 * HOUR_MS);
    expect(aimMs({ startMs, endMs: startMs + 18 * HOUR_MS })).toBe(startMs + 17 * HOUR_MS);
    expect(planRate(plan, endMs - 4 * HOUR_MS, 10_000)).toEqual({ target: 10_000, deficit: 0, unitsPerMs: 0 });
    expect(planRate(plan, endMs - 3 * HOUR_MS, 9_990).unitsPerMs * HOUR_MS).toBeGreaterThanOrEqual(10);
  });

  test('the rate of a plan leads to its goal from wherever delivery stands, without passing it', () => {
    const share = fc.double({ min: 0, max: 1, noNaN: true });
    const pacing = fc.constantFrom('EVEN' as const, 'FRONT_LOADED' as const);
    fc.assert(
      fc.property(share, share, pacing, (sofar, delivered, kind) => {
        let expected = delivered * 10_000;
        for (let nowMs = startMs + sofar * 0.9 * (endMs - startMs); nowMs < endMs; nowMs += 600_000) {
          const { unitsPerMs } = planRate({ ...plan, pacing: kind }, nowMs, expected);
          expect(unitsPerMs).toBeGreaterThanOrEqual(0);
          expected += unitsPerMs * Math.min(600_000, endMs - nowMs);
        }
        // Rates are for a minute; here each is kept for ten.
        expect(Math.abs(expected - 10_000)).toBeLessThan(150);
      }),
      { numRuns: 20 },
    );
  });

  test('a line item whose end is moved spreads the rest of its goal over the traffic up to the new end', () => {
    const movedMs = startMs + 3 * DAY_MS;
    let expected = 6_000;
    const days: number[] = [];
    for (let nowMs = movedMs; nowMs < endMs - DAY_MS; nowMs += 60_000) {
      const day = Math.floor((nowMs - movedMs) / DAY_MS);
      const units = planRate(plan, nowMs, expected).unitsPerMs * 60_000;
      expected += units;
      days[day] = (days[day] ?? 0) + units;
    }
    const evenDay = (day: number) =>
      (4_000 * plan.timeline.between(movedMs + day * DAY_MS, movedMs + (day + 1) * DAY_MS)) /
      plan.timeline.between(movedMs, aimMs(plan.span));
    for (const [day, units] of days.slice(0, -1).entries()) expect(units / evenDay(day)).toBeCloseTo(1, 1);
  });

  test('a plan catches up within 24 hours as far as its bounds allow', () => {
    let expected = planRate(plan, startMs + 5 * DAY_MS, 0).target - 100;
    for (let nowMs = startMs + 5 * DAY_MS; nowMs < startMs + 6 * DAY_MS; nowMs += 60_000) {
      expected += planRate(plan, nowMs, expected).unitsPerMs * 60_000;
    }
    expect(planRate(plan, startMs + 6 * DAY_MS, expected).deficit).toBeLessThan(4);
  });
});
