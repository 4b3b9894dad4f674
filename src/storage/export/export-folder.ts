import { readFile, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import {
  type ExportTarget,
  onDisk,
  requireExportName,
  type StagedFile,
  syncEntries,
  writeSynced,
} from './export-target.ts';

/** Opens a folder of exported files; it is made with the first of them. */
export function openExportFolder(dir: string): ExportTarget {
  const pathOf = (name: string): string => join(dir, requireExportName(name));
  return {
    title: dir,
    read: (name) =>
      onDisk(pathOf(name), () =>
        readFile(pathOf(name)).catch((error: NodeJS.ErrnoException) => {
          if (error.code === 'ENOENT') return null;
          throw error;
        }),
      ),
    exists: (name) =>
      onDisk(pathOf(name), () =>
        stat(pathOf(name)).then(
          () => true,
          (error: NodeJS.ErrnoException) => {
            if (error.code === 'ENOENT') return false;
            throw error;
          },
        ),
      ),
    async write(name, content) {
      const staged = await stageFile(pathOf(name), one(Buffer.from(content)));
      await staged.commit();
    },
    stage: (name, chunks) => stageFile(pathOf(name), chunks),
    remove: (name) => onDisk(pathOf(name), () => rm(pathOf(name), { force: true })),
  };
}

/** The file waits in its own folder, under a name that tools leave out. What a crash leaves is overwritten. */
async function stageFile(path: string, chunks: AsyncIterable<Buffer>): Promise<StagedFile> {
  const aside = join(dirname(path), `.${basename(path)}.tmp`);
  const discard = async (): Promise<void> => {
    await rm(aside, { force: true }).catch(() => undefined);
  };
  try {
    const written = await writeSynced(aside, chunks);
    const commit = (): Promise<void> =>
      onDisk(path, async () => {
        await rename(aside, path);
        await syncEntries(dirname(path));
      });
    return { ...written, commit, discard };
  } catch (error) {
    await discard();
    throw error;
  }
}

async function* one(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}
