import { createHash } from 'node:crypto';
import { mkdir, open, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { PlacardError } from '../../domain/errors.ts';

/** A whole file that waits to appear under its name. */
export interface StagedFile {
  readonly bytes: number;
  /** 64 hex digits. */
  readonly sha256: string;
  /** Puts it under its name in one step, in place of an earlier file. @throws PlacardError `unavailable`, `disk_space_low` */
  commit(): Promise<void>;
  /** Forgets it. Never rejects. */
  discard(): Promise<void>;
}

/**
 * Where exported files go: a folder or a bucket. A file appears as a whole or not at all. Names are relative paths that this
 * installation makes from numbers, dates and words of its own.
 *
 * The methods throw PlacardError `unavailable` when the target cannot be reached or refuses, `disk_space_low` when a disk is full.
 */
export interface ExportTarget {
  /** For people: the folder, or the address of the bucket. */
  readonly title: string;
  /** A small file; null when there is none. */
  read(name: string): Promise<Buffer | null>;
  exists(name: string): Promise<boolean>;
  /** Writes a small file in one step, in place of an earlier one. */
  write(name: string, content: string): Promise<void>;
  /** Collects the bytes of a file on a disk, synced. Errors of `chunks` are passed on. */
  stage(name: string, chunks: AsyncIterable<Buffer>): Promise<StagedFile>;
  /** Deletes a file; one that is not there is fine. */
  remove(name: string): Promise<void>;
}

/** Largest small file, in bytes: a manifest of some thousand files. */
export const SMALL_FILE_BYTES_MAX = 8_000_000;

const NAME = /^(?:[\w=-][\w=.-]{0,99}\/){0,9}[\w=-][\w=.-]{0,99}$/;

/** The name. @throws RangeError for one that could leave the target */
export function requireExportName(name: string): string {
  if (!NAME.test(name)) throw new RangeError(`"${name}" is not a name of an exported file`);
  return name;
}

/** Writes a file and syncs it. @throws errors of the disk as `explainDiskError`, those of `chunks` as they are */
export async function writeSynced(
  path: string,
  chunks: AsyncIterable<Buffer>,
): Promise<{ readonly bytes: number; readonly sha256: string }> {
  const hash = createHash('sha256');
  let bytes = 0;
  const handle = await onDisk(path, async () => {
    await mkdir(dirname(path), { recursive: true, mode: 0o750 });
    return open(path, 'w', 0o640);
  });
  try {
    for await (const chunk of chunks) {
      hash.update(chunk);
      bytes += chunk.length;
      await onDisk(path, () => handle.appendFile(chunk));
    }
    await onDisk(path, () => handle.sync());
  } finally {
    await handle.close();
  }
  return { bytes, sha256: hash.digest('hex') };
}

/** Makes the entries of a folder durable. */
export async function syncEntries(dir: string): Promise<void> {
  const handle: FileHandle = await open(dir, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Runs work on the disk. @throws PlacardError `disk_space_low` when it is full, `unavailable` for any other error of it */
export async function onDisk<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code ?? 'unknown';
    if (code === 'ENOSPC' || code === 'EDQUOT')
      throw new PlacardError('disk_space_low', `The disk of ${dirname(path)} is full.`, { cause });
    throw new PlacardError('unavailable', `The folder ${dirname(path)} cannot be used (${code}).`, { cause });
  }
}
