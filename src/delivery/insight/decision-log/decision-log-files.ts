import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { appendFile, mkdir, readdir, readFile, rename, rm, stat, truncate, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { createZstdCompress, zstdDecompress } from 'node:zlib';
import type { Log } from '../../../domain/log/log.ts';
import { splitLines } from '../../../domain/text/byte-lines.ts';
import type { WorkspaceSnapshot } from '../../../domain/booking/snapshot.ts';
import type { SnapshotLists } from '../../decision/index/snapshot-lists.ts';
import { parseSnapshots, writeSnapshotText } from '../../snapshot/snapshot-file.ts';

/** The path of the log in the data folder. */
export const DECISIONS_FOLDER = 'decisions';
const SNAPSHOTS_FOLDER = 'snapshots';
const FILE_NAME = /^(\d{13})-\d{1,3}\.ndjson$/;
const FILE_BYTES_MAX = 16 * 1_024 * 1_024;
const FILE_MS_MAX = 3_600_000;
/** A write that has begun before a log file is full ends long before this. */
const LAST_WRITE_MS = 300_000;
const SWEEP_MS = 600_000;
/** A worker reads the folder again when it has added this share of its bound, because others add as well. */
const ADDED_SHARE_MAX = 1 / 100;
/** A full folder is emptied down to this share. When too little can be deleted, the next attempt waits until this share has been added. */
const FULL_SHARE = 0.95;
const RETRY_MS = 60_000;
/** A new snapshot has no record that points to it yet. */
const YOUNG_MS = 600_000;

/** A log file: records in the order in which one worker wrote them. */
export interface DecisionLogFile {
  readonly name: string;
  readonly startedAtMs: number;
  readonly bytes: number;
}

interface Current {
  readonly name: string;
  readonly startedAtMs: number;
  bytes: number;
}

/**
 * The files of one worker's decision log: log files of records, and the snapshots that they point to, named after their content and
 * shared by all workers. A snapshot's modification time is that of the last record that points to it; it is deleted once all log files are
 * younger. All files together stay within the bound, except for the hundredth that each worker may add unseen.
 */
export class DecisionLogFiles {
  readonly #options: FileOptions;
  #current: Current | null = null;
  #sweptAtMs = Number.NEGATIVE_INFINITY;
  #retryAtMs = Number.NEGATIVE_INFINITY;
  #sweeping: Promise<void> | null = null;
  /** The size of the folder at the last sweep, plus what this worker has added since. */
  #bytes = 0;
  #added = 0;
  #saving = 0;

  constructor(options: FileOptions) {
    this.#options = options;
  }

  /** Stores a snapshot unless it exists already. @returns its name; null when there is no space. @throws errors of the file system */
  async saveSnapshot(snapshot: SnapshotLists): Promise<string | null> {
    if (!(await this.#freeSpace(0))) return null;
    const folder = join(this.#options.dir, SNAPSHOTS_FOLDER);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    this.#saving += 1;
    const aside = join(folder, `${process.pid}-${this.#saving}.new`);
    const hash = createHash('sha256');
    try {
      await pipeline(
        hashed(writeSnapshotText([snapshot]), hash),
        createZstdCompress(),
        createWriteStream(aside, { mode: 0o600 }),
      );
      const { size } = await stat(aside);
      if (!(await this.#freeSpace(size))) {
        await rm(aside, { force: true });
        return null;
      }
      this.#add(size);
      const name = hash.digest('hex').slice(0, 32);
      const madeAt = new Date(this.#options.nowMs());
      await utimes(aside, madeAt, madeAt);
      await rename(aside, snapshotPath(this.#options.dir, name));
      return name;
    } catch (error) {
      await rm(aside, { force: true });
      throw error;
    }
  }

  /** Adds records if there is space. @returns false, and adds nothing, when a snapshot that they point to is gone */
  async append(lines: readonly string[], versions: ReadonlySet<string>): Promise<boolean> {
    const { dir, workerIndex, nowMs } = this.#options;
    const text = `${lines.join('\n')}\n`;
    const bytes = lines.length === 0 ? 0 : Buffer.byteLength(text);
    if (!(await this.#freeSpace(bytes)) || bytes === 0) return true;
    const atMs = nowMs();
    const touched = new Date(atMs);
    for (const name of versions) {
      const isThere = await utimes(snapshotPath(dir, name), touched, touched).then(() => true, isAbsent);
      if (!isThere) return false;
    }
    if (this.#current === null || isFull(this.#current, atMs)) {
      await mkdir(dir, { recursive: true, mode: 0o700 });
      this.#current = { name: `${String(atMs).padStart(13, '0')}-${workerIndex}.ndjson`, startedAtMs: atMs, bytes: 0 };
    }
    const path = join(dir, this.#current.name);
    try {
      await appendFile(path, text, { mode: 0o600 });
    } catch (error) {
      // A full disk takes a part of the lines, to which the next ones must not be joined.
      await truncate(path, this.#current.bytes).catch(() => {
        this.#current = null;
      });
      throw error;
    }
    this.#current.bytes += bytes;
    this.#add(bytes);
    return true;
  }

  #add(bytes: number): void {
    this.#bytes += bytes;
    this.#added += bytes;
  }

  /** @returns whether there is space for this size, after deleting the oldest if necessary. @throws errors of the file system */
  async #freeSpace(bytes: number): Promise<boolean> {
    const { bytesMax, nowMs } = this.#options;
    const atMs = nowMs();
    const isDue = atMs - this.#sweptAtMs >= SWEEP_MS || this.#added >= bytesMax * ADDED_SHARE_MAX;
    if (isDue || (this.#bytes + bytes > bytesMax && atMs >= this.#retryAtMs))
      this.#sweeping ??= this.#sweep(bytes).finally(() => (this.#sweeping = null));
    await this.#sweeping;
    return this.#bytes + bytes <= bytesMax;
  }

  /** Deletes files that are too old, the oldest ones until this size fits, and snapshots that no record points to. */
  async #sweep(neededBytes: number): Promise<void> {
    const { dir, retentionMs, bytesMax, nowMs, log } = this.#options;
    const atMs = nowMs();
    this.#sweptAtMs = atMs;
    this.#added = 0;
    const logFiles = await listLogFiles(dir);
    const snapshots = await listSnapshots(dir);
    let bytes = [...logFiles, ...snapshots].reduce((sum, file) => sum + file.bytes, 0);
    const emptiedTo = bytesMax * FULL_SHARE - neededBytes;
    // Nothing is deleted for a size beyond the whole bound.
    const mostBytes = bytes + neededBytes > bytesMax && emptiedTo > 0 ? emptiedTo : bytesMax;
    for (;;) {
      const fromMs = Math.min(logFiles[0]?.startedAtMs ?? Number.POSITIVE_INFINITY, atMs - YOUNG_MS);
      for (const unused of snapshots.filter((one) => one.usedAtMs < fromMs)) {
        await rm(join(dir, SNAPSHOTS_FOLDER, unused.name), { force: true });
        bytes -= unused.bytes;
        snapshots.splice(snapshots.indexOf(unused), 1);
      }
      const [oldest] = logFiles;
      if (oldest === undefined || (bytes <= mostBytes && atMs - oldest.startedAtMs <= retentionMs + FILE_MS_MAX)) break;
      logFiles.shift();
      bytes -= oldest.bytes;
      await rm(join(dir, oldest.name), { force: true });
    }
    // This or another worker deleted it: the next record begins a new log file instead of recreating the old one.
    if (logFiles.every(({ name }) => name !== this.#current?.name)) this.#current = null;
    this.#bytes = bytes;
    if (bytes + neededBytes <= bytesMax) return;
    this.#retryAtMs = atMs + RETRY_MS;
    log.event('decision_log.full', { bytes, bytesMax });
  }
}

/** The bounds of the files of a log. */
export interface FileOptions {
  readonly dir: string;
  readonly workerIndex: number;
  readonly retentionMs: number;
  readonly bytesMax: number;
  readonly nowMs: () => number;
  readonly log: Log;
}

/** The log files, oldest first; empty when there is no log. */
export async function listLogFiles(dir: string): Promise<DecisionLogFile[]> {
  const names = (await namesIn(dir)).filter((name) => FILE_NAME.test(name)).sort();
  const found = await Promise.all(
    names.map(async (name) => {
      const bytes = await sizeOf(join(dir, name));
      return bytes === null ? [] : [{ name, startedAtMs: Number(FILE_NAME.exec(name)?.[1]), bytes: bytes.size }];
    }),
  );
  return found.flat();
}

/** The log files that nothing is added to any more: their time is over, or their worker has begun another one. */
export async function listClosedLogFiles(dir: string, nowMs: number): Promise<DecisionLogFile[]> {
  const files = await listLogFiles(dir);
  const workerOf = ({ name }: DecisionLogFile): string => name.slice(name.indexOf('-'));
  return files.filter(
    (file, at) =>
      nowMs - file.startedAtMs >= FILE_MS_MAX + LAST_WRITE_MS ||
      files
        .slice(at + 1)
        .some((later) => workerOf(later) === workerOf(file) && nowMs - later.startedAtMs >= LAST_WRITE_MS),
  );
}

/** The lines of a log file. @throws errors of the file system */
export function readLogLines(file: string): AsyncIterable<string> {
  const tooLong = (line: number): Error => new Error(`Line ${line} of ${file} is longer than any valid line.`);
  return splitLines(createReadStream(file), { lineBytesMax: FILE_BYTES_MAX, tooLong });
}

/** A stored snapshot; null when it is gone. @throws Error when its content does not match its name */
export async function readSavedSnapshot(dir: string, name: string): Promise<WorkspaceSnapshot | null> {
  const packed = await readFile(snapshotPath(dir, name)).catch(noneWhereAbsent);
  if (packed === null) return null;
  const text = await unpack(packed);
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 32);
  if (hash !== name) throw new Error(`The snapshot ${name} is damaged: its content is ${hash}.`);
  return parseSnapshots(text, name)[0] ?? null;
}

const unpack = promisify(zstdDecompress);

function snapshotPath(dir: string, name: string): string {
  return join(dir, SNAPSHOTS_FOLDER, `${name}.ndjson.zst`);
}

function isFull({ bytes, startedAtMs }: Current, atMs: number): boolean {
  return bytes >= FILE_BYTES_MAX || atMs - startedAtMs >= FILE_MS_MAX;
}

async function* hashed(chunks: AsyncIterable<string>, hash: ReturnType<typeof createHash>): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) {
    const bytes = Buffer.from(chunk);
    hash.update(bytes);
    yield bytes;
  }
}

async function listSnapshots(dir: string): Promise<{ name: string; bytes: number; usedAtMs: number }[]> {
  const folder = join(dir, SNAPSHOTS_FOLDER);
  const found = await Promise.all(
    (await namesIn(folder)).map(async (name) => {
      const info = await sizeOf(join(folder, name));
      return info === null ? [] : [{ name, bytes: info.size, usedAtMs: info.mtimeMs }];
    }),
  );
  return found.flat();
}

async function namesIn(dir: string): Promise<string[]> {
  return (await readdir(dir).catch(noneWhereAbsent)) ?? [];
}

/** Another worker may have removed it meanwhile. */
async function sizeOf(file: string): Promise<{ size: number; mtimeMs: number } | null> {
  return stat(file).catch(noneWhereAbsent);
}

function noneWhereAbsent(error: unknown): null {
  isAbsent(error);
  return null;
}

/** @returns false for a missing file. @throws any other error */
function isAbsent(error: unknown): false {
  if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  return false;
}
