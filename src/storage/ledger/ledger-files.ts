import {
  closeSync,
  existsSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { ByteTable } from './byte-table.ts';
import { encodeFrame, firstFrameNumber, type FrameFileEnd, readFrames } from './frames.ts';

const NAME = /^(log|checkpoint)-(\d{10})$/;

/** Of a log, or of the checkpoint that holds everything before the log of the same number. Numbers begin at 1. */
export function ledgerPath(dir: string, kind: 'log' | 'checkpoint', number: number): string {
  return join(dir, `${kind}-${String(number).padStart(10, '0')}`);
}

/** The files of a ledger do not give its state: its counters must be made again. */
export class LedgerDamagedError extends Error {
  override readonly name = 'LedgerDamagedError';
}

/** How much of a log was on stable storage at least. */
export interface SyncedMark {
  readonly log: number;
  readonly bytes: number;
  /** The ledger was closed: nothing was written after it. */
  readonly isClosed: boolean;
}

interface StoredMark extends SyncedMark {
  /** The start of the machine in which it was written; empty: unknown. */
  readonly boot: string;
}

const MARK_FILE = 'synced';
/** Each mark has one length, so that it is written over the last. */
const MARK_BYTES = 96;
const MARK = /^(\d+) (\d+) (open|closed) ([0-9a-f-]*) *$/;
const BOOT_ID_FILE = '/proc/sys/kernel/random/boot_id';
const bootId = existsSync(BOOT_ID_FILE) ? readFileSync(BOOT_ID_FILE, 'utf8').trim() : '';

/** The file of the mark, and its content: a start does not believe logs that hold less. */
export function syncedMarkOf(dir: string, mark: SyncedMark): { readonly path: string; readonly content: Buffer } {
  const { log, bytes, isClosed } = mark;
  const text = `${log} ${bytes} ${isClosed ? 'closed' : 'open'} ${bootId}`;
  return { path: join(dir, MARK_FILE), content: Buffer.from(text.padEnd(MARK_BYTES)) };
}

/** Tells later starts that the ledger is open, whatever of it is on stable storage. */
export function markOpen(dir: string): void {
  const mark = readSyncedMark(dir) ?? { log: 0, bytes: 0 };
  const { path, content } = syncedMarkOf(dir, { ...mark, isClosed: false });
  writeFileSync(path, content, { mode: 0o600 });
}

/** Whether a ledger was begun in a folder. */
export function hasSyncedMark(dir: string): boolean {
  return existsSync(join(dir, MARK_FILE));
}

/** Null: there is none, or it cannot be read. */
export function readSyncedMark(dir: string): StoredMark | null {
  const text = hasSyncedMark(dir) ? readFileSync(join(dir, MARK_FILE), 'utf8') : '';
  const [, log, bytes, state, boot = ''] = MARK.exec(text) ?? [];
  return log === undefined ? null : { log: Number(log), bytes: Number(bytes), isClosed: state === 'closed', boot };
}

/** A power cut may have taken the end of the newest log: the machine has started again while the ledger was open. */
function mayLackEnd(mark: StoredMark | null): boolean {
  return mark !== null && !mark.isClosed && (mark.boot === '' || mark.boot !== bootId);
}

/** What `loadLedger` found. */
export interface LoadedLedger {
  /** Of the log that comes next. */
  readonly nextLog: number;
  /** A newer checkpoint that could not be read: its name and why. */
  readonly unreadable: string | null;
  /** Bytes of logs that were replayed. */
  readonly replayedBytes: number;
  readonly replayedLogs: number;
  /** A power cut may have taken the end of the newest log. */
  readonly mayLackEnd: boolean;
}

/**
 * Loads a ledger into an empty table: the newest checkpoint that is whole, and the logs behind it. The last log is ended there, where its
 * last whole frame ends.
 * @throws LedgerDamagedError when a log is missing or damaged
 */
export function loadLedger(dir: string): { readonly table: ByteTable; readonly loaded: LoadedLedger } {
  const files = listLedgerFiles(dir);
  let unreadable: string | null = null;
  const candidates = [...files.checkpoints.toReversed(), 0];
  for (const checkpoint of candidates) {
    const fresh = new ByteTable();
    const problem = checkpoint === 0 ? null : loadCheckpoint(ledgerPath(dir, 'checkpoint', checkpoint), fresh);
    if (problem !== null) {
      unreadable ??= `checkpoint ${checkpoint}: ${problem}`;
      continue;
    }
    const replayedBytes = replayLogs(dir, { first: Math.max(1, checkpoint), logs: files.logs }, fresh);
    return {
      table: fresh,
      loaded: {
        nextLog: (files.logs.at(-1) ?? Math.max(0, checkpoint - 1)) + 1,
        unreadable,
        replayedBytes,
        replayedLogs: files.logs.filter((number) => number >= checkpoint).length,
        mayLackEnd: mayLackEnd(readSyncedMark(dir)),
      },
    };
  }
  throw new LedgerDamagedError('no checkpoint can be read');
}

/** Numbers of the files of a ledger, rising. */
export function listLedgerFiles(dir: string): {
  readonly logs: readonly number[];
  readonly checkpoints: readonly number[];
} {
  const found: { log: number[]; checkpoint: number[] } = { log: [], checkpoint: [] };
  for (const name of existsSync(dir) ? readdirSync(dir) : []) {
    const [, kind, number] = NAME.exec(name) ?? [];
    if (kind === 'log' || kind === 'checkpoint') found[kind].push(Number(number));
  }
  const rising = (one: number, other: number): number => one - other;
  return { logs: found.log.sort(rising), checkpoints: found.checkpoint.sort(rising) };
}

/**
 * Deletes files before a checkpoint.
 * @param keep the checkpoint before the newest, in case that cannot be read; or the newest alone
 */
export function deleteOldFiles(dir: string, keep: 'two' | 'newest'): void {
  const { logs, checkpoints } = listLedgerFiles(dir);
  const kept = checkpoints.at(keep === 'two' ? -2 : -1) ?? 0;
  for (const number of checkpoints) if (number < kept) rmSync(ledgerPath(dir, 'checkpoint', number), { force: true });
  for (const number of logs) if (number < kept) rmSync(ledgerPath(dir, 'log', number), { force: true });
}

/** @returns why the checkpoint cannot be read; null: it is loaded */
function loadCheckpoint(path: string, table: ByteTable): string | null {
  const end = readInto(path, table);
  if (typeof end === 'string') return end;
  return end.state === 'ended' ? null : `it ends after ${end.bytes} of ${statSync(path).size} bytes`;
}

function replayLogs(
  dir: string,
  { first, logs }: { readonly first: number; readonly logs: readonly number[] },
  table: ByteTable,
): number {
  const last = logs.at(-1) ?? first - 1;
  const synced = readSyncedMark(dir) ?? { log: 0, bytes: 0 };
  let bytes = 0;
  for (let number = first; number <= last; number += 1) {
    const path = ledgerPath(dir, 'log', number);
    if (!logs.includes(number)) throw new LedgerDamagedError(`log ${number} is missing`);
    const end = readInto(path, table);
    if (typeof end === 'string') throw new LedgerDamagedError(`log ${number}: ${end}`);
    if (end.state === 'damaged') throw new LedgerDamagedError(`log ${number} is damaged after ${end.bytes} bytes`);
    if (end.state === 'open' && number < last) throw new LedgerDamagedError(`log ${number} has lost its end`);
    if (number === synced.log && end.bytes < synced.bytes)
      throw new LedgerDamagedError(`log ${number} has ${end.bytes} bytes, and had ${synced.bytes}`);
    if (end.state === 'open') endLog(path, end);
    bytes += end.bytes;
  }
  if (synced.log > last) throw new LedgerDamagedError(`log ${synced.log} is missing`);
  return bytes;
}

function readInto(path: string, table: ByteTable): FrameFileEnd | string {
  try {
    return readFrames(path, (content) => table.load(content));
  } catch (error) {
    if (error instanceof RangeError) return error.message;
    throw error;
  }
}

/** Cuts what is behind the last whole frame, and ends the log there. */
function endLog(path: string, { bytes, number }: FrameFileEnd): void {
  const fd = openSync(path, 'r+');
  try {
    ftruncateSync(fd, bytes);
    writeSync(fd, encodeFrame(number === 0 ? firstFrameNumber() : number + 1, Buffer.alloc(0)), 0, undefined, bytes);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
