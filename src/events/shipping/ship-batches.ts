import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { open, rename, rm, unlink } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { crc32 } from 'node:zlib';
import { z } from 'zod';
import { hasByteOffsets, listSpoolFiles, newSpoolFileName, syncFolder } from '../spool/spool-files.ts';
import type { SpoolFile } from '../spool/spool-files.ts';
import { EVENTS_INTAKE_TABLE, EVENTS_TABLE } from './events.olap.ts';

/**
 * Counted spool files that go to the analytics store in one insert. Its manifest names them, and is on stable storage before the first try:
 * every retry, also after a crash, sends the same rows in the same order under the same token.
 */
export interface ShipBatch {
  readonly dir: string;
  readonly name: string;
  readonly token: string;
  /** The table that its rows are inserted into. A token is valid in one table only, so every try uses the same table. */
  readonly table: string;
  /** In the order of the rows. */
  readonly files: readonly SpoolFile[];
  /** Null for a single file of an older program, which ships alone under its own name. */
  readonly manifestPath: string | null;
}

/** The content of a worker's folder for the analytics store. */
export interface ShipWork {
  /** Batches whose manifest is written, and single files of older programs; oldest first. */
  readonly batches: readonly ShipBatch[];
  /** Counted files that no batch names yet. */
  readonly unnamed: readonly SpoolFile[];
  /** Paths of manifests that cannot be read. */
  readonly damaged: readonly string[];
}

/** Most bytes of spool files in one insert, which always has at least one file. */
const BATCH_BYTES_MAX = 64 * 1_000_000;
const BATCH_FILES_MAX = 2_000;

const MANIFEST = /^(\d{13}-[0-9a-f]{8}b)\.batch$/;
/** A manifest whose batch is in the store: what is left of its files is deleted. */
const SHIPPED = /^(\d{13}-[0-9a-f]{8}b)\.shipped$/;
const manifestSchema = z.object({
  files: z.array(z.string().regex(/^\d{13}-[0-9a-f]{8}b\.\d{1,12}\.settled$/)).min(1),
  // Older programs began batches without an intake table.
  table: z.enum([EVENTS_TABLE, EVENTS_INTAKE_TABLE]).default(EVENTS_TABLE),
});
type Manifest = z.infer<typeof manifestSchema>;

/** Reads the batches and files that wait in a worker's folder. */
export function listShipWork(dir: string): ShipWork {
  const all = listSpoolFiles(dir);
  const counted = new Map(all.filter(({ state }) => state === 'settled').map((file) => [basename(file.path), file]));
  const batches: ShipBatch[] = [];
  const damaged: string[] = [];
  for (const name of namesIn(dir, MANIFEST)) {
    const path = join(dir, name);
    const manifest = readManifest(path);
    // Shipped since the folder was read.
    if (manifest === 'none') continue;
    if (manifest === 'damaged') {
      damaged.push(path);
      continue;
    }
    const files = manifest.files.flatMap((one) => counted.get(one) ?? []);
    for (const one of manifest.files) counted.delete(one);
    batches.push(batchOf(dir, name.slice(0, -'.batch'.length), { files, table: manifest.table }));
  }
  for (const name of namesIn(dir, SHIPPED)) {
    const manifest = readManifest(join(dir, name));
    if (manifest === 'damaged') damaged.push(join(dir, name));
    // The store has them: they only wait to be deleted.
    for (const one of filesOf(manifest)) counted.delete(one);
  }
  // Its sealed form is about to be deleted. If the counted form were shipped and deleted first, the file would be counted and shipped
  // again.
  const stillSealed = new Set(all.filter(({ state }) => state === 'sealed').map(({ fileId }) => fileId));
  const unnamed = [...counted.values()].filter(({ fileId }) => !stillSealed.has(fileId));
  const alone = unnamed.filter(({ fileId }) => !hasByteOffsets(fileId));
  return {
    batches: [...batches, ...alone.map(singleBatch)],
    unnamed: unnamed.filter(({ fileId }) => hasByteOffsets(fileId)),
    damaged,
  };
}

