import { readFileSync, statSync } from 'node:fs';
import { open, rename, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { EventLine } from '../../storage/hot/event-counts.ts';
import type { HotStore } from '../../storage/hot/hot-store.ts';
import type { SpoolCopies } from '../../storage/copies/spool-copies.ts';
import { textOf } from './dead-letters.ts';
import type { DeadLetter, DeadLetterReason, DeadLetters } from './dead-letters.ts';
import { countedName, eventLineAt, isCountable } from './event-lines.ts';
import { decodeSpoolLine, readEntries } from './spool-line.ts';
import type { SpoolEntry } from './spool-line.ts';
import { listSpoolFiles, spoolFilePath } from './spool-files.ts';
import { syncFolder } from '../../storage/disk-file.ts';
import type { SpoolFile } from './spool-files.ts';
import { deleteMark } from './uncounted-marks.ts';

const LINE_FEED = Buffer.from('\n');

/** The result of counting a spool file, by lines. */
export interface CountingResult {
  /** Lines whose event another line counted. */
  readonly duplicates: number;
  /** Lines that cannot be read, and the lost end of a file; they become dead letters. */
  readonly unreadable: number;
  /** Lines whose claim is outside the bounds of the hot store; they become dead letters. */
  readonly uncountable: number;
}

const NOTHING_LEFT_OUT: CountingResult = { duplicates: 0, unreadable: 0, uncountable: 0 };

/**
 * Counts what is left of a sealed file: nothing of most files, which were counted on arrival; the rest when the worker was killed before,
 * or the hot store was unavailable. Lines whose event another line counted and lines that can never be counted are left out. Then the
 * counts are on stable storage and the file is renamed to `.settled`. A repeat after a crash at any point gives the same lines.
 */
export async function countSpoolFile(
  file: SpoolFile,
  hot: Pick<HotStore, 'countRest' | 'forgetFile' | 'flushed'>,
  deadLetters: DeadLetters,
  copies: Pick<SpoolCopies, 'complete'> | null = null,
): Promise<CountingResult> {
  if (listSpoolFiles(file.dir).some(({ state, fileId }) => state === 'settled' && fileId === file.fileId)) {
    // An earlier try wrote all of it and died before it deleted this form.
    await unlink(file.path);
    await hot.forgetFile(countedName(file)).catch(() => undefined);
    return NOTHING_LEFT_OUT;
  }
  const letterFile = { file: `${file.folder}/${file.fileId}`, step: 'settle' };
  let lines: FileLines | null = null;
  // The letters are on stable storage before the lines behind them are counted: a repeat finds them there, and reads all lines again.
  const readFrom = (from: number): FileLines => {
    const read = readLines(file, from);
    deadLetters.record(letterFile, read.letters);
    return read;
  };
  if (deadLetters.has(letterFile) || isShort(file)) lines = readFrom(0);
  const duplicates = await hot.countRest({ file: countedName(file), to: file.bytes }, (from) => {
    if (lines === null || from < lines.from) lines = readFrom(from);
    return lines.events.filter(({ offset }) => offset >= from);
  });
  await hot.flushed();
  deleteMark(file);
  if (duplicates.size > 0) lines ??= readFrom(Number.POSITIVE_INFINITY);
  const body = bodyOf(keptOf(file, lines, duplicates));
  // A machine that takes the file over counts it again, unless its copy says that it is counted: only after that its counting may be forgotten.
  if (copies !== null && !(await copies.complete(countedName(file), body))) return NOTHING_LEFT_OUT;
  await moveToCounted(file, body);
  // Before that, a power cut could bring the sealed file back, and its lines would be taken for duplicates.
  await hot.forgetFile(countedName(file)).catch(() => undefined);
  const letters = lines?.letters ?? [];
  const uncountable = letters.filter(({ reason }) => reason === 'uncountable').length;
  return { duplicates: duplicates.size, unreadable: letters.length - uncountable, uncountable };
}

/** The lines of a spool file. */
interface FileLines {
  /** Claims before it were not read. */
  readonly from: number;
  readonly entries: readonly SpoolEntry[];
  /** Lines with claims that can be counted, by their position. */
  readonly events: readonly EventLine[];
  /** Entries that never count, and the lost end of the file. */
  readonly left: ReadonlySet<SpoolEntry>;
  readonly letters: readonly DeadLetter[];
}

/** @param from claims before it are counted, and not read */
function readLines(file: SpoolFile, from: number): FileLines {
  const bytes = readFileSync(file.path).subarray(0, file.bytes);
  const entries = readEntries(bytes);
  const events: EventLine[] = [];
  const reasons = new Map<SpoolEntry, DeadLetterReason>();
  for (const entry of entries) {
    const { offset } = entry;
    if (entry.isWhole && offset < from) continue;
    const line = entry.isWhole ? decodeSpoolLine(entry.bytes.toString('utf8')) : null;
    if (line === null) reasons.set(entry, 'damaged');
    else if (line.claim !== null) {
      const event = eventLineAt(line.claim, offset);
      if (isCountable(event)) events.push(event);
      else reasons.set(entry, 'uncountable');
    }
  }
  const letters = [...reasons].map(([entry, reason]) => letterOf(reason, entry));
  return { from, entries, events, left: new Set(reasons.keys()), letters: [...letters, ...lostEnd(file, bytes)] };
}

/** The entries that the counted file holds; null = all of the sealed file. */
function keptOf(
  file: SpoolFile,
  lines: FileLines | null,
  duplicates: ReadonlySet<number>,
): readonly SpoolEntry[] | null {
  if (lines === null || (duplicates.size === 0 && lines.letters.length === 0)) return null;
  return lines.entries.filter((entry) => !lines.left.has(entry) && !duplicates.has(entry.offset));
}

/** Whether a file has lost its end. */
function isShort(file: SpoolFile): boolean {
  return statSync(file.path).size < file.bytes;
}

/** The bytes of a spool file that count; a failed disk may have left more after them, and fewer remain where the file lost its end. */
export async function readCounted(file: SpoolFile): Promise<Buffer> {
  const handle = await open(file.path, 'r');
  try {
    const bytes = Buffer.allocUnsafe(file.bytes);
    let read = 0;
    while (read < file.bytes) {
      const { bytesRead } = await handle.read(bytes, read, file.bytes - read, read);
      if (bytesRead === 0) break;
      read += bytesRead;
    }
    return bytes.subarray(0, read);
  } finally {
    await handle.close();
  }
}

/** The missing end of a file, by the size in its name, as a dead letter without text. */
export function lostEnd(file: SpoolFile, read: Buffer): DeadLetter[] {
  if (read.length >= file.bytes) return [];
  return [{ reason: 'missing', offset: read.length, length: file.bytes - read.length, text: '' }];
}

/** An entry of a spool file as a dead letter. */
export function letterOf(reason: DeadLetterReason, { offset, bytes }: SpoolEntry): DeadLetter {
  return { reason, offset, length: bytes.length, text: textOf(bytes) };
}

/** With `body` the counted file holds this; without, it is the sealed file itself. */
async function moveToCounted(file: SpoolFile, body: Buffer | null): Promise<void> {
  if (body === null) {
    await rename(file.path, spoolFilePath(file.dir, file.fileId, 'settled', file.bytes));
    await syncFolder(file.dir);
    return;
  }
  const aside = join(file.dir, `${file.fileId}.tmp`);
  await writeWhole(aside, body);
  await rename(aside, spoolFilePath(file.dir, file.fileId, 'settled', body.length));
  await syncFolder(file.dir);
  await unlink(file.path);
}

function bodyOf(entries: readonly SpoolEntry[] | null): Buffer | null {
  return entries === null ? null : Buffer.concat(entries.flatMap(({ bytes }) => [bytes, LINE_FEED]));
}

/** Writes a file and puts it on stable storage. */
export async function writeWhole(path: string, body: Buffer): Promise<void> {
  const handle = await open(path, 'w', 0o600);
  try {
    await handle.writeFile(body);
    await handle.sync();
  } finally {
    await handle.close();
  }
}
