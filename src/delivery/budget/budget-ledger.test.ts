import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { silentLog } from '../../../test/support/stores.ts';
import { LIFETIME_COUNTER_TTL_MS } from '../../domain/money/counter-key.ts';
import { RESERVATION_TTL_MS, reservationBucket, reservationKey } from '../../domain/money/reservation.ts';
import type { Reservation } from '../../domain/money/reservation.ts';
import { BudgetLedger } from './budget-ledger.ts';
import type { BudgetNeed } from './budget-ledger.ts';
import type { CapCheck } from '../../domain/money/limit.ts';
import { capCounterKey } from '../../domain/money/limit.ts';
import { HotCircuit, type HotWait } from '../../storage/hot/hot-circuit.ts';
import type { HotStore } from '../../storage/hot/hot-store.ts';
import { VirtualTime } from '../../../test/support/virtual-time.ts';
import { MemoryHotStore } from '../../../test/simulation/memory-hot-store.ts';
import { runsOf } from '../../../test/support/longer-runs.ts';

const START_MS = Date.parse('2026-11-20T22:30:00Z');
const LINK_MS = 3_600_000;
const SKEW_MS = 300_000;

interface RequestOutcome {
  readonly decidedAtMs: number;
  readonly reservations: readonly Reservation[];
}

/** Nodes with clocks of their own share one store, on a simulated clock. The store can be unreachable for some of them. */
class Cluster {
  nowMs = START_MS;
  readonly store = new MemoryHotStore(() => this.nowMs);
  readonly ledgers: BudgetLedger[] = [];
  readonly cut = new Set<number>();
  /** One in this many calls of a disconnected node takes effect although the node is told that it failed. */
  readonly lostResponses = 3;
  readonly out: RequestOutcome[] = [];
  readonly #skews: readonly number[];
  readonly checks: readonly CapCheck[];
  #calls = 0;

  constructor(skews: readonly number[], checks: readonly CapCheck[]) {
    this.#skews = skews;
    this.checks = checks;
    for (const node of skews.keys()) this.crash(node);
  }

