import { closeSync, constants, openSync, readdirSync, readSync, statSync, unlinkSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { END, RECORD_BYTES, RecordBuffer } from './claim-record.ts';
import type { ClaimRecord } from './claim-record.ts';

/** Most records in one file; then the next file begins. */
export const FILE_RECORDS_MAX = 65_536;
const READ_RECORDS = 1_024;
/** The age at which no worker needs a file any more: its last record is older than any retry. */
const FILE_KEPT_MS = 30_000;
/** Files that one append may pass through: each worker ends a file at most once. */
const FILES_PER_APPEND_MAX = 16;
const FILE_NAME = /^claims-(\d{1,12})$/;

/** Receives each record once, in the same order at all workers. */
export type OnRecord = (records: RecordBuffer, at: number) => void;

/**
 * The claims of all workers of a machine in one order. A record is appended with one `write` (O_APPEND: the kernel orders the appends of
 * several processes), then everything up to it is read: the first record has the claim. Nothing is synced: claims are useless after a power
 * cut.
 *
 * A file ends with the first record that says so, or that is incomplete (a worker died or the disk was full in the middle of it). Records
 * after that do not count: their writers append them to the next file.
 */
export class ClaimLog {
  readonly #dir: string;
  readonly #onRecord: OnRecord;
  readonly #nowMs: () => number;
  readonly #own = new RecordBuffer(1);
  readonly #chunk = new RecordBuffer(READ_RECORDS);
  #number: number;
  #file: number;
  #position = 0;

  /** Opens the newest existing file of a folder, or creates the first. @throws Error of the file system */
  constructor(options: { readonly dir: string; readonly onRecord: OnRecord; readonly nowMs: () => number }) {
    this.#dir = options.dir;
    this.#onRecord = options.onRecord;
    this.#nowMs = options.nowMs;
    this.#number = this.#numbers().at(-1) ?? 1;
    this.#file = this.#open(this.#number);
  }

  /** Appends a record and delivers everything up to it. @throws Error when the disk refuses: then the record may or may not count */
  append(record: ClaimRecord): void {
    for (let files = 0; files < FILES_PER_APPEND_MAX; files += 1) {
      if (this.#position >= FILE_RECORDS_MAX * RECORD_BYTES) this.#write({ ...record, kind: END });
      this.#write(record);
      if (this.#readTo(record)) return;
      this.#openNext();
    }
    throw new Error('The log of claims ends again and again');
  }

  /** Delivers the records of other workers. */
  catchUp(): void {
    for (let files = 0; files < FILES_PER_APPEND_MAX && !this.#readTo(null); files += 1) this.#openNext();
  }

  close(): void {
    closeSync(this.#file);
  }

  #write(record: ClaimRecord): void {
    this.#own.write(0, record);
    const written = writeSync(this.#file, this.#own.bytes, 0, RECORD_BYTES);
    if (written !== RECORD_BYTES) throw new Error('The disk took a part of a claim');
  }

  /** Reads on to a record of ours, or (null) to the end; false when the file ended before. @throws Error when ours is missing */
  #readTo(own: ClaimRecord | null): boolean {
    let found = own === null;
    for (;;) {
      const bytes = readSync(this.#file, this.#chunk.bytes, 0, READ_RECORDS * RECORD_BYTES, this.#position);
      const records = Math.floor(bytes / RECORD_BYTES);
      for (let at = 0; at < records; at += 1) {
        if (!this.#chunk.isWhole(at) || this.#chunk.kind(at) === END) return false;
        this.#position += RECORD_BYTES;
        this.#onRecord(this.#chunk, at);
        if (own !== null && this.#chunk.isClaim(at, own.claim.owner, own.claim.sequence)) found = true;
      }
      if (records < READ_RECORDS) break;
    }
    if (!found) throw new Error('A claim is missing in the log');
    return true;
  }

  /**
   * The next existing file, else a new one. Files are removed in order, and never the newest, so that no worker continues in a removed one.
   */
  #openNext(): void {
    const number = this.#numbers().find((one) => one > this.#number) ?? this.#number + 1;
    const file = this.#open(number);
    closeSync(this.#file);
    this.#file = file;
    this.#number = number;
    this.#position = 0;
    this.#removeOld();
  }

  #open(number: number): number {
    return openSync(this.#path(number), constants.O_RDWR | constants.O_CREAT | constants.O_APPEND, 0o600);
  }

  #removeOld(): void {
    for (const number of this.#numbers()) {
      if (number >= this.#number) return;
      try {
        if (statSync(this.#path(number)).mtimeMs < this.#nowMs() - FILE_KEPT_MS) unlinkSync(this.#path(number));
      } catch {
        // Another worker removed it.
      }
    }
  }

  #numbers(): number[] {
    return readdirSync(this.#dir)
      .flatMap((name) => FILE_NAME.exec(name)?.[1] ?? [])
      .map(Number)
      .sort((one, other) => one - other);
  }

  #path(number: number): string {
    return join(this.#dir, `claims-${number}`);
  }
}
