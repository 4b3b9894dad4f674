import { mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as nextTick } from 'node:timers/promises';
import { crc32 } from 'node:zlib';
import { SNAPSHOT_PARTS, emptySnapshot } from '../decision/index/snapshot-parts.ts';
import type { WorkspaceSnapshot } from '../../domain/booking/snapshot.ts';
import type { Workspace } from '../../domain/tenancy/workspace.ts';
import type { SnapshotPart } from '../decision/index/snapshot-parts.ts';

/** Its name in the snapshot's folder. */
export const SNAPSHOT_FILE = 'last-good.ndjson';
const FORMAT = 'placard-snapshot/2';
/** How long serializing may block the event loop, apart from the last line. */
const SLICE_MS = 2;
const LINES_PER_WRITE_MAX = 500;

type Line =
  | { readonly format: string }
  | { readonly workspace: Workspace }
  | { readonly part: SnapshotPart; readonly row: { readonly id: string } }
  /** `checksum`: CRC-32 of all lines before, 8 hex digits; files of older versions have none. */
  | { readonly end: number; readonly checksum?: string };

/** Writes all snapshots to a temporary file, syncs it, and renames it: other processes see the former file or the new one, never a part. */
export async function writeSnapshotFile(dir: string, snapshots: readonly WorkspaceSnapshot[]): Promise<void> {
  await mkdir(dir, { recursive: true, mode: 0o700 });
  const temporary = join(dir, `${SNAPSHOT_FILE}.${process.pid}`);
  const file = await open(temporary, 'w', 0o600);
  try {
    for await (const text of writeSnapshotText(snapshots)) await file.appendFile(text);
    await file.sync();
  } catch (error) {
    await file.close();
    await rm(temporary, { force: true });
    throw error;
  }
  await file.close();
  await rename(temporary, join(dir, SNAPSHOT_FILE));
}

/** The text of snapshots, in chunks of two milliseconds: serializing a large one must not delay requests. */
export async function* writeSnapshotText(snapshots: readonly WorkspaceSnapshot[]): AsyncGenerator<string> {
  let lines = 0;
  let chunk: string[] = [];
  let checksum = 0;
  const textOf = (): string => {
    const text = `${chunk.join('\n')}\n`;
    checksum = crc32(text, checksum);
    chunk = [];
    return text;
  };
  let untilMs = performance.now() + SLICE_MS;
  for (const line of linesOf(snapshots)) {
    lines += 1;
    if (chunk.push(JSON.stringify(line)) < LINES_PER_WRITE_MAX && performance.now() < untilMs) continue;
    yield textOf();
    await nextTick();
    untilMs = performance.now() + SLICE_MS;
  }
  if (chunk.length > 0) yield textOf();
  yield `${JSON.stringify({ end: lines, checksum: hexOf(checksum) })}\n`;
}

function* linesOf(snapshots: readonly WorkspaceSnapshot[]): Generator<Line> {
  yield { format: FORMAT };
  for (const snapshot of snapshots) {
    yield { workspace: snapshot.workspace };
    for (const part of SNAPSHOT_PARTS) for (const object of snapshot[part]) yield { part, row: object };
  }
}

/** The last good snapshots; null when there is no file. @throws Error when the file is truncated, or has another format */
export async function readSnapshotFile(dir: string): Promise<WorkspaceSnapshot[] | null> {
  let text: string;
  try {
    text = await readFile(join(dir, SNAPSHOT_FILE), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  return parseSnapshots(text, SNAPSHOT_FILE);
}

/** Parses the text of `writeSnapshotText`. @throws Error when it is truncated, or has another format */
export function parseSnapshots(text: string, name: string): WorkspaceSnapshot[] {
  const lines = text.trimEnd().split('\n');
  const parsed = lines.map((line, at) => parseLine(line, `${name}: line ${at + 1}`));
  const [first, last] = [parsed[0], parsed.at(-1)];
  if (first === undefined || !('format' in first) || first.format !== FORMAT)
    throw new Error(`${name} is of another format`);
  if (last === undefined || !('end' in last) || last.end !== parsed.length - 1) throw new Error(`${name} is cut`);
  const before = text.slice(0, text.trimEnd().lastIndexOf('\n') + 1);
  if (last.checksum !== undefined && last.checksum !== hexOf(crc32(before)))
    throw new Error(`${name} is damaged: its checksum is wrong`);
  return groupLines(parsed);
}

function parseLine(line: string, location: string): Line {
  try {
    return JSON.parse(line) as Line;
  } catch (error) {
    throw new Error(`${location} is damaged`, { cause: error });
  }
}

function hexOf(checksum: number): string {
  return checksum.toString(16).padStart(8, '0');
}

function groupLines(lines: readonly Line[]): WorkspaceSnapshot[] {
  const all: WorkspaceSnapshot[] = [];
  for (const line of lines) {
    if ('workspace' in line) all.push(emptySnapshot(line.workspace));
    else if ('part' in line) (all.at(-1)?.[line.part] as { id: string }[] | undefined)?.push(line.row);
  }
  return all;
}
