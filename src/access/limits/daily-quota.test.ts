import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { silentLog } from '../../../test/support/stores.ts';
import { DailyQuota, dailyKey, usedKey } from './daily-quota.ts';
import { CountingHotStore } from '../fixtures/counting-hot-store.ts';
import { seededRandom, type SimulatedLimit, simulate } from '../fixtures/limit-simulation.ts';
import { QuotaLedger } from './quota-ledger.ts';

/** How many drawn worlds the limits are tried in; CI draws more. */
const WORLDS = Number(process.env['LIMIT_WORLDS'] ?? 1);
const DAY_MS = 86_400_000;
const NOON_MS = 20_000 * DAY_MS + DAY_MS / 2;

function quota(limit: number): (ledger: QuotaLedger, nowMs: () => number) => SimulatedLimit {
  return (ledger, nowMs) => {
    const units = new DailyQuota({ ledger, name: 'q/1/management', nowMs });
    return { admit: () => units.admit(limit), maintain: () => units.maintain(limit), close: () => units.close() };
  };
}

function ledgerOn(hot: CountingHotStore, processes = 1): QuotaLedger {
  return new QuotaLedger({ hot: hot.asHotStore(), log: silentLog, processes, timeoutMs: 20 });
}

let nowMs = NOON_MS;
const now = () => nowMs;
beforeEach(() => {
  nowMs = NOON_MS;
});

describe('a quota of a day', () => {
  test('a daily quota is never exceeded under any load, delays and kills', async () => {
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
      { numRuns: 15 * Math.min(4, WORLDS), seed: 20_261_120 },
    );
  }, 120_000);

  test.each([100, 5_000, 60_000])(
    'two workers admit at least 99 %% of a quota of %i',
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

  test('a quota counts down exactly, refuses requests until midnight UTC, and starts again', async () => {
    const units = new DailyQuota({ ledger: ledgerOn(new CountingHotStore()), name: 'q', nowMs: now });
    const resetSeconds = (20_001 * DAY_MS) / 1_000;
    for (const remaining of [2, 1, 0]) {
      expect(await units.admit(3)).toEqual({ admitted: true, limit: 3, remaining, resetSeconds });
    }
    expect(await units.admit(3)).toEqual({ admitted: false, limit: 3, remaining: 0, resetSeconds });
    nowMs = 20_001 * DAY_MS - 1;
    expect(await units.admit(3)).toMatchObject({ admitted: false });
    nowMs = 20_001 * DAY_MS;
    expect(await units.admit(3)).toMatchObject({ admitted: true, remaining: 2 });
  });

  test('Remaining states the headroom of the network rather than of one process, from the first request on', async () => {
    const hot = new CountingHotStore();
    const [one, other] = [
      new DailyQuota({ ledger: ledgerOn(hot, 2), name: 'q', nowMs: now }),
      new DailyQuota({ ledger: ledgerOn(hot, 2), name: 'q', nowMs: now }),
    ];
    const limit = 50_000_000;
    expect(await one.admit(limit)).toMatchObject({ remaining: limit - 1 });
    for (let count = 2; count <= 10; count += 1) {
      nowMs += 300;
      one.maintain(limit);
      other.maintain(limit);
      await new Promise((resolve) => setImmediate(resolve));
      expect(await (count % 2 === 0 ? other : one).admit(limit)).toMatchObject({ remaining: limit - count });
    }
  });

  test('a restart keeps used units and returns unused leased ones', async () => {
    const hot = new CountingHotStore();
    const first = new DailyQuota({ ledger: ledgerOn(hot), name: 'q', nowMs: now });
    for (let count = 0; count < 60; count += 1) await first.admit(100_000);
    await first.close();
    expect(hot.valueOf(dailyKey('q', NOON_MS))).toBe(60);
    expect(hot.valueOf(usedKey('q', NOON_MS))).toBe(60);
    const second = new DailyQuota({ ledger: ledgerOn(hot), name: 'q', nowMs: now });
    expect(await second.admit(100)).toMatchObject({ admitted: true, remaining: 39 });
  });

  test('a lowered limit holds at once, also for leased units', async () => {
    const units = new DailyQuota({ ledger: ledgerOn(new CountingHotStore()), name: 'q', nowMs: now });
    for (let count = 0; count < 5; count += 1) await units.admit(10_000);
    expect(await units.admit(5)).toMatchObject({ admitted: false, limit: 5, remaining: 0 });
  });

  test('a process admits what it holds while the hot store is unavailable, and then gets 503', async () => {
    const hot = new CountingHotStore();
    const units = new DailyQuota({ ledger: ledgerOn(hot, 2), name: 'q', nowMs: now });
    const limit = 12_800;
    await units.admit(limit);
    hot.isUnavailable = true;
    let admitted = 1;
    let last = await units.admit(limit);
    for (; last.admitted; last = await units.admit(limit)) admitted += 1;
    expect(admitted).toBe(100);
    expect(last).toMatchObject({ admitted: false, isUnknown: true, limit, remaining: limit - 100 });
    hot.isUnavailable = false;
    await expect.poll(async () => (await units.admit(limit)).admitted).toBe(true);
    await units.close();
    expect(hot.valueOf(dailyKey('q', NOON_MS))).toBe(101);
    expect(hot.valueOf(usedKey('q', NOON_MS))).toBe(101);
  });

  test('a quota that may be overdrawn admits while the hot store is unavailable, and the ledger has all of it afterwards', async () => {
    const hot = new CountingHotStore();
    hot.isUnavailable = true;
    const units = new DailyQuota({ ledger: ledgerOn(hot), name: 'q', nowMs: now, mayOverdraw: true });
    for (let count = 0; count < 7; count += 1) expect(await units.admit(100)).toMatchObject({ admitted: true });
    hot.isUnavailable = false;
    nowMs += 1_000;
    const used = (): number => {
      units.maintain(100);
      return hot.valueOf(usedKey('q', NOON_MS));
    };
    await expect.poll(used, { timeout: 10_000 }).toBe(7);
    expect(await units.admit(100)).toMatchObject({ admitted: true, remaining: 92 });
    await units.close();
    expect([dailyKey('q', NOON_MS), usedKey('q', NOON_MS)].map((key) => hot.valueOf(key))).toEqual([8, 8]);
  });

  test('an overdrawn quota that is used up refuses again once the hot store is back', async () => {
    const hot = new CountingHotStore();
    hot.isUnavailable = true;
    const units = new DailyQuota({ ledger: ledgerOn(hot), name: 'q', nowMs: now, mayOverdraw: true });
    for (let count = 0; count < 7; count += 1) await units.admit(3);
    hot.isUnavailable = false;
    nowMs += 1_000;
    const used = (): number => {
      units.maintain(3);
      return hot.valueOf(usedKey('q', NOON_MS));
    };
    await expect.poll(used, { timeout: 10_000 }).toBe(7);
    nowMs += 1_000;
    expect(await units.admit(3)).toMatchObject({ admitted: false });
    await units.close();
  });

  test('a used-up quota stays used up while the hot store is unavailable', async () => {
    const hot = new CountingHotStore();
    const units = new DailyQuota({ ledger: ledgerOn(hot), name: 'q', nowMs: now });
    for (let count = 0; count < 4; count += 1) await units.admit(3);
    hot.isUnavailable = true;
    nowMs += 1_000;
    const refused = await units.admit(3);
    expect(refused).toMatchObject({ admitted: false, remaining: 0 });
    expect(refused.isUnknown).toBeUndefined();
    await units.close();
  });
});

