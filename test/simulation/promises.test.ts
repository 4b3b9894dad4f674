import { beforeAll, expect, test } from 'vitest';
import { frontLoad } from '../../src/domain/pacing/pacing-plan.ts';
import { silentLog } from '../support/stores.ts';
import { Simulation } from './simulation.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const DAYS = 7;
const TIMEZONE = 'Europe/Warsaw';
/** A Monday, local midnight. */
const START_MS = Date.parse('2026-10-05T00:00:00+02:00');
/** The part of the traffic that is German. */
const GERMAN = 0.3;
/** The promise: the largest distance from the share of the eligible traffic after the first day, as a share of the goal. */
const OFF_MAX = 0.05;

interface Delivered {
  readonly goal: number;
  /** By hour: the total up to then, and the share of its eligible traffic up to then. */
  readonly totals: readonly number[];
  readonly shares: readonly number[];
}

const played = new Map<string, Delivered>();

/** One world of a week: goals of every pacing, and one for a part of the traffic. */
beforeAll(async () => {
  const all = Array.from({ length: DAYS * 24 }, () => 0);
  const german = Array.from({ length: DAYS * 24 }, () => 0);
  const flight = {
    startsAtMs: START_MS,
    endsAtMs: START_MS + DAYS * DAY_MS,
    timezone: TIMEZONE,
    type: 'STANDARD',
  } as const;
  const goalOf = (amount: number) => ({ kind: 'IMPRESSIONS', amount, period: 'LIFETIME' }) as const;
  const lineItems = [
    { id: '1', name: 'EVEN', ...flight, goal: goalOf(4_900) },
    { id: '2', name: 'FRONT_LOADED', ...flight, pacing: 'FRONT_LOADED' as const, goal: goalOf(4_900) },
    { id: '3', name: 'ASAP', ...flight, pacing: 'ASAP' as const, goal: goalOf(4_200) },
    {
      id: '4',
      name: 'EVEN in Germany',
      ...flight,
      goal: goalOf(1_400),
      targeting: { dimension: 'country', operator: 'is', values: ['DE'] } as const,
    },
    { id: '5', name: 'price', priceMicros: 8_000_000 },
  ];
  const outcome = await new Simulation({
    seed: 5,
    startMs: START_MS,
    days: DAYS,
    workers: 2,
    traffic: { timezone: TIMEZONE, requestsPerHour: 150, surprises: [] },
    historyDays: 28,
    network: { workspace: { timezone: TIMEZONE }, lineItems },
    audience: { shownChance: 0.9, shownAfterMs: 3_000, viewableChance: 0.6, clickChance: 0.004 },
    log: silentLog,
    drawVisit: (random) => ({
      userHash: Math.floor(random() * 2 ** 32)
        .toString(16)
        .padStart(16, '0'),
      country: random() < GERMAN ? 'de' : 'pl',
    }),
    onRequest: ({ country }, nowMs) => {
      const hour = Math.floor((nowMs - START_MS) / HOUR_MS);
      all[hour] = (all[hour] ?? 0) + 1;
      if (country === 'de') german[hour] = (german[hour] ?? 0) + 1;
    },
  }).run();
  for (const { id, name, goal } of lineItems.slice(0, 4) as { id: string; name: string; goal: { amount: number } }[]) {
    const eligible = accumulate(name === 'EVEN in Germany' ? german : all);
    const whole = eligible.at(-1) ?? 1;
    played.set(name, {
      goal: goal.amount,
      totals: accumulate(outcome.lineItems.get(id)?.impressions ?? []),
      shares: eligible.map((count) => count / whole),
    });
  }
});

function accumulate(counts: readonly number[]): number[] {
  let sum = 0;
  return counts.map((count) => (sum += count));
}

function pick(name: string): Delivered {
  const found = played.get(name);
  if (found === undefined) throw new Error(`No line item ${name}`);
  return found;
}

/** How far delivery was from a promise at each hour after the first day, as a share of the goal; negative: behind. */
function offsOf({ goal, totals, shares }: Delivered, promised: (share: number) => number): number[] {
  return totals.slice(24).map((total, at) => total / goal - promised(shares[24 + at] ?? 0));
}

test('an EVEN goal is within 5 % of its share of the traffic after the first day', () => {
  const offs = offsOf(pick('EVEN'), (share) => share);
  for (const off of offs) expect(Math.abs(off)).toBeLessThan(OFF_MAX);
});

test('a FRONT_LOADED goal is within 5 % of its share, which is up to 40 % ahead of EVEN', () => {
  const front = pick('FRONT_LOADED');
  const offs = offsOf(front, frontLoad);
  for (const off of offs) expect(Math.abs(off)).toBeLessThan(OFF_MAX);
  const even = pick('EVEN');
  expect((front.totals[71] ?? 0) / (even.totals[71] ?? 1)).toBeGreaterThan(1.15);
});

test('an ASAP goal has at least the share of EVEN at any time, and is reached long before the end', () => {
  const soon = pick('ASAP');
  const offs = offsOf(soon, (share) => share);
  for (const off of offs) expect(off).toBeGreaterThan(-0.01);
  expect(soon.totals.findIndex((total) => total >= soon.goal)).toBeLessThan((DAYS / 2) * 24);
});

test('an EVEN goal for a part of the traffic is within 5 % of its share of that part', () => {
  const offs = offsOf(pick('EVEN in Germany'), (share) => share);
  for (const off of offs) expect(Math.abs(off)).toBeLessThan(OFF_MAX);
});
