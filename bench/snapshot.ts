/**
 * What the snapshot costs a delivery worker: `npm run bench:snapshot -- [--line-items 100000] [--changes 40]`.
 *
 * One process writes the snapshot files of a network. Another one opens them as a worker that starts, decides, and makes changes; then
 * it compares a full read of the database that found nothing new. CPU time is of its main thread. `workerMegabytes` is memory of its own (not the
 * page cache), beyond what the process had before. Give the writer memory for a million line items: `NODE_OPTIONS=--max-old-space-size=12000`.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { compileWorkspace, compileSteps } from '../src/delivery/decision/index/compile-workspace.ts';
import type { CompiledWorkspace } from '../src/delivery/decision/index/compiled-workspace.ts';
import { DecisionMemory } from '../src/delivery/decision/index/decision-memory.ts';
import { decide } from '../src/delivery/decision/decide.ts';
import type { SnapshotLists } from '../src/delivery/decision/index/snapshot-lists.ts';
import { patchSnapshot } from '../src/delivery/decision/index/snapshot-parts.ts';
import { findById } from '../src/delivery/decision/index/sorted-by-id.ts';
import { openStoredSnapshot, writeStoredSnapshot } from '../src/delivery/snapshot/stored-snapshot.ts';
import type { LineItem } from '../src/domain/booking/line-item.ts';
import { sampleOpportunity, sampleSlot, stateOf } from '../test/worlds/sample-workspace.ts';
import { benchSnapshot } from './support/bench-snapshot.ts';

const { values } = parseArgs({
  options: {
    'line-items': { type: 'string' },
    changes: { type: 'string' },
    part: { type: 'string' },
    dir: { type: 'string' },
  },
});
const LINE_ITEMS = Number(values['line-items'] ?? 100_000);
const CHANGES = Math.min(1_000, Number(values.changes ?? 40));
const FIRST_ID = 100_001;
const FIRST_CREATIVE_ID = 500_001;
const NEW_ID = 900_000_000;
const DECISIONS = 2_000;
const NOW_MS = Date.parse('2026-11-20T10:00:00Z');
const SLICE_MS = 3;
const PROGRAM = 'bench';

/** The usual changes, each as a new snapshot. */
const EDITS: Readonly<Record<string, (snapshot: SnapshotLists, at: number) => SnapshotLists>> = {
  'price of a line item': (snapshot, at) => withLineItem(snapshot, at, { priceMicros: (at * 7_919) % 9_000_000 }),
  'targeting of a line item': (snapshot, at) =>
    withLineItem(snapshot, at, { targeting: { dimension: 'country', operator: 'is', values: ['FR'] } }),
  'pause of a line item': (snapshot, at) => withLineItem(snapshot, at + 1, { status: 'PAUSED' }),
  'name of a line item': (snapshot, at) => withLineItem(snapshot, at + 2, { name: `Renamed ${at}` }),
  'creation of a line item': (snapshot, at) => withNewLineItem(snapshot, at),
  'settings of the network': (snapshot, at) => ({
    ...snapshot,
    workspace: { ...snapshot.workspace, networkName: `Bench ${at}` },
  }),
};

if (values.part === 'write') await write(values.dir ?? '');
else if (values.part === 'work') await work(values.dir ?? '');
else await runParts();

async function runParts(): Promise<void> {
  const dir = mkdtempSync(join(tmpdir(), 'placard-bench-'));
  try {
    for (const part of ['write', 'work']) {
      const child = fork(
        new URL(import.meta.url).pathname,
        ['--part', part, '--dir', dir, '--line-items', String(LINE_ITEMS), '--changes', String(CHANGES)],
        { execArgv: [...process.execArgv, '--expose-gc'] },
      );
      const [code] = (await once(child, 'exit')) as [number | null];
      if (code !== 0) throw new Error(`The part ${part} ended with ${code}`);
    }
  } finally {
    rmSync(dir, { recursive: true });
  }
}

function report(figures: Readonly<Record<string, unknown>>): void {
  process.stdout.write(`${JSON.stringify({ ...figures, load: loadavg()[0] })}\n`);
}

async function write(dir: string): Promise<void> {
  const compiled = compileWorkspace(benchSnapshot(LINE_ITEMS), NOW_MS, (id, error) => {
    throw new Error(`The line item ${id} is invalid`, { cause: error });
  });
  const startedMs = cpuMs();
  await writeStoredSnapshot(dir, [compiled], PROGRAM);
  const files = readdirSync(dir).map((name) => [name, megabytes(statSync(join(dir, name)).size)]);
  report({
    lineItems: LINE_ITEMS,
    writeCpuMs: Math.round(cpuMs() - startedMs),
    fileMegabytes: Object.fromEntries(files) as unknown,
  });
}

