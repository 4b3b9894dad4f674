import { open } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { closeSync, fsyncSync, openSync } from 'node:fs';

/** A file that is written at positions, as spool and ledger use it. Tests pass one that fails on purpose. */
export interface DiskFile {
  /** Writes at a position and returns how many bytes it wrote: on a full disk fewer than given, without an error. */
  write(bytes: Buffer, position: number): Promise<number>;
  /** Resolves when all bytes written before are on stable storage. */
  sync(): Promise<void>;
  truncate(bytes: number): Promise<void>;
  close(): Promise<void>;
}

/** Makes a new file. Its entry in its folder is on stable storage when its first sync resolves. */
export type CreateDiskFile = (path: string, dir: string) => Promise<DiskFile>;

/** Files on the local disk. */
export const createDiskFile: CreateDiskFile = async (path, dir) => {
  const handle = await open(path, 'wx', 0o600);
  // Beside the first write and sync: one wait for the disk, not two.
  const inFolder = syncFolder(dir);
  inFolder.catch(() => undefined);
  return diskFile(handle, inFolder);
};

function diskFile(handle: FileHandle, inFolder: Promise<void>): DiskFile {
  return {
    write: async (bytes, position) => (await handle.write(bytes, 0, bytes.length, position)).bytesWritten,
    sync: async () => {
      await Promise.all([handle.datasync(), inFolder]);
    },
    truncate: (bytes) => handle.truncate(bytes),
    close: () => handle.close(),
  };
}

/** Makes the entries of a folder (new, renamed and deleted files) survive a power cut. The event loop runs on meanwhile. */
export async function syncFolder(dir: string): Promise<void> {
  const folder = await open(dir, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/** As `syncFolder`, but blocks the event loop: for steps of a start, and for rare ones that must not be interleaved. */
export function syncFolderNow(dir: string): void {
  const fd = openSync(dir, 'r');
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
