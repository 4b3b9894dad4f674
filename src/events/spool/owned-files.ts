import { rm } from 'node:fs/promises';
import type { SpoolCopies } from '../../storage/copies/spool-copies.ts';
import { countedName } from './event-lines.ts';
import type { SpoolFile } from './spool-files.ts';
import { deleteMark } from './uncounted-marks.ts';

type Ownership = Pick<SpoolCopies, 'findLost' | 'hold' | 'drop'>;

/** Another machine has taken over files of a batch: it ships them. The batch is tried again without them. */
class TakenFilesError extends Error {
  override readonly name = 'TakenFilesError';
}

/**
 * Whether this machine still owns a sealed file. One that another machine has taken over while this one was silent is counted and shipped
 * there, and deleted here.
 */
export async function ownsFile(copies: Ownership | null, file: SpoolFile): Promise<boolean> {
  if (copies === null) return true;
  const lost = await copies.findLost([countedName(file)]);
  if (lost.size === 0) return true;
  await rm(file.path, { force: true });
  deleteMark(file);
  return false;
}

/** Call it right before every insert: nobody takes the files over while it lasts. @throws TakenFilesError when files of other machines were among them; these are deleted now */
export async function requireOwned(copies: Ownership | null, files: readonly SpoolFile[]): Promise<void> {
  if (copies === null) return;
  const lost = await copies.hold(files.map(countedName));
  if (lost.size === 0) return;
  for (const file of files) if (lost.has(countedName(file))) await rm(file.path, { force: true });
  throw new TakenFilesError(`Another machine has taken over ${lost.size} spool files`);
}

/** The analytics store has the events of these files: their copies go before they do. */
export async function dropCopies(copies: Ownership | null, files: readonly SpoolFile[]): Promise<void> {
  await copies?.drop(files.map(countedName));
}
