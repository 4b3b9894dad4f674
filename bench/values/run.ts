/**
 * How well delivery learns: the regret of OPTIMISED rotation beside Thompson sampling, and the revenue of line items without a history beside an oracle.
 * `node bench/values/run.ts [--impressions 100000] [--seeds 5]`; docs/values.md has the tables.
 */
import { parseArgs } from 'node:util';
import { MARKET_WORLDS, playMarket } from './market.ts';
import { playContextPrices, playContexts } from './play-contexts.ts';
import { playPrices, playRotation } from './play.ts';
import { contextPriceWorlds, contextWorlds, DEPENDENCES, priceWorlds, rotationWorlds } from './worlds.ts';
import type { Dependence } from './worlds.ts';

const { values } = parseArgs({
  options: { impressions: { type: 'string', default: '100000' }, seeds: { type: 'string', default: '5' } },
});
const impressions = Number(values.impressions);
const seeds = Array.from({ length: Number(values.seeds) }, (_none, at) => 11 + 2 * at);
/** Discounts of the baseline: the best of them for these worlds is the one to compare with. */
const DISCOUNTS = [1 - 1e-4, 1 - 5e-5, 1 - 2e-5];

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;
const mean = (shares: readonly number[]): number => shares.reduce((sum, share) => sum + share, 0) / shares.length;

console.log(
  '| Rates of creatives | Baseline | Its regret, mean and worst | Ours, mean and worst | Ours by the baseline |',
);
console.log('|---|---|---|---|---|');
compareRegret('stay', false, 1, 'Thompson sampling');
for (const kept of DISCOUNTS)
  compareRegret('are new four times', true, kept, `discounted by ${(1 - kept).toExponential(0)}`);

console.log('\n| World | Revenue of the optimum, mean | Least of the seeds |');
console.log('|---|---|---|');
for (const world of priceWorlds(2 * impressions)) {
  const shares = seeds.map((seed) => playPrices(world, seed));
  console.log(`| ${world.name} | ${percent(mean(shares))} | ${percent(Math.min(...shares))} |`);
}

console.log('\n| Market | Revenue of the optimum, mean | Least of the seeds |');
console.log('|---|---|---|');
for (const world of MARKET_WORLDS) {
  const shares = seeds.map((seed) => playMarket(world, seed));
  console.log(`| ${world.name} | ${percent(mean(shares))} | ${percent(Math.min(...shares))} |`);
}

console.log('\n| Click rates depend | Regret by the rates of creatives | With a context model | Worst world, both |');
console.log('|---|---|---|---|');
for (const dependence of Object.keys(DEPENDENCES) as Dependence[]) {
  const worlds = contextWorlds(dependence, impressions);
  const regretsOf = (isTrained: boolean) =>
    worlds.map((world, at) => mean(seeds.map((seed) => playContexts(world, seed + 100 * at, isTrained))));
  const [without, withModel] = [regretsOf(false), regretsOf(true)];
  const worst = `${percent(Math.max(...without))}, ${percent(Math.max(...withModel))}`;
  console.log(`| ${dependence} | ${percent(mean(without))} | ${percent(mean(withModel))} | ${worst} |`);
}

console.log(
  '\n| PRICE by context | Revenue of the optimum by the rates of line items | With a context model | Least, both |',
);
console.log('|---|---|---|---|');
for (const world of contextPriceWorlds(2 * impressions)) {
  const [without, withModel] = [false, true].map((isTrained) =>
    seeds.map((seed) => playContextPrices(world, seed, isTrained)),
  ) as [number[], number[]];
  const least = `${percent(Math.min(...without))}, ${percent(Math.min(...withModel))}`;
  console.log(`| ${world.name} | ${percent(mean(without))} | ${percent(mean(withModel))} | ${least} |`);
}

function compareRegret(rates: string, isSwitching: boolean, kept: number, baseline: string): void {
  const regrets = rotationWorlds(impressions, isSwitching).flatMap((world, at) =>
    seeds.map((seed) => playRotation(world, { seed: seed + 100 * at, kept })),
  );
  const [ours, theirs] = [regrets.map((one) => one.ours), regrets.map((one) => one.thompson)];
  const cells = [rates, baseline, `${percent(mean(theirs))}, ${percent(Math.max(...theirs))}`];
  console.log(
    `| ${[...cells, `${percent(mean(ours))}, ${percent(Math.max(...ours))}`, (mean(ours) / mean(theirs)).toFixed(2)].join(' | ')} |`,
  );
}
