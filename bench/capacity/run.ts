/**
 * `npm run capacity -- --requests 50000`: machines and money for a workload, from measured costs. Every field of the workload and of the
 * machines is an option (`--fill 0.9`, `--dollarsPerCoreHour 0.03`). `--write` makes the tables of docs/capacity.md again.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { readCosts } from './costs-file.ts';
import { formatNumber, writeTables } from './page.ts';
import { DEFAULT_MACHINES, DEFAULT_WORKLOAD, planCapacity } from './plan.ts';

const PAGE = new URL('../../docs/capacity.md', import.meta.url).pathname;
const names = [...Object.keys(DEFAULT_WORKLOAD), ...Object.keys(DEFAULT_MACHINES)];
const options = Object.fromEntries(names.map((name) => [name, { type: 'string' as const }]));
const { values } = parseArgs({
  options: {
    ...options,
    requests: { type: 'string', default: '10000' },
    json: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
  },
});

/** @throws RangeError for everything but a number above 0 */
function numberOf(name: string): number {
  const value = Number((values as Record<string, unknown>)[name]);
  if (!(value > 0)) throw new RangeError(`--${name} takes a number above 0`);
  return value;
}

function changed<T extends object>(defaults: T): T {
  const given = Object.keys(defaults).filter((name) => Object.hasOwn(values, name));
  return { ...defaults, ...Object.fromEntries(given.map((name) => [name, numberOf(name)])) };
}

if (values.write) writeFileSync(PAGE, writeTables(readFileSync(PAGE, 'utf8'), readCosts()));
const workload = { ...changed(DEFAULT_WORKLOAD), requestsPerSecond: numberOf('requests') };
const plan = planCapacity(readCosts(), workload, changed(DEFAULT_MACHINES));
if (values.json) console.log(JSON.stringify(plan, null, 2));
else {
  for (const { part, machines, cores, busyCores } of plan.parts)
    console.log(
      `${part.padEnd(12)} ${String(machines).padStart(5)} machines, ${cores} cores, ${formatNumber(busyCores)} busy`,
    );
  console.log(`together     ${String(plan.machines).padStart(5)} machines, ${plan.cores} cores`);
  console.log(`${formatNumber(plan.eventsPerSecond)} events/s, ${formatNumber(plan.storedTerabytes)} TB stored`);
  console.log(
    `${formatNumber(plan.dollarsPerMonth)} dollars a month, ${formatNumber(plan.dollarsPerMillionRequests)} for a million requests`,
  );
}
