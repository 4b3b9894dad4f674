import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ContextOutcome, RateContext } from '../../domain/events/context-outcome.ts';
import { ContextModel, liftEvidence } from '../value/context-model.ts';
import { hashFacts } from '../value/rate-context.ts';
import { ContextTrainer } from './context-trainer.ts';

const HERE: RateContext = { siteId: '1', adUnitId: '2', deviceType: 'mobile', country: 'PL', timeMs: 0 };
const ON_DESKTOP = { ...HERE, deviceType: 'desktop' };
const click = (creativeId: string, context: RateContext, trials: number, hits: number): ContextOutcome => ({
  kind: 'click',
  lineItemId: '21',
  creativeId,
  context,
  trials,
  hits,
});
const lifts = (trainer: ContextTrainer) => {
  const model = new ContextModel(JSON.parse(JSON.stringify(trainer.publish(0))) as never);
  return (creativeId: string, context: RateContext) =>
    model.lift({ kind: 'click', lineItemId: '21', creativeId }, context);
};

/** How much more creative 31 gains from a mobile device, instead of a desktop, than creative 32. */
function advantage(trainer: ContextTrainer): number {
  const lift = lifts(trainer);
  return lift('31', HERE) / lift('31', ON_DESKTOP) / (lift('32', HERE) / lift('32', ON_DESKTOP));
}

/** So many batches of the same outcomes. */
function trained(batches: number, outcomes: readonly ContextOutcome[]): ContextTrainer {
  const trainer = new ContextTrainer();
  for (let batch = 0; batch < batches; batch += 1) trainer.learn(outcomes);
  return trainer;
}

describe('what a trainer learns of contexts', () => {
  test('rates that differ by device are lifted and lowered as they differ, and only there', () => {
    const trainer = trained(600, [
      click('31', HERE, 1_000, 20),
      click('31', ON_DESKTOP, 1_000, 5),
      click('32', HERE, 1_000, 10),
      click('32', ON_DESKTOP, 1_000, 10),
    ]);
    // 2 % beside 1 %, and 0.5 % beside 1 %.
    expect(advantage(trainer)).toBeGreaterThan(3);
    expect(advantage(trainer)).toBeLessThan(5);
    expect(lifts(trainer)('33', HERE)).toBe(1);
  });

  test('the same rate everywhere has no weights, whatever the rate of each creative', () => {
    const trainer = trained(60, [
      click('31', HERE, 1_000, 20),
      click('31', ON_DESKTOP, 1_000, 20),
      click('32', HERE, 1_000, 4),
      click('32', ON_DESKTOP, 1_000, 4),
    ]);
    expect(trainer.publish(0).weights).toEqual([]);
  });

  test('noise is taken for a difference in few weights', () => {
    let state = 12_345;
    const random = (): number => {
      state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
      return state / 2 ** 32;
    };
    const draw = (trials: number, rate: number): number =>
      Array.from({ length: trials }, () => (random() < rate ? 1 : 0)).reduce<number>((sum, one) => sum + one, 0);
    const devices = ['mobile', 'desktop', 'tablet', 'tv', 'watch'];
    const creatives = Array.from({ length: 40 }, (_none, at) => String(31 + at));
    const trainer = new ContextTrainer();
    for (let batch = 0; batch < 20; batch += 1)
      trainer.learn(
        creatives.flatMap((id) =>
          devices.map((deviceType) => click(id, { ...HERE, deviceType }, 200, draw(200, 0.02))),
        ),
      );
    const { weights } = trainer.publish(0);
    // 40 creatives with five devices, and one site, unit, country and part of the day each.
    expect(weights.length).toBeLessThan(0.06 * 40 * 9);
  });

  test('a difference that has ended is forgotten', () => {
    const steady = [click('32', HERE, 1_000, 12), click('32', ON_DESKTOP, 1_000, 12)];
    const trainer = trained(30, [click('31', HERE, 1_000, 20), click('31', ON_DESKTOP, 1_000, 5), ...steady]);
    expect(advantage(trainer)).toBeGreaterThan(2);
    for (let day = 0; day < 200; day += 1) {
      trainer.age(86_400_000);
      trainer.learn([click('31', HERE, 1_000, 12), click('31', ON_DESKTOP, 1_000, 12), ...steady]);
    }
    expect(Math.abs(Math.log(advantage(trainer)))).toBeLessThan(0.1);
  });

  test('a trainer goes on from its state as if it had not stopped, and a broken state begins again', () => {
    const outcome = fc.record({
      kind: fc.constantFrom('click' as const, 'viewable' as const),
      lineItemId: fc.constantFrom('21', '22'),
      creativeId: fc.constantFrom('31', '32'),
      context: fc.record({
        siteId: fc.constantFrom('', '1'),
        adUnitId: fc.constantFrom('2', '3'),
        deviceType: fc.constantFrom('mobile', 'desktop'),
        country: fc.constant('PL'),
        timeMs: fc.nat(86_400_000),
      }),
      trials: fc.nat(500),
      hits: fc.nat(500),
    });
    fc.assert(
      fc.property(fc.array(fc.array(outcome, { maxLength: 6 }), { maxLength: 6 }), fc.nat(6), (batches, cut) => {
        const whole = new ContextTrainer();
        let parts = new ContextTrainer();
        for (const [at, batch] of batches.entries()) {
          if (at === cut) parts = new ContextTrainer(parts.state());
          whole.learn(batch);
          parts.learn(batch);
        }
        expect(parts.publish(7)).toEqual(whole.publish(7));
        for (const [, weight] of whole.publish(7).weights) expect(Number.isFinite(weight)).toBe(true);
        const { length } = whole.state();
        expect(new ContextTrainer(whole.state().subarray(0, length - 1)).publish(0).weights).toEqual([]);
      }),
    );
    for (const state of [new Uint8Array(0), new Uint8Array([9, 0, 0]), new Uint8Array([1, 255, 255, 255, 255])])
      expect(new ContextTrainer(state).publish(0).weights).toEqual([]);
  });
});

test('a lift multiplies the mean of a rate, keeps its events, and never passes certainty', () => {
  expect(liftEvidence({ hits: 3, trials: 100 }, 2)).toEqual({ hits: 3, trials: 50 });
  expect(liftEvidence({ hits: 3, trials: 100 }, 0.5)).toEqual({ hits: 3, trials: 200 });
  expect(liftEvidence({ hits: 50, trials: 100 }, 4)).toEqual({ hits: 50, trials: 50 });
  const evidence = { hits: 3, trials: 100 };
  expect(liftEvidence(evidence, 1)).toBe(evidence);
});

test('many weights change a rate by no more than a factor of four', () => {
  const extreme = new ContextModel({ madeAtMs: 0, weights: allFactsOf('31', 15) });
  expect(extreme.lift({ kind: 'click', lineItemId: '21', creativeId: '31' }, HERE)).toBeCloseTo(4);
  const low = new ContextModel({ madeAtMs: 0, weights: allFactsOf('31', -15) });
  expect(low.lift({ kind: 'click', lineItemId: '21', creativeId: '31' }, HERE)).toBeCloseTo(0.25);
});

function allFactsOf(creativeId: string, weight: number): readonly (readonly [number, number])[] {
  return hashFacts({ kind: 'click', lineItemId: '21', creativeId }, HERE).map((fact) => [fact, weight] as const);
}
