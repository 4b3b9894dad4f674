import { open } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { syncFolder } from './spool-files.ts';

/** One open spool file, as the spool uses it. Tests pass one that fails on purpose. */
export interface SpoolFileWriter {
  /** Writes at a position and returns how many bytes it wrote: on a full disk fewer than given, without an error. */
  write(bytes: Buffer, position: number): Promise<number>;
  /** Resolves when all bytes written before are on stable storage. */
  sync(): Promise<void>;
  truncate(bytes: number): Promise<void>;
  close(): Promise<void>;
}

/** Makes a new spool file. Its entry in its folder is on stable storage when its first sync resolves. */
export type CreateSpoolFile = (path: string, dir: string) => Promise<SpoolFileWriter>;

/** Spool files on the local disk. */
export const createDiskFile: CreateSpoolFile = async (path, dir) => {
  const handle = await open(path, 'wx', 0o600);
  // Beside the first write and sync: one wait for the disk, not two.
  const inFolder = syncFolder(dir);
  inFolder.catch(() => undefined);
  return diskFile(handle, inFolder);
};

function diskFile(handle: FileHandle, inFolder: Promise<void>): SpoolFileWriter {
  return {
    write: async (bytes, position) => (await handle.write(bytes, 0, bytes.length, position)).bytesWritten,
    sync: async () => {
      await Promise.all([handle.datasync(), inFolder]);
    },
    truncate: (bytes) => handle.truncate(bytes),
    close: () => handle.close(),
  };
}
