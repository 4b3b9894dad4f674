import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { Log } from '../../domain/log/log.ts';
import { PlacardError } from '../../domain/errors.ts';
import { DEAD_LETTERS_FOLDER, openDeadLetters } from './dead-letters.ts';
import type { DeadLetters } from './dead-letters.ts';
import { createDiskFile } from '../../storage/disk-file.ts';
import type { CreateDiskFile, DiskFile } from '../../storage/disk-file.ts';
import type { SpoolCopies } from '../../storage/copies/spool-copies.ts';
import { makeFolder, newSpoolFileName, recoverOpenFiles, spoolFilePath } from './spool-files.ts';

/** Options of a spool. */
export interface SpoolOptions {
  /** The worker's own folder, `<data>/spool/w<worker index>`; no other process may write in it. */
  readonly dir: string;
  readonly workerIndex: number;
  readonly nowMs: () => number;
  readonly log: Log;
  /** A spool file is sealed at this size. Default 8 MiB. */
  readonly fileBytesMax?: number;
  /** … or when its first line is this old. Default 1_000. */
  readonly sealAfterMs?: number;
  /** Called at that age, and again after the same time: whether to seal the file then. Default: yes. */
  readonly isSealDue?: (ageMs: number) => boolean;
  /** The least time between the beginnings of two commits, unless the spool seals or closes. Default 2. */
  readonly commitEveryMs?: number;
  /** Most bytes that may wait for the disk; over it, appends fail as `overloaded`. Default 32 MiB. */
  readonly queueBytesMax?: number;
  /** Receives dead letters. Default: the folder `dead-letters` beside the folders of the workers. */
  readonly deadLetters?: DeadLetters;
  /** Called after a spool file was sealed. */
  readonly onSealed?: () => void;
  /** Also holds each line before it is acknowledged. Default: this disk alone. */
  readonly copies?: Pick<SpoolCopies, 'append'> | undefined;
  /** For tests: files that fail. */
  readonly createFile?: CreateDiskFile;
}

/** Figures of a spool, for metrics. */
export interface SpoolStats {
  readonly queuedBytes: number;
  /** Milliseconds that the oldest of them waits for the disk; 0: none waits. */
  readonly waitedMs: number;
  readonly failedAppends: number;
  /** The last write failed: no event can be recorded now. */
  readonly failing: boolean;
  /** The last write was on the disk, and not in the copy. */
  readonly copyFailing: boolean;
  readonly brokenFiles: number;
}

/** The position of a line, unique for ever. */
export interface SpoolPosition {
  /** `<worker index>/<file id>` */
  readonly file: string;
  /** Of its first byte, and behind its last. */
  readonly offset: number;
  readonly end: number;
}

/** An append-only log of lines on the local disk, cut into files. */
export interface Spool {
  /**
   * Resolves with the line's position once it is on stable storage. The lines that come while a sync runs, and shortly after it began, share the
   * next one; their promises resolve in order, in one turn.
   * @param line one whole line, its LF included
   * @throws PlacardError `unavailable` when the disk refuses (the line is then not recorded), `overloaded` when too many bytes wait
   */
  append(line: Buffer): Promise<SpoolPosition>;
  /** Seals the open file, if it holds anything, once no line waits. Never throws. */
  seal(): Promise<void>;
  /** Writes the waiting lines, seals the file and refuses further lines. */
  close(): Promise<void>;
  stats(): SpoolStats;
}

interface Waiting {
  readonly line: Buffer;
  resolve(position: SpoolPosition): void;
  reject(error: Error): void;
}

interface OpenFile {
  readonly name: string;
  readonly writer: DiskFile;
  /** Bytes known to be on stable storage, and in the copy where there is one. */
  bytes: number;
  /** Number of the next part of its copy. */
  part: number;
}

/** The lines are on this disk, and not in the copy. */
class NotCopiedError extends Error {
  override readonly name = 'NotCopiedError';
}

const COMMIT_BYTES_MAX = 4 * 1_048_576;
/**
 * On a disk that syncs faster, commits of a few lines each, and transactions that count them, would cost more CPU than the lines: without a
 * pause 45 % more at 4,000 events a second, with this pause 2 %. A longer pause keeps a few dozen connections waiting.
 */
const COMMIT_EVERY_MS = 2;