  clockOf(node: number): number {
    return this.nowMs + (this.#skews[node] ?? 0);
  }

  /** The process ends and loses all that it held; a new one starts. */
  crash(node: number): void {
    const faults = {
      next: () => {
        if (!this.cut.has(node)) return null;
        this.#calls += 1;
        return this.#calls % this.lostResponses === 0 ? ('after' as const) : ('before' as const);
      },
    };
    const hot = new MemoryHotStore(() => this.nowMs, { with: this.store, faults }).asHotStore();
    this.ledgers[node] = new BudgetLedger({ hot, nowMs: () => this.clockOf(node), log: silentLog });
  }

  async ask(
    node: number,
    amounts: Partial<Record<'imp' | 'spend', number>>,
    wait: HotWait | null = null,
  ): Promise<boolean> {
    const reservations = Object.entries(amounts).map(([kind, amount]) => reservationOf(kind as 'imp', amount));
    const need: BudgetNeed = { reservations, checks: this.checks };
    const decidedAtMs = this.clockOf(node);
    const reserved = await this.ledgers[node]?.reserve([need], decidedAtMs, wait);
    if (reserved === true) this.out.push({ decidedAtMs, reservations });
    return reserved === true;
  }

  /** The ad is shown and counted, if its link is still valid by the clock of the node that counts. */
  show(index: number, counterSkewMs: number): void {
    const [outcome] = this.out.splice(index % Math.max(1, this.out.length), 1);
    if (outcome === undefined || this.nowMs + counterSkewMs - outcome.decidedAtMs > LINK_MS) return;
    for (const reservation of outcome.reservations) {
      const { subject, hold } = reservation;
      const key = reservationKey(subject, { hold, bucket: reservationBucket(outcome.decidedAtMs) });
      this.store.add({ key, by: BigInt(-reservation.amount), ttlMs: RESERVATION_TTL_MS });
      const amount = BigInt(reservation.amount);
      for (const check of this.checks) {
        if (check.subject.kind !== subject.kind) continue;
        this.store.add({ key: capCounterKey(check, ''), by: amount, ttlMs: LIFETIME_COUNTER_TTL_MS });
      }
    }
  }

  counted(check: CapCheck): number {
    return Number(this.store.readCountersNow([capCounterKey(check, '')])[0]);
  }
}

/** The wait of a decision for which every call of the store is late. */
function overAtOnce(): HotWait {
  const later = (_delayMs: number, run: () => void) => (run(), () => undefined);
  return new HotCircuit({ hot: { ping: async () => undefined }, log: silentLog, later }).newWait();
}

function reservationOf(kind: 'imp' | 'spend', amount: number): Reservation {
  const subject = { workspaceId: 1, scope: 'li', id: '7', kind } as const;
  return { subject, hold: 'firm', amount, bookedBy: 'impression' };
}

function limit(kind: 'imp' | 'spend', amount: number): CapCheck {
  const subject = { workspaceId: 1, scope: 'li', id: '7', kind } as const;
  return { reason: kind === 'imp' ? 'capped.line_item' : 'budget.line_item', subject, timezone: null, limit: amount };
}

type Step =
  | { readonly do: 'ask'; readonly node: number; readonly price: number }
  | { readonly do: 'ask late'; readonly node: number; readonly price: number }
  | { readonly do: 'burst'; readonly count: number }
  | { readonly do: 'show'; readonly index: number; readonly skewMs: number }
  | { readonly do: 'pass'; readonly ms: number }
  | { readonly do: 'crash'; readonly node: number }
  | { readonly do: 'cut' | 'heal'; readonly node: number }
  | { readonly do: 'upkeep'; readonly node: number };

const node = fc.nat(7);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 30, arbitrary: fc.record({ do: fc.constant('ask'), node, price: fc.integer({ min: 1, max: 40 }) }) },
  { weight: 12, arbitrary: fc.record({ do: fc.constant('ask late'), node, price: fc.integer({ min: 1, max: 40 }) }) },
  { weight: 8, arbitrary: fc.record({ do: fc.constant('burst'), count: fc.integer({ min: 2, max: 40 }) }) },
  {
    weight: 25,
    arbitrary: fc.record({
      do: fc.constant('show'),
      index: fc.nat(50),
      skewMs: fc.integer({ min: -SKEW_MS, max: SKEW_MS }),
    }),
  },
  { weight: 8, arbitrary: fc.record({ do: fc.constant('pass'), ms: fc.constantFrom(300, 6_000, 400_000, 3_000_000) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('crash'), node }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('cut'), node }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('heal'), node }) },
  { weight: 6, arbitrary: fc.record({ do: fc.constant('upkeep'), node }) },
) as fc.Arbitrary<Step>;

async function perform(cluster: Cluster, nodes: number, one: Step): Promise<void> {
  switch (one.do) {
    case 'ask':
      await cluster.ask(one.node % nodes, { imp: 1, spend: one.price });
      return;
    case 'ask late':
      await cluster.ask(one.node % nodes, { imp: 1, spend: one.price }, overAtOnce());
      return;
    case 'burst':
      await Promise.all(
        Array.from({ length: one.count }, (_none, at) => cluster.ask(at % nodes, { imp: 1, spend: 5 })),
      );
      return;
    case 'show':
      cluster.show(one.index, one.skewMs);
      return;
    case 'pass':
      cluster.nowMs += one.ms;
      return;
    case 'crash':
      cluster.crash(one.node % nodes);
      return;
    case 'cut':
      cluster.cut.add(one.node % nodes);
      return;
    case 'heal':
      cluster.cut.delete(one.node % nodes);
      return;
    case 'upkeep':
      await cluster.ledgers[one.node % nodes]?.returnIdle();
  }
}

