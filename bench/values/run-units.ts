/**
 * How well a line item with an optimisation goal chooses its ad units: its clicks beside those of an oracle that knows all rates, and its delivery.
 * `npm run bench:units -- [--days 14] [--requests 1000] [--seeds 3]`; docs/values.md has the table.
 */
import { parseArgs } from 'node:util';
import { silentLog } from '../../test/support/stores.ts';
import { playUnits, UNIT_WORLDS } from './unit-worlds.ts';
import type { UnitOutcome } from './unit-worlds.ts';

const { values } = parseArgs({
  options: {
    days: { type: 'string', default: '14' },
    requests: { type: 'string', default: '1000' },
    seeds: { type: 'string', default: '3' },
  },
});
const scale = { days: Number(values.days), requestsPerHour: Number(values.requests), log: silentLog };
const seeds = Array.from({ length: Number(values.seeds) }, (_none, at) => 11 + 2 * at);

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;
const mean = (shares: readonly number[]): number => shares.reduce((sum, share) => sum + share, 0) / shares.length;

console.log(
  '| World | Clicks of the oracle, without a goal | With | Least of the seeds | Goal delivered, without | With, least |',
);
console.log('|---|---|---|---|---|---|');
for (const world of UNIT_WORLDS) {
  const plain: UnitOutcome[] = [];
  const chosen: UnitOutcome[] = [];
  for (const seed of seeds) {
    plain.push(await playUnits(world, { ...scale, seed }, false));
    chosen.push(await playUnits(world, { ...scale, seed }, true));
  }
  const clicks = chosen.map((one) => one.clicks);
  const cells = [
    world.name,
    percent(mean(plain.map((one) => one.clicks))),
    percent(mean(clicks)),
    percent(Math.min(...clicks)),
    percent(Math.min(...plain.map((one) => one.delivered))),
    percent(Math.min(...chosen.map((one) => one.delivered))),
  ];
  console.log(`| ${cells.join(' | ')} |`);
}