/** Opens the spool of a worker index; files that a killed process left open are sealed first. */
export function openSpool(options: SpoolOptions): Spool {
  makeFolder(options.dir);
  const deadLetters = options.deadLetters ?? openDeadLetters(join(options.dir, '..', DEAD_LETTERS_FOLDER), options.log);
  const recovered = recoverOpenFiles(options.dir, (found) => deadLetters.recordTornEnd(found));
  if (recovered.length > 0) options.log.event('spool.recovered', { recovered: recovered.length });
  return new DiskSpool(options);
}

class DiskSpool implements Spool {
  private readonly options: SpoolOptions;
  private readonly fileBytesMax: number;
  private readonly queueBytesMax: number;
  private readonly createFile: CreateDiskFile;
  private queue: Waiting[] = [];
  private queuedBytes = 0;
  private file: OpenFile | null = null;
  private lastName: string | null = null;
  private sealTimer: NodeJS.Timeout | null = null;
  private sealWanted = false;
  private running: Promise<void> | null = null;
  /** The file that is being sealed. */
  private sealing: Promise<void> = Promise.resolve();
  private closed = false;
  private commitBeganMs = Number.NEGATIVE_INFINITY;
  private endPause: (() => void) | null = null;
  /** Since when the batch that is being written waits. */
  private commitSinceMs: number | null = null;
  private failedAppends = 0;
  private brokenFiles = 0;
  private failing = false;
  private copyFailing = false;

  constructor(options: SpoolOptions) {
    this.options = options;
    this.fileBytesMax = options.fileBytesMax ?? 8 * 1_048_576;
    this.queueBytesMax = options.queueBytesMax ?? 32 * 1_048_576;
    this.createFile = options.createFile ?? createDiskFile;
  }

  append(line: Buffer): Promise<SpoolPosition> {
    if (this.closed)
      return Promise.reject(new PlacardError('unavailable', 'The server is stopping; send the event again.'));
    if (this.queuedBytes + line.length > this.queueBytesMax) {
      this.failedAppends += 1;
      return Promise.reject(
        new PlacardError('overloaded', 'Too many events wait for the disk; send it again in a moment.'),
      );
    }
    this.queuedBytes += line.length;
    return new Promise((resolve, reject) => {
      this.queue.push({ line, resolve, reject });
      this.kick();
    });
  }

  async seal(): Promise<void> {
    this.sealWanted = true;
    this.kick();
    while (this.running !== null) await this.running;
    await this.sealing;
  }

  async close(): Promise<void> {
    this.closed = true;
    await this.seal();
  }

  stats(): SpoolStats {
    const { queuedBytes, failedAppends, failing, copyFailing, brokenFiles } = this;
    const waitedMs = this.commitSinceMs === null ? 0 : performance.now() - this.commitSinceMs;
    return { queuedBytes, waitedMs, failedAppends, failing, copyFailing, brokenFiles };
  }

  private kick(): void {
    if (this.sealWanted) this.endPause?.();
    this.running ??= this.run().finally(() => {
      this.running = null;
      if (this.queue.length > 0 || this.sealWanted) this.kick();
    });
  }

  /** Every write and sync of this spool runs here, one after the other. */
  private async run(): Promise<void> {
    while (this.queue.length > 0 || this.sealWanted) {
      if (this.queue.length > 0) {
        await this.pause();
        this.commitBeganMs = performance.now();
        await this.commit(this.dequeueBatch());
      }
      if (this.sealWanted || (this.file !== null && this.file.bytes >= this.fileBytesMax)) {
        this.sealWanted = false;
        // One at a time, so that renames do not pile up on a slow disk.
        await this.sealing;
        this.sealFile();
      }
    }
  }

