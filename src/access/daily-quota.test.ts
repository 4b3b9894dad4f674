import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { silentLog } from '../../test/support/stores.ts';
import { DailyQuota } from './daily-quota.ts';
import { CountingHotStore } from './fixtures/counting-hot-store.ts';
import { seededRandom, type SimulatedLimit, simulate } from './fixtures/limit-simulation.ts';
import { QuotaLedger } from './quota-ledger.ts';

const DAY_MS = 86_400_000;
const NOON_MS = 20_000 * DAY_MS + DAY_MS / 2;

function quota(limit: number): (ledger: QuotaLedger, nowMs: () => number) => SimulatedLimit {
  return (ledger, nowMs) => {
    const units = new DailyQuota(ledger, 'q/1/management');
    return { take: () => units.take(nowMs(), limit), maintain: () => units.returnIdle(nowMs()) };
  };
}

function ledgerOn(hot: CountingHotStore, processes = 1): QuotaLedger {
  return new QuotaLedger({ hot: hot.asHotStore(), log: silentLog, processes });
}

describe('a quota of a day', () => {
  test('is never exceeded, whatever the load, the delays and the deaths', async () => {
    const cases = fc.record({
      seed: fc.integer(),
      workers: fc.integer({ min: 1, max: 6 }),
      limit: fc.integer({ min: 0, max: 5_000 }),
      perMs: fc.integer({ min: 1, max: 5 }),
      latencyMsMax: fc.integer({ min: 0, max: 30 }),
      kills: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(cases, async ({ seed, workers, limit, perMs, latencyMsMax, kills }) => {
        const random = seededRandom(seed);
        const outcome = await simulate({
          startMs: NOON_MS,
          durationMs: 2_000,
          workers,
          random,
          latencyMsMax,
          newLimit: quota(limit),
          arrivals: () => Math.floor(random() * (perMs + 1)),
          killChance: kills ? 1 / 300 : 0,
        });
        expect(outcome.admittedAtMs.length).toBeLessThanOrEqual(limit);
      }),
      { numRuns: 60, seed: 20_261_120 },
    );
  }, 60_000);

  test.each([100, 5_000, 60_000])(
    'of %i is admitted to at least 99 %% by two workers',
    async (limit) => {
      const random = seededRandom(2);
      const outcome = await simulate({
        startMs: NOON_MS,
        durationMs: 15_000,
        workers: 2,
        random,
        latencyMsMax: 3,
        newLimit: quota(limit),
        arrivals: () => 3,
      });
      expect(outcome.admittedAtMs.length).toBeLessThanOrEqual(limit);
      expect(outcome.admittedAtMs.length).toBeGreaterThanOrEqual(0.99 * limit);
    },
    60_000,
  );

  test('counts down exactly, is then refused until midnight UTC, and starts again', async () => {
    const hot = new CountingHotStore();
    const units = new DailyQuota(ledgerOn(hot), 'q');
    const resetSeconds = (20_001 * DAY_MS) / 1_000;
    for (const remaining of [2, 1, 0]) {
      expect(await units.take(NOON_MS, 3)).toEqual({ admitted: true, limit: 3, remaining, resetSeconds });
    }
    expect(await units.take(NOON_MS, 3)).toEqual({ admitted: false, limit: 3, remaining: 0, resetSeconds });
    expect(await units.take(20_001 * DAY_MS - 1, 3)).toMatchObject({ admitted: false });
    expect(await units.take(20_001 * DAY_MS, 3)).toMatchObject({ admitted: true, remaining: 2 });
  });

  test('survives a restart: what was used stays used, what was leased and unused comes back', async () => {
    const hot = new CountingHotStore();
    const first = new DailyQuota(ledgerOn(hot), 'q');
    for (let count = 0; count < 60; count += 1) await first.take(NOON_MS, 100_000);
    await first.returnAll();
    expect(hot.valueOf(`q/${new Date(NOON_MS).toISOString().slice(0, 10)}`)).toBe(60);
    const second = new DailyQuota(ledgerOn(hot), 'q');
    expect(await second.take(NOON_MS, 100)).toMatchObject({ admitted: true, remaining: 39 });
  });

  test('a limit that the settings lower holds at once for what is not leased yet', async () => {
    const hot = new CountingHotStore();
    const units = new DailyQuota(ledgerOn(hot), 'q');
    for (let count = 0; count < 5; count += 1) await units.take(NOON_MS, 10);
    expect(await units.take(NOON_MS, 5)).toMatchObject({ admitted: false, limit: 5, remaining: 0 });
  });

  test('while the hot store is away each process admits its share of what was left, and books it afterwards', async () => {
    const hot = new CountingHotStore();
    const units = new DailyQuota(ledgerOn(hot, 4), 'q');
    for (let count = 0; count < 20; count += 1) await units.take(NOON_MS, 100);
    hot.away = true;
    let admitted = 0;
    for (let count = 0; count < 50; count += 1) admitted += (await units.take(NOON_MS, 100)).admitted ? 1 : 0;
    expect(admitted).toBe(20);
    hot.away = false;
    await units.take(NOON_MS + 1_100, 100);
    await new Promise((resolve) => setImmediate(resolve));
    expect(await units.take(NOON_MS + 1_200, 100)).toMatchObject({ admitted: true });
    expect(hot.valueOf(`q/${new Date(NOON_MS).toISOString().slice(0, 10)}`)).toBe(41);
  });
});
