import { read } from 'node:fs';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as nextTick } from 'node:timers/promises';
import { crc32 } from 'node:zlib';
import { SNAPSHOT_PARTS, emptySnapshot } from '../decision/index/snapshot-parts.ts';
import { finishSteps } from '../decision/index/work-steps.ts';
import type { WorkSteps } from '../decision/index/work-steps.ts';
import { sliceSteps } from './slice-steps.ts';
import type { WorkspaceSnapshot } from '../../domain/booking/snapshot.ts';
import type { Workspace } from '../../domain/tenancy/workspace.ts';
import type { SnapshotPart } from '../decision/index/snapshot-parts.ts';
import type { SnapshotLists } from '../decision/index/snapshot-lists.ts';
import { listEntries } from '../decision/index/stored-records.ts';
import type { SnapshotLayout } from './snapshot-layout.ts';

/** Its name in the snapshot's folder. */
export const SNAPSHOT_FILE = 'last-good.ndjson';
const FORMAT = 'placard-snapshot/2';
/** How long serializing may block the event loop, apart from the last line. */
const SLICE_MS = 2;
const LINES_PER_WRITE_MAX = 500;
/** Read at once: large enough for few turns of the event loop, small beside the snapshot. */
const CHUNK_BYTES = 1_048_576;
const HEADER_BYTES_MAX = 1_024;
const LINE_FEED = 0x0a;

type Line =
  /** `program`: the one that wrote the file; files of older versions and decision logs do not name it. */
  | { readonly format: string; readonly program?: string }
  | { readonly workspace: Workspace }
  | { readonly part: SnapshotPart; readonly row: { readonly id: string } }
  /** `checksum`: CRC-32 of all lines before, 8 hex digits; files of older versions have none. */
  | { readonly end: number; readonly checksum?: string };

/** Tells a snapshot file from every other one: its size, and the CRC-32 of all of it. */
export interface SnapshotFileSeal {
  readonly bytes: number;
  readonly checksum: number;
}

/** The content of a snapshot file. */
export interface SnapshotFileContent {
  readonly snapshots: readonly WorkspaceSnapshot[];
  /** The program that wrote it; null: an older one. */
  readonly program: string | null;
}

/** Writes all snapshots to a temporary file, syncs it, and renames it: other processes see the former file or the new one, never a part. */
export async function writeSnapshotFile(
  dir: string,
  snapshots: readonly SnapshotLists[],
  program?: string,
  layout?: SnapshotLayout,
): Promise<SnapshotFileSeal> {
  await mkdir(dir, { recursive: true, mode: 0o700 });
  const temporary = join(dir, `${SNAPSHOT_FILE}.${process.pid}`);
  const file = await open(temporary, 'w', 0o600);
  let bytes = 0;
  let checksum = 0;
  try {
    for await (const text of writeSnapshotText(snapshots, program, layout)) {
      const chunk = Buffer.from(text);
      bytes += chunk.length;
      checksum = crc32(chunk, checksum);
      await file.appendFile(chunk);
    }
    await file.sync();
  } catch (error) {
    await file.close();
    await rm(temporary, { force: true });
    throw error;
  }
  await file.close();
  await rename(temporary, join(dir, SNAPSHOT_FILE));
  return { bytes, checksum };
}

/** Checks a whole snapshot file against its seal. @throws Error when it is another file, or damaged */
export async function checkSnapshotFile(fd: number, { bytes, checksum }: SnapshotFileSeal): Promise<void> {
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  let position = 0;
  let found = 0;
  for (;;) {
    const count = await readAt(fd, chunk, position);
    if (count === 0) break;
    found = crc32(chunk.subarray(0, count), found);
    position += count;
  }
  if (position !== bytes || found !== checksum) throw new Error(`${SNAPSHOT_FILE} is not the file of its columns`);
}

function readAt(fd: number, into: Buffer, position: number): Promise<number> {
  return new Promise((resolve, reject) => {
    read(fd, into, 0, into.length, position, (error, count) => (error === null ? resolve(count) : reject(error)));
  });
}

/** The text of snapshots, in chunks of two milliseconds: serializing a large one must not delay requests. */
export async function* writeSnapshotText(
  snapshots: readonly SnapshotLists[],
  program?: string,
  layout?: SnapshotLayout,
): AsyncGenerator<string> {
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
  for (const line of linesOf(snapshots, program, layout)) {
    lines += 1;
    layout?.endLine(Buffer.byteLength(line) + 1);
    if (chunk.push(line) < LINES_PER_WRITE_MAX && performance.now() < untilMs) continue;
    yield textOf();
    await nextTick();
    untilMs = performance.now() + SLICE_MS;
  }
  if (chunk.length > 0) yield textOf();
  yield `${JSON.stringify({ end: lines, checksum: hexOf(checksum) })}\n`;
}

