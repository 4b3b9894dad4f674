import { createReadStream, mkdirSync } from 'node:fs';
import { type FileHandle, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { ByteRange } from './byte-range.ts';

/** The two forms of a finished report. */
export const REPORT_FORMATS = ['csv', 'ndjson'] as const;
export type ReportFormat = (typeof REPORT_FORMATS)[number];

/** The content types of the two forms. */
export const REPORT_CONTENT_TYPES: Readonly<Record<ReportFormat, string>> = {
  csv: 'text/csv; charset=utf-8; header=present',
  ndjson: 'application/x-ndjson; charset=utf-8',
};

/** Names one try of one task: each try has files of its own, so a worker that has lost its task cannot write into another's. */
export interface ReportFileId {
  /** Only letters, digits, `-` and `_`. */
  readonly token: string;
  readonly attempt: number;
}

/** A file that is being written; it appears under its name at {@link ReportFiles.publish}. */
export interface ReportFileWriter {
  readonly bytes: number;
  /** Resolves when the operating system has the bytes. */
  write(text: string): Promise<void>;
  /** Flushes to disk and closes. */
  finish(): Promise<void>;
  /** Closes and deletes. */
  discard(): Promise<void>;
}

/** A finished file. */
export interface ReportFile {
  readonly sizeBytes: number;
  /** A stream of its bytes, or of a range of them; null when it was deleted meanwhile. */
  read(range: ByteRange | null): Promise<Readable | null>;
}

/** The store of finished reports; each is complete or absent. */
export interface ReportFiles {
  /** Begins a file, replacing what an earlier run of the same try left. */
  create(id: ReportFileId, format: ReportFormat): Promise<ReportFileWriter>;
  /** Makes the finished files of a try durable, under their names. */
  publish(id: ReportFileId): Promise<void>;
  /** Deletes all files of a try; missing ones are fine. */
  remove(id: ReportFileId): Promise<void>;
  /** Files on this machine that were last written before `beforeMs`, at most `max`: candidates for a clean-up. */
  listOlder(beforeMs: number, max: number): Promise<ReportFileId[]>;
  /** Null when it is missing. */
  open(id: ReportFileId, format: ReportFormat): Promise<ReportFile | null>;
}

const READ_BYTES = 65_536;
const TOKEN = /^[A-Za-z0-9_-]{16,64}$/;
const FILE_NAME = /^([A-Za-z0-9_-]{16,64})\.(\d{1,4})\.(csv|ndjson)(\.part)?$/;

/** Reports on disk: `<dir>/<token>.<attempt>.<format>`. */
export class LocalReportFiles implements ReportFiles {
  readonly #dir: string;

  constructor(dir: string) {
    this.#dir = dir;
    mkdirSync(dir, { recursive: true, mode: 0o700 });
  }

  /** The path of a finished file. */
  pathOf(id: ReportFileId, format: ReportFormat): string {
    if (!TOKEN.test(id.token)) throw new Error('This is not the token of a report');
    return join(this.#dir, `${id.token}.${Math.trunc(id.attempt)}.${format}`);
  }

  /** Begins a file, replacing what an earlier run of the same try left. */
  async create(id: ReportFileId, format: ReportFormat): Promise<ReportFileWriter> {
    const path = `${this.pathOf(id, format)}.part`;
    return new PartWriter(path, await open(path, 'w', 0o600));
  }

  /** Gives finished files their names, and makes that durable. */
  async publish(id: ReportFileId): Promise<void> {
    for (const format of REPORT_FORMATS) await rename(`${this.pathOf(id, format)}.part`, this.pathOf(id, format));
    const folder = await open(this.#dir, 'r');
    try {
      await folder.sync();
    } finally {
      await folder.close();
    }
  }

  /** Deletes all files of a try; missing ones are fine. */
  async remove(id: ReportFileId): Promise<void> {
    for (const format of REPORT_FORMATS) {
      await rm(this.pathOf(id, format), { force: true });
      await rm(`${this.pathOf(id, format)}.part`, { force: true });
    }
  }

  async open(id: ReportFileId, format: ReportFormat): Promise<ReportFile | null> {
    const path = this.pathOf(id, format);
    const about = await stat(path).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return null;
      throw error;
    });
    if (about === null) return null;
    const read = (range: ByteRange | null): Promise<Readable> => {
      const bounds = range === null ? {} : { start: range.first, end: range.last };
      return Promise.resolve(createReadStream(path, { ...bounds, highWaterMark: READ_BYTES }));
    };
    return { sizeBytes: about.size, read };
  }

  async listOlder(beforeMs: number, max: number): Promise<ReportFileId[]> {
    const found: ReportFileId[] = [];
    for (const name of await readdir(this.#dir)) {
      const match = FILE_NAME.exec(name);
      if (match === null || found.length >= max) continue;
      const about = await stat(join(this.#dir, name)).catch(() => null);
      if (about !== null && about.mtimeMs < beforeMs) {
        found.push({ token: match[1] ?? '', attempt: Number(match[2]) });
      }
    }
    return found;
  }
}

class PartWriter implements ReportFileWriter {
  readonly #path: string;
  readonly #file: FileHandle;
  bytes = 0;

  constructor(path: string, file: FileHandle) {
    this.#path = path;
    this.#file = file;
  }

  async write(text: string): Promise<void> {
    const bytes = Buffer.from(text, 'utf8');
    // Unlike `write`, this goes on until all of it is written.
    await this.#file.writeFile(bytes);
    this.bytes += bytes.length;
  }

  async finish(): Promise<void> {
    await this.#file.sync();
    await this.#file.close();
  }

  async discard(): Promise<void> {
    await this.#file.close().catch(() => undefined);
    await rm(this.#path, { force: true });
  }
}
