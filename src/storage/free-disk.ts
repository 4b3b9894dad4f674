import { mkdir, statfs } from 'node:fs/promises';

/** Space of the file system that holds a folder, in bytes. */
export interface DiskSpace {
  /** The space that this process may still use: blocks that are reserved for root do not count. */
  readonly freeBytes: number;
  readonly totalBytes: number;
}

/** Reads the free space of the file system that holds `dir`; makes the folder when it is missing. @throws what the file system says */
export async function readDiskSpace(dir: string): Promise<DiskSpace> {
  const about = await statfs(dir).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    await mkdir(dir, { recursive: true });
    return statfs(dir);
  });
  return { freeBytes: about.bavail * about.bsize, totalBytes: about.blocks * about.bsize };
}