describe('a quota of a day on a hot store that is slow, late, lossy or responds twice', () => {
  test('the quota admits at most the limit and at least 99 % of it, and the ledger has the admitted number', async () => {
    const cases = fc.record({
      seed: fc.integer(),
      workers: fc.integer({ min: 1, max: 4 }),
      limit: fc.integer({ min: 1, max: 3_000 }),
      latencyMsMax: fc.constantFrom(3, 150, 300, 500),
      faultShare: fc.constantFrom(0, 0.1, 0.3),
    });
    await fc.assert(
      fc.asyncProperty(cases, async ({ seed, workers, limit, latencyMsMax, faultShare }) => {
        const random = seededRandom(seed);
        const faults = ['lost', 'fails', 'unanswered', 'twice'] as const;
        const outcome = await simulate({
          startMs: NOON_MS,
          durationMs: 45_000,
          workers,
          random,
          latencyMsMax,
          newLimit: quota(limit),
          arrivals: () => (random() < 0.5 ? 1 : 0),
          fault: () => (random() < faultShare ? (faults[Math.floor(random() * faults.length)] ?? null) : null),
        });
        const admitted = outcome.admittedAtMs.length;
        expect(admitted).toBeLessThanOrEqual(limit);
        expect(admitted).toBeGreaterThanOrEqual(0.99 * Math.min(limit, outcome.offered));
        expect(outcome.valueOf(usedKey('q/1/management', NOON_MS))).toBe(admitted);
        expect(outcome.valueOf(dailyKey('q/1/management', NOON_MS))).toBe(admitted);
      }),
      { numRuns: WORLDS, seed: 20_261_122, endOnFailure: true },
    );
  }, 120_000);

  test('a quota counts each call once during 20 s of responses after 300 ms, and recovers as soon as the store is fast', async () => {
    const random = seededRandom(11);
    const limit = 1_000_000;
    const outcome = await simulate({
      startMs: NOON_MS,
      durationMs: 22_000,
      workers: 2,
      random,
      latencyMsMax: 3,
      newLimit: quota(limit),
      arrivals: () => 1,
      stalls: (atMs) => atMs < NOON_MS + 20_000 && (atMs - NOON_MS) % 300 !== 0,
    });
    expect(outcome.admittedAtMs.length).toBeGreaterThan(0.95 * outcome.offered);
    expect(outcome.valueOf(usedKey('q/1/management', NOON_MS))).toBe(outcome.admittedAtMs.length);
    expect(outcome.valueOf(dailyKey('q/1/management', NOON_MS))).toBe(outcome.admittedAtMs.length);
  }, 120_000);
});
