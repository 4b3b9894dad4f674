import { mkdir, open } from 'node:fs/promises';
import { join } from 'node:path';
import { listUncreditedFiles, UNCREDITED_FOLDER } from '../events/activities/uncredited-events.ts';
import { BATCHES_FOLDER } from '../events/shipping/batch-folders.ts';
import { DEAD_LETTERS_FOLDER } from '../events/spool/dead-letters.ts';
import { writeRestoredEpochs } from '../events/recovery/spool-epochs.ts';
import { listSpoolFiles, listWorkerIndexes, type SpoolFile } from '../events/spool/spool-files.ts';
import { type BackupWriter, copyBack, walkFolder } from './backup-files.ts';
import { SHIPPED_MEANWHILE } from './hold-shipping.ts';
import { BackupError } from './manifest.ts';
import type { BackupPart } from './part.ts';

const PREFIX = 'spool/';
/** A file changes its name at most twice while it is copied. */
const TRIES_MAX = 20;
const TAIL_BYTES = 65_536;
const BATCH = /^\d{13}-([0-9a-f]{8})b(?:\.collecting)?$/;
const STATES: readonly SpoolFile['state'][] = ['settled', 'sealed', 'open'];

/**
 * Acknowledged events that the analytics store does not have. Files are listed once, at the cut; each is then copied under whatever name
 * it has: a file that is counted meanwhile holds the same events.
 */
export const spoolPart: BackupPart = {
  name: 'spool',
  needsStillness: true,
  files: /^spool\/(?:(?:uncredited\/)?w\d+|batches\/\d{13}-[0-9a-f]{8}b\/w\d+|dead-letters(?:\/[\w.-]+)*)\/[\w.-]+$/,
  folders: null,
  async write({ dataDir, writer }) {
    const spoolDir = join(dataDir, 'spool');
    // First: what was credited meanwhile is in a file of the workers, which are listed afterwards.
    for (const file of listUncreditedFiles(spoolDir))
      await copySpoolFile(file, writer, `${UNCREDITED_FOLDER}/${file.folder}`).catch(ignoreCredited);
    for (const worker of listWorkerIndexes(spoolDir))
      await copyWorker(join(spoolDir, `w${worker}`), writer, `w${worker}`);
    await copyBatches(join(spoolDir, BATCHES_FOLDER), writer);
    for await (const { path, isFolder } of walkFolder(join(spoolDir, DEAD_LETTERS_FOLDER)))
      if (!isFolder)
        await writer.copy(`${PREFIX}${DEAD_LETTERS_FOLDER}/${path}`, {
          path: join(spoolDir, DEAD_LETTERS_FOLDER, path),
        });
  },
  async restore(target) {
    const spoolDir = join(target.dataDir, 'spool');
    // A spool without a hot store orders that its counters are made again.
    await mkdir(spoolDir, { mode: 0o700 });
    await copyBack(target, { prefix: PREFIX, to: spoolDir });
    writeRestoredEpochs(spoolDir);
  },
};

function ignoreCredited(error: unknown): void {
  if (!(error instanceof BackupError) || error.message !== SHIPPED_MEANWHILE) throw error;
}

async function copyWorker(dir: string, writer: BackupWriter, to: string): Promise<void> {
  const ids = new Set(listSpoolFiles(dir).map(({ fileId }) => fileId));
  for (const fileId of ids) await copySpoolFile({ dir, fileId }, writer, to);
}

async function copySpoolFile(
  { dir, fileId }: Pick<SpoolFile, 'dir' | 'fileId'>,
  writer: BackupWriter,
  to: string,
): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    const forms = listSpoolFiles(dir).filter((file) => file.fileId === fileId);
    const file = STATES.flatMap((state) => forms.filter((form) => form.state === state))[0];
    if (file === undefined) throw new BackupError(SHIPPED_MEANWHILE);
    try {
      const bytes = file.state === 'open' ? await endOfLines(file) : file.bytes;
      const name = file.path.slice(file.path.lastIndexOf('/') + 1);
      return await writer.copy(`${PREFIX}${to}/${name}`, { path: file.path, bytes });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || tries === TRIES_MAX) throw error;
    }
  }
}

/** Where the last whole line of a file ends that is being written. */
async function endOfLines(file: SpoolFile): Promise<number> {
  const handle = await open(file.path, 'r');
  try {
    const from = Math.max(0, file.bytes - TAIL_BYTES);
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(file.bytes - from), 0, file.bytes - from, from);
    const end = buffer.subarray(0, bytesRead).lastIndexOf(0x0a) + 1;
    // A line is far shorter than the tail: without any line feed the file holds a part of its first line.
    return end === 0 ? 0 : from + end;
  } finally {
    await handle.close();
  }
}

/** Batches get old names: the shipper then compares each event with the store before it sends them. */
async function copyBatches(dir: string, writer: BackupWriter): Promise<void> {
  const folders = new Set<string>();
  for await (const { path, isFolder } of walkFolder(dir))
    if (!isFolder) folders.add(path.slice(0, path.lastIndexOf('/')));
  for (const [index, folder] of [...folders].sort().entries()) {
    const [batch = '', worker = ''] = folder.split('/');
    const digits = BATCH.exec(batch)?.[1];
    if (digits === undefined) continue;
    const name = `${String(index + 1).padStart(13, '0')}-${digits}b`;
    for (const { path, bytes } of listSpoolFiles(join(dir, folder)))
      await writer.copy(`${PREFIX}${BATCHES_FOLDER}/${name}/${worker}/${path.slice(path.lastIndexOf('/') + 1)}`, {
        path,
        bytes,
      });
  }
}
