import { readFile, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';

const PICTURE_BYTES_MAX = 50 * 1_024 * 1_024;

/** A picture of a folder; null: there is none. Names come from files and databases of strangers: a path of several parts names none. */
export async function readPicture(folder: string | null, name: string): Promise<Buffer | null> {
  if (folder === null || basename(name) !== name || name.startsWith('.')) return null;
  const path = join(folder, name);
  const found = await stat(path).catch(() => null);
  return found?.isFile() === true && found.size <= PICTURE_BYTES_MAX ? readFile(path) : null;
}