/** Writes the manifest of the next batch, with as many of these files as fit, to stable storage. */
export async function writeBatch(dir: string, files: readonly SpoolFile[], nowMs: number): Promise<ShipBatch> {
  const chosen: SpoolFile[] = [];
  let bytes = 0;
  for (const file of files) {
    if (chosen.length > 0 && (bytes + file.bytes > BATCH_BYTES_MAX || chosen.length >= BATCH_FILES_MAX)) break;
    chosen.push(file);
    bytes += file.bytes;
  }
  // Later than its files, even when the clock was set back: the repair of a damaged manifest assumes that it names older files.
  const newest =
    chosen
      .map(({ fileId }) => fileId)
      .sort()
      .at(-1) ?? null;
  const name = newSpoolFileName(nowMs, newest);
  const batch = batchOf(dir, name, { files: chosen, table: EVENTS_INTAKE_TABLE });
  const manifest: Manifest = { files: chosen.map(({ path }) => basename(path)), table: EVENTS_INTAKE_TABLE };
  const text = JSON.stringify(manifest);
  const aside = join(dir, `${name}.tmp`);
  try {
    await writeSynced(aside, `${checksumOf(text)} ${text}\n`);
    await rename(aside, batch.manifestPath ?? aside);
  } catch (error) {
    // On a full disk every try would leave one more.
    await rm(aside, { force: true });
    throw error;
  }
  await syncFolder(dir);
  return batch;
}

/** Deletes files that a killed process left unfinished. Call it before anything else works in the folder. */
export function deleteUnfinished(dir: string): void {
  if (!existsSync(dir)) return;
  for (const name of namesIn(dir, /\.tmp$/)) rmSync(join(dir, name), { force: true });
}

/** Deletes a batch that the store has. A crash in between leaves a manifest that says so, and the next start deletes the rest. */
export async function finishBatch(batch: ShipBatch): Promise<void> {
  const { dir, manifestPath, files } = batch;
  if (manifestPath === null) {
    await deleteAll(files.map(({ path }) => path));
    await syncFolder(dir);
    return;
  }
  const shipped = join(dir, `${batch.name}.shipped`);
  await rename(manifestPath, shipped);
  await syncFolder(dir);
  await deleteAll(files.map(({ path }) => path));
  await syncFolder(dir);
  await deleteOne(shipped);
}

/** Deletes leftovers of batches that are in the store. Call it before anything in the folder ships. */
export async function finishShipped(dir: string): Promise<void> {
  for (const name of namesIn(dir, SHIPPED)) {
    const path = join(dir, name);
    const manifest = readManifest(path);
    // One that cannot be read stays for `listShipWork` to report.
    if (manifest === 'damaged') continue;
    await deleteAll(filesOf(manifest).map((one) => join(dir, one)));
    await syncFolder(dir);
    await deleteOne(path);
  }
}

function batchOf(dir: string, name: string, of: Pick<ShipBatch, 'files' | 'table'>): ShipBatch {
  return { dir, name, token: `events/${name}`, ...of, manifestPath: join(dir, `${name}.batch`) };
}

function singleBatch(file: SpoolFile): ShipBatch {
  const { dir, fileId } = file;
  return { dir, name: fileId, token: `events/${fileId}`, table: EVENTS_TABLE, files: [file], manifestPath: null };
}

function readManifest(path: string): Manifest | 'none' | 'damaged' {
  if (!existsSync(path)) return 'none';
  const line = readFileSync(path, 'utf8').trimEnd();
  const text = line.slice(line.indexOf(' ') + 1);
  if (line.slice(0, 8) !== checksumOf(text)) return 'damaged';
  try {
    return manifestSchema.parse(JSON.parse(text));
  } catch {
    return 'damaged';
  }
}

function filesOf(manifest: Manifest | 'none' | 'damaged'): readonly string[] {
  return typeof manifest === 'string' ? [] : manifest.files;
}

async function writeSynced(path: string, text: string): Promise<void> {
  const file = await open(path, 'w', 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}

function checksumOf(text: string): string {
  return crc32(text).toString(16).padStart(8, '0');
}

function namesIn(dir: string, pattern: RegExp): string[] {
  return readdirSync(dir)
    .filter((name) => pattern.test(name))
    .sort();
}

const DELETED_AT_ONCE = 64;

async function deleteAll(paths: readonly string[]): Promise<void> {
  for (let start = 0; start < paths.length; start += DELETED_AT_ONCE) {
    await Promise.all(paths.slice(start, start + DELETED_AT_ONCE).map(deleteOne));
  }
}

async function deleteOne(path: string): Promise<void> {
  try {
    await unlink(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}
