import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { link, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { syncFolder } from '../../storage/disk-file.ts';
import type { SpoolFile } from '../spool/spool-files.ts';
import { deleteFile, isMissing } from './ship-batch.ts';

/** In the folder of a batch: the files that it consists of. The first shipper that prepares the batch writes it, whole or not at all. */
const LIST_FILE = 'files.json';
const listSchema = z.array(z.string());

/** The files of a batch, `w<n>/<file id>`; `none`: it was not tried yet. */
export type BatchList = ReadonlySet<string> | 'none' | 'damaged';

/** Reads the list of a batch. */
export function readList(folder: string): BatchList {
  let text: string;
  try {
    text = readFileSync(join(folder, LIST_FILE), 'utf8');
  } catch (error) {
    if (isMissing(error)) return 'none';
    throw error;
  }
  try {
    return new Set(listSchema.parse(JSON.parse(text)));
  } catch {
    return 'damaged';
  }
}

/** Whether a file belongs to the batch. Its bytes may have changed since it was listed: its id has not. */
export function isListed(list: BatchList, file: SpoolFile): boolean {
  return typeof list === 'string' || list.has(nameOf(file));
}

/** Errors of file systems without hard links. */
const NO_LINKS: ReadonlySet<string | undefined> = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS']);

/** Puts the list of a batch on stable storage, unless there is one. @param linkFile for tests: fails as some file systems do */
export async function writeList(folder: string, files: readonly SpoolFile[], linkFile = link): Promise<void> {
  if (readList(folder) !== 'none') return;
  const aside = join(folder, `${randomUUID()}.tmp`);
  const list = join(folder, LIST_FILE);
  try {
    await writeFile(aside, JSON.stringify(files.map(nameOf)), { mode: 0o600, flag: 'wx', flush: true });
    await linkFile(aside, list);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // Without links, a rename replaces a list that another shipper writes in the same instant. The lease makes that all but impossible.
    if (NO_LINKS.has(code)) await rename(aside, list);
    // Another shipper was first: its list holds.
    else if (code !== 'EEXIST') throw error;
  } finally {
    await deleteFile(aside);
  }
  await syncFolder(folder);
}

/** Deletes the list of a batch. */
export async function deleteList(folder: string): Promise<void> {
  await deleteFile(join(folder, LIST_FILE));
}

function nameOf({ folder, fileId }: SpoolFile): string {
  return `${folder}/${fileId}`;
}
