import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { silentLog } from '../../../test/support/stores.ts';
import { BudgetLedger } from '../../delivery/budget/budget-ledger.ts';
import { MemoryHotStore } from '../../../test/simulation/memory-hot-store.ts';
import { LIFETIME_COUNTER_TTL_MS, lifetimeCounterKey } from '../../domain/money/counter-key.ts';
import { nanosEach } from '../../domain/money/earning.ts';
import type { CapCheck } from '../../domain/money/limit.ts';
import { PRICING } from '../../domain/pricing/pricing-models.ts';
import type { PricingModel } from '../../domain/pricing/pricing-models.ts';
import {
  isReservationOpen,
  listReservations,
  RESERVATION_TTL_MS,
  reservationBucket,
  reservationKey,
} from '../../domain/money/reservation.ts';
import type { Reservation } from '../../domain/money/reservation.ts';
import { reserveBill } from './billing.ts';

const START_MS = Date.parse('2026-11-20T22:30:00Z');
const SKEW_MS = 300_000;
const HOUR_MS = 3_600_000;
const RATE = 0.01;
const DAY_MS = 86_400_000;

type Model = Exclude<PricingModel, 'CPA' | 'FLAT'>;
interface ServedResponse {
  readonly decidedAtMs: number;
  readonly pricingModel: Model;
  readonly priceMicros: number;
  readonly reservations: readonly Reservation[];
}

const subject = { workspaceId: 1, scope: 'ca', id: '7', kind: 'spend' } as const;

/** Nodes with their own clocks that decide and count for one campaign, with line items of every pricing model. */
class Campaign {
  nowMs = START_MS;
  readonly store = new MemoryHotStore(() => this.nowMs);
  readonly cut = new Set<number>();
  readonly out: ServedResponse[] = [];
  readonly checks: readonly CapCheck[];
  /** Clicks and late viewable events that were counted without asking, because their node was cut off. */
  billedBlindly = 0n;
  /** Events that were counted and earned nothing. */
  unbilled = 0;
  readonly #skews: readonly number[];
  readonly #ledgers: BudgetLedger[] = [];
  #calls = 0;

  constructor(skews: readonly number[], limit: number) {
    this.#skews = skews;
    this.checks = [{ reason: 'budget.campaign', subject, timezone: null, limit }];
    for (const node of skews.keys()) this.crash(node);
  }

  get billed(): bigint {
    return this.store.readCountersNow([lifetimeCounterKey(subject)])[0] ?? 0n;
  }

  crash(node: number): void {
    this.#ledgers[node] = new BudgetLedger({ hot: this.#hotOf(node), nowMs: this.#clockOf(node), log: silentLog });
  }

  async ask(node: number, pricingModel: Model, priceMicros: number): Promise<boolean> {
    const decidedAtMs = this.#clockOf(node)();
    const whole = listReservations(this.checks, { pricingModel, priceMicros });
    const reservations = whole.map((one) =>
      one.hold === 'firm' ? one : { ...one, amount: Math.max(1, Math.round(one.amount * RATE)) },
    );
    const isReserved = await this.#ledgers[node]?.reserve([{ reservations, checks: this.checks }], decidedAtMs);
    if (isReserved === true) this.out.push({ decidedAtMs, pricingModel, priceMicros, reservations: whole });
    return isReserved === true;
  }

  async upkeep(node: number): Promise<void> {
    await this.#ledgers[node]?.returnIdle();
  }

