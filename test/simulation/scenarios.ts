import type { Log } from '../../src/domain/log/log.ts';
import type { SampleInput } from '../worlds/sample-workspace.ts';
import { zoneOffsetMs } from '../../src/domain/time/time-zone.ts';
import { hourOfWeek } from '../../src/domain/pacing/traffic-curve.ts';
import type { Opportunity } from '../../src/domain/requests/opportunity.ts';
import type { SimulationInput } from './simulation.ts';
import { DISTANT_WEEK, PUBLISHER_WEEK } from './traffic.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const TIMEZONE = 'Europe/Warsaw';
/** A Monday, local midnight. The day of 25 hours, 25 October, is the third Sunday from there. */
const STARTS_AT = '2026-10-05T00:00:00+02:00';

/** The length and traffic of a simulation. */
export interface Scale {
  readonly seed: number;
  readonly days: number;
  readonly requestsPerHour: number;
  readonly log: Log;
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

/** The expected number of requests. */
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

/**
 * The share of all requests that come from {@link DISTANT_COUNTRY}; the share of those that are about the section; and the share of the
 * others that are.
 */
const DISTANT_SHARE = 0.04;
const SECTION_SHARE = 0.5;
const DISTANT_COUNTRY = 'us';
const SECTION = 'politics';
const DISTANT_TARGETING = {
  all: [
    { dimension: 'country', operator: 'is', values: [DISTANT_COUNTRY] },
    { dimension: 'keyValue', key: 'section', operator: 'is', values: [SECTION] },
  ],
} as const;

/**
 * EVEN line items that are eligible for 2 % of the traffic (a country and a key-value), which comes at other hours than the rest: one that
 * needs a fifth of it and one that needs half of it, beside one for all traffic.
 */
export function nichesScenario(scale: Scale): SimulationInput {
  const shown = expectedRequests(scale) * AUDIENCE.shownChance;
  const narrow = shown * DISTANT_SHARE * SECTION_SHARE;
  const goal = (amount: number) => ({ kind: 'IMPRESSIONS', amount: Math.round(amount), period: 'LIFETIME' }) as const;
  const targeting = DISTANT_TARGETING;
  const base = baseOf(scale, [
    { name: 'narrow, a fifth', type: 'STANDARD', targeting, goal: goal(narrow * 0.2) },
    { name: 'narrow, half', type: 'STANDARD', targeting, goal: goal(narrow * 0.5) },
    { name: 'everybody', type: 'STANDARD', goal: goal(shown * 0.2) },
    { name: 'filler', type: 'HOUSE', sharePercent: 1 },
  ]);
  return { ...base, drawVisit: drawDistantVisit };
}

/** A new user, distant or not, by the traffic of this hour. */
function drawDistantVisit(random: () => number, atMs: number): Partial<Opportunity> {
  const hour = hourOfWeek(atMs, zoneOffsetMs(TIMEZONE, atMs));
  const chance = (DISTANT_SHARE * (DISTANT_WEEK[hour] as number)) / (PUBLISHER_WEEK[hour] as number);
  const country = random() < chance ? DISTANT_COUNTRY : 'pl';
  const section = random() < SECTION_SHARE ? SECTION : 'sport';
  const userHash = Math.floor(random() * 2 ** 32)
    .toString(16)
    .padStart(16, '0');
  return { userHash, country, keyValues: new Map([['section', [section]]]) };
}
