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

/** Makes a new spool file, whose entry in its folder is on stable storage. */
export type CreateSpoolFile = (path: string, dir: string) => Promise<SpoolFileWriter>;

/** Spool files on the local disk. */
export const createDiskFile: CreateSpoolFile = async (path, dir) => {
  const handle = await open(path, 'wx', 0o600);
  try {
    await syncFolder(dir);
  } catch (error) {
    await handle.close();
    throw error;
  }
  return diskFile(handle);
};

function diskFile(handle: FileHandle): SpoolFileWriter {
  return {
    write: async (bytes, position) => (await handle.write(bytes, 0, bytes.length, position)).bytesWritten,
    sync: () => handle.datasync(),
    truncate: (bytes) => handle.truncate(bytes),
    close: () => handle.close(),
  };
}