  /** The event that earns comes in at a node; `dies`: the node is killed between reserving the bill and counting the event. */
  async earn(node: number, index: number, dies: boolean): Promise<void> {
    const [response] = this.out.splice(index % Math.max(1, this.out.length), 1);
    if (response === undefined) return;
    const nowMs = this.#clockOf(node);
    const ageMs = nowMs() - response.decidedAtMs;
    if (ageMs > { CPM: HOUR_MS, VCPM: 4 * HOUR_MS, CPC: 30 * DAY_MS, CPCV: 4 * HOUR_MS }[response.pricingModel]) return;
    const nanos = nanosEach(response);
    const isOpen = isReservationOpen(response.decidedAtMs, nowMs());
    if (PRICING[response.pricingModel].hold === 'firm' && isOpen) return this.#count(response, nanos, isOpen);
    const hot = this.#hotOf(node);
    const bill = await reserveBill({ hot, nowMs, log: silentLog }, this.checks, { nanos, timeMs: nowMs() });
    if (dies) return;
    if (bill === null) this.billedBlindly += nanos;
    if (bill?.nanos === 0n) this.unbilled += 1;
    for (const increment of bill?.releases ?? []) this.store.add(increment);
    this.#count(response, bill?.nanos ?? nanos, isOpen);
  }

  #count(response: ServedResponse, nanos: bigint, isOpen: boolean): void {
    this.store.add({ key: lifetimeCounterKey(subject), by: nanos, ttlMs: LIFETIME_COUNTER_TTL_MS });
    const bucket = reservationBucket(response.decidedAtMs);
    for (const reservation of isOpen ? response.reservations : []) {
      const key = reservationKey(reservation.subject, { hold: reservation.hold, bucket });
      this.store.add({ key, by: BigInt(-reservation.amount), ttlMs: RESERVATION_TTL_MS });
    }
  }

  #clockOf(node: number): () => number {
    return () => this.nowMs + (this.#skews[node] ?? 0);
  }

  #hotOf(node: number) {
    const faults = {
      next: () => {
        if (!this.cut.has(node)) return null;
        this.#calls += 1;
        return this.#calls % 3 === 0 ? ('after' as const) : ('before' as const);
      },
    };
    return new MemoryHotStore(() => this.nowMs, { with: this.store, faults }).asHotStore();
  }
}

type Step =
  | { readonly do: 'ask'; readonly node: number; readonly model: Model; readonly price: number }
  | { readonly do: 'earn'; readonly node: number; readonly index: number; readonly dies: boolean }
  | { readonly do: 'crowd'; readonly node: number }
  | { readonly do: 'pass'; readonly ms: number }
  | { readonly do: 'crash' | 'cut' | 'heal' | 'upkeep'; readonly node: number };

const node = fc.nat(7);
const model = fc.constantFrom<Model>('CPM', 'VCPM', 'CPC', 'CPC', 'CPCV');
const rarely = fc.integer({ min: 0, max: 9 }).map((drawn) => drawn === 0);
const step = fc.oneof(
  {
    weight: 30,
    arbitrary: fc.record({ do: fc.constant('ask'), node, model, price: fc.integer({ min: 1, max: 40 }) }),
  },
  { weight: 30, arbitrary: fc.record({ do: fc.constant('earn'), node, index: fc.nat(50), dies: rarely }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('crowd'), node }) },
  {
    weight: 6,
    arbitrary: fc.record({ do: fc.constant('pass'), ms: fc.constantFrom(300, 6_000, 400_000, HOUR_MS, 5 * DAY_MS) }),
  },
  { weight: 12, arbitrary: fc.record({ do: fc.constantFrom('crash', 'cut', 'heal', 'heal', 'upkeep'), node }) },
) as fc.Arbitrary<Step>;

async function perform(campaign: Campaign, nodes: number, one: Step): Promise<void> {
  switch (one.do) {
    case 'ask':
      // A CPM of so many nanos; clicks of so many thousands of them.
      return void (await campaign.ask(
        one.node % nodes,
        one.model,
        one.price * (PRICING[one.model].unit === 'each' ? 1 : 1_000),
      ));
    case 'earn':
      return campaign.earn(one.node % nodes, one.index, one.dies);
    case 'crowd':
      // Many events at once, on all nodes.
      await Promise.all(Array.from({ length: 12 }, (_none, at) => campaign.earn((one.node + at) % nodes, at, false)));
      return undefined;
    case 'pass':
      campaign.nowMs += one.ms;
      return undefined;
    case 'crash':
      return campaign.crash(one.node % nodes);
    case 'cut':
      return void campaign.cut.add(one.node % nodes);
    case 'heal':
      return void campaign.cut.delete(one.node % nodes);
    case 'upkeep':
      return campaign.upkeep(one.node % nodes);
  }
}

