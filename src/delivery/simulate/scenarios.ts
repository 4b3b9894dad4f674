import type { Logger } from 'pino';
import type { SampleInput } from '../fixtures/sample-workspace.ts';
import type { SimulationInput } from './simulation.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const TIMEZONE = 'Europe/Warsaw';
/** A Monday, local midnight. The day of 25 hours, 25 October, is the third Sunday from there. */
const STARTS_AT = '2026-10-05T00:00:00+02:00';

/** How long and how busy a simulation is. */
export interface Scale {
  readonly seed: number;
  readonly days: number;
  readonly requestsPerHour: number;
  readonly log: Logger;
}

type LineItems = NonNullable<SampleInput['lineItems']>;

const AUDIENCE = { shownChance: 0.9, shownAfterMs: 3_000, viewableChance: 0.6, clickChance: 0.004 } as const;

function baseOf({ seed, days, requestsPerHour, log }: Scale, lineItems: LineItems): SimulationInput {
  const startMs = Date.parse(STARTS_AT);
  const flight = { startsAtMs: startMs, endsAtMs: startMs + days * DAY_MS, timezone: TIMEZONE };
  return {
    seed,
    startMs,
    days,
    workers: 2,
    traffic: { timezone: TIMEZONE, requestsPerHour, surprises: [] },
    historyDays: 28,
    network: {
      workspace: { timezone: TIMEZONE },
      lineItems: lineItems.map((lineItem, index) => ({ id: String(index + 1), ...flight, ...lineItem })),
    },
    audience: AUDIENCE,
    log,
  };
}

/** All requests that are expected. */
function expectedRequests({ days, requestsPerHour }: Scale): number {
  return days * 24 * requestsPerHour;
}

/** One EVEN and one FRONT_LOADED line item, a spike of five times the traffic, and an outage of six hours. */
export function surprisesScenario(scale: Scale): SimulationInput {
  const amount = Math.round(expectedRequests(scale) * 0.25);
  const goal = { kind: 'IMPRESSIONS', amount, period: 'LIFETIME' } as const;
  const base = baseOf(scale, [
    { name: 'even', type: 'STANDARD', goal },
    { name: 'front-loaded', type: 'STANDARD', pacing: 'FRONT_LOADED', goal },
    { name: 'filler', type: 'HOUSE', sharePercent: 1 },
  ]);
  const at = (share: number) => base.startMs + Math.round(scale.days * share) * DAY_MS;
  return {
    ...base,
    traffic: {
      ...base.traffic,
      surprises: [
        { fromMs: at(0.35) + 14 * HOUR_MS, toMs: at(0.35) + 16 * HOUR_MS, factor: 5 },
        { fromMs: at(0.6) + 16 * HOUR_MS, toMs: at(0.6) + 22 * HOUR_MS, factor: 0 },
      ],
    },
  };
}

/** Ten line items of all tiers that compete for every request. */
export function competitionScenario(scale: Scale): SimulationInput {
  const all = expectedRequests(scale);
  const goal = (
    kind: 'IMPRESSIONS' | 'VIEWABLE_IMPRESSIONS' | 'CLICKS',
    amount: number,
    period: 'LIFETIME' | 'DAY' = 'LIFETIME',
  ) => ({ kind, amount: Math.round(amount), period }) as const;
  return baseOf(scale, [
    { name: 'sponsor 20 %', type: 'SPONSORSHIP', sharePercent: 20, level: 1 },
    { name: 'sponsor 10 %', type: 'SPONSORSHIP', sharePercent: 10, level: 1 },
    { name: 'even', type: 'STANDARD', goal: goal('IMPRESSIONS', all * 0.12) },
    { name: 'front-loaded', type: 'STANDARD', pacing: 'FRONT_LOADED', goal: goal('IMPRESSIONS', all * 0.06) },
    { name: 'as soon as possible', type: 'STANDARD', level: 9, pacing: 'ASAP', goal: goal('IMPRESSIONS', all * 0.03) },
    { name: 'each day', type: 'STANDARD', goal: goal('IMPRESSIONS', (all * 0.05) / scale.days, 'DAY') },
    { name: 'viewable', type: 'STANDARD', goal: goal('VIEWABLE_IMPRESSIONS', all * 0.03) },
    { name: 'clicks', type: 'STANDARD', goal: goal('CLICKS', all * 0.0002) },
    {
      name: 'price, capped by day',
      priceMicros: 9_000_000,
      caps: { impressionsPerDay: Math.round((all * 0.1) / scale.days) },
    },
    { name: 'price, budget', priceMicros: 5_000_000, caps: { spendMicrosLifetime: Math.round(all * 0.04 * 5_000) } },
    { name: 'house', type: 'HOUSE', sharePercent: 1 },
  ]);
}

/** Ten goals of a hundred impressions, over eight processes. */
export function smallGoalsScenario(scale: Scale): SimulationInput {
  const goal = { kind: 'IMPRESSIONS', amount: 100, period: 'LIFETIME' } as const;
  const small = Array.from({ length: 10 }, (_none, index) => ({
    name: `small ${index + 1}`,
    type: 'STANDARD' as const,
    goal,
    pauseAfterGoal: index % 2 === 1,
  }));
  const base = baseOf(scale, [...small, { name: 'house', type: 'HOUSE', sharePercent: 1 }]);
  return { ...base, workers: 8 };
}
