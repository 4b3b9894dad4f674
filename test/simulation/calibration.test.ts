import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Calibration } from '../../bench/values/calibrate.ts';
import type { DecidedOutcome } from '../../bench/values/learning-worker.ts';
import { playOurRotation, playPrices } from '../../bench/values/play.ts';
import { measureReliability } from '../../bench/values/reliability.ts';
import type { Predicted } from '../../bench/values/reliability.ts';
import { seeded } from '../../bench/values/seeded.ts';
import { priceWorlds, rotationWorlds } from '../../bench/values/worlds.ts';

const IMPRESSIONS = 5_000;
const predictions = fc.array(fc.record({ rate: fc.constantFrom(0, 0.1, 0.25, 0.5, 0.9, 1), isHit: fc.boolean() }), {
  maxLength: 200,
});
const mean = (numbers: readonly number[]): number => numbers.reduce((sum, one) => sum + one, 0) / numbers.length;

describe('a reliability table', () => {
  test('holds every prediction once, by rising rate, in the same bins whatever the order', () => {
    fc.assert(
      fc.property(predictions, fc.integer({ min: 1, max: 12 }), (all, binsMax) => {
        const table = measureReliability(all, binsMax);
        expect(table.bins.length).toBeLessThanOrEqual(binsMax);
        expect(table.bins.reduce((sum, { count }) => sum + count, 0)).toBe(all.length);
        expect(table.bins.reduce((sum, { hits }) => sum + hits, 0)).toBe(all.filter(({ isHit }) => isHit).length);
        for (const [at, bin] of table.bins.entries()) {
          expect(bin.predicted).toBeGreaterThan(table.bins[at - 1]?.predicted ?? -1);
          expect(bin.low).toBeLessThanOrEqual(bin.observed + 1e-12);
          expect(bin.high).toBeGreaterThanOrEqual(bin.observed - 1e-12);
        }
        const reversed = measureReliability(all.toReversed(), binsMax);
        expect(reversed.bins.map(({ count, hits }) => [count, hits])).toEqual(
          table.bins.map(({ count, hits }) => [count, hits]),
        );
      }),
    );
  });

  test('the expected error is that of each rate, by how often it is predicted', () => {
    fc.assert(
      fc.property(predictions, (all) => {
        const { expectedError, relativeError } = measureReliability(all, 1_000);
        const byRate = [...Map.groupBy(all, ({ rate }) => rate)];
        const distance = byRate.reduce(
          (sum, [rate, ofRate]) => sum + Math.abs(ofRate.length * rate - ofRate.filter(({ isHit }) => isHit).length),
          0,
        );
        const hits = all.filter(({ isHit }) => isHit).length;
        expect(expectedError).toBeCloseTo(all.length === 0 ? 0 : distance / all.length, 9);
        expect(relativeError).toBeCloseTo(hits === 0 ? 0 : distance / hits, 9);
      }),
    );
  });

  test('predictions that come true have nearly no error, and twice as high ones miss by as much as the rate', () => {
    const random = seeded(7);
    const truths = Array.from({ length: 50_000 }, () => 0.02 + 0.3 * random());
    const outcomes = truths.map((rate) => ({ rate, isHit: random() < rate }));
    const twice: Predicted[] = outcomes.map(({ rate, isHit }) => ({ rate: 2 * rate, isHit }));
    expect(measureReliability(outcomes).relativeError).toBeLessThan(0.03);
    expect(measureReliability(twice).expectedError).toBeCloseTo(mean(truths), 2);
  });
});

describe('decisions that are made again from their record', () => {
  test('the prediction is the rate of the creative that was chosen, which the clicks of the others do not change', () => {
    const [world] = rotationWorlds(IMPRESSIONS, false);
    if (world === undefined) throw new Error('There is such a world');
    const calibration = new Calibration();
    playOurRotation(world, 11, (decided) => calibration.add(decided));
    expect(calibration.replayed).toBe(IMPRESSIONS);
    const clicks = calibration.byKind.get('click') ?? [];
    expect(clicks).toHaveLength(IMPRESSIONS);
    const late = clicks.slice(-1_000).map(({ rate }) => rate);
    const rates = world.ratesAt(0);
    expect(mean(late)).toBeGreaterThan(0.5 * Math.min(...rates));
    expect(mean(late)).toBeLessThan(2 * Math.max(...rates));
  });

  test('a rate of viewable impressions is predicted to within a tenth once it is learned', () => {
    const world = priceWorlds(IMPRESSIONS)[4];
    if (world === undefined) throw new Error('There is such a world');
    const calibration = new Calibration();
    playPrices(world, 11, (decided) => calibration.add(decided));
    expect(measureReliability((calibration.byKind.get('viewable') ?? []).slice(1_000)).relativeError).toBeLessThan(0.1);
  });

  test('a record whose evidence was changed is refused', () => {
    const [world] = priceWorlds(10);
    if (world === undefined) throw new Error('There is such a world');
    const all: DecidedOutcome[] = [];
    playPrices({ ...world, impressions: 200 }, 11, (decided) => all.push(decided));
    const [decided] = all;
    if (decided === undefined) throw new Error('The CPC line item is tried');
    const { record } = decided;
    const tape = record.tape.map((entry) => (entry[0] === 'rate' ? (['rate', entry[1], 1e-9, 1e9] as const) : entry));
    expect(() => new Calibration().add({ ...decided, record: { ...record, tape } })).toThrow('does not replay');
  });
});
