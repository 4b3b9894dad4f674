/**
 * How long one decision takes, with an allocation plan and without one, one change, and compiling everything, by number of line items:
 * `node --expose-gc bench/decide.ts [line items …]` (default 100 1000 10000 100000).
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { compileSteps } from '../src/delivery/decision/index/compile-workspace.ts';
import type { CompiledWorkspace } from '../src/delivery/decision/index/compiled-workspace.ts';
import { CompiledNetworks, createCatalog } from '../src/delivery/snapshot/compiled-networks.ts';
import { decide } from '../src/delivery/decision/decide.ts';
import { decidedBy } from '../src/delivery/decision/experiment-rules.ts';
import { EXPERIMENT_RULES, type DecidedArm, type ExperimentRule } from '../src/domain/experiments/experiment.ts';
import type { DeliveryState } from '../src/delivery/decision/delivery-state.ts';
import { sampleOpportunity, sampleSlot, sampleSnapshot, stateOf } from '../test/worlds/sample-workspace.ts';
import { ContextModel } from '../src/delivery/value/context-model.ts';
import type { RateLifts } from '../src/delivery/value/context-model.ts';
import { hashFacts } from '../src/delivery/value/rate-context.ts';
import { RateMemory } from '../src/delivery/value/rate-memory.ts';
import { writeSnapshotFile } from '../src/delivery/snapshot/snapshot-file.ts';
import { patchSnapshot } from '../src/delivery/decision/index/snapshot-parts.ts';
import type { LineItem } from '../src/domain/booking/line-item.ts';
import type { WorkspaceSnapshot } from '../src/domain/booking/snapshot.ts';
import type { Targeting } from '../src/domain/targeting/targeting.ts';

const WARM_UP = 2_000;
const RUNS = 10_000;
const CHANGES = 120;
/** Of {@link WARM_UP} decisions each; the first warms up. */
const PLAN_TURNS = 81;
const LINE_ITEMS_OF_CAMPAIGN = 20;
const CAMPAIGNS_OF_ADVERTISER = 4;
const NOW_MS = Date.parse('2026-11-20T10:00:00Z');
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
    campaignId: String(1 + Math.floor(index / LINE_ITEMS_OF_CAMPAIGN)),
    type,
    goal,
    sharePercent: type === 'SPONSORSHIP' ? 5 : null,
    priceMicros: Math.floor(random() * 5_000_000),
    targeting: { all: tests },
  };
}

function book(count: number, random: () => number): WorkspaceSnapshot {
  const campaigns = Math.ceil(count / LINE_ITEMS_OF_CAMPAIGN);
  return sampleSnapshot({
    advertisers: Array.from({ length: Math.ceil(campaigns / CAMPAIGNS_OF_ADVERTISER) }, () => ({})),
    campaigns: Array.from({ length: campaigns }, (_row, index) => {
      return { advertiserId: String(1 + Math.floor(index / CAMPAIGNS_OF_ADVERTISER)) };
    }),
    adUnits: Array.from({ length: 500 }, (_row, index) => ({ name: `unit-${index + 1}` })),
    lineItems: Array.from({ length: count }, (_row, index) => lineItemOf(index, random)),
  });
}

/** Runs steps as `sliceSteps` does. Returns the total time and the longest uninterrupted time, in milliseconds. */
function compile(snapshot: WorkspaceSnapshot, previous: CompiledWorkspace | null) {
  const refuse = (_id: string, error: unknown): never => {
    throw error;
  };
  const startedMs = performance.now();
  const steps = compileSteps(snapshot, { nowMs: NOW_MS, reportUnusable: refuse, previous });
  let longestMs = 0;
  for (;;) {
    const sliceMs = performance.now();
    let step = steps.next();
    while (step.done !== true && performance.now() < sliceMs + 3) step = steps.next();
    longestMs = Math.max(longestMs, performance.now() - sliceMs);
    if (step.done === true) return { compiled: step.value, longestMs, tookMs: performance.now() - startedMs };
  }
}

