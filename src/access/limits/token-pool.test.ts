import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  busiestSecond,
  type Outcome,
  seededRandom,
  type SimulatedLimit,
  simulate,
} from '../fixtures/limit-simulation.ts';
import type { QuotaLedger } from './quota-ledger.ts';
import { TokenPool } from './token-pool.ts';

/** How many drawn worlds the limits are tried in; CI draws more. */
const WORLDS = Number(process.env['LIMIT_WORLDS'] ?? 1);
const SEEDS = [1, 2, 3].slice(0, WORLDS);
const START_MS = 1_760_000_000_000;

function pool(limit: number): (ledger: QuotaLedger, nowMs: () => number) => SimulatedLimit {
  return (ledger, nowMs) => {
    const tokens = new TokenPool(ledger, 'q/1/ads', nowMs);
    return { admit: () => tokens.admit(limit), maintain: () => tokens.maintain(limit) };
  };
}

/** Requests per ms at a rate that need not be whole. */
function steady(perSecond: number, random: () => number): number {
  const perMs = perSecond / 1_000;
  return Math.floor(perMs) + (random() < perMs % 1 ? 1 : 0);
}

/** From here on, every worker has its part. */
const STEADY_MS = 20_000;
const SILENCE_MS = 20_000;
type Silence = 'none' | 'one worker' | 'all';

function admittedBetween(outcome: Outcome, fromMs: number, toMs: number): number {
  return outcome.admittedAtMs.filter((atMs) => atMs >= START_MS + fromMs && atMs < START_MS + toMs).length;
}

/**
 * Requests admitted a second. A burst comes again every 1,005 ms, when its tokens work again: both ends of the time fade over one
 * such turn, so that it does not matter whether a burst falls just within it.
 */
function admittedPerSecond(outcome: Outcome, fromMs: number, toMs: number): number {
  const turnMs = 1_005;
  const weights = outcome.admittedAtMs.map((atMs) => Math.min(1, (atMs - fromMs) / turnMs, (toMs - atMs) / turnMs));
  const admitted = weights.reduce((sum, weight) => sum + Math.max(0, weight), 0);
  return (admitted * 1_000) / (toMs - fromMs - turnMs);
}

