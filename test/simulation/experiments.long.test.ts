import { describe, expect, test } from 'vitest';
import { DAY_MS, STARTS_MS } from '../../bench/quality/world.ts';
import type { World } from '../../bench/quality/world.ts';
import { WorldPlanner } from '../../bench/quality/world-planner.ts';
import { WORLDS } from '../../bench/quality/worlds.ts';
import {
  type ArmDay,
  type ArmDifference,
  type ComparedMeasure,
  summarizeArms,
} from '../../src/domain/experiments/experiment-results.ts';
import type { ExperimentRule } from '../../src/domain/experiments/experiment.ts';
import type { Decision } from '../../src/delivery/decision/decision.ts';
import { silentLog } from '../support/stores.ts';
import { Simulation } from './simulation.ts';

const TIMEZONE = 'Europe/Warsaw';
const WORLD = 'price beside a guarantee';
const SCALE = { days: 7, requestsPerHour: 60 };
const NOTHING = {
  requests: 0,
  impressions: 0,
  clicks: 0,
  conversions: 0,
  guaranteedImpressions: 0,
  revenueNanos: 0n,
};

interface Played {
  readonly seed: number;
  /** Absent: none; all requests are in the arm `REST`. */
  readonly experiment?: { readonly rule: ExperimentRule | null; readonly sharePercent: number };
  /** Levels and urgency decide everything, as in the arm of NO_PRICES. */
  readonly isByLevels?: boolean;
}

/** Sums of each day and arm. Revenue is that of PRICE alone, and requests draw their arms. */
async function play({ seed, experiment, isByLevels = false }: Played): Promise<readonly ArmDay[]> {
  const world = WORLDS.map((make) => make(SCALE)).find(({ name }) => name === WORLD) as World;
  const days = new Map<string, ArmDay>();
  const traffic = { timezone: TIMEZONE, requestsPerHour: SCALE.requestsPerHour, surprises: [] };
  const simulation: Simulation = new Simulation({
    seed,
    startMs: STARTS_MS,
    days: SCALE.days,
    workers: 2,
    traffic,
    hasWorths: !isByLevels,
    historyDays: 28,
    network: { workspace: { timezone: TIMEZONE }, lineItems: world.lineItems },
    audience: { shownChance: 1, shownAfterMs: 3_000, viewableChance: 0.6, clickChance: 0.002 },
    drawVisit: (random, atMs) => ({ ...world.drawVisit(random, atMs), userHash: '' }),
    ...(experiment === undefined ? {} : { experiment }),
    freeTrafficOf: (id, nowMs) => planner.freeTrafficOf(id, nowMs),
    onDecision: (decision, arm, nowMs) => {
      const dayMs = STARTS_MS + Math.floor((nowMs - STARTS_MS) / DAY_MS) * DAY_MS;
      const day = new Date(dayMs).toISOString().slice(0, 10);
      days.set(`${day} ${arm}`, addTo(days.get(`${day} ${arm}`) ?? { ...NOTHING, day, arm }, decision));
    },
    log: silentLog,
  });
  const planner: WorldPlanner = new WorldPlanner({
    world,
    seed,
    startMs: STARTS_MS,
    traffic,
    lastsUntilMs: Number.POSITIVE_INFINITY,
    learnt: () => simulation.learnt,
    counter: (key) => Number(simulation.hot.asHotStore().readCountersNow([key])?.[0] ?? 0n),
  });
  await simulation.advance(SCALE.days);
  return [...days.values()];
}

function addTo(before: ArmDay, { placements: [placement] }: Decision): ArmDay {
  const type = placement?.lineItem.booked.type;
  return {
    ...before,
    requests: before.requests + 1,
    impressions: before.impressions + (placement === null ? 0 : 1),
    guaranteedImpressions: before.guaranteedImpressions + (type === 'STANDARD' ? 1 : 0),
    revenueNanos: before.revenueNanos + (type === 'PRICE' ? BigInt(placement?.bidMicros ?? 0) : 0n),
  };
}

/** The difference of a measure in percent of the rest. */
function percentOf(days: readonly ArmDay[], measure: ComparedMeasure) {
  const { differences } = summarizeArms(days, '9999-12-31');
  const { value, low, high, rest } = differences.find((one) => one.measure === measure) as ArmDifference;
  const [mean, from, to] = [value, low, high].map((one) => (100 * (one as number)) / (rest as number));
  return { value: mean as number, low: from as number, high: to as number };
}

async function revenueOf(played: Played): Promise<number> {
  const days = await play(played);
  return days.reduce((sum, { revenueNanos }) => sum + Number(revenueNanos), 0);
}

describe('an experiment beside goals and prices', () => {
  test.each([7, 8, 9])('NO_PRICES finds the loss of PRICE that the rule has alone, with seed %i', async (seed) => {
    const known = 100 * ((await revenueOf({ seed, isByLevels: true })) / (await revenueOf({ seed })) - 1);
    for (const sharePercent of [10, 50]) {
      const days = await play({ seed, experiment: { rule: 'NO_PRICES', sharePercent } });
      const revenue = percentOf(days, 'REVENUE');
      expect(revenue.high, `${sharePercent} %`).toBeLessThan(0);
      expect(revenue.low, `${sharePercent} %`).toBeLessThan(known);
      expect(revenue.high, `${sharePercent} %`).toBeGreaterThan(known);
      // Goals take their share of their plans in both arms.
      const goals = percentOf(days, 'GUARANTEED_IMPRESSIONS');
      expect(Math.abs(goals.value), `goals at ${sharePercent} %`).toBeLessThan(8);
    }
  });

  test('arms that are decided alike differ in one of twenty experiments', async () => {
    let differing = 0;
    for (let seed = 1; seed <= 24; seed += 1) {
      const { low, high } = percentOf(await play({ seed, experiment: { rule: null, sharePercent: 50 } }), 'REVENUE');
      if (low > 0 || high < 0) differing += 1;
    }
    // Of 24, more than four differ in 1 of 100 series.
    expect(differing).toBeLessThanOrEqual(4);
  });
});
