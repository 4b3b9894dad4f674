import { ContextTrainer } from '../../src/delivery/contexts/context-trainer.ts';
import { ContextModel } from '../../src/delivery/value/context-model.ts';
import type { ContextOutcome } from '../../src/domain/events/context-outcome.ts';
import { sampleSlot } from '../../test/worlds/sample-workspace.ts';
import { LearningWorker } from './learning-worker.ts';
import { seeded } from './seeded.ts';
import type { ContextPriceWorld, ContextWorld } from './worlds.ts';

const DEVICES = ['mobile', 'desktop', 'tablet'];
/** Ten minutes of requests, after which a network is trained. */
const TRAINED_EVERY = 12_000;

/** Trains a worker's model from what came of its ads. */
class TrainedWorker {
  readonly worker: LearningWorker;
  readonly #trainer: ContextTrainer | null;
  #outcomes = new Map<string, ContextOutcome>();
  #shown = 0;

  /** @param isTrained with a context model */
  constructor(worker: LearningWorker, isTrained: boolean) {
    this.worker = worker;
    this.#trainer = isTrained ? new ContextTrainer() : null;
  }

  learn(ad: { readonly lineItemId: string; readonly creativeId: string }, deviceType: string, isHit: boolean): void {
    if (this.#trainer === null) return;
    const { siteId, adUnitId } = sampleSlot({});
    const key = `${ad.lineItemId}/${ad.creativeId}/${deviceType}`;
    const known = this.#outcomes.get(key);
    this.#outcomes.set(key, {
      kind: 'click',
      ...ad,
      context: { siteId, adUnitId, deviceType, country: 'PL', timeMs: this.worker.nowMs },
      trials: (known?.trials ?? 0) + 1,
      hits: (known?.hits ?? 0) + (isHit ? 1 : 0),
    });
  }

  /** To be called after each request. */
  trainIfDue(): void {
    this.#shown += 1;
    if (this.#trainer === null || this.#shown % TRAINED_EVERY !== 0) return;
    this.#trainer.learn([...this.#outcomes.values()]);
    this.worker.model = new ContextModel(this.#trainer.publish(this.worker.nowMs));
    this.#outcomes = new Map();
  }
}

/** @param isTrained with a context model @returns the part of the clicks of the best creative of each device that is missed */
export function playContexts({ impressions, rates }: ContextWorld, seed: number, isTrained: boolean): number {
  const arms = rates[0]?.length ?? 0;
  const worker = new LearningWorker(
    {
      lineItems: [{ creativeRotation: 'OPTIMISED' }],
      creatives: Array.from({ length: arms }, (_none, arm) => ({ id: String(101 + arm), lineItemId: '1' })),
    },
    seeded(seed),
  );
  const trained = new TrainedWorker(worker, isTrained);
  const random = seeded(seed + 1);
  let got = 0;
  let best = 0;
  for (let at = 0; at < impressions; at += 1) {
    const device = Math.floor(random() * DEVICES.length);
    const deviceType = DEVICES[device] as string;
    worker.useDevice(deviceType);
    const { creativeId } = worker.decideNext();
    const of = rates[device] as readonly number[];
    const rate = of[Number(creativeId) - 101] as number;
    got += rate;
    best += Math.max(...of);
    const isHit = random() < rate;
    const ad = { lineItemId: '1', creativeId, advertiserId: '1' };
    worker.count('imp', ad);
    if (isHit) worker.count('clk', ad);
    trained.learn({ lineItemId: '1', creativeId }, deviceType, isHit);
    trained.trainIfDue();
  }
  return 1 - got / best;
}

/** @param isTrained with a context model @returns the part of the revenue of the best line item of each device */
export function playContextPrices(world: ContextPriceWorld, seed: number, isTrained: boolean): number {
  const { impressions, cpmMicros, clicked } = world;
  const worker = new LearningWorker(
    {
      advertisers: [{}, ...clicked.map(() => ({}))],
      campaigns: [cpmMicros, ...clicked].map((_one, at) => ({ advertiserId: String(at + 1) })),
      lineItems: [
        { type: 'PRICE', priceMicros: cpmMicros, campaignId: '1' },
        ...clicked.map(({ priceMicros }, at) => ({
          type: 'PRICE' as const,
          pricingModel: 'CPC' as const,
          priceMicros,
          campaignId: String(at + 2),
        })),
      ],
    },
    seeded(seed),
  );
  const trained = new TrainedWorker(worker, isTrained);
  const random = seeded(seed + 1);
  let earned = 0;
  let best = 0;
  for (let at = 0; at < impressions; at += 1) {
    const device = Math.floor(random() * DEVICES.length);
    const deviceType = DEVICES[device] as string;
    const worth = [
      cpmMicros / 1_000,
      ...clicked.map(({ priceMicros, rates }) => priceMicros * (rates[device] as number)),
    ];
    worker.useDevice(deviceType);
    const { lineItemId, creativeId } = worker.decideNext();
    const chosen = Number(lineItemId) - 1;
    earned += worth[chosen] as number;
    best += Math.max(...worth);
    const ad = { lineItemId, creativeId, advertiserId: lineItemId };
    worker.count('imp', ad);
    const isHit = chosen > 0 && random() < (clicked[chosen - 1]?.rates[device] as number);
    if (isHit) worker.count('clk', ad);
    trained.learn({ lineItemId, creativeId }, deviceType, isHit);
    trained.trainIfDue();
  }
  return earned / best;
}
