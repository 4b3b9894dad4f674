import { join } from 'node:path';
import { copyBack, walkFolder } from './backup-files.ts';
import type { BackupPart } from './part.ts';

/** Folders that are copied as they are. Names of their files never change their meaning, or the files only grow. */
const FOLDERS = ['assets', 'audit', 'reports'];
/** Files that a process is still writing. */
const UNFINISHED = /\.tmp$/;

/** Assets, signed heads of the audit log, finished reports. */
export const filesPart: BackupPart = {
  name: 'files',
  needsStillness: false,
  files: /^files\/(?:assets|audit|reports)\/[\w./-]+$/,
  folders: null,
  async write({ dataDir, writer }) {
    for (const folder of FOLDERS)
      for await (const { path, isFolder } of walkFolder(join(dataDir, folder))) {
        if (isFolder || UNFINISHED.test(path)) continue;
        await writer.copy(`files/${folder}/${path}`, { path: join(dataDir, folder, path) }).catch(ignoreMissing);
      }
  },
  restore: (target) => copyBack(target, { prefix: 'files/', to: target.dataDir }),
};

/** It was deleted since the folder was read. */
function ignoreMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error;
}
