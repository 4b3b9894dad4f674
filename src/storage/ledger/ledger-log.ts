import { existsSync } from 'node:fs';
import { rename, rm, writeFile } from 'node:fs/promises';
import type { Log } from '../../domain/log/log.ts';
import { type CreateDiskFile, type DiskFile, syncFolder } from '../disk-file.ts';
import { type ByteTable, TABLE_PARTS } from './byte-table.ts';
import { encodeFrame, firstFrameNumber } from './frames.ts';
import { deleteOldFiles, ledgerPath, readSyncedMark, type SyncedMark, syncedMarkOf } from './ledger-files.ts';

const NOTHING = Buffer.alloc(0);
/** When changes are written again that the disk did not take. */
const RETRY_MS = 250;
/** Longest time that changes in the log are not on stable storage, when nobody asks for it. */
const SYNC_EVERY_MS = 1_000;
/** Bytes of a frame of a checkpoint. They are copied at a stretch. */
const SLICE_BYTES = 32 * 1_024;

/** Dependencies of a log. */
export interface LedgerLogDeps {
  readonly dir: string;
  readonly table: ByteTable;
  readonly log: Log;
  readonly createFile: CreateDiskFile;
  /** A checkpoint is made when the log behind the last has so many bytes, and half as many as the table. */
  readonly checkpointBytes: number;
}

/** The newest checkpoint that this process made. */
export interface CheckpointStats {
  readonly bytes: number;
  readonly milliseconds: number;
}

interface OpenLog {
  readonly file: DiskFile;
  /** Where the next frame is written, and its number. */
  position: number;
  frame: number;
}

/**
 * Writes what changes in a table to the log of a ledger, and now and then a checkpoint of the whole table. One write runs at a time and
 * takes everything that has changed by then, so the log holds states of the table as they were between two calls.
 */
export class LedgerLog {
  readonly #deps: LedgerLogDeps;
  /** Null before the first change. */
  #open: OpenLog | null = null;
  /** Of the log that is open, or comes next. */
  #number: number;
  #waiting: PromiseWithResolvers<void>[] = [];
  #isWriting = false;
  #timer: NodeJS.Timeout | null = null;
  #syncTimer: NodeJS.Timeout | null = null;
  /** One after the other: frames, and the change to a new log. */
  #turn: Promise<unknown> = Promise.resolve();
  #syncing: Promise<void> = Promise.resolve();
  #nextSync: Promise<void> | null = null;
  /** A sync failed: the system may have dropped what it was given, so only a checkpoint helps. */
  #isDoubtful = false;
  #checkpoint: Promise<void> | null = null;
  #checkpointStats: CheckpointStats | null = null;
  #failing = false;
  #isClosed = false;

  /** @param number of the log that the first change begins */
  constructor(deps: LedgerLogDeps, number: number) {
    this.#deps = deps;
    this.#number = number;
  }

  get checkpointStats(): CheckpointStats | null {
    return this.#checkpointStats;
  }

  /** Bytes of the log that is being written. */
  get bytes(): number {
    return this.#open?.position ?? 0;
  }

  /** The last write failed. */
  get isFailing(): boolean {
    return this.#failing;
  }

  /** Resolves when everything that has changed so far is in the log: it survives the end of the process. @throws what the disk throws */
  async written(): Promise<void> {
    const done = Promise.withResolvers<void>();
    this.#waiting.push(done);
    this.#write();
    await done.promise;
  }