/** The usual changes, one after the other, each as a new snapshot. */
const EDITS: Readonly<Record<string, (snapshot: WorkspaceSnapshot, at: number) => WorkspaceSnapshot>> = {
  'price of a line item': (snapshot, at) => {
    const row = snapshot.lineItems[at % snapshot.lineItems.length] as LineItem;
    return patchSnapshot(snapshot, 'lineItems', {
      ids: [row.id],
      records: [{ ...row, priceMicros: (at * 7_919) % 5_000_000 }],
    });
  },
  'pause or start of a line item': (snapshot, at) => {
    const row = snapshot.lineItems[at % snapshot.lineItems.length] as LineItem;
    const status = row.status === 'ACTIVE' ? 'PAUSED' : 'ACTIVE';
    return patchSnapshot(snapshot, 'lineItems', { ids: [row.id], records: [{ ...row, status }] });
  },
  'targeting of a line item': (snapshot, at) => {
    const row = snapshot.lineItems[at % snapshot.lineItems.length] as LineItem;
    const { targeting } = lineItemOf(at, seeded(at));
    return patchSnapshot(snapshot, 'lineItems', { ids: [row.id], records: [{ ...row, targeting: targeting ?? null }] });
  },
  'a creative': (snapshot, at) => {
    const row = snapshot.creatives[at % snapshot.creatives.length];
    return row === undefined
      ? snapshot
      : patchSnapshot(snapshot, 'creatives', { ids: [row.id], records: [{ ...row }] });
  },
  'a campaign of 20 line items': (snapshot, at) => {
    const row = snapshot.campaigns[at % snapshot.campaigns.length];
    return row === undefined
      ? snapshot
      : patchSnapshot(snapshot, 'campaigns', { ids: [row.id], records: [{ ...row }] });
  },
  'an advertiser of 80 line items': (snapshot, at) => {
    const row = snapshot.advertisers[at % snapshot.advertisers.length];
    return row === undefined
      ? snapshot
      : patchSnapshot(snapshot, 'advertisers', { ids: [row.id], records: [{ ...row }] });
  },
  'an ad unit': (snapshot, at) => {
    const row = snapshot.adUnits[at % snapshot.adUnits.length];
    return row === undefined ? snapshot : patchSnapshot(snapshot, 'adUnits', { ids: [row.id], records: [{ ...row }] });
  },
};

/** One change as a whole, except reading it: patching the snapshot, compiling, swapping, and the first look-ups after it. */
function measureChanges(compiled: CompiledWorkspace): void {
  let networks = new CompiledNetworks([compiled]);
  const catalog = createCatalog(() => networks);
  let longestOfAll = 0;
  for (const [what, edit] of Object.entries(EDITS)) {
    const times: number[] = [];
    const ofThread: number[] = [];
    for (let change = 0; change < CHANGES; change += 1) {
      const at = change * 9_973 + 17;
      const previous = networks.all()[0] as CompiledWorkspace;
      const startedMs = performance.now();
      const startedOfThread = process.threadCpuUsage();
      const snapshot = edit(previous.snapshot as WorkspaceSnapshot, at);
      const patchedMs = performance.now() - startedMs;
      const { compiled: next, longestMs } = compile(snapshot, previous);
      networks = networks.with([next]);
      catalog.findLineItem(1, String(1 + (at % 100)));
      catalog.findCreative(1, `${1 + (at % 100)}00`);
      times.push(performance.now() - startedMs);
      const { user, system } = process.threadCpuUsage(startedOfThread);
      ofThread.push((user + system) / 1_000);
      longestOfAll = Math.max(longestOfAll, longestMs, patchedMs);
    }
    const show = (at: (share: number) => string) => `p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, max ${at(1)} ms`;
    console.log(`  ${what}: ${show(quantiles(times))}; of the thread's own time: ${show(quantiles(ofThread))}`);
  }
  console.log(`  longest time at a stretch of any change: ${longestOfAll.toFixed(1)} ms`);
}

function quantiles(values: readonly number[]): (share: number) => string {
  const sorted = values.toSorted((left, right) => left - right);
  return (share) => (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0).toFixed(1);
}

