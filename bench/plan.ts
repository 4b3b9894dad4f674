/**
 * How long an allocation plan takes, and how much memory: `node bench/plan.ts [--line-items 10000] [--samples 20000] [--days 28]`.
 */
import { parseArgs } from 'node:util';
import { compileWorkspace } from '../src/delivery/decision/index/compile-workspace.ts';
import { makePlan } from '../src/delivery/plan/plan-maker.ts';
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

const sample = Array.from({ length: Number(values.samples) }, (_none, at) => ({
  opportunity: drawOpportunity(),
  atMs: NOW_MS - Math.floor((at / Number(values.samples)) * 14 * DAY_MS),
}));
const about = { compiled, requestsPerHour: SLOTS_PER_HOUR, nowMs: NOW_MS, counter: () => 0 };
const first = timed('first plan', () => makePlan({ ...about, sample, before: null }));
timed('next plan', () => makePlan({ ...about, sample, before: first }));
console.log(`${first.free.length} goals`);