async function work(dir: string): Promise<void> {
  const before = ownBytes();
  const startedMs = cpuMs();
  const opened = await openStoredSnapshot(dir, { program: PROGRAM, memory: new DecisionMemory() });
  const [stored] = opened?.workspaces ?? [];
  if (opened === null || stored === undefined) throw new Error('There is no snapshot');
  const openCpuMs = Math.round(cpuMs() - startedMs);
  const decideStartedMs = cpuMs();
  if (!decides(stored)) throw new Error('No line item won');
  const firstDecisionCpuMs = Math.round(cpuMs() - decideStartedMs);
  report({ openCpuMs, firstDecisionCpuMs, decisionMicros: decisionMicros(stored), ...memorySince(before) });
  let compiled = stored;
  for (const [name, edit] of Object.entries(EDITS)) compiled = measureChanges(name, compiled, edit);
  report({ afterChanges: true, decisionMicros: decisionMicros(compiled), ...memorySince(before) });
  opened.close();
}

/** CPU time of a decision, on units in turn. */
function decisionMicros(compiled: CompiledWorkspace): number {
  const units = Math.max(1, Math.floor(LINE_ITEMS / 1_000)) * 20;
  const decideOn = (at: number): void => {
    const slots = [sampleSlot({ adUnitId: String(1_000 + ((at * 7) % units)), sizes: [{ width: 300, height: 250 }] })];
    decide(compiled, sampleOpportunity({ slots }), { state: stateOf({}), nowMs: NOW_MS, random: Math.random });
  };
  for (let at = 0; at < DECISIONS; at += 1) decideOn(at);
  const startedMs = cpuMs();
  for (let at = 0; at < DECISIONS; at += 1) decideOn(at);
  return Math.round(((cpuMs() - startedMs) / DECISIONS) * 10_000) / 10;
}

function decides(compiled: CompiledWorkspace): boolean {
  const slots = [sampleSlot({ adUnitId: '1000', sizes: [{ width: 300, height: 250 }] })];
  const decision = decide(compiled, sampleOpportunity({ slots }), {
    state: stateOf({}),
    nowMs: NOW_MS,
    random: () => 0.5,
  });
  return decision.placements[0] !== null;
}

function withLineItem(snapshot: SnapshotLists, at: number, change: Partial<LineItem>): SnapshotLists {
  const id = String(FIRST_ID + ((at * 9_973) % LINE_ITEMS));
  const lineItem = findById(snapshot.lineItems, id);
  if (lineItem === undefined) throw new Error(`There is no line item ${id}`);
  return patchSnapshot(snapshot, 'lineItems', { ids: [id], records: [{ ...lineItem, ...change }] });
}

/** A copy of a line item and its creative, above all ids. */
function withNewLineItem(snapshot: SnapshotLists, at: number): SnapshotLists {
  const like = String(FIRST_ID + ((at * 9_973) % LINE_ITEMS));
  const lineItem = findById(snapshot.lineItems, like);
  const creative = findById(snapshot.creatives, String(FIRST_CREATIVE_ID + ((at * 9_973) % LINE_ITEMS)));
  if (lineItem === undefined || creative === undefined) throw new Error(`There is no line item ${like}`);
  const id = String(NEW_ID + at);
  const added = patchSnapshot(snapshot, 'lineItems', { ids: [id], records: [{ ...lineItem, id }] });
  return patchSnapshot(added, 'creatives', { ids: [id], records: [{ ...creative, id, lineItemId: id }] });
}

function measureChanges(
  change: string,
  first: CompiledWorkspace,
  edit: (snapshot: SnapshotLists, at: number) => SnapshotLists,
): CompiledWorkspace {
  let compiled = first;
  const times: number[] = [];
  let longestMs = 0;
  for (let at = 1; at <= CHANGES; at += 1) {
    const startedMs = cpuMs();
    const steps = compileSteps(edit(compiled.snapshot, at * 17), {
      nowMs: NOW_MS,
      reportUnusable: (id, error) => {
        throw new Error(`The line item ${id} is invalid`, { cause: error });
      },
      previous: compiled,
    });
    for (let result: CompiledWorkspace | null = null; result === null; ) {
      const sliceMs = cpuMs();
      let step = steps.next();
      while (step.done !== true && cpuMs() < sliceMs + SLICE_MS) step = steps.next();
      longestMs = Math.max(longestMs, cpuMs() - sliceMs);
      if (step.done === true) compiled = result = step.value;
    }
    times.push(cpuMs() - startedMs);
  }
  const sorted = times.toSorted((left, right) => left - right);
  const rounded = (ms: number | undefined): number => Math.round((ms ?? 0) * 10) / 10;
  report({
    change,
    cpuMs: { p50: rounded(sorted[sorted.length >> 1]), max: rounded(sorted.at(-1)) },
    longestSliceMs: rounded(longestMs),
  });
  return compiled;
}

function cpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

/** Anonymous memory after a collection: what no other process shares. */
function ownBytes(): number {
  globalThis.gc?.();
  const [, kilobytes] = /^RssAnon:\s+(\d+)/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? [];
  return Number(kilobytes ?? 0) * 1_024;
}

function memorySince(before: number): Readonly<Record<string, number>> {
  const workerMegabytes = megabytes(ownBytes() - before);
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return { workerMegabytes, heapMegabytes: megabytes(heapUsed), bufferMegabytes: megabytes(arrayBuffers) };
}

function megabytes(bytes: number): number {
  return Math.round(bytes / 1e5) / 10;
}
