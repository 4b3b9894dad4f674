import { randomBytes } from 'node:crypto';
import {
  closeSync,
  fsyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
} from 'node:fs';
import { join } from 'node:path';

/**
 * A segment is one file of the spool. Its name says its state:
 * `<segment>.open` is being written; `<segment>.<bytes>.sealed` is complete (only its first `bytes` count);
 * `<segment>.<bytes>.settled` holds no duplicates and waits for the analytics store.
 */
export interface SegmentFile {
  readonly dir: string;
  /** `w<slot>`, the folder's name. */
  readonly slot: string;
  /** Unique for ever: epoch milliseconds and random digits. */
  readonly segment: string;
  readonly state: 'open' | 'sealed' | 'settled';
  /** How many bytes count; of open segments the file's size. */
  readonly bytes: number;
  readonly path: string;
}

/**
 * A name that ends in `b` says that the positions of its lines are byte offsets, and that it ships in batches. Older programs wrote
 * names without it: positions are line numbers, and each file ships alone.
 */
const FILE_NAME = /^(\d{13}-[0-9a-f]{8}b?)(?:\.(\d{1,12}))?\.(open|sealed|settled)$/;

/** A new segment name, sorting behind `previous`. */
export function newSegmentName(nowMs: number, previous: string | null): string {
  const after = previous === null ? 0 : openedAtMs(previous) + 1;
  return `${String(Math.max(nowMs, after)).padStart(13, '0')}-${randomBytes(4).toString('hex')}b`;
}

/** Whether lines of the segment are named by their byte offset; in files of older programs, by their number. */
export function hasByteOffsets(segment: string): boolean {
  return segment.endsWith('b');
}

/** When a segment was opened, by its name: epoch milliseconds. */
export function openedAtMs(segment: string): number {
  return Number(segment.slice(0, 13));
}

/** Path of a segment in a state. */
export function segmentPath(dir: string, segment: string, state: SegmentFile['state'], bytes: number): string {
  return join(dir, state === 'open' ? `${segment}.open` : `${segment}.${bytes}.${state}`);
}

/** The segments of a slot's folder, oldest first; other files are not looked at. No folder: none. */
export function listSegments(dir: string): SegmentFile[] {
  const slot = dir.slice(dir.lastIndexOf('/') + 1);
  return namesIn(dir)
    .sort()
    .flatMap((name) => {
      const match = FILE_NAME.exec(name);
      if (match === null) return [];
      const path = join(dir, name);
      const state = match[3] as SegmentFile['state'];
      const bytes = state === 'open' ? statSync(path, { throwIfNoEntry: false })?.size : Number(match[2] ?? 0);
      // Sealed since the folder was read: the next look finds it under its new name.
      if (bytes === undefined) return [];
      return [{ dir, slot, segment: match[1] ?? '', state, bytes, path }];
    });
}

/** The slots' folders `w<number>` in the spool's folder. */
export function listSlots(spoolDir: string): number[] {
  return namesIn(spoolDir).flatMap((name) => (/^w\d{1,4}$/.test(name) ? [Number(name.slice(1))] : []));
}

/** A segment that was left open, and what was cut off its end. */
export interface RecoveredSegment {
  readonly segment: string;
  readonly slot: string;
  /** Offset and bytes behind the last line feed: a write that was torn, and never acknowledged unless the disk lost its end. */
  readonly torn: { readonly offset: number; readonly bytes: Buffer } | null;
}

/**
 * Seals what a killed process left open: a torn last line is cut off, an empty segment sealed as empty. Call it only while
 * nobody writes in the folder. `keep` is given each torn end, and returns when it is on stable storage elsewhere.
 */
export function recoverOpenSegments(dir: string, keep: (found: RecoveredSegment) => void): RecoveredSegment[] {
  const open = listSegments(dir).filter((file) => file.state === 'open');
  const recovered = open.map((file) => {
    const content = readFileSync(file.path);
    const bytes = content.lastIndexOf(0x0a) + 1;
    const torn = bytes < content.length ? { offset: bytes, bytes: content.subarray(bytes) } : null;
    const found = { segment: file.segment, slot: file.slot, torn };
    if (torn !== null) keep(found);
    const fd = openSync(file.path, 'r+');
    try {
      if (torn !== null) ftruncateSync(fd, bytes);
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
    renameSync(file.path, segmentPath(dir, file.segment, 'sealed', bytes));
    return found;
  });
  if (open.length > 0) syncFolder(dir);
  return recovered;
}

/** Makes a folder whose entry survives a power cut. */
export function makeFolder(dir: string): void {
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  syncFolder(join(dir, '..'));
}

/** Makes the entries of a folder (new, renamed and deleted files) survive a power cut. */
export function syncFolder(dir: string): void {
  const fd = openSync(dir, 'r');
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

function namesIn(dir: string): string[] {
  try {
    return readdirSync(dir);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}
