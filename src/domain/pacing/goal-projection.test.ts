import { describe, expect, test } from 'vitest';
import { goalStatus, projectGoal } from './goal-projection.ts';
import type { GoalCourse } from './goal-projection.ts';

/** Ten days of 100 units each, five of them passed. */
const course = (given: Partial<GoalCourse>): GoalCourse => ({
  amount: 1_000,
  delivered: 500,
  deliveredToday: 0,
  planned: 500,
  plannedToday: 0,
  plannedDay: 100,
  plannedLeft: 500,
  ...given,
});

describe('the projection of a goal', () => {
  test.each([
    ['a line item on its plan reaches its goal', course({}), 1_000],
    ['one at half of its plan goes on at half of it', course({ delivered: 250 }), 500],
    ['one ahead of its plan was slowed, and reaches its goal', course({ delivered: 600, planned: 500 }), 1_000],
    [
      'one that was ahead and gets nothing today counts today',
      course({ delivered: 600, deliveredToday: 0, planned: 600, plannedToday: 100, plannedLeft: 400 }),
      1_000,
    ],
    [
      'one that was behind and catches up today counts today',
      course({ delivered: 400, deliveredToday: 150, planned: 600, plannedToday: 100, plannedLeft: 400 }),
      667,
    ],
  ])('%s', (_title, given, projected) => {
    expect(Math.round(projectGoal(given)?.projected ?? 0)).toBe(projected);
  });

  test('a plan that has hardly begun projects nothing, and a goal that is reached stays so', () => {
    expect(projectGoal(course({ delivered: 0, planned: 3 }))).toBeNull();
    expect(projectGoal(course({ delivered: 1_200 }))).toEqual({ projected: 1_000, low: 1_000, high: 1_000 });
  });

  test('the status says at risk while there is time, and missed only after the end', () => {
    const late = course({ delivered: 250 });
    expect(goalStatus(late, projectGoal(late), 'within')).toBe('AT_RISK');
    expect(goalStatus(late, projectGoal(late), 'after')).toBe('MISSED');
    expect(goalStatus(late, projectGoal(late), 'before')).toBe('NOT_STARTED');
    const held = course({});
    expect(goalStatus(held, projectGoal(held), 'within')).toBe('ON_TRACK');
    const ahead = course({ delivered: 550 });
    expect(goalStatus(ahead, projectGoal(ahead), 'within')).toBe('AHEAD');
    const done = course({ delivered: 1_000 });
    expect(goalStatus(done, projectGoal(done), 'after')).toBe('REACHED');
  });

  test('in 400 worlds with days of autocorrelated traffic, the interval holds the outcome in at least 90 %', () => {
    let seed = 7;
    const uniform = (): number => {
      seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) | 0;
      return ((seed >>> 0) + 0.5) / 2 ** 32;
    };
    const normal = (): number => Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform());
    let held = 0;
    let risksSeen = 0;
    let risks = 0;
    const worlds = 400;
    for (let world = 0; world < worlds; world += 1) {
      const days = 6 + Math.floor(uniform() * 25);
      const asked = 1 + Math.floor(days * (0.25 + uniform() * 0.5));
      const capacity = 0.4 + uniform();
      let noise = 0;
      let delivered = 0;
      let projection: ReturnType<typeof projectGoal> = null;
      const amount = days * 1_000;
      for (let day = 0; day < days; day += 1) {
        const planned = day * 1_000;
        if (day === asked)
          projection = projectGoal({
            amount,
            delivered,
            deliveredToday: 0,
            planned,
            plannedToday: 0,
            plannedDay: 1_000,
            plannedLeft: amount - planned,
          });
        noise = 0.5 * noise + 0.2 * Math.sqrt(0.75) * normal();
        const available = Math.max(0, capacity + noise) * 1_000;
        const deficit = planned + 1_000 - delivered;
        delivered = Math.min(amount, delivered + Math.min(available, Math.max(500, Math.min(1_500, deficit))));
      }
      if (projection === null) continue;
      if (delivered >= projection.low - 1 && delivered <= projection.high + 1) held += 1;
      if (delivered >= amount * 0.9) continue;
      risks += 1;
      if (projection.projected < amount * 0.97) risksSeen += 1;
    }
    expect(held / worlds).toBeGreaterThanOrEqual(0.9);
    expect(risksSeen / risks, 'goals that were missed by a tenth were at risk before').toBeGreaterThanOrEqual(0.9);
  });
});