describe('a hard limit', () => {
  test.each([1, 2, 8])(
    '%i nodes stay within the limit, whatever dies, is disconnected, comes late or has a wrong clock',
    async (nodes) => {
      const skews = fc.array(fc.integer({ min: -SKEW_MS, max: SKEW_MS }), { minLength: nodes, maxLength: nodes });
      const limits = fc.tuple(fc.integer({ min: 0, max: 400 }), fc.integer({ min: 0, max: 4_000 }));
      await fc.assert(
        fc.asyncProperty(skews, limits, fc.array(step, { maxLength: 150 }), async (clocks, [imps, money], steps) => {
          const checks = [limit('imp', imps), limit('spend', money)];
          const cluster = new Cluster(clocks, checks);
          for (const one of steps) {
            await perform(cluster, nodes, one);
            for (const check of checks) expect(cluster.counted(check)).toBeLessThanOrEqual(check.limit);
          }
          while (cluster.out.length > 0) cluster.show(0, 0);
          for (const check of checks) expect(cluster.counted(check)).toBeLessThanOrEqual(check.limit);
        }),
        { numRuns: runsOf(400) },
      );
    },
  );

  test.each([1, 2, 8])('%i nodes use the limit to the last unit once dead nodes are forgotten', async (nodes) => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 150 }), fc.array(step, { maxLength: 60 }), async (imps, steps) => {
        const cluster = new Cluster(
          Array.from({ length: nodes }, () => 0),
          [limit('imp', imps)],
        );
        for (const one of steps) await perform(cluster, nodes, one);
        cluster.cut.clear();
        while (cluster.out.length > 0) cluster.show(0, 0);
        for (let idle = 0; idle < 400 && cluster.counted(limit('imp', imps)) < imps; idle += 1) {
          cluster.nowMs += 6_000;
          if (idle === 0) cluster.nowMs += 2 * RESERVATION_TTL_MS;
          for (const ledger of cluster.ledgers) await ledger.returnIdle();
          await cluster.ask(idle % nodes, { imp: 1 });
          cluster.show(0, 0);
        }
        expect(cluster.counted(limit('imp', imps))).toBe(imps);
      }),
      { numRuns: runsOf(40) },
    );
  });

  test('reserved units come back when the link of an ad that was not shown expires', async () => {
    const cluster = new Cluster([0], [limit('imp', 3)]);
    for (let at = 0; at < 3; at += 1) expect(await cluster.ask(0, { imp: 1 })).toBe(true);
    expect(await cluster.ask(0, { imp: 1 })).toBe(false);
    cluster.nowMs += LINK_MS / 2;
    expect(await cluster.ask(0, { imp: 1 })).toBe(false);
    cluster.nowMs += RESERVATION_TTL_MS;
    expect(await cluster.ask(0, { imp: 1 })).toBe(true);
  });

  test('a lease is at most half a percent of the headroom, single units at the end, and goes back when it is idle', async () => {
    const cluster = new Cluster([0, 0], [limit('imp', 100_000)]);
    await cluster.ask(0, { imp: 1 });
    expect(cluster.ledgers[0]?.unusedLeases.get('imp')).toBe(499);
    cluster.nowMs += 6_000;
    await cluster.ledgers[0]?.returnIdle();
    expect(cluster.ledgers[0]?.unusedLeases.get('imp')).toBe(0);
    const small = new Cluster([0], [limit('imp', 100)]);
    await small.ask(0, { imp: 1 });
    expect(small.ledgers[0]?.unusedLeases.get('imp')).toBe(0);
  });

  test('a node serves from its lease for some seconds while the store is unavailable, then stops', async () => {
    const cluster = new Cluster([0], [limit('imp', 10_000)]);
    await cluster.ask(0, { imp: 1 });
    cluster.cut.add(0);
    expect(await cluster.ask(0, { imp: 1 })).toBe(true);
    cluster.nowMs += 6_000;
    expect(await cluster.ask(0, { imp: 1 })).toBe(false);
    cluster.cut.delete(0);
    cluster.nowMs += 1_000;
    expect(await cluster.ask(0, { imp: 1 })).toBe(true);
  });

  test('many concurrent responses get every remaining unit within two waves', async () => {
    const cluster = new Cluster([0, 0], [limit('imp', 150)]);
    const wave = (): Promise<boolean[]> =>
      Promise.all(Array.from({ length: 200 }, (_none, at) => cluster.ask(at % 2, { imp: 1 })));
    await wave();
    expect(cluster.out.length).toBeGreaterThanOrEqual(100);
    cluster.nowMs += 300;
    await wave();
    expect(cluster.out.length).toBe(150);
  });

  test('a response that needs two limits reserves both or neither', async () => {
    const cluster = new Cluster([0], [limit('imp', 10), limit('spend', 20)]);
    expect(await cluster.ask(0, { imp: 1, spend: 15 })).toBe(true);
    expect(await cluster.ask(0, { imp: 1, spend: 15 })).toBe(false);
    cluster.nowMs += 300;
    for (let at = 0; at < 5; at += 1) expect(await cluster.ask(0, { imp: 1, spend: 1 })).toBe(true);
    expect(cluster.out.length).toBe(6);
  });
});

