import fc from 'fast-check';
import { expect, test } from 'vitest';
import { continueFree, continueShares, findFreeShares } from './free-shares.ts';
import type { FreeTraffic } from '../../domain/pacing/free-timeline.ts';
import type { ContendingGoal } from './free-shares.ts';

const HOUR_MS = 3_600_000;
type Goal = Omit<ContendingGoal, 'planned'>;
type Traffic = Parameters<typeof findFreeShares>[1];
/** Goals that are on their plans. */
const freeOf = (goals: readonly Goal[], traffic: Traffic) =>
  findFreeShares(
    goals.map((goal) => ({ ...goal, planned: goal.needed })),
    traffic,
    week,
  );
const sharesOf = (goals: readonly Goal[], traffic: Traffic) => freeOf(goals, traffic).map(({ shares }) => shares);
const week = { fromMs: 0, untilMs: 168 * HOUR_MS };

test('a goal with all the time counts on what a later flight leaves to it', () => {
  const whole = { startsAtMs: 0, endsAtMs: 168 * HOUR_MS, needed: 60 * 168 };
  const late = { startsAtMs: 126 * HOUR_MS, endsAtMs: 168 * HOUR_MS, needed: 80 * 42 };
  const [ofWhole, ofLate] = sharesOf([whole, late], [{ goals: [0, 1], slotsPerHour: 100 }]);
  expect(ofWhole?.[0]).toEqual({ untilMs: 126 * HOUR_MS, share: 1 });
  expect(ofWhole?.[1]?.share).toBeCloseTo(0.2, 1);
  // The whole one takes about three quarters before, and what the late one leaves after.
  expect(ofLate?.[1]?.share).toBeGreaterThan(0.8);
});

test('goals that never meet leave each other everything', () => {
  const goals = [0, 1].map((at) => ({
    startsAtMs: at * 84 * HOUR_MS,
    endsAtMs: (at + 1) * 84 * HOUR_MS,
    needed: 5_000,
  }));
  const apart = sharesOf(goals, [{ goals: [0, 1], slotsPerHour: 100 }]);
  expect(apart[0]?.[0]?.share).toBe(1);
  expect(apart[1]?.[1]?.share).toBe(1);
  const elsewhere = sharesOf(
    goals.map((goal) => ({ ...goal, startsAtMs: 0 })),
    [
      { goals: [0], slotsPerHour: 100 },
      { goals: [1], slotsPerHour: 100 },
    ],
  );
  expect(elsewhere.flat().every(({ share }) => share === 1)).toBe(true);
});

test('any bookings give shares above 0 and at most 1, to the end of the time, in ascending order', () => {
  const goal = fc.record({
    startsAtMs: fc.integer({ min: -100, max: 200 }).map((hour) => hour * HOUR_MS),
    endsAtMs: fc.integer({ min: 201, max: 400 }).map((hour) => hour * HOUR_MS),
    needed: fc.double({ min: 0, max: 1e6, noNaN: true }),
  });
  const bookings = fc.array(goal, { minLength: 1, maxLength: 12 }).chain((goals) =>
    fc.record({
      goals: fc.constant(goals),
      traffic: fc.array(
        fc.record({
          goals: fc.uniqueArray(fc.integer({ min: 0, max: goals.length - 1 }), { minLength: 1 }),
          slotsPerHour: fc.double({ min: 0, max: 1e4, noNaN: true }),
        }),
        { maxLength: 8 },
      ),
    }),
  );
  fc.assert(
    fc.property(bookings, ({ goals, traffic }) => {
      const found = sharesOf(goals, traffic);
      expect(found).toHaveLength(goals.length);
      for (const shares of found) {
        expect(shares.at(-1)?.untilMs).toBe(week.untilMs);
        for (const [at, { untilMs, share }] of shares.entries()) {
          expect(share).toBeGreaterThan(0);
          expect(share).toBeLessThanOrEqual(1);
          expect(untilMs).toBeGreaterThan(shares[at - 1]?.untilMs ?? week.fromMs);
        }
      }
    }),
  );
});