function measureDecisions(compiled: CompiledWorkspace, random: () => number): void {
  const state = stateOf({});
  const times: number[] = [];
  let filled = 0;
  for (let run = 0; run < WARM_UP + RUNS; run += 1) {
    const opportunity = sampleOpportunity({
      keyValues: new Map([['topic', [`t${1 + Math.floor(random() * 200)}`]]]),
      slots: [sampleSlot({ adUnitId: String(1 + Math.floor(random() * 500)) })],
    });
    const startedMs = performance.now();
    const decision = decide(compiled, opportunity, { state, nowMs: NOW_MS, random });
    const tookMs = performance.now() - startedMs;
    if (run >= WARM_UP) times.push(tookMs * 1_000);
    if (decision.placements[0] !== null) filled += 1;
  }
  const at = quantiles(times);
  const fill = ((100 * filled) / (WARM_UP + RUNS)).toFixed(0);
  console.log(`  decide: p50 ${at(0.5)} µs, p99 ${at(0.99)} µs, filled ${fill} %`);
}

/** A worker that learns rates, in counters that hold nothing. */
function learningState(nowMs: () => number): DeliveryState {
  const rates = new RateMemory();
  const read = (): number => 0;
  return {
    ...stateOf({}),
    pacer: {},
    rate: (asked, parent) => rates.evidence(asked, parent, { read, nowMs: nowMs() }),
  };
}

/** CPU of decisions at 1,000 requests a second, the draws of each second included. */
function measureLearned(what: string, compiled: CompiledWorkspace, lifts: RateLifts | null = null): void {
  const random = seeded(43);
  let nowMs = NOW_MS;
  const state = { ...learningState(() => nowMs), lifts: () => lifts };
  let startedOfThread = process.threadCpuUsage();
  for (let run = 0; run < WARM_UP + RUNS; run += 1) {
    if (run === WARM_UP) startedOfThread = process.threadCpuUsage();
    nowMs += 1;
    const slots = [sampleSlot({ adUnitId: String(1 + Math.floor(random() * 500)) })];
    decide(compiled, sampleOpportunity({ slots }), { state, nowMs, random });
  }
  const { user, system } = process.threadCpuUsage(startedOfThread);
  console.log(`  CPU of a decision by learned rates, ${what}: ${((user + system) / RUNS).toFixed(1)} µs`);
}

/** Every line item is clicked more on mobile devices, and less in one unit. */
function contextModelOf({ lineItems }: WorkspaceSnapshot): ContextModel {
  const context = { siteId: '', adUnitId: '7', deviceType: 'mobile', country: '', timeMs: 0 };
  const weights = lineItems.flatMap(({ id }) => {
    const [, unit, device] = hashFacts({ kind: 'click', lineItemId: id, creativeId: '' }, context) as [
      number,
      number,
      number,
    ];
    return [[unit, -0.5] as const, [device, 0.5] as const];
  });
  return new ContextModel({ madeAtMs: NOW_MS, weights });
}

/** What goals bid: far less or more than PRICE pays, so that PRICE gets all opportunities or none, and about as much. */
const BIDS: Readonly<Record<string, (random: () => number) => number>> = {
  'that leave all to PRICE': (random) => random() / 1_000,
  'about what PRICE pays': (random) => 2 * random(),
  'that take all': (random) => 1_000 + random(),
};

/** A measured case: its name, its state, and the arm of an experiment. */
type Asked = readonly [string, DeliveryState, DecidedArm?];