describe('the billing of clicks against a money limit', () => {
  test.each([1, 2, 8])(
    'the billed amount never exceeds the limit on %i nodes, however late clicks come, even when nodes die, are cut off or have a wrong clock',
    { timeout: 60_000 },
    async (nodes) => {
      const skews = fc.array(fc.integer({ min: -SKEW_MS, max: SKEW_MS }), { minLength: nodes, maxLength: nodes });
      const limits = fc.integer({ min: 0, max: 400_000 });
      await fc.assert(
        fc.asyncProperty(skews, limits, fc.array(step, { maxLength: 150 }), async (clocks, limit, steps) => {
          const campaign = new Campaign(clocks, limit);
          const isHeld = () => campaign.billed <= BigInt(limit) + campaign.billedBlindly;
          for (const one of steps) {
            await perform(campaign, nodes, one);
            expect(isHeld()).toBe(true);
          }
          campaign.cut.clear();
          while (campaign.out.length > 0) await campaign.earn(0, 0, false);
          expect(isHeld()).toBe(true);
        }),
        { numRuns: 200 },
      );
    },
  );

  test('clicks bill the whole limit, to the nano, when more come than it pays for, and the others are counted for free', async () => {
    const campaign = new Campaign([0, 0], 1_000_000);
    // A hundred responses reserve one expected click in all; twenty of them are clicked.
    for (let at = 0; at < 100; at += 1) expect(await campaign.ask(at % 2, 'CPC', 100)).toBe(true);
    for (let at = 0; at < 20; at += 1) await campaign.earn(at % 2, 0, false);
    expect(campaign.billed).toBe(1_000_000n);
    expect(campaign.unbilled).toBe(10);
    // A node can use what it has leased for some seconds.
    campaign.nowMs += 6_000;
    expect(await campaign.ask(0, 'CPC', 100)).toBe(false);
  });

  test('clicks that arrive together are billed in order as long as there is headroom', async () => {
    const campaign = new Campaign([0, 0], 300_000);
    for (let at = 0; at < 3; at += 1) await campaign.ask(0, 'CPC', 100);
    await Promise.all([0, 1, 0].map((at) => campaign.earn(at, 0, false)));
    expect(campaign.billed).toBe(300_000n);
  });

  test('clicks do not use what is reserved for pending impressions', async () => {
    const campaign = new Campaign([0], 300_000);
    expect(await campaign.ask(0, 'CPC', 100)).toBe(true);
    for (let at = 0; at < 2; at += 1) expect(await campaign.ask(0, 'CPM', 149_000)).toBe(true);
    await campaign.earn(0, 0, false);
    expect([campaign.billed, campaign.unbilled]).toEqual([0n, 1]);
    for (let at = 0; at < 2; at += 1) await campaign.earn(0, 0, false);
    expect(campaign.billed).toBe(298_000n);
  });
});

test('clickable ads are served as long as the limit has headroom for their expected clicks', async () => {
  const campaign = new Campaign([0, 0], 1_000_000);
  // Ten clicks of 0.0001 each: a thousand responses at a click rate of 1 %.
  let responses = 0;
  for (let at = 0; at < 2_000; at += 1) {
    if (await campaign.ask(at % 2, 'CPC', 100)) responses += 1;
    else campaign.nowMs += 300;
  }
  expect(responses).toBe(1_000);
  campaign.nowMs += 2 * RESERVATION_TTL_MS;
  expect(await campaign.ask(0, 'CPC', 100)).toBe(true);
});
