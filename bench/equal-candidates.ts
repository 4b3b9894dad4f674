/**
 * How long one decision takes by the number of equal line items, without targeting, that compete for one ad unit:
 * `node --expose-gc bench/equal-candidates.ts [line items …]` (default 1 100 1000 10000 100000).
 */
import { cpus } from 'node:os';
import { compileWorkspace } from '../src/delivery/decision/index/compile-workspace.ts';
import { decide } from '../src/delivery/decision/decide.ts';
import type { DeliveryState } from '../src/delivery/decision/delivery-state.ts';
import { Pacer } from '../src/delivery/pacing/pacer.ts';
import type { LineItem } from '../src/domain/booking/line-item.ts';
import { sampleOpportunity, sampleSlot, sampleSnapshot } from '../test/worlds/sample-workspace.ts';

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

/** CPU µs of a decision. */
interface Cost {
  /** While line items are drawn that were never asked for before: each is compiled once in a worker's life. */
  readonly first: number;
  /** Once all of them are compiled, over whole minutes: the longest time that an order is used. */
  readonly steady: number;
}

/** 200 decisions a second. */
const STEP_MS = 5;
const DECISIONS_PER_MINUTE = 60_000 / STEP_MS;

function measure(lineItemOf: Case, count: number): Cost {
  const lineItems = Array.from({ length: count }, (_none, index) => lineItemOf(index));
  const compiled = compileWorkspace(sampleSnapshot({ lineItems }), NOW_MS, (_id, error) => {
    throw error;
  });
  const pacer = new Pacer({ peers: { processes: 1, workerIndex: 0 }, curveOf: () => undefined, refreshMs: 1_000 });
  const state: DeliveryState = {
    // Without a look-up: a worker has its own caches of rates and counters.
    counter: () => 0,
    pacer,
    pace: (lineItem, at) => pacer.pace(lineItem, at, () => 0),
  };
  const opportunity = sampleOpportunity({ slots: [sampleSlot({})] });
  let nowMs = NOW_MS;
  const run = (decisions: number): void => {
    for (let made = 0; made < decisions; made += 1) {
      decide(compiled, opportunity, { state, nowMs, random: Math.random });
      nowMs += STEP_MS;
    }
  };
  const costOf = (decisions: number): number => {
    const startedAt = process.threadCpuUsage();
    for (let made = decisions; ; made += decisions) {
      run(decisions);
      const { user, system } = process.threadCpuUsage(startedAt);
      if (user + system >= MEASURED_MS * 1_000) return (user + system) / made;
    }
  };
  run(count < 10_000 ? 2_000 : 20);
  const first = costOf(20);
  for (let position = 0; position < compiled.lineItems.length; position += 1) compiled.lineItems.at(position);
  globalThis.gc?.();
  run(DECISIONS_PER_MINUTE);
  return { first, steady: costOf(DECISIONS_PER_MINUTE) };
}

console.log(
  `${process.version}, ${cpus()[0]?.model ?? 'unknown processor'}; CPU µs per decision: steady (first draws)`,
);
const counts = process.argv.slice(2).map(Number);
const all = counts.length > 0 ? counts : [1, 100, 1_000, 10_000, 100_000];
console.log(['', ...all].join(' | '));
for (const [name, lineItemOf] of Object.entries(CASES)) {
  const cells = all.map((count) => {
    const { first, steady } = measure(lineItemOf, count);
    return `${steady.toFixed(2)} (${first.toFixed(1)})`;
  });
  console.log([name, ...cells].join(' | '));
}