  /** As `written`, and it survives a power cut. */
  async synced(): Promise<void> {
    await this.written();
    this.#nextSync ??= this.#syncing.then(() => {
      this.#nextSync = null;
      const sync = this.#sync();
      this.#syncing = sync.catch(() => undefined);
      return sync;
    });
    await this.#nextSync;
  }

  /** Writes the whole table to a new checkpoint, in slices, and deletes what no start needs after it. One runs at a time. */
  checkpoint(): Promise<void> {
    this.#checkpoint ??= this.#writeCheckpoint('two').finally(() => {
      this.#checkpoint = null;
    });
    return this.#checkpoint;
  }

  /** Writes the whole table, and deletes every file before it: what was removed so far is on the disk no more. @throws what the disk throws */
  async forget(): Promise<void> {
    while (this.#checkpoint !== null) await this.#checkpoint.catch(() => undefined);
    this.#checkpoint = this.#writeCheckpoint('newest').finally(() => {
      this.#checkpoint = null;
    });
    await this.#checkpoint;
  }

  /** Writes what has changed, and ends the log. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    await this.#checkpoint?.catch(() => undefined);
    await this.synced();
    this.#isClosed = true;
    for (const timer of [this.#timer, this.#syncTimer]) if (timer !== null) clearTimeout(timer);
    await this.#inTurn(async () => {
      if (this.#open !== null) {
        await endLog(this.#open);
        await this.#open.file.close();
      }
      const before = readSyncedMark(this.#deps.dir) ?? { log: 0, bytes: 0 };
      const synced = this.#open === null ? before : { log: this.#number, bytes: this.bytes };
      await this.#markSynced({ ...synced, isClosed: true });
    });
  }

  #write(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    if (this.#isWriting) return;
    this.#isWriting = true;
    void this.#writeAll().then(() => {
      this.#isWriting = false;
      if (this.#waiting.length > 0) this.#write();
    });
  }

  /** Never rejects. */
  async #writeAll(): Promise<void> {
    do {
      const waiting = this.#waiting.splice(0);
      try {
        await this.#inTurn(() => this.#writeFrame());
        for (const { resolve } of waiting) resolve();
        this.#failing = false;
      } catch (error) {
        if (!this.#failing) this.#deps.log.event('ledger.write_failed', { err: error });
        this.#failing = true;
        for (const { reject } of waiting) reject(error);
        if (!this.#isClosed) this.#timer ??= setTimeout(() => this.#write(), RETRY_MS);
        return;
      }
    } while (this.#waiting.length > 0);
    this.#checkpointIfDue();
  }

  async #writeFrame(): Promise<void> {
    const { table } = this.#deps;
    if (!table.hasChanges) return;
    const open = (this.#open ??= await createLog(this.#deps, this.#number));
    const content = table.collectChanges();
    try {
      await writeWhole(open, content);
    } catch (error) {
      table.restoreChanges(content);
      throw error;
    }
    this.#syncTimer ??= setTimeout(() => {
      this.#syncTimer = null;
      // A failure shows when somebody asks.
      this.synced().catch(() => undefined);
    }, SYNC_EVERY_MS).unref();
  }

  async #sync(): Promise<void> {
    if (this.#isDoubtful) return await this.checkpoint();
    const open = this.#open;
    if (open === null) return;
    const synced = { log: this.#number, bytes: open.position, isClosed: false };
    try {
      await open.file.sync();
    } catch (error) {
      this.#isDoubtful = true;
      throw error;
    }
    await this.#markSynced(synced);
  }

  /** A mark that is lost or late only tells less. */
  async #markSynced(synced: SyncedMark): Promise<void> {
    const { path, content } = syncedMarkOf(this.#deps.dir, synced);
    await writeFile(path, content, { flag: existsSync(path) ? 'r+' : 'w', mode: 0o600 }).catch(() => undefined);
  }

  #checkpointIfDue(): void {
    const { table, checkpointBytes, log } = this.#deps;
    if (this.bytes < Math.max(checkpointBytes, table.bytes / 2) || this.#isClosed) return;
    this.checkpoint().catch((error: unknown) => log.event('ledger.checkpoint_failed', { err: error }));
  }

  async #writeCheckpoint(keep: 'two' | 'newest'): Promise<void> {
    const { dir, createFile } = this.#deps;
    const startedMs = performance.now();
    const number = await this.#inTurn(() => this.#nextLog());
    const path = ledgerPath(dir, 'checkpoint', number);
    const aside = `${path}.tmp`;
    await rm(aside, { force: true });
    const open: OpenLog = { file: await createFile(aside, dir), position: 0, frame: firstFrameNumber() };
    try {
      for (const slice of slicesOf(this.#deps.table)) await writeWhole(open, slice);
      // Slices hold changes of the meantime in part. All of each is in the log before the checkpoint counts.
      await this.written();
      await this.#open?.file.sync();
      await writeWhole(open, NOTHING);
      await open.file.sync();
    } finally {
      await open.file.close();
    }
    await rename(aside, path);
    await syncFolder(dir);
    this.#isDoubtful = false;
    deleteOldFiles(dir, keep);
    this.#checkpointStats = { bytes: open.position, milliseconds: performance.now() - startedMs };
  }

  /** Ends the log and begins the next. @returns its number */
  async #nextLog(): Promise<number> {
    const before = this.#open;
    if (before === null) return this.#number;
    await endLog(before);
    // Until there is a new log, the old one goes on over its end.
    this.#open = await createLog(this.#deps, this.#number + 1);
    this.#number += 1;
    await before.file.close();
    return this.#number;
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#turn.then(work);
    this.#turn = done.catch(() => undefined);
    return done;
  }
}

async function createLog({ dir, createFile }: LedgerLogDeps, number: number): Promise<OpenLog> {
  return {
    file: await createFile(ledgerPath(dir, 'log', number), dir),
    position: 0,
    frame: firstFrameNumber(),
  };
}

/** What was written of an earlier try stands behind the position, and is overwritten. */
async function writeWhole(open: OpenLog, content: Buffer): Promise<void> {
  open.position += await writeAtEnd(open, content);
  open.frame += 1;
}

async function writeAtEnd(open: OpenLog, content: Buffer): Promise<number> {
  const frame = encodeFrame(open.frame, content);
  const written = await open.file.write(frame, open.position);
  if (written !== frame.length) throw new Error(`short write: ${written} of ${frame.length} bytes`);
  return frame.length;
}

async function endLog(open: OpenLog): Promise<void> {
  await open.file.truncate(open.position);
  await writeAtEnd(open, NOTHING);
  await open.file.sync();
}

/** All entries of a table, in pieces of about `SLICE_BYTES`; changes go on in between. */
function* slicesOf(table: ByteTable): Generator<Buffer> {
  let slice = Buffer.allocUnsafe(SLICE_BYTES);
  let filled = 0;
  const full: Buffer[] = [];
  for (let part = 0; part < TABLE_PARTS; part += 1) {
    table.visitPart(part, (position) => {
      const length = table.lengthOf(position);
      if (filled + length > slice.length) {
        full.push(slice.subarray(0, filled));
        slice = Buffer.allocUnsafe(Math.max(SLICE_BYTES, length));
        filled = 0;
      }
      filled += table.copyEntry(position, slice, filled);
    });
    for (const one of full.splice(0)) if (one.length > 0) yield one;
  }
  if (filled > 0) yield slice.subarray(0, filled);
}
