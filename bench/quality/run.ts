/**
 * How much of the optimum delivery reaches where line items contend, beside delivery by levels: `node bench/quality/run.ts [--seed 7] [--days 14]
 * [--requests-per-hour 150] [--world <part of a name>] [--past-only] [--without-plan]`. docs/quality.md has the tables.
 */
import { parseArgs } from 'node:util';
import { createLog } from '../../src/runtime/log/log.ts';
import { playWorld } from './play.ts';
import type { Quality } from './play.ts';
import { WORLDS } from './worlds.ts';

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '7' },
    days: { type: 'string', default: '14' },
    'requests-per-hour': { type: 'string', default: '150' },
    world: { type: 'string', default: '' },
    'past-only': { type: 'boolean', default: false },
    'without-plan': { type: 'boolean', default: false },
  },
});
const scale = {
  seed: Number(values.seed),
  days: Number(values.days),
  requestsPerHour: Number(values['requests-per-hour']),
  isPlanned: !values['without-plan'],
  isLearning: !values['past-only'],
  log: createLog({ logLevel: 'warn', logFormat: 'json' }, 'quality'),
};
/** Of Placard, and by levels: as a share of something. */
type Pair = readonly [number, number];
const revenues: [string, Pair][] = [];
const uneven: [string, Pair][] = [];

console.log('| World | Requests | Delivered of the optimum | By levels | Least of its goal | By levels |');
console.log('|---|---|---|---|---|---|');
for (const makeWorld of WORLDS) {
  const world = makeWorld(scale);
  if (!world.name.includes(values.world)) continue;
  const bids = await playWorld(world, scale);
  const levels = await playWorld(world, { ...scale, isByLevels: true });
  console.log(rowOf(bids, levels));
  if (bids.uneven !== null && levels.uneven !== null) uneven.push([world.name, [bids.uneven, levels.uneven]]);
  if (bids.revenue !== null && levels.revenue !== null) revenues.push([world.name, [bids.revenue, levels.revenue]]);
}
printPairs('Most off the traffic that came, of the goal or its rest after a change', uneven);
printPairs('PRICE and header bids, of their optimum', revenues);

function rowOf(bids: Quality, levels: Quality): string {
  const least = ({ worst }: Quality) => `${percent(worst.share)} (${worst.name})`;
  const delivered = [bids, levels].map((one) => percent(one.delivered));
  const cells = [bids.world.name, String(bids.requests), ...delivered, least(bids), least(levels)];
  return `| ${cells.join(' | ')} |`;
}

function printPairs(title: string, rows: readonly [string, Pair][]): void {
  if (rows.length === 0) return;
  console.log(`\n| ${title} | Bids | By levels |\n|---|---|---|`);
  for (const [name, pair] of rows) console.log(`| ${name} | ${pair.map(percent).join(' | ')} |`);
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}