function* linesOf(
  snapshots: readonly SnapshotLists[],
  program: string | undefined,
  layout: SnapshotLayout | undefined,
): Generator<string> {
  yield JSON.stringify({ format: FORMAT, ...(program === undefined ? {} : { program }) } satisfies Line);
  for (const snapshot of snapshots) {
    layout?.beginWorkspace(snapshot);
    yield JSON.stringify({ workspace: snapshot.workspace } satisfies Line);
    for (const part of SNAPSHOT_PARTS) {
      layout?.beginPart(part);
      const prefix = linePrefixOf(part);
      for (const entry of listEntries<{ readonly id: string }>(snapshot[part])) {
        if (part === 'lineItems' || part === 'creatives') layout?.addRecord(part, entry);
        yield `${prefix}${entry.text}}`;
      }
    }
    layout?.endWorkspace();
  }
}

/** The beginning of the line of a record, before its JSON text. A bracket closes the line. */
export function linePrefixOf(part: SnapshotPart): string {
  return `{"part":"${part}","row":`;
}

/** Parses the lines of one workspace, some of which may be left out. */
export function parseWorkspace(lines: Buffer): WorkspaceSnapshot {
  const parser = new SnapshotParser(SNAPSHOT_FILE);
  finishSteps(parser.read(lines));
  const [snapshot] = parser.snapshots;
  if (snapshot === undefined) throw new Error(`${SNAPSHOT_FILE} has no workspace where its columns say so`);
  return snapshot;
}

/**
 * The last good snapshots; null when there is no file. The file is read as a stream, in slices of a few milliseconds: it may be larger than
 * the longest text of Node.js.
 * @throws Error when the file is truncated or damaged, or has another format
 */
export async function readSnapshotFile(dir: string): Promise<SnapshotFileContent | null> {
  const file = await openIfThere(join(dir, SNAPSHOT_FILE));
  if (file === null) return null;
  const parser = new SnapshotParser(SNAPSHOT_FILE);
  for await (const chunk of file.createReadStream({ highWaterMark: CHUNK_BYTES })) {
    await sliceSteps(parser.read(chunk as Buffer));
  }
  return await sliceSteps(parser.end());
}

/** The program that wrote the file; null when there is no file, or it does not say so. Reads no more than the first line. */
export async function readSnapshotProgram(dir: string): Promise<string | null> {
  const file = await openIfThere(join(dir, SNAPSHOT_FILE));
  if (file === null) return null;
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEADER_BYTES_MAX), 0, HEADER_BYTES_MAX, 0);
    const [line = ''] = buffer.toString('utf8', 0, bytesRead).split('\n');
    const header = parseLine(line, SNAPSHOT_FILE);
    return 'format' in header && header.format === FORMAT ? (header.program ?? null) : null;
  } finally {
    await file.close();
  }
}

async function openIfThere(path: string): Promise<FileHandle | null> {
  try {
    return await open(path, 'r');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** Parses the text of `writeSnapshotText`. @throws Error when it is truncated, or has another format */
export function parseSnapshots(text: Buffer, name: string): readonly WorkspaceSnapshot[] {
  const parser = new SnapshotParser(name);
  finishSteps(parser.read(text));
  return finishSteps(parser.end()).snapshots;
}

/** Reads the lines of a snapshot file from its chunks. */
class SnapshotParser {
  readonly #name: string;
  readonly snapshots: WorkspaceSnapshot[] = [];
  /** The beginning of a line whose end is in the next chunk. */
  #rest: Buffer = Buffer.alloc(0);
  #lines = 0;
  #first: Line | null = null;
  #last: Line | null = null;
  /** CRC-32 of all whole lines, and of all but the last one. */
  #checksum = 0;
  #checksumBefore = 0;

  constructor(name: string) {
    this.#name = name;
  }

  *read(chunk: Buffer): WorkSteps<void> {
    const bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    const end = bytes.lastIndexOf(LINE_FEED) + 1;
    this.#rest = bytes.subarray(end);
    if (end === 0) return;
    const lines = bytes.subarray(0, end);
    const lastAt = end === 1 ? 0 : lines.lastIndexOf(LINE_FEED, end - 2) + 1;
    this.#checksumBefore = crc32(lines.subarray(0, lastAt), this.#checksum);
    this.#checksum = crc32(lines.subarray(lastAt), this.#checksumBefore);
    for (const line of lines.toString('utf8', 0, end - 1).split('\n')) {
      this.#addLine(line);
      yield;
    }
  }

  /** @throws Error when the file is truncated or damaged, or has another format */
  *end(): WorkSteps<SnapshotFileContent> {
    if (this.#rest.length > 0) yield* this.read(Buffer.from('\n'));
    const [first, last] = [this.#first, this.#last];
    if (first === null || !('format' in first) || first.format !== FORMAT)
      throw new Error(`${this.#name} is of another format`);
    if (last === null || !('end' in last) || last.end !== this.#lines - 1) throw new Error(`${this.#name} is cut`);
    if (last.checksum !== undefined && last.checksum !== hexOf(this.#checksumBefore))
      throw new Error(`${this.#name} is damaged: its checksum is wrong`);
    return { snapshots: this.snapshots, program: first.program ?? null };
  }

  #addLine(text: string): void {
    this.#lines += 1;
    const line = parseLine(text, `${this.#name}: line ${this.#lines}`);
    this.#first ??= line;
    this.#last = line;
    if ('workspace' in line) this.snapshots.push(emptySnapshot(line.workspace));
    else if ('part' in line) (this.snapshots.at(-1)?.[line.part] as { id: string }[] | undefined)?.push(line.row);
  }
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
