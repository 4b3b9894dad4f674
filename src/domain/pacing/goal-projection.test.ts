import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { goalStatus, projectGoal } from './goal-projection.ts';
import type { GoalCourse } from './goal-projection.ts';

/** Ten days of 100 units each, five of them passed, of which the last two were delivered as planned. */
const course = (given: Partial<GoalCourse>): GoalCourse => ({
  amount: 1_000,
  delivered: 500,
  planned: 500,
  plannedDay: 100,
  plannedLeft: 500,
  level: 8,
  tightness: 0,
  days: [
    { planned: 100, delivered: 100 },
    { planned: 100, delivered: 100 },
  ],
  ...given,
});
const daysOf = (...delivered: number[]) => delivered.map((one) => ({ planned: 100, delivered: one }));

describe('the projection of a goal', () => {
  test.each([
    ['a line item on its plan reaches its goal', course({}), 1_000],
    ['one ahead of its plan reaches it, too', course({ delivered: 540 }), 1_000],
    [
      'one that is behind and does not bid at its bound yet catches up',
      course({ delivered: 450, days: daysOf(75, 75) }),
      1_000,
    ],
    ['one that delivers half at its bound goes on at half', course({ delivered: 250, days: daysOf(50, 50) }), 500],
    ['one that gets nothing at its bound gets nothing more', course({ delivered: 300, days: daysOf(0, 0) }), 300],
    ['one that catches up at its bound reaches its goal', course({ delivered: 420, days: daysOf(130, 130) }), 1_000],
    [
      'only the time at its bound counts: on its plan two days ago',
      course({ delivered: 400, days: daysOf(0, 100) }),
      400,
    ],
  ])('%s', (_title, given, projected) => {
    expect(Math.round(projectGoal(given)?.projected ?? 0)).toBe(projected);
  });

  test('a higher level bids longer before it is at risk', () => {
    const behind = course({ delivered: 432, days: daysOf(66, 66) });
    expect(projectGoal({ ...behind, level: 16 })?.projected).toBeLessThan(900);
    expect(projectGoal({ ...behind, level: 1 })?.projected).toBe(1_000);
  });

  test('a plan that has hardly begun projects nothing, and a goal that is reached stays so', () => {
    expect(projectGoal(course({ delivered: 0, planned: 3 }))).toBeNull();
    expect(projectGoal(course({ delivered: 1_200 }))).toEqual({ projected: 1_000, low: 1_000, high: 1_000 });
  });

  test('a projection lies within its interval, between what is delivered and the goal', () => {
    const day = fc.record({ planned: fc.nat(200), delivered: fc.nat(200) });
    fc.assert(
      fc.property(fc.nat(1_000), fc.nat(1_000), fc.array(day, { maxLength: 3 }), (delivered, planned, days) => {
        const found = projectGoal(course({ delivered, planned, plannedLeft: 1_000 - planned, days }));
        if (found === null) return;
        expect(found.projected).toBeGreaterThanOrEqual(Math.min(delivered, 1_000));
        expect(found.projected).toBeLessThanOrEqual(1_000);
        expect(found.low).toBeLessThanOrEqual(found.projected + 1e-6);
        expect(found.high).toBeGreaterThanOrEqual(found.projected - 1e-6);
      }),
    );
  });

  test('the status says at risk while there is time, and missed only after the end', () => {
    const late = course({ delivered: 250, days: daysOf(50, 50) });
    expect(goalStatus(late, projectGoal(late), 'within')).toBe('AT_RISK');
    expect(goalStatus(late, projectGoal(late), 'after')).toBe('MISSED');
    expect(goalStatus(late, projectGoal(late), 'before')).toBe('NOT_STARTED');
    const held = course({});
    expect(goalStatus(held, projectGoal(held), 'within')).toBe('ON_TRACK');
    const behind = course({ delivered: 450, days: daysOf(75, 75) });
    expect(goalStatus(behind, projectGoal(behind), 'within')).toBe('BEHIND');
    const ahead = course({ delivered: 550 });
    expect(goalStatus(ahead, projectGoal(ahead), 'within')).toBe('AHEAD');
    const done = course({ delivered: 1_000 });
    expect(goalStatus(done, projectGoal(done), 'after')).toBe('REACHED');
  });
});
