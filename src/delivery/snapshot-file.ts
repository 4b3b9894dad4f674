import { mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as nextTick } from 'node:timers/promises';
import { WorkspaceRows, SNAPSHOT_PARTS } from './snapshot-rows.ts';
import type { WorkspaceSnapshot } from '../domain/snapshot.ts';
import type { Workspace } from '../domain/workspace.ts';
import type { SnapshotPart, SnapshotParts } from './snapshot.sql.ts';

const FILE = 'last-good.ndjson';
const FORMAT = 'placard-snapshot/1';
const ROWS_PER_WRITE = 500;

type Line =
  | { readonly format: string }
  | { readonly workspace: Workspace }
  | { readonly part: SnapshotPart; readonly row: { readonly id: string } }
  | { readonly end: number };

/** Writes all snapshots aside, syncs, and renames: a reader sees the former file or this one, never half of one. */
export async function writeSnapshotFile(dir: string, snapshots: readonly WorkspaceSnapshot[]): Promise<void> {
  await mkdir(dir, { recursive: true, mode: 0o700 });
  const aside = join(dir, `${FILE}.${process.pid}`);
  const file = await open(aside, 'w', 0o600);
  try {
    let lines = 0;
    let chunk: string[] = [];
    const flush = async () => {
      lines += chunk.length;
      await file.appendFile(`${chunk.join('\n')}\n`);
      chunk = [];
      // Serialising a large snapshot must not hold up requests.
      await nextTick();
    };
    for (const line of linesOf(snapshots)) {
      chunk.push(JSON.stringify(line));
      if (chunk.length >= ROWS_PER_WRITE) await flush();
    }
    if (chunk.length > 0) await flush();
    await file.appendFile(`${JSON.stringify({ end: lines })}\n`);
    await file.sync();
  } catch (error) {
    await file.close();
    await rm(aside, { force: true });
    throw error;
  }
  await file.close();
  await rename(aside, join(dir, FILE));
}

function* linesOf(snapshots: readonly WorkspaceSnapshot[]): Generator<Line> {
  yield { format: FORMAT };
  for (const snapshot of snapshots) {
    yield { workspace: snapshot.workspace };
    for (const part of SNAPSHOT_PARTS) for (const row of snapshot[part]) yield { part, row };
  }
}

/** The last good snapshots; null when there is no file. @throws Error when the file is cut, of another format, or not ours */
export async function readSnapshotFile(dir: string): Promise<WorkspaceSnapshot[] | null> {
  let text: string;
  try {
    text = await readFile(join(dir, FILE), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  const lines = text.trimEnd().split('\n');
  const parsed = lines.map((line) => JSON.parse(line) as Line);
  const [first, last] = [parsed[0], parsed.at(-1)];
  if (first === undefined || !('format' in first) || first.format !== FORMAT)
    throw new Error(`${FILE} is of another format`);
  if (last === undefined || !('end' in last) || last.end !== parsed.length - 1) throw new Error(`${FILE} is cut`);
  return groupLines(parsed);
}

function groupLines(lines: readonly Line[]): WorkspaceSnapshot[] {
  const all: WorkspaceRows[] = [];
  for (const line of lines) {
    if ('workspace' in line) all.push(new WorkspaceRows(emptySnapshot(line.workspace)));
    else if ('part' in line) all.at(-1)?.patch(line.part, [], [line.row] as unknown as SnapshotParts[typeof line.part]);
  }
  return all.map((rows) => rows.toSnapshot());
}

function emptySnapshot(workspace: Workspace): WorkspaceSnapshot {
  const parts = Object.fromEntries(SNAPSHOT_PARTS.map((part) => [part, []])) as unknown as SnapshotParts;
  return { workspace, ...parts };
}