describe('a limit per second', () => {
  test('a limit is never exceeded in any second under any load, delays and kills', async () => {
    const cases = fc.record({
      seed: fc.integer(),
      workers: fc.integer({ min: 1, max: 6 }),
      limit: fc.integer({ min: 1, max: 300 }),
      overload: fc.double({ min: 0.2, max: 5, noNaN: true }),
      bursts: fc.boolean(),
      latencyMsMax: fc.integer({ min: 0, max: 40 }),
      kills: fc.boolean(),
      offsetMs: fc.integer({ min: 0, max: 10_000 }),
    });
    await fc.assert(
      fc.asyncProperty(cases, async (one) => {
        const random = seededRandom(one.seed);
        const rate = (one.limit * one.overload) / one.workers;
        const outcome = await simulate({
          startMs: START_MS + one.offsetMs,
          durationMs: 14_000,
          workers: one.workers,
          random,
          latencyMsMax: one.latencyMsMax,
          newLimit: pool(one.limit),
          arrivals: (atMs) => (one.bursts ? (atMs % 700 === 0 ? Math.ceil(rate * 0.7) : 0) : steady(rate, random)),
          killChance: one.kills ? 1 / 4_000 : 0,
        });
        expect(busiestSecond(outcome.admittedAtMs)).toBeLessThanOrEqual(one.limit);
      }),
      { numRuns: 4 * Math.min(10, WORLDS), seed: 20_261_120 },
    );
  }, 120_000);

  test.each([
    [3, 2],
    [6, 2],
    [5, 4],
    [4, 1],
  ])('a limit is never exceeded when %i workers run and %i are stated', async (workers, processes) => {
    for (const seed of SEEDS) {
      const random = seededRandom(seed);
      const outcome = await simulate({
        startMs: START_MS + 3_000 * seed,
        durationMs: 35_000,
        workers,
        processes,
        random,
        latencyMsMax: 40,
        newLimit: pool(300),
        arrivals: () => steady(400, random),
      });
      expect(busiestSecond(outcome.admittedAtMs)).toBeLessThanOrEqual(300);
      expect(outcome.admittedAtMs.length).toBeGreaterThan(0.8 * 300 * 35);
    }
  });

  test.each([
    ['before its tokens are carried', 4_000, 12_000],
    ['while they are carried', 5_100, 9_900],
    ['over two epochs', 4_000, 25_000],
  ])('a limit is not exceeded when the hot store hangs for one worker %s', async (_title, fromMs, toMs) => {
    const random = seededRandom(4);
    const outcome = await simulate({
      startMs: START_MS,
      durationMs: 30_000,
      workers: 2,
      random,
      latencyMsMax: 3,
      newLimit: pool(200),
      arrivals: (atMs, worker) => (worker === 1 && atMs < START_MS + 9_900 ? 0 : steady(1_000, random)),
      stalls: (atMs, worker) => worker === 0 && atMs >= START_MS + fromMs && atMs < START_MS + toMs,
    });
    expect(busiestSecond(outcome.admittedAtMs)).toBeLessThanOrEqual(200);
    expect(admittedBetween(outcome, 12_000, 30_000)).toBeGreaterThan(0.9 * 200 * 18);
  });

  // Between two uses a token waits for the next request: with few tokens, only an overload leaves no gaps.
  test.each([
    [1, 100, [600]],
    [2, 100, [400, 400]],
    [2, 10_000, [6_000, 6_000]],
    [2, 1_000, [1_800, 100]],
    [8, 800, [400, 400, 400, 400, 400, 400, 400, 400]],
  ])(
    'a limit admits at least 99 %% of itself under steady load: %i workers, %i per second, offered %j',
    async (workers, limit, rates) => {
      const random = seededRandom(7);
      const outcome = await simulate({
        startMs: START_MS,
        durationMs: 25_000,
        workers,
        random,
        latencyMsMax: 3,
        newLimit: pool(limit),
        arrivals: (_atMs, worker) => steady(rates[worker] ?? 0, random),
      });
      expect(busiestSecond(outcome.admittedAtMs)).toBeLessThanOrEqual(limit);
      expect(admittedBetween(outcome, 1_000, 25_000)).toBeGreaterThanOrEqual(0.99 * limit * 24);
    },
    60_000,
  );

  // Every worker is offered twice the limit, so that no token waits long for its next request.
  test('the limit admits at least 99 % of itself and never more, on a slow, lossy or silent hot store', async () => {
    const cases = fc.record({
      seed: fc.integer(),
      offsetMs: fc.integer({ min: 0, max: 9_999 }),
      workers: fc.integer({ min: 1, max: 4 }),
      latencyMsMax: fc.constantFrom(3, 150, 400, 1_500),
      faultShare: fc.constantFrom(0, 0.2),
      silence: fc.constantFrom<Silence>('none', 'one worker', 'all'),
    });
    await fc.assert(
      fc.asyncProperty(cases, async ({ seed, offsetMs, workers, latencyMsMax, faultShare, silence }) => {
        const random = seededRandom(seed);
        const startMs = START_MS + offsetMs;
        const faults = ['lost', 'unanswered', 'twice'] as const;
        const outcome = await simulate({
          startMs,
          durationMs: 40_000,
          workers,
          random,
          latencyMsMax,
          newLimit: pool(1_000),
          arrivals: () => steady(2_000, random),
          fault: () => (random() < faultShare ? (faults[Math.floor(random() * faults.length)] ?? null) : null),
          stalls: (atMs, worker) => {
            const isSilentFor = silence === 'all' || (silence === 'one worker' && worker === 0);
            return isSilentFor && atMs >= startMs + STEADY_MS && atMs < startMs + STEADY_MS + SILENCE_MS;
          },
        });
        expect(busiestSecond(outcome.admittedAtMs)).toBeLessThanOrEqual(1_000);
        const admitted = admittedPerSecond(outcome, startMs + STEADY_MS, startMs + 40_000);
        // The remainder of the division belongs to no process.
        const least = silence === 'none' ? 1_000 : 1_000 - (1_000 % workers);
        expect(admitted).toBeGreaterThanOrEqual(0.99 * least);
      }),
      { numRuns: WORLDS, seed: 20_261_122, endOnFailure: true },
    );
  }, 1_200_000);

  test('the limit admits at least 97 % of itself when one worker gets nearly all requests and the hot store responds within 300 ms', async () => {
    for (const seed of SEEDS) {
      const random = seededRandom(seed);
      const outcome = await simulate({
        startMs: START_MS,
        durationMs: 40_000,
        workers: 3,
        random,
        latencyMsMax: 150,
        newLimit: pool(1_000),
        arrivals: (_atMs, worker) => steady(worker === 0 ? 2_000 : 100, random),
      });
      expect(busiestSecond(outcome.admittedAtMs)).toBeLessThanOrEqual(1_000);
      expect(admittedBetween(outcome, 20_000, 40_000)).toBeGreaterThanOrEqual(0.97 * 1_000 * 20);
    }
  }, 120_000);

  test('a worker without any response uses its part for 20 seconds and then admits nothing', async () => {
    const random = seededRandom(8);
    const silentFromMs = START_MS + 20_000;
    const outcome = await simulate({
      startMs: START_MS,
      durationMs: 70_000,
      workers: 2,
      random,
      latencyMsMax: 3,
      newLimit: pool(1_000),
      arrivals: (_atMs, worker) => (worker === 0 ? steady(2_000, random) : 0),
      stalls: (atMs) => atMs >= silentFromMs,
    });
    expect(admittedBetween(outcome, 30_000, 40_000)).toBeGreaterThanOrEqual(0.99 * 500 * 10);
    expect(admittedBetween(outcome, 60_000, 70_000)).toBe(0);
  });

  test('a limit refuses no request while the load stays below it, including bursts', async () => {
    const random = seededRandom(3);
    const outcome = await simulate({
      startMs: START_MS,
      durationMs: 25_000,
      workers: 2,
      random,
      latencyMsMax: 3,
      newLimit: pool(1_000),
      arrivals: (atMs, worker) => (atMs % 510 === worker * 100 ? 200 : 0),
    });
    // The last arrivals may still wait for their responses.
    expect(outcome.offered - outcome.admittedAtMs.length).toBeLessThanOrEqual(200);
    expect(outcome.admittedAtMs.length).toBeGreaterThan(19_000);
  });

  test('a killed worker that does not come back frees its tokens for the others within 40 seconds', async () => {
    const random = seededRandom(5);
    let killed = false;
    let started = 0;
    const outcome = await simulate({
      startMs: START_MS,
      durationMs: 50_000,
      workers: 2,
      random,
      latencyMsMax: 2,
      newLimit: (ledger, nowMs) => {
        const tokens = new TokenPool(ledger, 'q/1/ads', nowMs);
        started += 1;
        const first = started === 1;
        // A killed process neither takes nor returns.
        return {
          admit: () => tokens.admit(200),
          maintain: () => (first && killed ? undefined : tokens.maintain(200)),
        };
      },
      arrivals: (atMs, worker) => {
        killed = atMs > START_MS + 5_000;
        return worker === 0 && killed ? 0 : steady(1_000, random);
      },
    });
    expect(busiestSecond(outcome.admittedAtMs)).toBeLessThanOrEqual(200);
    expect(admittedBetween(outcome, 45_000, 50_000)).toBeGreaterThanOrEqual(0.99 * 200 * 5);
  });

  test('a worker that starts later gets its part although another one uses all tokens', async () => {
    const random = seededRandom(9);
    const perWorker = [0, 0];
    let started = 0;
    const outcome = await simulate({
      startMs: START_MS,
      durationMs: 60_000,
      workers: 2,
      random,
      latencyMsMax: 2,
      newLimit: (ledger, nowMs) => {
        const tokens = new TokenPool(ledger, 'q/1/ads', nowMs);
        const index = started;
        started += 1;
        const acquire = async () => {
          const admission = await tokens.admit(1_000);
          if (admission.admitted && nowMs() > START_MS + 50_000) perWorker[index] = (perWorker[index] ?? 0) + 1;
          return admission;
        };
        return { admit: acquire, maintain: () => tokens.maintain(1_000) };
      },
      arrivals: (atMs, worker) => (worker === 1 && atMs < START_MS + 5_000 ? 0 : steady(3_000, random)),
    });
    expect(busiestSecond(outcome.admittedAtMs)).toBeLessThanOrEqual(1_000);
    expect(admittedBetween(outcome, 1_000, 60_000)).toBeGreaterThanOrEqual(0.98 * 1_000 * 59);
    expect(perWorker[1]).toBeGreaterThan(4_000);
  });

  test('the pool calls the hot store a few times per second, not per request', async () => {
    const random = seededRandom(1);
    const outcome = await simulate({
      startMs: START_MS,
      durationMs: 20_000,
      workers: 2,
      random,
      latencyMsMax: 2,
      newLimit: pool(10_000),
      arrivals: () => steady(2_000, random),
    });
    expect(outcome.admittedAtMs.length).toBeGreaterThan(79_000);
    expect(outcome.hotCalls).toBeLessThan(400);
  });
});
