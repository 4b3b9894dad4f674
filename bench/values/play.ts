import { compileWorkspace } from '../../src/delivery/decision/index/compile-workspace.ts';
import { decide } from '../../src/delivery/decision/decide.ts';
import type { DeliveryState } from '../../src/delivery/decision/delivery-state.ts';
import type { RateEvidence } from '../../src/delivery/value/draw-rate.ts';
import type { AskedRate } from '../../src/delivery/value/rate-evidence.ts';
import { RateMemory } from '../../src/delivery/value/rate-memory.ts';
import { lifetimeCounterKey } from '../../src/domain/money/counter-key.ts';
import type { CounterKind } from '../../src/domain/money/counter-key.ts';
import { COUNTED_EVENTS, PRICING } from '../../src/domain/pricing/pricing-models.ts';
import type { CountedKind } from '../../src/domain/pricing/pricing-models.ts';
import { sampleOpportunity, sampleSlot, sampleSnapshot } from '../../test/worlds/sample-workspace.ts';
import type { SampleInput } from '../../test/worlds/sample-workspace.ts';
import { thompson } from './bandits.ts';
import { seeded } from './seeded.ts';
import type { PriceWorld, RotationWorld } from './worlds.ts';

const START_MS = Date.parse('2026-11-20T10:00:00Z');
/** Simulated requests come this often. */
const STEP_MS = 50;

/** A worker that decides on counters, which grow as events come in. */
class LearningWorker {
  readonly #counters = new Map<string, number>();
  readonly #memory = new RateMemory();
  readonly #compiled;
  readonly #random: () => number;
  readonly #opportunity = sampleOpportunity({ slots: [sampleSlot({})] });
  readonly #state: DeliveryState;
  #nowMs = START_MS;

  constructor(network: SampleInput, random: () => number) {
    this.#random = random;
    this.#compiled = compileWorkspace(sampleSnapshot(network), START_MS, (_id, error) => {
      throw error;
    });
    const counter = (key: string): number => this.#counters.get(key) ?? 0;
    this.#state = {
      counter,
      pacer: {},
      rate: (asked: AskedRate, parent: RateEvidence | null) =>
        this.#memory.evidence(asked, parent, { read: counter, nowMs: this.#nowMs }),
    };
  }

  /** @returns the line item and the creative of the next request */
  decideNext(): { readonly lineItemId: string; readonly creativeId: string } {
    this.#nowMs += STEP_MS;
    const made = decide(this.#compiled, this.#opportunity, {
      state: this.#state,
      nowMs: this.#nowMs,
      random: this.#random,
    });
    const [placement] = made.placements;
    if (placement === null || placement === undefined) throw new Error('Every request of these worlds can be filled');
    return { lineItemId: placement.lineItem.booked.id, creativeId: placement.creative.creative.id };
  }

  count(
    kind: CounterKind,
    ad: { readonly lineItemId: string; readonly creativeId: string; readonly advertiserId: string },
  ): void {
    const subjects = [
      ['li', ad.lineItemId],
      ['cr', ad.creativeId],
      ['ad', ad.advertiserId],
    ] as const;
    for (const [scope, id] of subjects) {
      const key = lifetimeCounterKey({ workspaceId: 1, scope, id, kind });
      this.#counters.set(key, (this.#counters.get(key) ?? 0) + 1);
    }
  }
}

/** The part of the best possible clicks that rotation, and the baseline in the same world, misses. */
export interface Regret {
  readonly ours: number;
  readonly thompson: number;
}

/** Plays a world of creatives of one line item. @param kept of the baseline: 1, or the discount of each impression */
export function playRotation(
  world: RotationWorld,
  { seed, kept }: { readonly seed: number; readonly kept: number },
): Regret {
  const { impressions, ratesAt } = world;
  const arms = ratesAt(0).length;
  const worker = new LearningWorker(
    {
      lineItems: [{ creativeRotation: 'OPTIMISED' }],
      creatives: Array.from({ length: arms }, (_none, arm) => ({ id: String(101 + arm), lineItemId: '1' })),
    },
    seeded(seed),
  );
  const ours = regretOf(world, seeded(seed + 1), {
    choose: () => Number(worker.decideNext().creativeId) - 101,
    learn: (arm, isHit) => {
      const ad = { lineItemId: '1', creativeId: String(101 + arm), advertiserId: '1' };
      worker.count('imp', ad);
      if (isHit) worker.count('clk', ad);
    },
  });
  return { ours, thompson: regretOf({ impressions, ratesAt }, seeded(seed + 1), thompson(arms, seeded(seed), kept)) };
}

function regretOf(
  { impressions, ratesAt }: Pick<RotationWorld, 'impressions' | 'ratesAt'>,
  random: () => number,
  bandit: ReturnType<typeof thompson>,
): number {
  let got = 0;
  let best = 0;
  for (let at = 0; at < impressions; at += 1) {
    const rates = ratesAt(at);
    const arm = bandit.choose();
    const rate = rates[arm] as number;
    got += rate;
    best += Math.max(...rates);
    bandit.learn(arm, random() < rate);
  }
  return 1 - got / best;
}

/** Plays a world of line items without a history that compete by price. @returns the part of the best possible revenue */
export function playPrices({ offers, impressions }: PriceWorld, seed: number): number {
  const worker = new LearningWorker(
    {
      advertisers: offers.map(() => ({})),
      campaigns: offers.map(({ advertiser }) => ({ advertiserId: String(advertiser) })),
      lineItems: offers.map(({ pricingModel, priceMicros }, at) => ({
        type: 'PRICE',
        pricingModel,
        priceMicros,
        campaignId: String(at + 1),
      })),
    },
    seeded(seed),
  );
  const worthOf = offers.map(({ pricingModel, priceMicros, rate }) => {
    const { unit } = PRICING[pricingModel];
    return (priceMicros * rate) / (unit === 'thousand' ? 1_000 : 1);
  });
  const random = seeded(seed + 1);
  let earned = 0;
  for (let at = 0; at < impressions; at += 1) {
    const ad = worker.decideNext();
    const offer = Number(ad.lineItemId) - 1;
    const { pricingModel, rate, advertiser } = offers[offer] as PriceWorld['offers'][number];
    const event: CountedKind = PRICING[pricingModel].event ?? 'impression';
    earned += worthOf[offer] as number;
    const counted = { ...ad, advertiserId: String(advertiser) };
    worker.count('imp', counted);
    if (event !== 'impression' && random() < rate) worker.count(COUNTED_EVENTS[event].counter, counted);
  }
  return earned / (impressions * Math.max(...worthOf));
}
