import { unlink } from 'node:fs/promises';
import type { SpoolFile } from '../spool/spool-files.ts';

/**
 * Counted spool files that go to the analytics store in one insert. Its files are fixed on stable storage before the first try: every
 * retry, also after a crash, sends the same rows in the same order under the same token.
 */
export interface ShipBatch {
  /** The folder that holds the batch: `batches` of the spool. */
  readonly dir: string;
  readonly name: string;
  readonly token: string;
  /** In the order of the rows. */
  readonly files: readonly SpoolFile[];
}

const AT_ONCE = 64;

/** Does this to every item, a bounded number at once. */
export async function forAll<T>(items: readonly T[], work: (item: T) => Promise<unknown>): Promise<void> {
  for (let start = 0; start < items.length; start += AT_ONCE)
    await Promise.all(items.slice(start, start + AT_ONCE).map(work));
}

/** Deletes a file that may be gone already. */
export async function deleteFile(path: string): Promise<void> {
  try {
    await unlink(path);
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}

/** Whether a file or folder was not there. */
export function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT';
}
