import { existsSync, readdirSync } from 'node:fs';
import { mkdir, rename, rmdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { listSpoolFiles, listWorkerIndexes, newSpoolFileName } from '../spool/spool-files.ts';
import { syncFolder } from '../../storage/disk-file.ts';
import type { SpoolFile } from '../spool/spool-files.ts';
import { deleteList, isListed, readList, writeList } from './batch-list.ts';
import { deleteFile, forAll, isMissing } from './ship-batch.ts';
import type { ShipBatch } from './ship-batch.ts';

/**
 * The folder of the spool that holds the batches of a machine. A batch is a folder with the spool files of all workers, `w<n>/<file>`:
 *
 * - `<name>.collecting` while files are moved into it. A file is in one folder at any time, so no two shippers can have the same file.
 * - `<name>` when it is complete: its name is the token of the insert. Before the first try its files are listed in it; one that comes in
 *   later is none of them.
 * - `<name>.shipped` when the store has it: it only waits to be deleted.
 *
 * Every step is one rename. A shipper that dies leaves a state from which any other one goes on, and two shippers at once do no harm.
 */
export const BATCHES_FOLDER = 'batches';

/** Most bytes of spool files in one insert, which always has at least one file. */
export const BATCH_BYTES_MAX = 128 * 1_000_000;
const BATCH_FILES_MAX = 2_000;

const COMPLETE = /^\d{13}-[0-9a-f]{8}b$/;
const COLLECTING = /^\d{13}-[0-9a-f]{8}b\.collecting$/;
const SHIPPED = /^\d{13}-[0-9a-f]{8}b\.shipped$/;

/** The complete batches of a machine, oldest first. */
export function listBatchFolders(spoolDir: string): ShipBatch[] {
  return listBatchNames(spoolDir).map((name) => batchOf(spoolDir, name));
}

/** Their names, without a look into their folders. */
export function listBatchNames(spoolDir: string): string[] {
  return foldersIn(spoolDir, COMPLETE);
}

/** The files of one worker that are in batches that the store may not have yet. */
export function listBatchedFiles(spoolDir: string, folder: string): SpoolFile[] {
  return [...foldersIn(spoolDir, COLLECTING), ...foldersIn(spoolDir, COMPLETE)].flatMap((name) =>
    listSpoolFiles(join(spoolDir, BATCHES_FOLDER, name, folder)),
  );
}

/** How many there are, without a look at them. */
export function countBatched(spoolDir: string, folder: string): number {
  const dirs = [...foldersIn(spoolDir, COLLECTING), ...foldersIn(spoolDir, COMPLETE)].map((name) =>
    join(spoolDir, BATCHES_FOLDER, name, folder),
  );
  return dirs.reduce((sum, dir) => sum + namesIn(dir).length, 0);
}

/**
 * Moves as many of these files as fit into a new batch and completes it.
 * @returns null when another shipper took the files or completed the batch
 */
export async function collectBatch(
  spoolDir: string,
  files: readonly SpoolFile[],
  nowMs: number,
): Promise<ShipBatch | null> {
  const chosen = chooseFiles(files);
  // Later than its files, even when the clock was set back.
  const fileIds = chosen.map(({ fileId }) => fileId).sort();
  const name = newSpoolFileName(nowMs, fileIds.at(-1) ?? null);
  const folder = join(spoolDir, BATCHES_FOLDER, `${name}.collecting`);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  try {
    for (const worker of new Set(chosen.map((file) => file.folder))) await mkdir(join(folder, worker), { mode: 0o700 });
    await moveAll(chosen, folder);
  } catch (error) {
    // Another shipper took a file or completed this batch. Files that are in it stay in it, and the next look finds them.
    if (isMissing(error)) return null;
    throw error;
  }
  return completeBatch(spoolDir, `${name}.collecting`);
}

/** When a move fails, the others are waited for: none is under way when this process completes the batch. */
async function moveAll(files: readonly SpoolFile[], folder: string): Promise<void> {
  const errors: Error[] = [];
  await forAll(files, (file) =>
    rename(file.path, join(folder, file.folder, basename(file.path))).catch((error: Error) => errors.push(error)),
  );
  const [error] = errors.toSorted((one, other) => Number(isMissing(one)) - Number(isMissing(other)));
  if (error !== undefined) throw error;
}

/**
 * Fixes the files of a complete batch by a list in its folder, and returns the batch with these. Two shippers that looked at the folder
 * while a last file came in would send different rows under one token. Call it before every insert.
 */
export async function fixFiles(batch: ShipBatch): Promise<ShipBatch> {
  await writeList(join(batch.dir, batch.name), batch.files);
  return batchOf(join(batch.dir, '..'), batch.name);
}

/** Whether the list of its files cannot be read: a damaged disk. */
export function isListDamaged({ dir, name }: ShipBatch): boolean {
  return readList(join(dir, name)) === 'damaged';
}

/** Removes the list, under a name that no shipper has tried yet. */
export async function dropList({ dir, name }: ShipBatch): Promise<void> {
  await deleteList(join(dir, name));
}

/** Completes the batches that a shipper was collecting when it died. Call it while this process collects none. */
export async function completeBatches(spoolDir: string): Promise<void> {
  for (const name of foldersIn(spoolDir, COLLECTING)) await completeBatch(spoolDir, name);
}

/** Puts a complete batch on stable storage: after a power cut it has the same files. Call it before every insert. */
export async function syncBatch(batch: ShipBatch): Promise<void> {
  const folder = join(batch.dir, batch.name);
  const spoolDir = join(batch.dir, '..');
  const workers = listWorkerIndexes(folder).map((workerIndex) => `w${workerIndex}`);
  for (const worker of workers) {
    await syncFolder(join(folder, worker));
    await syncIfThere(join(spoolDir, worker));
  }
  await syncFolder(folder);
  await syncFolder(batch.dir);
}

/** Deletes a batch that the store has; another shipper may have done so. */
export async function finishBatch({ dir, name, files }: ShipBatch): Promise<void> {
  const shipped = join(dir, `${name}.shipped`);
  try {
    await rename(join(dir, name), shipped);
  } catch (error) {
    if (isMissing(error)) return;
    throw error;
  }
  await syncFolder(dir);
  await deleteFolder(shipped, files);
}

/** Deletes leftovers of batches that the store has. */
export async function deleteShipped(spoolDir: string): Promise<void> {
  for (const name of foldersIn(spoolDir, SHIPPED)) {
    const folder = join(spoolDir, BATCHES_FOLDER, name);
    await deleteFolder(folder, listedIn(folder));
  }
}

/**
 * Deletes the files that the store has, and their folder. Any other file goes back to its worker: a shipper that stood still in the middle
 * of a rename, while another one completed its batch, can leave one. Nothing is deleted that was not looked at.
 */
async function deleteFolder(folder: string, stored: readonly SpoolFile[]): Promise<void> {
  await forAll(stored, (file) => deleteFile(join(folder, file.folder, basename(file.path))));
  for (const late of filesOf(folder)) await moveBack(late, join(folder, '..', '..', late.folder));
  try {
    for (const workerIndex of listWorkerIndexes(folder)) await removeFolder(join(folder, `w${workerIndex}`));
    await deleteList(folder);
    await removeFolder(folder);
  } catch (error) {
    // A file came in just now, or another shipper deletes the folder: the next look finds what is left.
    if (!isMissing(error) && (error as NodeJS.ErrnoException).code !== 'ENOTEMPTY') throw error;
  }
}

/** Unfinished files of a renewal or list that broke off are deleted with it. */
async function removeFolder(folder: string): Promise<void> {
  for (const name of namesIn(folder)) if (name.endsWith('.tmp')) await deleteFile(join(folder, name));
  await rmdir(folder);
}

async function moveBack(file: SpoolFile, dir: string): Promise<void> {
  try {
    await rename(file.path, join(dir, basename(file.path)));
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}

/** Gives a batch a new name, and with it a new token. */
export async function renameBatch(batch: ShipBatch, nowMs: number): Promise<ShipBatch> {
  const name = newSpoolFileName(nowMs, batch.name);
  await rename(join(batch.dir, batch.name), join(batch.dir, name));
  await syncFolder(batch.dir);
  return batchOf(join(batch.dir, '..'), name);
}

function chooseFiles(files: readonly SpoolFile[]): SpoolFile[] {
  const chosen: SpoolFile[] = [];
  let bytes = 0;
  for (const file of files) {
    if (chosen.length > 0 && (bytes + file.bytes > BATCH_BYTES_MAX || chosen.length >= BATCH_FILES_MAX)) break;
    chosen.push(file);
    bytes += file.bytes;
  }
  return chosen;
}

async function completeBatch(spoolDir: string, collecting: string): Promise<ShipBatch | null> {
  const dir = join(spoolDir, BATCHES_FOLDER);
  const name = collecting.slice(0, -'.collecting'.length);
  try {
    if (filesOf(join(dir, collecting)).length === 0) await removeEmpty(join(dir, collecting));
    else await rename(join(dir, collecting), join(dir, name));
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
  const batch = batchOf(spoolDir, name);
  return batch.files.length === 0 ? null : batch;
}

/** Fails when a file came in meanwhile. */
async function removeEmpty(folder: string): Promise<void> {
  for (const workerIndex of listWorkerIndexes(folder)) await rmdir(join(folder, `w${workerIndex}`));
  await rmdir(folder);
}

function batchOf(spoolDir: string, name: string): ShipBatch {
  const dir = join(spoolDir, BATCHES_FOLDER);
  return { dir, name, token: `events/${name}`, files: listedIn(join(dir, name)) };
}

/** The files of a batch that its list names; without a list all. */
function listedIn(folder: string): SpoolFile[] {
  const list = readList(folder);
  return filesOf(folder).filter((file) => isListed(list, file));
}

/** In the order of the rows: by worker, oldest first. */
function filesOf(folder: string): SpoolFile[] {
  return listWorkerIndexes(folder)
    .sort((a, b) => a - b)
    .flatMap((workerIndex) => listSpoolFiles(join(folder, `w${workerIndex}`)));
}

function foldersIn(spoolDir: string, pattern: RegExp): string[] {
  return namesIn(join(spoolDir, BATCHES_FOLDER))
    .filter((name) => pattern.test(name))
    .sort();
}

/** Empty when there is no such folder: another shipper may have deleted it. */
function namesIn(dir: string): string[] {
  try {
    return readdirSync(dir);
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

async function syncIfThere(dir: string): Promise<void> {
  if (existsSync(dir)) await syncFolder(dir);
}
