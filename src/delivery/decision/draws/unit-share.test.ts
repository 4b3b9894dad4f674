import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Goal, LineItemType, Pacing } from '../../../domain/booking/line-item.ts';
import { allowedLag, neededShare } from './unit-share.ts';

const DAY_MS = 86_400_000;
const START_MS = Date.parse('2026-11-01T00:00:00Z');
const LENGTH_MS = 18 * DAY_MS;
/** Pacing aims to be done an eighteenth of a flight before its end, at most four hours. */
const AIM_MS = START_MS + LENGTH_MS - 4 * 3_600_000;
const local = () => ({ weekday: 1, minute: 600, day: '2026-11-05' });

interface Booked {
  readonly type?: LineItemType;
  readonly pacing?: Pacing;
  readonly goal?: Goal | null;
  readonly startsAtMs?: number;
  readonly endsAtMs?: number;
}

function booked({ type = 'STANDARD', pacing = 'EVEN', goal, startsAtMs = START_MS, endsAtMs }: Booked = {}) {
  const lifetime: Goal = { kind: 'IMPRESSIONS', amount: 100_000, period: 'LIFETIME' };
  return {
    goal: goal === undefined ? lifetime : goal,
    startsAtMs,
    endsAtMs: endsAtMs ?? START_MS + LENGTH_MS,
    booked: { type, pacing },
  };
}

const shareOf = (one: Booked, urgency: number, nowMs = START_MS + 5 * DAY_MS) =>
  neededShare(booked(one), urgency, { nowMs, local });

describe('the share of opportunities that a line item needs', () => {
  test('the share is the lag by the lag that is allowed: half a percent of a large goal', () => {
    expect(shareOf({}, 0.001)).toBeCloseTo(0.2);
    expect(shareOf({}, 0.004)).toBeCloseTo(0.8);
    expect(shareOf({}, 0)).toBe(0);
    expect(shareOf({}, -0.01)).toBe(0);
  });

  test('a small goal may lag by ten of its units, at most by two percent', () => {
    const goal: Goal = { kind: 'CLICKS', amount: 1_000, period: 'LIFETIME' };
    expect(shareOf({ goal }, 0.005)).toBeCloseTo(0.5);
    expect(shareOf({ goal: { ...goal, amount: 10 } }, 0.005)).toBeCloseTo(0.25);
  });

  test.each<[string, Booked]>([
    ['is paced as soon as possible', { pacing: 'ASAP' }],
    ['has no goal', { goal: null }],
    ['has a share of voice', { type: 'SPONSORSHIP' }],
    ['has what is left over', { type: 'HOUSE' }],
    ['never ends', { endsAtMs: Number.POSITIVE_INFINITY }],
    ['has no beginning', { startsAtMs: 0 }],
  ])('a line item that %s waits for nothing', (_what, one) => {
    expect(shareOf(one, 0)).toBe(1);
  });

  test('a daily goal has its local day: it waits at ten, and for nothing in the last eighteenth', () => {
    const goal: Goal = { kind: 'IMPRESSIONS', amount: 100_000, period: 'DAY' };
    const at = (minute: number) =>
      neededShare(booked({ goal }), 0.001, {
        nowMs: START_MS + 5 * DAY_MS + minute * 60_000,
        local: () => ({ weekday: 1, minute, day: '2026-11-06' }),
      });
    expect(at(600)).toBeCloseTo(0.2);
    expect(at(1_365)).toBe(1);
  });

  test('a line item at its allowed lag or beyond accepts everything, and so does one whose pacing aims to be done', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.integer({ min: 1, max: 10_000_000 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (part, amount, beyond) => {
          const nowMs = START_MS + part * LENGTH_MS;
          const span = { startMs: START_MS, endMs: START_MS + LENGTH_MS };
          const lag = Math.max(0, allowedLag(span, amount, nowMs));
          const goal: Goal = { kind: 'IMPRESSIONS', amount, period: 'LIFETIME' };
          expect(shareOf({ goal }, lag + beyond, nowMs)).toBe(1);
          if (nowMs >= AIM_MS) expect(shareOf({ goal }, -beyond, nowMs)).toBe(1);
        },
      ),
    );
  });

  test('the share is between 0 and 1 and never falls as the lag or the time grows', () => {
    const lag = fc.double({ min: -1, max: 1, noNaN: true });
    const part = fc.double({ min: 0, max: 0.999, noNaN: true });
    fc.assert(
      fc.property(lag, lag, part, part, (one, other, early, late) => {
        const at = (urgency: number, time: number) => shareOf({}, urgency, START_MS + time * LENGTH_MS);
        expect(at(one, early)).toBeGreaterThanOrEqual(0);
        expect(at(one, early)).toBeLessThanOrEqual(1);
        expect(at(Math.max(one, other), early)).toBeGreaterThanOrEqual(at(Math.min(one, other), early));
        expect(at(one, Math.max(early, late))).toBeGreaterThanOrEqual(at(one, Math.min(early, late)));
      }),
    );
  });

  test('the lag that is left can be made up for at a quarter more than the planned rate', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0, max: 0.98, noNaN: true }),
        fc.integer({ min: 1, max: 1_000_000 }),
        (part, amount) => {
          const span = { startMs: START_MS, endMs: START_MS + LENGTH_MS };
          const nowMs = START_MS + part * LENGTH_MS;
          const left = (AIM_MS - nowMs) / LENGTH_MS;
          expect(allowedLag(span, amount, nowMs)).toBeLessThanOrEqual(Math.max(0, 0.25 * left) + 1e-12);
        },
      ),
    );
  });
});
