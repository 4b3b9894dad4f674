import { expect, test } from 'vitest';
import { silentLog } from '../support/stores.ts';
import { firstUnlessAll } from '../support/longer-runs.ts';
import { Simulation } from './simulation.ts';

const DAY_MS = 86_400_000;
const START_MS = Date.parse('2026-10-05T00:00:00+02:00');
const DAYS = 28;
const GOAL = 151;
const REQUESTS_PER_HOUR = 150;
const timezone = 'Europe/Warsaw';

test.each(firstUnlessAll([7, 8, 9]))(
  'a goal of conversions that come 3.5 days after their ads is reached, not exceeded, and leaves its level alone (seed %i)',
  async (seed) => {
    const flight = { startsAtMs: START_MS, endsAtMs: START_MS + DAYS * DAY_MS, timezone };
    const impressions = Math.round(REQUESTS_PER_HOUR * 24 * DAYS * 0.4);
    const simulation = new Simulation({
      seed,
      startMs: START_MS,
      days: DAYS + 14,
      workers: 2,
      traffic: {
        timezone,
        requestsPerHour: REQUESTS_PER_HOUR,
        surprises: [],
        drift: { share: 0.2, persistence: 0.92 },
      },
      historyDays: 28,
      network: {
        workspace: { timezone },
        lineItems: [
          { id: '1', type: 'STANDARD', goal: { kind: 'CONVERSIONS', amount: GOAL, period: 'LIFETIME' }, ...flight },
          {
            id: '2',
            type: 'STANDARD',
            goal: { kind: 'IMPRESSIONS', amount: impressions, period: 'LIFETIME' },
            ...flight,
          },
          { id: '3', type: 'PRICE', priceMicros: 2_000_000, timezone },
        ],
      },
      audience: {
        shownChance: 0.9,
        shownAfterMs: 3_000,
        viewableChance: 0.6,
        clickChance: 0.002,
        convertChance: 0.006,
        convertAfterMs: 3.5 * DAY_MS,
      },
      log: silentLog,
    });
    const { lineItems } = await simulation.run();
    const conversions = sum(lineItems.get('1')?.conversions ?? []);
    const others = lineItems.get('2')?.impressions ?? [];
    expect(conversions).toBeGreaterThanOrEqual(0.97 * GOAL);
    expect(conversions).toBeLessThanOrEqual(1.1 * GOAL);
    expect(sum(others)).toBeGreaterThanOrEqual(0.99 * impressions);
    expect(sum(others.slice(0, 96))).toBeGreaterThan((0.8 * impressions * 4) / DAYS);
  },
);

function sum(counts: readonly number[]): number {
  return counts.reduce((total, one) => total + one, 0);
}
