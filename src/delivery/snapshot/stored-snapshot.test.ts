import { appendFileSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createTestFolder } from '../../../test/support/stores.ts';
import { randomWorld } from '../../../test/worlds/random-world.ts';
import { sampleSnapshot } from '../../../test/worlds/sample-workspace.ts';
import { decide } from '../decision/decide.ts';
import { compileSteps, compileWorkspace } from '../decision/index/compile-workspace.ts';
import type { CompiledWorkspace } from '../decision/index/compiled-workspace.ts';
import { DecisionMemory } from '../decision/index/decision-memory.ts';
import { patchSnapshot, reconcileSnapshot } from '../decision/index/snapshot-parts.ts';
import { finishSteps } from '../decision/index/work-steps.ts';
import { SNAPSHOT_FILE, readSnapshotFile } from './snapshot-file.ts';
import { COLUMNS_FILE, openStoredSnapshot, writeStoredSnapshot } from './stored-snapshot.ts';
import type { OpenSnapshot } from './stored-snapshot.ts';
import { runsOf } from '../../../test/support/longer-runs.ts';

const NOW_MS = Date.parse('2026-11-20T10:00:00Z');
const PROGRAM = '1.0.0/0001-first';
const reportUnusable = (_id: string, error: unknown): never => {
  throw error;
};
let folder: ReturnType<typeof createTestFolder>;
const opened: OpenSnapshot[] = [];
beforeEach(() => {
  folder = createTestFolder();
});
afterEach(() => {
  for (const one of opened.splice(0)) one.close();
  folder.remove();
});

async function reopen(compiled: readonly CompiledWorkspace[]): Promise<readonly CompiledWorkspace[]> {
  await writeStoredSnapshot(folder.dir, compiled, PROGRAM);
  const snapshot = await openStoredSnapshot(folder.dir, { program: PROGRAM, memory: new DecisionMemory() });
  if (snapshot === null) throw new Error('there are no columns');
  opened.push(snapshot);
  return snapshot.workspaces;
}

type World = typeof randomWorld extends fc.Arbitrary<infer W> ? W : never;

/** A decision with the reasons of all losers. */
function decideOn(compiled: CompiledWorkspace, { opportunity, state, nowMs }: World) {
  const { placements, noFill, losers } = decide(compiled, opportunity, {
    state,
    nowMs,
    random: () => 0.4,
    explain: true,
  });
  const winners = placements.map((one) => {
    const { residual = null, ...lineItem } = one?.lineItem ?? {};
    return { ...one, lineItem, isTested: residual !== null };
  });
  return { winners, noFill, losers };
}

test('a snapshot that is opened by its columns decides as the compiled one, also after changes', async () => {
  await fc.assert(
    fc.asyncProperty(randomWorld, randomWorld, fc.constantFrom(0, 1_000), async (world, later, layeredMax) => {
      const compiled = compileWorkspace(world.snapshot, world.nowMs, reportUnusable);
      const [restored] = await reopen([compiled]);
      if (restored === undefined) throw new Error('there is no workspace');
      expect(decideOn(restored, world)).toEqual(decideOn(compiled, world));

      const context = { nowMs: world.nowMs, reportUnusable, layeredMax };
      const read = { ...later.snapshot, workspace: world.snapshot.workspace };
      const snapshot = finishSteps(reconcileSnapshot(restored.snapshot, read));
      const changed = finishSteps(compileSteps(snapshot, { ...context, previous: restored }));
      const rebuilt = compileWorkspace(read, world.nowMs, reportUnusable);
      expect(decideOn(changed, world)).toEqual(decideOn(rebuilt, world));

      const [again] = await reopen([changed]);
      expect(again === undefined ? null : decideOn(again, world)).toEqual(decideOn(rebuilt, world));
      const [onDisk] = (await readSnapshotFile(folder.dir))?.snapshots ?? [];
      expect(onDisk).toEqual(rebuilt.snapshot);
    }),
    { numRuns: runsOf(60) },
  );
});

test('a new line item and its creative join those on disk, and a change of its campaign reaches them', async () => {
  const first = sampleSnapshot({ lineItems: [{ id: '1' }, { id: '3' }], campaigns: [{}] });
  const [restored] = await reopen([compileWorkspace(first, NOW_MS, reportUnusable)]);
  if (restored === undefined) throw new Error('there is no workspace');
  const more = sampleSnapshot({ lineItems: [{ id: '2' }], campaigns: [{}] });
  const withLineItem = patchSnapshot(restored.snapshot, 'lineItems', { ids: ['2'], records: more.lineItems });
  const snapshot = patchSnapshot(withLineItem, 'creatives', { ids: [], records: more.creatives });
  const joined = finishSteps(compileSteps(snapshot, { nowMs: NOW_MS, reportUnusable, previous: restored }));
  expect([...joined.lineItems].map(({ booked }) => booked.id)).toEqual(['1', '2', '3']);
  const [campaign] = first.campaigns;
  const paused = patchSnapshot(joined.snapshot, 'campaigns', {
    ids: [],
    records: campaign === undefined ? [] : [{ ...campaign, status: 'PAUSED' }],
  });
  const stopped = finishSteps(compileSteps(paused, { nowMs: NOW_MS, reportUnusable, previous: joined }));
  expect(stopped.lineItems).toHaveLength(0);
  expect(stopped.idle.map(({ id, reason }) => [id, reason])).toEqual(['1', '2', '3'].map((id) => [id, 'paused']));
});

const open = (program: string | null = PROGRAM) =>
  openStoredSnapshot(folder.dir, { program, memory: new DecisionMemory() });

test('columns of another program, and missing ones, are not opened', async () => {
  expect(await open()).toBeNull();
  await writeStoredSnapshot(folder.dir, [], PROGRAM);
  expect(await open('2.0.0/0002-second')).toBeNull();
  expect(await open(null)).toBeNull();
});

test.each([
  ['columns with a changed byte', COLUMNS_FILE, (path: string) => flipByte(path, -3)],
  ['columns that are cut', COLUMNS_FILE, (path: string) => truncateSync(path, 40)],
  ['columns of another format', COLUMNS_FILE, (path: string) => flipByte(path, 7)],
  ['empty columns', COLUMNS_FILE, (path: string) => truncateSync(path, 0)],
  ['a snapshot with a changed byte', SNAPSHOT_FILE, (path: string) => flipByte(path, 200)],
  ['a snapshot that is cut', SNAPSHOT_FILE, (path: string) => truncateSync(path, 200)],
  ['a snapshot that is newer than its columns', SNAPSHOT_FILE, (path: string) => appendFileSync(path, '\n')],
])('%s cannot be opened', async (_title, name, damage) => {
  await writeStoredSnapshot(
    folder.dir,
    [compileWorkspace(sampleSnapshot({ lineItems: [{}] }), NOW_MS, reportUnusable)],
    PROGRAM,
  );
  damage(join(folder.dir, name));
  await expect(open()).rejects.toThrow();
});

function flipByte(path: string, at: number): void {
  const bytes = readFileSync(path);
  const position = at < 0 ? bytes.length + at : at;
  bytes[position] = (bytes[position] as number) ^ 1;
  writeFileSync(path, bytes);
}
