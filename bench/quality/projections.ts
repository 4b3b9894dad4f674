/**
 * Whether goals that are at risk are missed: `npm run bench:projections -- [--worlds 12] [--first 0]`. Goals of one to thirty days are played with the real decisions;
 * the progress of each is measured as the management API does, from a quarter to three quarters of its flight. docs/pacing.md has the table.
 */
import { parseArgs } from 'node:util';
import { CheckedGoals } from './projection-check.ts';
import { playGoals } from './projection-worlds.ts';

const { values } = parseArgs({
  options: { worlds: { type: 'string', default: '12' }, first: { type: 'string', default: '0' } },
});
const checked = { short: new CheckedGoals(), long: new CheckedGoals() };
const first = Number(values.first);
for (let number = first; number < first + Number(values.worlds); number += 1)
  for (const goal of await playGoals(number, { days: 30, requestsPerHour: 100 })) {
    const { startsAtMs, endsAtMs } = goal.lineItem;
    const days = ((endsAtMs ?? 0) - (startsAtMs ?? 0)) / 86_400_000;
    (days < 6 ? checked.short : checked.long).add(goal);
  }
console.log(
  '| Flights | Goals | At risk, of those reached | Missed by a tenth, at risk by three quarters | Interval held |',
);
console.log('|---|---|---|---|---|');
for (const [name, { goals, falseAlarms, called, held }] of Object.entries(checked))
  console.log(`| ${name} | ${goals} | ${falseAlarms.text} | ${called.text} | ${held.text} |`);
