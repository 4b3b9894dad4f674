import { expect, test } from 'vitest';
import { sampleOpportunity, sampleSlot, sampleSnapshot, stateOf } from '../../../test/worlds/sample-workspace.ts';
import { flatCurve } from '../../domain/pacing/traffic-curve.ts';
import { Pacer } from '../pacing/pacer.ts';
import { decide } from './decide.ts';
import type { DeliveryState } from './delivery-state.ts';
import { compileWorkspace } from './index/compile-workspace.ts';

const DAY_MS = 86_400_000;
const START_MS = Date.parse('2026-11-16T00:00:00+01:00');
const SECONDS = 40;
const DECISIONS_PER_SECOND = 50;
/** By then it has caught up with its plan. */
const CAUGHT_UP_AFTER = 10;

function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** One line item is behind its even plan and gets an allotment each second; all others are nearly done, and may deliver at any time. */
function simulate(lineItemCount: number): number[] {
  const flight = { startsAtMs: START_MS, endsAtMs: START_MS + 10 * DAY_MS };
  const goal = (amount: number) => ({ kind: 'IMPRESSIONS' as const, amount, period: 'LIFETIME' as const });
  const lineItems = Array.from({ length: lineItemCount }, (_none, at) => ({
    type: 'STANDARD' as const,
    ...flight,
    ...(at === 0
      ? { pacing: 'EVEN' as const, goal: goal(10 * 86_400 * 5) }
      : { pacing: 'ASAP' as const, goal: goal(1_000_000) }),
  }));
  const compiled = compileWorkspace(sampleSnapshot({ lineItems }), START_MS, (_id, error) => {
    throw error;
  });
  const curve = flatCurve('Europe/Warsaw');
  const pacer = new Pacer({ peers: { processes: 1, workerIndex: 0 }, curveOf: () => curve });
  const counters = new Map<string, number>();
  const read = (key: string): number =>
    counters.get(key) ?? (key.includes('/li/1/') || !key.includes('/imp') ? 0 : 999_900);
  const state: DeliveryState = { ...stateOf({}), pacer, pace: (lineItem, at) => pacer.pace(lineItem, at, read) };
  const opportunity = sampleOpportunity({ userHash: '', slots: [sampleSlot({})] });
  const random = seeded(3);
  const served: number[] = [];
  let nowMs = START_MS + 5 * DAY_MS;
  for (let second = 0; second < SECONDS; second += 1) {
    let count = 0;
    for (let decision = 0; decision < DECISIONS_PER_SECOND; decision += 1) {
      nowMs += 1_000 / DECISIONS_PER_SECOND;
      const [placement] = decide(compiled, opportunity, { state, nowMs, random }).placements;
      if (placement === null || placement === undefined) continue;
      pacer.recordServed(placement.lineItem);
      if (placement.lineItem.booked.id === '1') count += 1;
    }
    const report = pacer.startReport(100_000);
    for (const { key, by } of report.increments) {
      counters.set(key, read(key) + Number(by));
      const delivered = key.replace('/ans', '/imp');
      if (key.includes('/li/1/')) counters.set(delivered, read(delivered) + Number(by));
    }
    report.done();
    served.push(count);
  }
  return served.slice(CAUGHT_UP_AFTER);
}

test.each([200, 4_000])('a line item among %i whose allotment returns each second delivers each second', (count) => {
  const served = simulate(count);
  expect(Math.min(...served)).toBeGreaterThan(0);
  const rate = served.reduce((sum, one) => sum + one, 0) / served.length;
  expect(rate).toBeGreaterThan(9);
});
