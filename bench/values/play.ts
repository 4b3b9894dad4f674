import { COUNTED_EVENTS, PRICING } from '../../src/domain/pricing/pricing-models.ts';
import type { CountedKind } from '../../src/domain/pricing/pricing-models.ts';
import { thompson } from './bandits.ts';
import { LearningWorker } from './learning-worker.ts';
import type { DecisionSink } from './learning-worker.ts';
import { seeded } from './seeded.ts';
import type { PriceWorld, RotationWorld } from './worlds.ts';

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
  const arms = world.ratesAt(0).length;
  const ours = playOurRotation(world, seed);
  return { ours, thompson: regretOf(world, seeded(seed + 1), thompson(arms, seeded(seed), kept)) };
}

/** The regret of delivery alone. @param sink gets each decision with its outcome; absent: decisions are not recorded */
export function playOurRotation(world: RotationWorld, seed: number, sink?: DecisionSink): number {
  const arms = world.ratesAt(0).length;
  const worker = new LearningWorker(
    {
      lineItems: [{ creativeRotation: 'OPTIMISED' }],
      creatives: Array.from({ length: arms }, (_none, arm) => ({ id: String(101 + arm), lineItemId: '1' })),
    },
    seeded(seed),
    sink,
  );
  return regretOf(world, seeded(seed + 1), {
    choose: () => Number(worker.decideNext().creativeId) - 101,
    learn: (arm, isHit) => {
      const ad = { lineItemId: '1', creativeId: String(101 + arm), advertiserId: '1' };
      worker.count('imp', ad);
      if (isHit) worker.count('clk', ad);
      worker.report('click', isHit);
    },
  });
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

/**
 * Plays a world of line items without a history that compete by price.
 * @param sink gets each decision with its outcome; absent: decisions are not recorded
 * @returns the part of the best possible revenue
 */
export function playPrices({ offers, impressions }: PriceWorld, seed: number, sink?: DecisionSink): number {
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
    sink,
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
    if (event === 'impression') continue;
    const isHit = random() < rate;
    if (isHit) worker.count(COUNTED_EVENTS[event].counter, counted);
    worker.report(event, isHit);
  }
  return earned / (impressions * Math.max(...worthOf));
}
