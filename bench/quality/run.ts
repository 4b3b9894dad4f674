/**
 * How much of the optimum delivery reaches where line items contend: `node bench/quality/run.ts [--seed 7] [--days 14]
 * [--requests-per-hour 150] [--world <part of a name>] [--without-plan]`. docs/quality.md has the table.
 */
import { parseArgs } from 'node:util';
import { createLog } from '../../src/runtime/supervisor/log.ts';
import { playWorld } from './play.ts';
import type { Quality } from './play.ts';
import { WORLDS } from './worlds.ts';

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '7' },
    days: { type: 'string', default: '14' },
    'requests-per-hour': { type: 'string', default: '150' },
    world: { type: 'string', default: '' },
    'without-plan': { type: 'boolean', default: false },
  },
});
const scale = {
  seed: Number(values.seed),
  days: Number(values.days),
  requestsPerHour: Number(values['requests-per-hour']),
  isPlanned: !values['without-plan'],
  log: createLog({ logLevel: 'warn', logFormat: 'json' }, 'quality'),
};

console.log('| World | Requests | Delivered of the optimum | Least of its goal | HOUSE |');
console.log('|---|---|---|---|---|');
const revenues: string[] = [];
const uneven: string[] = [];
for (const makeWorld of WORLDS) {
  const world = makeWorld(scale);
  if (!world.name.includes(values.world)) continue;
  const quality = await playWorld(world, scale);
  console.log(rowOf(quality));
  if (quality.uneven !== null) uneven.push(`| ${world.name} | ${percent(quality.uneven)} |`);
  if (quality.revenue === null) continue;
  revenues.push(`| ${world.name} | ${percent(quality.revenue)} |`);
}
if (uneven.length > 0) {
  console.log('\n| Most off the traffic that came | As a share of the goal, or of its rest after a change |');
  console.log(`|---|---|\n${uneven.join('\n')}`);
}
if (revenues.length > 0) {
  console.log('\n| PRICE and header bids in this world | Of their optimum |');
  console.log(`|---|---|\n${revenues.join('\n')}`);
}

function rowOf({ world, requests, delivered, worst, houseShare }: Quality): string {
  const cells = [
    world.name,
    String(requests),
    percent(delivered),
    `${percent(worst.share)} (${worst.name})`,
    percent(houseShare),
  ];
  return `| ${cells.join(' | ')} |`;
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}