test('shares that are found again keep what was expected of the past, and the same list where little changes', () => {
  const before = [
    { untilMs: 100, share: 1 },
    { untilMs: 200, share: 0.4 },
  ];
  expect(continueShares(before, [{ untilMs: 200, share: 0.42 }], 150)).toBe(before);
  expect(continueShares(before, [{ untilMs: 300, share: 0.9 }], 150)).toEqual([
    { untilMs: 100, share: 1 },
    { untilMs: 150, share: 0.4 },
    { untilMs: 300, share: 0.9 },
  ]);
  expect(continueShares(null, [{ untilMs: 300, share: 0.9 }], 150)).toEqual([
    { untilMs: 150, share: 0.9 },
    { untilMs: 300, share: 0.9 },
  ]);
});

test('goals that serve by day and night count on the hours that an evening goal leaves', () => {
  const all = { startsAtMs: 0, endsAtMs: 168 * HOUR_MS };
  const evening = Array.from({ length: 24 }, (_none, hour) => (hour >= 18 ? 1 / 6 : 0));
  const day = Array.from({ length: 24 }, (_none, hour) => (hour < 18 ? 1 / 18 : 0));
  const [ofEvening, ofBroad] = freeOf(
    [
      { ...all, needed: 0.8 * 100 * 168 },
      { ...all, needed: 0.5 * 400 * 168 },
    ],
    [
      { goals: [0, 1], slotsPerHour: 100, byHour: evening },
      { goals: [1], slotsPerHour: 300, byHour: day },
    ],
  );
  expect(ofEvening?.hours).toBeNull();
  const [night, late] = [ofBroad?.hours?.[3] ?? 0, ofBroad?.hours?.[20] ?? 0];
  expect(night).toBeGreaterThan(1.1);
  expect(late).toBeLessThan(0.5);
});

test('a plan is as tight as the part of the free traffic that it needs, whatever is delivered', () => {
  const all = { startsAtMs: 0, endsAtMs: 168 * HOUR_MS };
  const traffic = [{ goals: [0, 1], slotsPerHour: 100 }];
  const broad = { ...all, needed: 0.5 * 100 * 168 };
  const [alone] = freeOf([broad], [{ goals: [0], slotsPerHour: 100 }]);
  expect(alone?.tightness).toBeCloseTo(0.5, 2);
  // Each leaves half of the traffic to the other.
  const [first, second] = freeOf([broad, broad], traffic);
  expect(first?.tightness).toBeCloseTo(1, 1);
  expect(second?.tightness).toBeCloseTo(1, 1);
  const [ahead] = findFreeShares(
    [{ ...broad, needed: 0, planned: broad.needed }],
    [{ goals: [0], slotsPerHour: 100 }],
    week,
  );
  expect(ahead?.tightness).toBeCloseTo(0.5, 2);
  const [unseen] = freeOf([broad], []);
  expect(unseen?.tightness).toBe(0);
  const [lost] = freeOf([{ ...all, needed: 1e9 }], [{ goals: [0], slotsPerHour: 100 }]);
  expect(lost?.tightness).toBe(2);
});

test('free traffic that is found again is the same object where neither shares nor hours change much', () => {
  const shares = [{ untilMs: 200, share: 0.4 }];
  const hours = Array.from({ length: 24 }, () => 1);
  const before = { shares, hours, tightness: 0.8 };
  const next = (changes: Partial<FreeTraffic>) => continueFree(before, { ...before, ...changes }, 150);
  const alike = { shares: [{ untilMs: 200, share: 0.41 }], hours: hours.map(() => 1.05), tightness: 0.81 };
  expect(next(alike)).toBe(before);
  expect(next({ hours: null })).toEqual({ ...before, hours: null });
  expect(next({ hours: hours.map(() => 1.2) }).shares).toBe(shares);
  expect(next({ tightness: 0.9 })).toEqual({ ...before, tightness: 0.9 });
});
