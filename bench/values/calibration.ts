/**
 * Whether predicted rates come true: plays the worlds of `bench:values`, records each decision as the decision log does, makes it again from its record, and
 * compares what it expected of its ad with what came of it. `node bench/values/calibration.ts [--impressions 100000] [--seeds 3]`; docs/values.md has the tables.
 */
import { parseArgs } from 'node:util';
import { Calibration } from './calibrate.ts';
import { playOurRotation, playPrices } from './play.ts';
import { measureReliability } from './reliability.ts';
import { priceWorlds, rotationWorlds } from './worlds.ts';

const { values } = parseArgs({
  options: { impressions: { type: 'string', default: '100000' }, seeds: { type: 'string', default: '3' } },
});
const impressions = Number(values.impressions);
const seeds = Array.from({ length: Number(values.seeds) }, (_none, at) => 11 + 2 * at);
const percent = (share: number): string => `${(100 * share).toPrecision(3)} %`;

for (const [title, isSwitching] of [
  ['Creatives whose rates stay', false],
  ['Creatives whose rates are new four times', true],
] as const) {
  const calibration = new Calibration();
  for (const [at, world] of rotationWorlds(impressions, isSwitching).entries())
    for (const seed of seeds) playOurRotation(world, seed + 100 * at, (decided) => calibration.add(decided));
  print(title, calibration);
}
const priced = new Calibration();
for (const world of priceWorlds(impressions))
  for (const seed of seeds) playPrices(world, seed, (decided) => priced.add(decided));
print('Line items that compete by price', priced);

function print(title: string, { byKind, replayed }: Calibration): void {
  console.log(`\n${title}: ${replayed.toLocaleString('en')} decisions replayed, all equal`);
  for (const [kind, predictions] of byKind) {
    const { bins, expectedError, relativeError } = measureReliability(predictions);
    console.log(
      `\n${kind}\n\n| Impressions | Predicted | Observed | 95 % interval of the observed rate |\n|---|---|---|---|`,
    );
    for (const { count, predicted, observed, low, high } of bins) {
      const cells = [count.toLocaleString('en'), percent(predicted), percent(observed)];
      console.log(`| ${cells.join(' | ')} | ${percent(low)} to ${percent(high)} |`);
    }
    console.log(
      `\nExpected calibration error ${percent(expectedError)}, ${percent(relativeError)} of the observed rate`,
    );
  }
}
