/**
 * How long an allocation plan takes, and how much memory: `node bench/plan.ts [--line-items 10000] [--samples 20000] [--days 28]`.
 */
import { parseArgs } from 'node:util';
import { compileWorkspace } from '../src/delivery/decision/index/compile-workspace.ts';
import { makePlan, needsOf } from '../src/delivery/plan/allocation-plan.ts';
import { listDemands } from '../src/delivery/plan/plan-demands.ts';
import { SampledSupply } from '../src/delivery/plan/sampled-supply.ts';
import { flatCurve } from '../src/domain/pacing/traffic-curve.ts';
import { sampleSnapshot } from '../test/worlds/sample-workspace.ts';
import { drawGoalsNetwork, SLOTS_PER_HOUR } from './support/goals-network.ts';

const { values } = parseArgs({
  options: {
    'line-items': { type: 'string', default: '10000' },
    samples: { type: 'string', default: '20000' },
    days: { type: 'string', default: '28' },
  },
});
const lineItemCount = Number(values['line-items']);
const days = Number(values.days);
const DAY_MS = 86_400_000;
const NOW_MS = Date.parse('2026-11-20T10:00:00Z');
const { lineItems, drawOpportunity } = drawGoalsNetwork(lineItemCount, days, NOW_MS);
const compiled = compileWorkspace(sampleSnapshot({ lineItems }), NOW_MS, (_id, error) => {
  throw error;
});
const timed = <T>(name: string, work: () => T): T => {
  const startedMs = performance.now();
  const cpu = process.cpuUsage();
  const made = work();
  const used = process.cpuUsage(cpu);
  const rssMb = Math.round(process.memoryUsage.rss() / 1_048_576);
  const cpuMs = Math.round((used.user + used.system) / 1_000);
  console.log(`${name}: ${Math.round(performance.now() - startedMs)} ms, ${cpuMs} ms of CPU, ${rssMb} MB in all`);
  return made;
};

const horizon = {
  fromMs: NOW_MS,
  untilMs: NOW_MS + days * DAY_MS,
  curve: flatCurve('UTC'),
  slotsPerHour: SLOTS_PER_HOUR,
};
const sampled = new SampledSupply(compiled, { timezone: 'UTC', fromMs: NOW_MS });
timed(`${values.samples} sampled requests`, () => {
  for (let at = 0; at < Number(values.samples); at += 1) {
    sampled.record(drawOpportunity(), NOW_MS - Math.floor((at / Number(values.samples)) * 14 * DAY_MS));
  }
});
const demands = listDemands(compiled, {
  ...horizon,
  representativeOf: () => 0.5,
  deliveredOf: () => ({ delivered: 0, yield: 1, reach: 1 }),
});
const supply = timed(`supply for ${demands.length} demands`, () => sampled.build(demands, horizon));
console.log(`${supply.volumes.length} groups, ${supply.members.length} members`);
const options = { countedOn: () => 0.95, roundsMax: 30 };
const plan = timed('first plan', () => makePlan(supply, demands, options));
console.log(`${plan.rounds} rounds, ${plan.isFeasible ? 'all fit' : 'not all fit'}`);
const next = timed('next plan', () => makePlan(supply, demands, { ...options, previous: needsOf(plan) }));
console.log(`${next.rounds} rounds`);