/** CPU time of the thread for each decision by levels, by each kind of bids and by each rule of experiments, by turns, on the same requests. */
function measurePlan(compiled: CompiledWorkspace): void {
  const { snapshot } = compiled;
  const goals = [...snapshot.lineItems].filter(({ type, goal }) => type === 'STANDARD' && goal !== null);
  const base = learningState(() => NOW_MS);
  const bidding = Object.entries(BIDS).map(([what, draw]): [string, DeliveryState] => {
    const random = seeded(7);
    const worths = new Map(goals.map(({ id }) => [id, draw(random)]));
    const pacer = {};
    const pace: NonNullable<DeliveryState['pace']> = (lineItem) =>
      (lineItem.pacing = {
        by: pacer,
        mayDeliver: true,
        urgency: 0,
        worth: worths.get(lineItem.booked.id) ?? 1,
        untilMs: NOW_MS + 1_000,
      });
    return [`with bids ${what}`, { ...base, pacer, pace, hasWorths: () => true }];
  });
  const about = bidding.at(1)?.[1] ?? base;
  const ruled = (Object.keys(EXPERIMENT_RULES) as ExperimentRule[]).map((rule): Asked => {
    return [`by the rule ${rule}`, about, { experimentId: '1', arm: 'RULE', rule, sharePercent: 10 }];
  });
  const states: readonly Asked[] = [['by levels', base], ...bidding, ...ruled];
  // The system counts CPU time in ticks of some milliseconds: only the sum of many turns is exact.
  const spent = new Map<string, number>();
  for (let turn = 0; turn < PLAN_TURNS; turn += 1) {
    for (const [what, state, arm] of states) {
      const draws = seeded(turn);
      const startedOfThread = process.threadCpuUsage();
      for (let run = 0; run < WARM_UP; run += 1) {
        const opportunity = sampleOpportunity({
          keyValues: new Map([['topic', [`t${1 + Math.floor(draws() * 200)}`]]]),
          slots: [sampleSlot({ adUnitId: String(1 + Math.floor(draws() * 500)) })],
        });
        decide(compiled, opportunity, { ...decidedBy(arm), state, nowMs: NOW_MS, random: draws });
      }
      const { user, system } = process.threadCpuUsage(startedOfThread);
      if (turn > 0) spent.set(what, (spent.get(what) ?? 0) + user + system);
    }
  }
  const each = ([what, sum]: [string, number]) => `${(sum / WARM_UP / (PLAN_TURNS - 1)).toFixed(2)} µs ${what}`;
  console.log(`  CPU of a decision with ${goals.length} goals: ${[...spent].map(each).join(', ')}`);
}

/** Bytes in use on the heap and in buffers, after a collection where `--expose-gc` allows one. */
function usedBytes(): number {
  globalThis.gc?.();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

/** How long writing the last good snapshot to disk takes, and the longest delay of timers meanwhile. */
async function measureFile(snapshot: WorkspaceSnapshot): Promise<void> {
  const dir = mkdtempSync(join(tmpdir(), 'placard-bench-'));
  const delay = monitorEventLoopDelay({ resolution: 1 });
  const startedMs = performance.now();
  delay.enable();
  await writeSnapshotFile(dir, [snapshot]);
  delay.disable();
  rmSync(dir, { recursive: true });
  const tookMs = performance.now() - startedMs;
  console.log(`  written to disk in ${tookMs.toFixed(0)} ms; timers waited ${(delay.max / 1e6).toFixed(1)} ms at most`);
}

async function measure(count: number): Promise<void> {
  const random = seeded(42);
  const bytesBefore = usedBytes();
  const snapshot = book(count, random);
  const bytesOfRows = usedBytes();
  const { compiled, tookMs, longestMs } = compile(snapshot, null);
  const perLineItem = (bytes: number) => `${(bytes / 1_024 / count).toFixed(1)} KiB`;
  const memory = `${perLineItem(bytesOfRows - bytesBefore)} as read and ${perLineItem(usedBytes() - bytesOfRows)} compiled`;
  console.log(`${count} line items`);
  console.log(
    `  compiled in ${tookMs.toFixed(0)} ms, at most ${longestMs.toFixed(1)} ms at a stretch; each holds ${memory}`,
  );
  measureDecisions(compiled, random);
  const byClicks = snapshot.lineItems.map((row) => ({ ...row, pricingModel: 'CPC' as const }));
  const { compiled: ofClicks } = compile({ ...snapshot, lineItems: byClicks }, null);
  for (let round = 0; round < 2; round += 1) {
    measureLearned('paid by impressions', compiled);
    measureLearned('paid by clicks', ofClicks);
    measureLearned('paid by clicks by context', ofClicks, contextModelOf(snapshot));
  }
  measurePlan(compiled);
  measureChanges(compiled);
  await measureFile(snapshot);
}

console.log(`${process.version}, ${cpus()[0]?.model ?? 'unknown processor'}`);
const counts = process.argv.slice(2).map(Number);
for (const count of counts.length > 0 ? counts : [100, 1_000, 10_000, 100_000]) await measure(count);
