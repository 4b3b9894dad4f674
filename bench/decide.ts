/** How long one decision takes, by number of line items: `node bench/decide.ts [line items …]`. */
import { compileWorkspace } from '../src/delivery/compile.ts';
import { decide } from '../src/delivery/decide.ts';
import { sampleOpportunity, sampleSlot, sampleSnapshot, stateOf } from '../src/delivery/fixtures/sample-workspace.ts';
import type { LineItem } from '../src/domain/line-item.ts';
import type { Targeting } from '../src/domain/targeting.ts';

const WARM_UP = 2_000;
const RUNS = 10_000;
const COUNTRIES = ['PL', 'DE', 'FR', 'ES', 'GB', 'IT', 'CZ', 'US'];
const TYPES = ['SPONSORSHIP', 'STANDARD', 'PRICE', 'PRICE', 'PRICE', 'PRICE', 'HOUSE'] as const;

/** A linear congruential generator: the same draws every time. */
function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

function lineItemOf(index: number, random: () => number): Partial<Omit<LineItem, 'caps'>> {
  const pick = (count: number) => String(1 + Math.floor(random() * count));
  const tests: Targeting[] = [{ dimension: 'adUnit', operator: 'is', values: [pick(500), pick(500), pick(500)] }];
  if (random() < 0.5)
    tests.push({ dimension: 'country', operator: 'is', values: [COUNTRIES[Math.floor(random() * 8)] as string] });
  if (random() < 0.3)
    tests.push({ dimension: 'keyValue', key: 'topic', operator: 'is', values: [`t${pick(200)}`, `t${pick(200)}`] });
  if (random() < 0.2) tests.push({ dimension: 'deviceType', operator: 'isNot', values: ['desktop'] });
  if (random() < 0.1) tests.push({ dimension: 'segment', operator: 'is', values: [`s${pick(1_000)}`] });
  const type = TYPES[index % TYPES.length] as LineItem['type'];
  const goal = type === 'STANDARD' ? ({ kind: 'IMPRESSIONS', amount: 100_000, period: 'LIFETIME' } as const) : null;
  return {
    id: String(index + 1),
    type,
    goal,
    sharePercent: type === 'SPONSORSHIP' ? 5 : null,
    priceMicros: Math.floor(random() * 5_000_000),
    targeting: { all: tests },
  };
}

function measure(count: number): void {
  const random = seeded(42);
  const nowMs = Date.parse('2026-11-20T10:00:00Z');
  const snapshot = sampleSnapshot({
    lineItems: Array.from({ length: count }, (_row, index) => lineItemOf(index, random)),
  });
  const compileStartedMs = performance.now();
  const compiled = compileWorkspace(snapshot, nowMs, (_id, error) => {
    throw error;
  });
  const compileMs = performance.now() - compileStartedMs;
  const state = stateOf({});
  const times: number[] = [];
  let filled = 0;
  for (let run = 0; run < WARM_UP + RUNS; run += 1) {
    const opportunity = sampleOpportunity({
      keyValues: new Map([['topic', [`t${1 + Math.floor(random() * 200)}`]]]),
      slots: [sampleSlot({ adUnitId: String(1 + Math.floor(random() * 500)) })],
    });
    const startedMs = performance.now();
    const decision = decide(compiled, opportunity, { state, nowMs, random });
    const tookMs = performance.now() - startedMs;
    if (run >= WARM_UP) times.push(tookMs);
    if (decision.placements[0] !== null) filled += 1;
  }
  times.sort((left, right) => left - right);
  const at = (share: number) => ((times[Math.floor(times.length * share)] ?? 0) * 1_000).toFixed(1);
  const fill = ((100 * filled) / (WARM_UP + RUNS)).toFixed(0);
  console.log(
    `${count} line items: p50 ${at(0.5)} µs, p99 ${at(0.99)} µs, filled ${fill} %, compiled in ${compileMs.toFixed(0)} ms`,
  );
}

for (const count of process.argv
  .slice(2)
  .map(Number)
  .concat(process.argv.length > 2 ? [] : [1_000, 10_000, 100_000]))
  measure(count);
