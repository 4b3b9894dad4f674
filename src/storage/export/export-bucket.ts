import { createHash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { Bucket, type BucketOptions } from '../bucket.ts';
import { refused } from '../bucket-errors.ts';
import {
  type ExportTarget,
  requireExportName,
  SMALL_FILE_BYTES_MAX,
  type StagedFile,
  writeSynced,
} from './export-target.ts';

/** A bucket, and the file of this machine that holds what is uploaded next. */
export interface ExportBucketOptions extends BucketOptions {
  /** Its path. One at a time writes it; what a killed process leaves there is overwritten. */
  readonly stagingFile: string;
}

/** Opens a bucket of exported files. An object appears with its last part. */
export function openExportBucket(options: ExportBucketOptions): ExportTarget {
  const bucket = new Bucket(options);
  const aside = options.stagingFile;
  return {
    title: options.url,
    async read(name) {
      const found = await bucket.read(requireExportName(name));
      if (found === null) return null;
      const chunks: Buffer[] = [];
      let bytes = 0;
      for await (const chunk of found.body as AsyncIterable<Buffer>) {
        bytes += chunk.length;
        if (bytes > SMALL_FILE_BYTES_MAX) throw refused(`${name} is longer than it was written`);
        chunks.push(chunk);
      }
      return Buffer.concat(chunks);
    },
    exists: async (name) => (await bucket.sizeOf(requireExportName(name))) !== null,
    write(name, content) {
      const bytes = new Uint8Array(Buffer.from(content));
      const hash = createHash('sha256').update(bytes).digest('hex');
      return bucket.write(requireExportName(name), bytes, { hash, contentType: 'application/json' });
    },
    async stage(name, chunks): Promise<StagedFile> {
      requireExportName(name);
      const discard = async (): Promise<void> => {
        await rm(aside, { force: true }).catch(() => undefined);
      };
      try {
        const written = await writeSynced(aside, chunks);
        const object = { hash: written.sha256, contentType: 'application/octet-stream' };
        const commit = async (): Promise<void> => {
          await bucket.writeFile(name, aside, object);
          await discard();
        };
        return { ...written, commit, discard };
      } catch (error) {
        await discard();
        throw error;
      }
    },
    remove: (name) => bucket.remove(requireExportName(name)),
  };
}