/** How many responses of a limit of 100 a worker gives whose clock jumps two hours ahead halfway. */
async function deliverAcrossJump(isGuarded: boolean): Promise<number> {
  const checks = [limit('imp', 100)];
  const real = { nowMs: START_MS };
  const wall = { aheadMs: 0 };
  // The store itself goes by the guarded clock.
  const hot = new MemoryHotStore(() => real.nowMs).asHotStore();
  const nowMs = (): number => real.nowMs + wall.aheadMs;
  const expiry = isGuarded ? { expiryNowMs: () => real.nowMs } : {};
  const ledger = new BudgetLedger({ hot, nowMs, ...expiry, log: silentLog });
  let reserved = 0;
  for (let at = 0; at < 500; at += 1) {
    if (at === 250) wall.aheadMs = 7_200_000;
    real.nowMs += 40;
    if (await ledger.reserve([{ reservations: [reservationOf('imp', 1)], checks }], nowMs(), null)) reserved += 1;
  }
  return reserved;
}

test('a worker holds the limit while its clock jumps two hours ahead', async () => {
  expect(await deliverAcrossJump(true)).toBe(100);
  // By the clock that jumped, what the first hundred reserved would be forgotten.
  expect(await deliverAcrossJump(false)).toBe(200);
});

describe('a hot store whose calls are late', () => {
  const LATENCY_MS = 60;
  const time = new VirtualTime();

  /** A worker that decides a hundred times a second, each time for at most 25 ms of waiting, on a store that needs longer. */
  async function decide(cap: number, decisions: number): Promise<{ filled: boolean[]; ledger: BudgetLedger }> {
    const nowMs = (): number => START_MS + time.nowMs();
    const memory = new MemoryHotStore(nowMs);
    const slowly = async <T>(call: () => Promise<T>): Promise<T> => {
      await time.sleep(LATENCY_MS);
      return call();
    };
    const hot = {
      readCounters: (keys: readonly string[]) => slowly(() => memory.readCounters(keys)),
      addToCounters: (given: Parameters<HotStore['addToCounters']>[0]) => slowly(() => memory.addToCounters(given)),
    } as unknown as HotStore;
    const ping = async (): Promise<void> => time.sleep(LATENCY_MS);
    const circuit = new HotCircuit({ hot: { ping }, log: silentLog, nowMs: time.nowMs, later: time.later });
    const ledger = new BudgetLedger({ hot, nowMs, log: silentLog });
    const checks = [limit('imp', cap)];
    const filled: boolean[] = [];
    const made: Promise<unknown>[] = [];
    const decideOnce = async (at: number): Promise<void> => {
      filled[at] = false;
      if (checks.some((check) => ledger.isUsedUp(check, nowMs()))) return;
      const need = { reservations: [reservationOf('imp', 1)], checks };
      filled[at] = await ledger.reserve([need], nowMs(), circuit.newWait());
    };
    for (let at = 0; at < decisions; at += 1) {
      made.push(decideOnce(at));
      await time.advance(10);
    }
    await time.until(Promise.all(made));
    return { filled, ledger };
  }

  const share = (filled: readonly boolean[]): number => filled.filter(Boolean).length / filled.length;

  test('a capped line item keeps its bids: leases come ahead of need', async () => {
    const { filled, ledger } = await decide(5_000, 1_000);
    expect(ledger.late).toBeGreaterThan(0);
    expect(share(filled.slice(500))).toBeGreaterThan(0.95);
    // Half a percent of the cap alone would be used before the next lease comes.
    expect(ledger.unusedLeases.get('imp')).toBeLessThan(250);
  });

  test('a cap of a few units is used to the last one, and not passed', async () => {
    const { filled } = await decide(20, 1_500);
    expect(filled.filter(Boolean)).toHaveLength(20);
  });

  test('nothing is leased ahead while calls are in time', async () => {
    const cluster = new Cluster([0], [limit('imp', 100)]);
    for (let at = 0; at < 20; at += 1) {
      await cluster.ask(0, { imp: 1 });
      expect(cluster.ledgers[0]?.unusedLeases.get('imp')).toBe(0);
    }
  });
});
