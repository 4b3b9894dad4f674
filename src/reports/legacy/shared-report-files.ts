import { open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import type { Kysely } from 'kysely';
import type { Database } from '../../storage/sql/schema.ts';
import type { ByteRange } from './byte-range.ts';
import {
  type LocalReportFiles,
  REPORT_FORMATS,
  type ReportFile,
  type ReportFileId,
  type ReportFiles,
  type ReportFileWriter,
  type ReportFormat,
} from './report-files.ts';
import { deleteReportParts, insertReportPart, readReportPart, sizeOfReport } from './shared-report-files.sql.ts';

/** Bytes of a row: small beside what a statement may move, large beside the cost of one. */
const PART_BYTES = 1_048_576;

/**
 * Reports in PostgreSQL, for nodes that share one without a bucket: any core serves what any process made. Written to disk first and copied in
 * parts when complete, so that memory use stays constant.
 */
export class SharedReportFiles implements ReportFiles {
  readonly #sql: Kysely<Database>;
  /** The folder where reports are written; reports from before they were shared stay there. */
  readonly #local: LocalReportFiles;

  constructor(sql: Kysely<Database>, local: LocalReportFiles) {
    this.#sql = sql;
    this.#local = local;
  }

  create(id: ReportFileId, format: ReportFormat): Promise<ReportFileWriter> {
    return this.#local.create(id, format);
  }

  async publish(id: ReportFileId): Promise<void> {
    await this.#local.publish(id);
    for (const format of REPORT_FORMATS) await this.#send(id, format);
    await this.#local.remove(id);
  }

  async remove(id: ReportFileId): Promise<void> {
    await this.#local.remove(id);
    for (const format of REPORT_FORMATS) await deleteReportParts(this.#sql, nameOf(id, format));
  }

  listOlder(beforeMs: number, max: number): Promise<ReportFileId[]> {
    return this.#local.listOlder(beforeMs, max);
  }

  async open(id: ReportFileId, format: ReportFormat): Promise<ReportFile | null> {
    const kept = await this.#local.open(id, format);
    if (kept !== null) return kept;
    const name = nameOf(id, format);
    const sizeBytes = await sizeOfReport(this.#sql, name);
    if (sizeBytes === null) return null;
    return {
      sizeBytes,
      read: (range) => Promise.resolve(Readable.from(this.#parts(name, range ?? { first: 0, last: sizeBytes - 1 }))),
    };
  }

  async *#parts(name: string, { first, last }: ByteRange): AsyncIterable<Buffer> {
    for (let part = Math.floor(first / PART_BYTES); part * PART_BYTES <= last; part += 1) {
      const bytes = await readReportPart(this.#sql, name, part);
      if (bytes === null) throw new Error('The report was deleted while it was read');
      const startsAt = part * PART_BYTES;
      yield bytes.subarray(Math.max(0, first - startsAt), Math.min(bytes.length, last + 1 - startsAt));
    }
  }

  async #send(id: ReportFileId, format: ReportFormat): Promise<void> {
    const file = await open(this.#local.pathOf(id, format), 'r');
    try {
      const { size } = await file.stat();
      await this.#sql.transaction().execute(async (trx) => {
        await deleteReportParts(trx, nameOf(id, format));
        for (let part = 0; part === 0 || part * PART_BYTES < size; part += 1) {
          const content = Buffer.alloc(Math.min(PART_BYTES, size - part * PART_BYTES));
          await file.read(content, 0, content.length, part * PART_BYTES);
          await insertReportPart(trx, { name: nameOf(id, format), part, content });
        }
      });
    } finally {
      await file.close();
    }
  }
}

function nameOf({ token, attempt }: ReportFileId, format: ReportFormat): string {
  return `${token}.${Math.trunc(attempt)}.${format}`;
}
