import { ContextTrainer } from '../../src/delivery/contexts/context-trainer.ts';
import { ContextModel } from '../../src/delivery/value/context-model.ts';
import type { ContextOutcome } from '../../src/domain/events/context-outcome.ts';
import { sampleSlot } from '../../test/worlds/sample-workspace.ts';
import { LearningWorker } from './learning-worker.ts';
import { seeded } from './seeded.ts';
import type { ContextWorld } from './worlds.ts';

const DEVICES = ['mobile', 'desktop', 'tablet'];
/** Ten minutes of requests, after which a network is trained. */
const TRAINED_EVERY = 12_000;

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
  const random = seeded(seed + 1);
  const trainer = new ContextTrainer();
  let outcomes = new Map<string, ContextOutcome>();
  let got = 0;
  let best = 0;
  for (let at = 0; at < impressions; at += 1) {
    const device = Math.floor(random() * DEVICES.length);
    worker.useDevice(DEVICES[device] as string);
    const { creativeId } = worker.decideNext();
    const of = rates[device] as readonly number[];
    const rate = of[Number(creativeId) - 101] as number;
    got += rate;
    best += Math.max(...of);
    const isHit = random() < rate;
    const ad = { lineItemId: '1', creativeId, advertiserId: '1' };
    worker.count('imp', ad);
    if (isHit) worker.count('clk', ad);
    addOutcome(outcomes, { creativeId, deviceType: DEVICES[device] as string, timeMs: worker.nowMs }, isHit);
    if (!isTrained || (at + 1) % TRAINED_EVERY !== 0) continue;
    trainer.learn([...outcomes.values()]);
    worker.model = new ContextModel(trainer.publish(worker.nowMs));
    outcomes = new Map();
  }
  return 1 - got / best;
}

function addOutcome(
  outcomes: Map<string, ContextOutcome>,
  { creativeId, deviceType, timeMs }: { creativeId: string; deviceType: string; timeMs: number },
  isHit: boolean,
): void {
  const { siteId, adUnitId } = sampleSlot({});
  const known = outcomes.get(`${creativeId}/${deviceType}`);
  outcomes.set(`${creativeId}/${deviceType}`, {
    kind: 'click',
    lineItemId: '1',
    creativeId,
    context: { siteId, adUnitId, deviceType, country: 'PL', timeMs },
    trials: (known?.trials ?? 0) + 1,
    hits: (known?.hits ?? 0) + (isHit ? 1 : 0),
  });
}
