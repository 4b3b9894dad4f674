import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import type { Bucket } from '../../storage/bucket.ts';
import {
  type LocalReportFiles,
  REPORT_CONTENT_TYPES,
  REPORT_FORMATS,
  type ReportFile,
  type ReportFileId,
  type ReportFiles,
  type ReportFileWriter,
  type ReportFormat,
} from './report-files.ts';

/**
 * Reports in a bucket, as `<token>.<attempt>.<format>`. They are written to disk first and uploaded when complete: memory use stays
 * constant, and the bucket holds only complete reports. Any core can serve them.
 */
export class BucketReportFiles implements ReportFiles {
  readonly #bucket: Bucket;
  /** The folder where reports are written; reports from before the bucket stay there. */
  readonly #local: LocalReportFiles;

  constructor(bucket: Bucket, local: LocalReportFiles) {
    this.#bucket = bucket;
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
    for (const format of REPORT_FORMATS) await this.#bucket.remove(nameOf(id, format));
  }

  listOlder(beforeMs: number, max: number): Promise<ReportFileId[]> {
    return this.#local.listOlder(beforeMs, max);
  }

  async open(id: ReportFileId, format: ReportFormat): Promise<ReportFile | null> {
    const kept = await this.#local.open(id, format);
    if (kept !== null) return kept;
    const sizeBytes = await this.#bucket.sizeOf(nameOf(id, format));
    if (sizeBytes === null) return null;
    return {
      sizeBytes,
      read: async (range) => (await this.#bucket.read(nameOf(id, format), range ?? undefined))?.body ?? null,
    };
  }

  async #send(id: ReportFileId, format: ReportFormat): Promise<void> {
    const path = this.#local.pathOf(id, format);
    const hash = createHash('sha256');
    await pipeline(createReadStream(path), hash);
    const about = { hash: hash.digest('hex'), contentType: REPORT_CONTENT_TYPES[format] };
    await this.#bucket.writeFile(nameOf(id, format), path, about);
  }
}

function nameOf({ token, attempt }: ReportFileId, format: ReportFormat): string {
  return `${token}.${Math.trunc(attempt)}.${format}`;
}