  /** Waits until the next commit may begin: further lines join it. */
  private async pause(): Promise<void> {
    const waitMs = this.commitBeganMs + (this.options.commitEveryMs ?? COMMIT_EVERY_MS) - performance.now();
    if (waitMs <= 0 || this.sealWanted) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, waitMs);
      this.endPause = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.endPause = null;
  }

  private dequeueBatch(): Waiting[] {
    let bytes = 0;
    let count = 0;
    while (
      count < this.queue.length &&
      (count === 0 || bytes + (this.queue[count]?.line.length ?? 0) <= COMMIT_BYTES_MAX)
    ) {
      bytes += this.queue[count]?.line.length ?? 0;
      count += 1;
    }
    return this.queue.splice(0, count);
  }

  private async commit(batch: Waiting[]): Promise<void> {
    const bytes = Buffer.concat(batch.map((one) => one.line));
    this.commitSinceMs = performance.now();
    try {
      const file = (this.file ??= await this.openFile());
      await this.writeAndCopy(file, bytes);
      this.failing = false;
      this.copyFailing = false;
      const name = `${this.options.workerIndex}/${file.name}`;
      for (const one of batch) {
        const offset = file.bytes;
        file.bytes += one.line.length;
        one.resolve({ file: name, offset, end: file.bytes });
      }
    } catch (cause) {
      this.copyFailing = cause instanceof NotCopiedError;
      this.failing = !this.copyFailing;
      this.failedAppends += batch.length;
      this.options.log.event('spool.write_failed', { err: cause, events: batch.length });
      const error = new PlacardError('unavailable', 'The event could not be stored; send it again.', { cause });
      for (const one of batch) one.reject(error);
    } finally {
      this.queuedBytes -= bytes.length;
      this.commitSinceMs = null;
    }
  }

  /** Throws when the bytes are not on stable storage, or not in the copy. */
  private async writeAndCopy(file: OpenFile, bytes: Buffer): Promise<void> {
    const { copies, workerIndex } = this.options;
    if (copies === undefined) return this.writeAndSync(file, bytes);
    const part = { file: `${workerIndex}/${file.name}`, part: file.part, offset: file.bytes, bytes };
    file.part += 1;
    const copying = copies.append(part);
    copying.catch(() => undefined);
    await this.writeAndSync(file, bytes);
    const isCopied = await copying.catch(async (cause: Error) => {
      await file.writer.truncate(file.bytes).catch(() => this.abandonFile());
      throw new NotCopiedError('The copy of a spool file is late, or cannot be written', { cause });
    });
    if (isCopied) return;
    await file.writer.truncate(file.bytes).catch(() => undefined);
    await this.abandonFile();
    throw new NotCopiedError('Another machine has taken the spool file over: this one was silent for too long');
  }

  /** Throws when the bytes are not on stable storage; they are then outside of the file's counted length. */
  private async writeAndSync(file: OpenFile, bytes: Buffer): Promise<void> {
    let written: number;
    try {
      written = await file.writer.write(bytes, file.bytes);
      if (written !== bytes.length) throw new Error(`short write: ${written} of ${bytes.length} bytes`);
    } catch (error) {
      await file.writer.truncate(file.bytes).catch(() => this.abandonFile());
      throw error;
    }
    try {
      await file.writer.sync();
    } catch (error) {
      // After a failed sync the kernel may have dropped the pages and report success for the next sync: never use this file again.
      await file.writer.truncate(file.bytes).catch(() => undefined);
      await this.abandonFile();
      throw error;
    }
  }

  private async openFile(): Promise<OpenFile> {
    const name = newSpoolFileName(this.options.nowMs(), this.lastName);
    this.lastName = name;
    const writer = await this.createFile(spoolFilePath(this.options.dir, name, 'open', 0), this.options.dir);
    const { sealAfterMs = 1_000, isSealDue = () => true } = this.options;
    const openedMs = performance.now();
    this.sealTimer = setInterval(() => {
      if (!isSealDue(performance.now() - openedMs)) return;
      this.sealWanted = true;
      this.kick();
    }, sealAfterMs).unref();
    return { name, writer, bytes: 0, part: 0 };
  }

  private async abandonFile(): Promise<void> {
    this.brokenFiles += 1;
    await this.sealing;
    this.sealFile();
    await this.sealing;
  }

  /** Lines that come meanwhile go to another file: a rename may wait for the disk as long as a sync. */
  private sealFile(): void {
    const { file } = this;
    if (file === null) return;
    this.file = null;
    if (this.sealTimer !== null) clearInterval(this.sealTimer);
    this.sealing = this.closeAndRename(file);
  }

  /** Never throws. */
  private async closeAndRename(file: OpenFile): Promise<void> {
    await file.writer.close().catch(() => undefined);
    const { dir } = this.options;
    try {
      const to = spoolFilePath(dir, file.name, 'sealed', file.bytes);
      await rename(spoolFilePath(dir, file.name, 'open', 0), to);
      this.options.onSealed?.();
    } catch (error) {
      // It stays `.open`, and is sealed when a process next opens the worker index.
      this.options.log.event('spool.seal_failed', { err: error, spoolFile: file.name });
    }
  }
}
