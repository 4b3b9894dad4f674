import { expect, test } from 'vitest';
import { playPrices, playRotation } from '../../bench/values/play.ts';
import { priceWorlds, rotationWorlds } from '../../bench/values/worlds.ts';

/** Seeded: the same draws, and the same figures, every time. `npm run bench:values` plays more and longer worlds. */
const WORLDS = 5;
const IMPRESSIONS = 20_000;
const meanOf = (shares: readonly number[]): number => shares.reduce((sum, share) => sum + share, 0) / shares.length;

test.each([
  ['keep their rates', false, 1],
  ['change their rates', true, 1 - 5e-5],
])(
  'rotation among creatives that %s has at most 1.2 times the regret of Thompson sampling',
  (_what, isSwitching, kept) => {
    const regrets = rotationWorlds(IMPRESSIONS, isSwitching)
      .slice(0, WORLDS)
      .map((world, at) => playRotation(world, { seed: 11 + at, kept }));
    expect(meanOf(regrets.map(({ ours }) => ours))).toBeLessThanOrEqual(
      1.2 * meanOf(regrets.map(({ thompson }) => thompson)),
    );
  },
);

test('a CPC line item without a history that is worth more than a CPM line item is soon shown beside it', () => {
  const [world] = priceWorlds(20_000);
  if (world === undefined) throw new Error('There is such a world');
  expect(meanOf([11, 13, 15].map((seed) => playPrices(world, seed)))).toBeGreaterThan(0.85);
});

test('line items without a history that are worth less than a CPM line item cost little', () => {
  const world = priceWorlds(20_000)[1];
  if (world === undefined) throw new Error('There is such a world');
  expect(meanOf([11, 13, 15].map((seed) => playPrices(world, seed)))).toBeGreaterThan(0.75);
});
