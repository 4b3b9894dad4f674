/**
 * How long one decision takes by the number of equal line items, without targeting, that compete for one ad unit:
 * `node bench/equal-candidates.ts [line items …]` (default 1 100 1000 10000 100000).
 */
import { cpus } from 'node:os';
import { compileWorkspace } from '../src/delivery/decision/index/compile-workspace.ts';
import { decide } from '../src/delivery/decision/decide.ts';
import type { DeliveryState } from '../src/delivery/decision/delivery-state.ts';
import { Pacer } from '../src/delivery/pacing/pacer.ts';
import type { LineItem } from '../src/domain/booking/line-item.ts';
import { sampleOpportunity, sampleSlot, sampleSnapshot, stateOf } from '../test/worlds/sample-workspace.ts';

const NOW_MS = Date.parse('2026-11-20T10:00:00Z');
/** CPU time that each figure takes, at least. */
const MEASURED_MS = 400;

const GOAL = { kind: 'IMPRESSIONS', amount: 10_000_000, period: 'LIFETIME' } as const;
type Case = (index: number) => Partial<Omit<LineItem, 'caps'>>;

const CASES: Readonly<Record<string, Case>> = {
  'STANDARD, equal urgency': () => ({ type: 'STANDARD', goal: GOAL, pacing: 'ASAP' }),
  'STANDARD, each more urgent': (index) => ({
    type: 'STANDARD',
    goal: { ...GOAL, amount: GOAL.amount + index },
    pacing: 'ASAP',
  }),
  'STANDARD without a goal': () => ({ type: 'STANDARD' }),
  'PRICE, equal': () => ({ type: 'PRICE', priceMicros: 2_000_000 }),
  'PRICE, each dearer': (index) => ({ type: 'PRICE', priceMicros: 2_000_000 + index }),
  'PRICE by the click, equal': () => ({ type: 'PRICE', priceMicros: 2_000_000, pricingModel: 'CPC' }),
  HOUSE: () => ({ type: 'HOUSE', sharePercent: 50 }),
};

function measure(lineItemOf: Case, count: number): number {
  const lineItems = Array.from({ length: count }, (_none, index) => lineItemOf(index));
  const compiled = compileWorkspace(sampleSnapshot({ lineItems }), NOW_MS, (_id, error) => {
    throw error;
  });
  const pacer = new Pacer({ peers: { processes: 1, workerIndex: 0 }, curveOf: () => undefined, refreshMs: 1_000 });
  const state: DeliveryState = {
    ...stateOf({}),
    pacer,
    pace: (lineItem, at) => pacer.pace(lineItem, at, () => 0),
  };
  const opportunity = sampleOpportunity({ slots: [sampleSlot({})] });
  let runs = 0;
  const run = (): void => {
    // 200 decisions a second: every second, all line items are checked again.
    decide(compiled, opportunity, { state, nowMs: NOW_MS + runs * 5, random: Math.random });
    runs += 1;
  };
  for (let warm = 0; warm < 20 || (warm < 2_000 && count < 10_000); warm += 1) run();
  runs = 0;
  const startedAt = process.threadCpuUsage();
  for (;;) {
    run();
    const { user, system } = process.threadCpuUsage(startedAt);
    if (user + system >= MEASURED_MS * 1_000) return (user + system) / runs;
  }
}

console.log(`${process.version}, ${cpus()[0]?.model ?? 'unknown processor'}; CPU µs per decision`);
const counts = process.argv.slice(2).map(Number);
const all = counts.length > 0 ? counts : [1, 100, 1_000, 10_000, 100_000];
console.log(['', ...all].join(' | '));
for (const [name, lineItemOf] of Object.entries(CASES))
  console.log([name, ...all.map((count) => measure(lineItemOf, count).toFixed(1))].join(' | '));
