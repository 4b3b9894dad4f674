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
  rmSync,
  statSync,
} from 'node:fs';
import { join } from 'node:path';
import { syncFolderNow } from '../../storage/disk-file.ts';

/**
 * One file of the spool. Its name says its state:
 * `<id>.open` is being written; `<id>.<bytes>.sealed` is complete (only its first `bytes` count) and waits to be counted;
 * `<id>.<bytes>.settled` is counted: it holds no duplicates and waits for the analytics store.
 */
export interface SpoolFile {
  readonly dir: string;
  /** `w<worker index>`, the folder's name. */
  readonly folder: string;
  /** Unique for ever: epoch milliseconds and random digits. */
  readonly fileId: string;
  readonly state: 'open' | 'sealed' | 'settled';
  /** How many bytes count; for open files the size of the file. */
  readonly bytes: number;
  readonly path: string;
}

const FILE_NAME = /^(\d{13}-[0-9a-f]{8}b)(?:\.(\d{1,12}))?\.(open|sealed|settled)$/;

/** A new spool file name, sorting behind `previous`. */
export function newSpoolFileName(nowMs: number, previous: string | null): string {
  const after = previous === null ? 0 : openedAtMs(previous) + 1;
  return `${String(Math.max(nowMs, after)).padStart(13, '0')}-${randomBytes(4).toString('hex')}b`;
}

/** When a spool file was opened, by its name: epoch milliseconds. */
export function openedAtMs(fileId: string): number {
  return Number(fileId.slice(0, 13));
}

/** Path of a spool file in a state. */
export function spoolFilePath(dir: string, fileId: string, state: SpoolFile['state'], bytes: number): string {
  return join(dir, state === 'open' ? `${fileId}.open` : `${fileId}.${bytes}.${state}`);
}

/** Deletes files that a killed process left unfinished. Call it before anything else works in the folder. */
export function deleteUnfinished(dir: string): void {
  for (const name of namesIn(dir)) if (name.endsWith('.tmp')) rmSync(join(dir, name), { force: true });
}

/** How often a folder is read again because a file was sealed meanwhile. Each time takes another file that is sealed at that moment. */
const READS_MAX = 10;

/** The files of a worker's folder, oldest first, without other files. Empty when there is no folder. */
export function listSpoolFiles(dir: string): SpoolFile[] {
  let found: SpoolFile[] = [];
  for (let read = 0; read < READS_MAX; read += 1) {
    const names = namesIn(dir);
    found = names.sort().flatMap((name) => spoolFileOf(dir, name) ?? []);
    const listed = names.filter((name) => FILE_NAME.test(name)).length;
    // A missing one was sealed since the folder was read: it has a new name.
    if (found.length === listed) break;
  }
  return found;
}

function spoolFileOf(dir: string, name: string): SpoolFile | null {
  const match = FILE_NAME.exec(name);
  if (match === null) return null;
  const path = join(dir, name);
  const state = match[3] as SpoolFile['state'];
  const bytes = state === 'open' ? statSync(path, { throwIfNoEntry: false })?.size : Number(match[2] ?? 0);
  if (bytes === undefined) return null;
  return { dir, folder: dir.slice(dir.lastIndexOf('/') + 1), fileId: match[1] ?? '', state, bytes, path };
}

/** The folders `w<number>` in the spool's folder. */
export function listWorkerIndexes(spoolDir: string): number[] {
  return namesIn(spoolDir).flatMap((name) => (/^w\d{1,4}$/.test(name) ? [Number(name.slice(1))] : []));
}

/** A file that a process left open, and the bytes that were cut off its end. */
export interface RecoveredFile {
  readonly fileId: string;
  readonly folder: string;
  /** Offset and bytes after the last line feed: a torn write, never acknowledged unless the disk lost its end. */
  readonly torn: { readonly offset: number; readonly bytes: Buffer } | null;
}

/**
 * Seals files that a killed process left open: a torn last line is cut off, and an empty file is sealed as empty. Call it only while no
 * process writes in the folder. `record` gets each torn end, and returns when it is on stable storage elsewhere.
 */
export function recoverOpenFiles(dir: string, record: (found: RecoveredFile) => void): RecoveredFile[] {
  const open = listSpoolFiles(dir).filter((file) => file.state === 'open');
  const recovered = open.map((file) => {
    const content = readFileSync(file.path);
    const bytes = content.lastIndexOf(0x0a) + 1;
    const torn = bytes < content.length ? { offset: bytes, bytes: content.subarray(bytes) } : null;
    const found = { fileId: file.fileId, folder: file.folder, torn };
    if (torn !== null) record(found);
    const fd = openSync(file.path, 'r+');
    try {
      if (torn !== null) ftruncateSync(fd, bytes);
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
    renameSync(file.path, spoolFilePath(dir, file.fileId, 'sealed', bytes));
    return found;
  });
  if (open.length > 0) syncFolderNow(dir);
  return recovered;
}

/** Makes a folder whose entry in its parent survives a power cut. */
export function makeFolder(dir: string): void {
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  syncFolderNow(join(dir, '..'));
}

function namesIn(dir: string): string[] {
  try {
    return readdirSync(dir);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}
