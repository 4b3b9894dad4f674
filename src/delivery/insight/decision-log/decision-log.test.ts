import type { AskedState } from './decision-tape.ts';
import { appendFileSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { createTestFolder, silentLog } from '../../../../test/support/stores.ts';
import { decide } from '../../decision/decide.ts';
import { compileWorkspace } from '../../decision/index/compile-workspace.ts';
import type { CompiledWorkspace } from '../../decision/index/compiled-workspace.ts';
import { decidedBy } from '../../decision/experiment-rules.ts';
import type { DecidedArm } from '../../../domain/experiments/experiment.ts';
import { DecisionLog } from './decision-log.ts';
import type { DecisionLogOptions, DecisionRecord } from './decision-log.ts';
import { DecisionLogFiles, listLogFiles } from './decision-log-files.ts';
import { replayDecision, replayDecisions } from './decision-replay.ts';
import type { ReplayedDecision } from './decision-replay.ts';
import { randomWorld } from '../../../../test/worlds/random-world.ts';
import { sampleOpportunity, sampleSnapshot } from '../../../../test/worlds/sample-workspace.ts';
import type { SampleInput } from '../../../../test/worlds/sample-workspace.ts';
import { LocalClock } from '../../decision/index/local-clock.ts';
import type { Opportunity } from '../../../domain/requests/opportunity.ts';
import { evidenceByCounters } from '../../value/rate-evidence.ts';
import { paceLineItem } from '../../decision/even-pacing.ts';
import { capCounterKey } from '../../../domain/money/limit.ts';
import { runsOf } from '../../../../test/support/longer-runs.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const START_MS = Date.parse('2026-11-20T10:00:00Z');
const folders: { remove(): void }[] = [];
afterAll(() => {
  for (const folder of folders) folder.remove();
});

/** A log in a separate folder, on a clock that a test moves. */
function openLog(options: Partial<DecisionLogOptions> = {}) {
  const folder = createTestFolder();
  folders.push(folder);
  const clock = { nowMs: START_MS };
  const log = new DecisionLog({
    dir: folder.dir,
    workerIndex: 0,
    perSecond: () => 1_000,
    retentionMs: 7 * DAY_MS,
    bytesMax: 1e9,
    nowMs: () => clock.nowMs,
    log: silentLog,
    ...options,
  });
  return { dir: folder.dir, clock, log };
}

const clock = new LocalClock();

/** A state with all members of a worker's state, from counters. */
function fullState(counter: (key: string) => number): AskedState {
  return {
    counter,
    capCount: (check, day) => counter(capCounterKey(check, day)),
    isUsedUp: () => false,
    rate: (asked, parent) => evidenceByCounters(asked, parent, counter),
    hasWorths: () => false,
    lifts: () => null,
    unitBar: () => null,
    pace: (lineItem, at) =>
      paceLineItem(lineItem, { ...at, local: clock.at(at.nowMs, lineItem.booked.timezone) }, { counter }),
  };
}

const compile = (input: SampleInput): CompiledWorkspace => compileWorkspace(sampleSnapshot(input), START_MS, () => {});
const network = (priceMicros: number): SampleInput => ({
  lineItems: [
    { priceMicros },
    { priceMicros, frequencyCaps: [{ event: 'IMPRESSIONS', count: 2, window: 'DAY', every: 1 }] },
    { type: 'STANDARD', goal: { kind: 'IMPRESSIONS', amount: 1_000, period: 'DAY' }, caps: { impressionsPerDay: 5 } },
  ],
});

interface Made {
  readonly log: DecisionLog;
  readonly compiled: CompiledWorkspace;
  readonly nowMs: number;
  readonly opportunity?: Partial<Opportunity>;
  readonly state?: AskedState;
  readonly random?: () => number;
  readonly isContested?: boolean;
  readonly arm?: DecidedArm;
}

/** Decides once; true when it was logged. */
function decideOnce({
  log,
  compiled,
  nowMs,
  opportunity = {},
  state,
  random = Math.random,
  isContested = false,
  arm,
}: Made): boolean {
  const asked = sampleOpportunity(opportunity);
  const recording = log.open(compiled, asked, nowMs, isContested);
  if (recording === null) return false;
  recording.nameArm(arm ?? null);
  const make = () => {
    const recorded = recording.begin(state ?? fullState(() => 0), random);
    return decide(compiled, asked, { ...decidedBy(arm), state: recorded, nowMs, random: recorded.random });
  };
  make();
  // As when a limit turned out to be used up: the log gets the final attempt.
  recording.finish(make());
  return true;
}

async function replayAll(dir: string, lineItemId: string | null = null): Promise<ReplayedDecision[]> {
  return Array.fromAsync(replayDecisions(dir, { logFile: null, lineItemId }));
}

const differencesOf = (replayed: readonly ReplayedDecision[]) => replayed.flatMap(({ differences }) => differences);

describe('the decision log', () => {
  test('a replay repeats the logged decisions of random worlds bit by bit', async () => {
    const { dir, log, clock: now } = openLog();
    let logged = 0;
    fc.assert(
      fc.property(randomWorld, fc.integer(), (world, seed) => {
        let drawn = seed;
        const snapshot = { ...world.snapshot, workspace: { ...world.snapshot.workspace, workspaceId: 1 + logged } };
        const compiled = compileWorkspace(snapshot, world.nowMs - 4 * HOUR_MS, () => {});
        const opportunity = { ...world.opportunity, workspaceId: 1 + logged };
        const random = () => (drawn = (Math.imul(drawn, 1_664_525) + 1_013_904_223) >>> 0) / 2 ** 32;
        const state = fullState((key) => world.state.counter(key));
        if (decideOnce({ log, compiled, nowMs: world.nowMs, opportunity, state, random })) logged += 1;
      }),
      { numRuns: runsOf(60) },
    );
    await log.flush();
    const replayed = await replayAll(dir);
    expect(differencesOf(replayed)).toEqual([]);
    expect(replayed).toHaveLength(logged);
    expect(logged).toBe(runsOf(60));
    expect(now.nowMs).toBe(START_MS);
  });

  test.each(['NO_LEARNING', 'NO_PRICES'] as const)('a replay repeats decisions by the rule %s', async (rule) => {
    const { dir, log } = openLog();
    const arm = { experimentId: '7', arm: 'RULE', rule, sharePercent: 10 } as const;
    const goal = { type: 'STANDARD', goal: { kind: 'IMPRESSIONS', amount: 1_000, period: 'DAY' } } as const;
    const clicks = [1_000_000, 2_000_000].map((priceMicros) => ({ pricingModel: 'CPC', priceMicros }) as const);
    const compiled = compile({ lineItems: rule === 'NO_PRICES' ? [goal, ...clicks] : clicks });
    for (const one of [arm, { ...arm, arm: 'REST' } as const])
      decideOnce({ log, compiled, nowMs: START_MS + (one.arm === 'RULE' ? 0 : 1), arm: one });
    await log.flush();
    const replayed = await replayAll(dir);
    expect(replayed.map(({ record }) => record?.arm)).toEqual([arm, { ...arm, arm: 'REST' }]);
    expect(differencesOf(replayed)).toEqual([]);
    const [first] = replayed;
    const withoutArm = { ...(first?.record as DecisionRecord) };
    Reflect.deleteProperty(withoutArm, 'arm');
    expect(replayDecision(compiled, withoutArm), 'the rule is needed').not.toEqual([]);
  });

  test('the log takes every second decision that the diagnosis wants, too', () => {
    const { log } = openLog();
    const compiled = compile(network(5_000_000));
    const made = Array.from({ length: 6 }, (_, at) => at).map((at) =>
      decideOnce({ log, compiled, nowMs: START_MS + at * 1_000, isContested: true }),
    );
    expect(made).toEqual([false, true, false, true, false, true]);
  });

  test('a replay reports each difference: another result, another query, a missing snapshot, a cut line', async () => {
    const { dir, log } = openLog();
    const compiled = compile(network(5_000_000));
    for (let at = 0; at < 3; at += 1) decideOnce({ log, compiled, nowMs: START_MS + at, random: () => 0 });
    await log.flush();
    const [logFile] = await listLogFiles(dir);
    const file = join(dir, logFile?.name ?? '');
    const [line = ''] = readFileSync(file, 'utf8').split('\n');
    appendFileSync(file, `${line.replace('"bidMicros":10000000', '"bidMicros":10000001')}\n`);
    appendFileSync(file, `${line.replace('["cap",', '["counter",')}\n`);
    appendFileSync(file, `${line.replace(/"snapshot":"\w{8}/, '"snapshot":"00000000')}\n`);
    appendFileSync(file, line.slice(0, 100));
    expect(differencesOf(await replayAll(dir))).toEqual([
      'slot 1: logged 3/300 300x250 at 10000001, replayed 3/300 300x250 at 10000000',
      expect.stringMatching(/^step \d+: the replay asks for cap .*; logged is counter /),
      expect.stringMatching(/^the snapshot 0{8}\w{24} is gone$/),
      'the record cannot be read',
    ]);
    expect(await replayAll(dir, '3'), 'records of line item 3, as far as they can be read').toHaveLength(6);
    expect(await replayAll(dir, '99')).toEqual([]);
  });

  test('the log holds nothing that tells one user from another', async () => {
    const { dir, log } = openLog();
    const compiled = compile(network(5_000_000));
    const state = fullState((key) => (key.startsWith('d/1/li/3/') ? 1_000 : 0));
    for (const [at, userHash] of ['00112233aabbccdd', 'ffeeddccbbaa9988'].entries())
      decideOnce({ log, compiled, nowMs: START_MS + at, opportunity: { userHash }, state, random: () => 0.9 });
    await log.flush();
    const [logFile] = await listLogFiles(dir);
    const [first = '', second = ''] = readFileSync(join(dir, logFile?.name ?? ''), 'utf8').split('\n');
    expect(first).toContain('"f/1/');
    expect(second.replace(String(START_MS + 1), String(START_MS))).toBe(first);
    expect(differencesOf(await replayAll(dir))).toEqual([]);
  });

  test('the log samples at most the stated number of decisions per second and workspace, only on stored snapshots', async () => {
    const { dir, log, clock: now } = openLog({ perSecond: () => 2 });
    const before = compile(network(5_000_000));
    const after = compile(network(6_000_000));
    const logged = [0, 1, 499, 500, 900].map((ms) => decideOnce({ log, compiled: before, nowMs: START_MS + ms }));
    expect(logged).toEqual([true, false, false, true, false]);
    expect(decideOnce({ log, compiled: before, nowMs: START_MS + 900, opportunity: { workspaceId: 2 } })).toBe(true);
    await log.flush();
    now.nowMs += 1_000;
    expect(decideOnce({ log, compiled: after, nowMs: now.nowMs }), 'stored a moment ago').toBe(false);
    now.nowMs += 30_000;
    expect(decideOnce({ log, compiled: after, nowMs: now.nowMs })).toBe(true);
    await log.flush();
    expect(readdirSync(join(dir, 'snapshots'))).toHaveLength(2);
    expect(differencesOf(await replayAll(dir))).toEqual([]);
  });

  test('old log files are deleted, and a snapshot goes with the last record that points to it', async () => {
    const { dir, log, clock: now } = openLog({ retentionMs: DAY_MS });
    const first = compile(network(5_000_000));
    decideOnce({ log, compiled: first, nowMs: now.nowMs });
    await log.flush();
    now.nowMs += 2 * HOUR_MS;
    decideOnce({ log, compiled: first, nowMs: now.nowMs });
    await log.flush();
    expect(await listLogFiles(dir)).toHaveLength(2);
    now.nowMs += 24 * HOUR_MS;
    decideOnce({ log, compiled: compile(network(6_000_000)), nowMs: now.nowMs });
    await log.flush();
    expect((await listLogFiles(dir)).length, 'the first is gone').toBe(2);
    expect(readdirSync(join(dir, 'snapshots')), 'the second points to the same snapshot').toHaveLength(2);
    now.nowMs += 2 * HOUR_MS;
    await log.flush();
    expect(await listLogFiles(dir)).toHaveLength(1);
    expect(readdirSync(join(dir, 'snapshots'))).toHaveLength(1);
    expect(differencesOf(await replayAll(dir))).toEqual([]);
    now.nowMs += 2 * DAY_MS;
    await log.flush();
    expect(readdirSync(join(dir, 'snapshots'))).toEqual([]);
    decideOnce({ log, compiled: first, nowMs: now.nowMs });
    await log.flush();
    expect(differencesOf(await replayAll(dir))).toEqual([]);
  });

  test('a log that is too large loses its oldest records', async () => {
    const { dir, log, clock: now } = openLog({ bytesMax: 20_000 });
    const compiled = compile(network(5_000_000));
    for (let round = 0; round < 40; round += 1) {
      now.nowMs += 2 * HOUR_MS;
      decideOnce({ log, compiled, nowMs: now.nowMs });
      await log.flush();
    }
    const logFiles = await listLogFiles(dir);
    expect(logFiles.length).toBeGreaterThan(3);
    expect(logFiles.length).toBeLessThan(30);
    expect(logFiles.at(-1)?.startedAtMs).toBe(now.nowMs);
    expect(differencesOf(await replayAll(dir))).toEqual([]);
  });

  test('all files together stay within the bound while snapshots keep changing, and logging continues afterwards', async () => {
    const bytesMax = 20_000;
    const { dir, log, clock: now } = openLog({ bytesMax });
    const logged: number[] = [];
    for (let round = 0; round < 300; round += 1) {
      now.nowMs += 5_000;
      decideOnce({ log, compiled: compile(network(5_000_000 + round)), nowMs: now.nowMs });
      await log.flush();
      expect(sizeOf(dir)).toBeLessThanOrEqual(bytesMax);
      const last = (await Array.fromAsync(replayDecisions(dir, { logFile: null, lineItemId: null }))).at(-1);
      if (last?.record?.atMs === now.nowMs) logged.push(round);
    }
    expect(logged.length).toBeLessThan(200);
    expect(logged.at(-1), 'after ten minutes without a record a snapshot is deleted').toBeGreaterThan(150);
    expect(differencesOf(await replayAll(dir))).toEqual([]);
  });

  test('a snapshot without records is deleted even when there is no log file to delete', async () => {
    const { dir, clock: now, log } = openLog();
    const options = { dir, workerIndex: 1, retentionMs: DAY_MS, bytesMax: 1e9, nowMs: () => now.nowMs, log: silentLog };
    await new DecisionLogFiles(options).saveSnapshot(compile(network(6_000_000)).snapshot);
    now.nowMs += HOUR_MS;
    decideOnce({ log, compiled: compile(network(5_000_000)), nowMs: now.nowMs });
    await log.flush();
    expect(readdirSync(join(dir, 'snapshots'))).toHaveLength(1);
    expect(differencesOf(await replayAll(dir))).toEqual([]);
  });

  test('a snapshot that could not be stored is tried again later', async () => {
    const { dir, log, clock: now } = openLog();
    const compiled = compile(network(5_000_000));
    const inTheWay = join(dir, 'snapshots');
    writeFileSync(inTheWay, '');
    decideOnce({ log, compiled, nowMs: now.nowMs });
    await log.flush();
    rmSync(inTheWay);
    now.nowMs += 5_000;
    expect(decideOnce({ log, compiled, nowMs: now.nowMs })).toBe(false);
    now.nowMs += 60_000;
    expect(decideOnce({ log, compiled, nowMs: now.nowMs })).toBe(true);
    await log.flush();
    expect(await replayAll(dir)).toHaveLength(1);
  });

  test('a log that is switched off writes nothing, and its old files expire', async () => {
    const { dir, log, clock: now } = openLog();
    const compiled = compile(network(5_000_000));
    decideOnce({ log, compiled, nowMs: now.nowMs });
    await log.flush();
    now.nowMs += 8 * DAY_MS;
    const options = { dir, workerIndex: 0, perSecond: () => 0, retentionMs: 7 * DAY_MS, bytesMax: 1e9, log: silentLog };
    const off = new DecisionLog({ ...options, nowMs: () => now.nowMs });
    expect(decideOnce({ log: off, compiled, nowMs: now.nowMs })).toBe(false);
    await off.flush();
    expect(sizeOf(dir)).toBe(0);
  });
});

/** Bytes of all files of a log. */
function sizeOf(dir: string): number {
  const files = readdirSync(dir, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
  return files.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
}
