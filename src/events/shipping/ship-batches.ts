import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { crc32 } from 'node:zlib';
import { z } from 'zod';
import { hasByteOffsets, listSpoolFiles } from '../spool/spool-files.ts';
import { syncFolder } from '../../storage/disk-file.ts';
import type { SpoolFile } from '../spool/spool-files.ts';
import { finishFolder } from './batch-folders.ts';
import { EVENTS_INTAKE_TABLE, EVENTS_TABLE } from './events.olap.ts';
import { deleteFile, forAll } from './ship-batch.ts';
import type { ShipBatch } from './ship-batch.ts';

/** The content of a worker's folder for the analytics store. */
export interface ShipWork {
  /** Batches that older programs began: those with a manifest, and single files; oldest first. */
  readonly batches: readonly ShipBatch[];
  /** Counted files that no batch names yet. */
  readonly unnamed: readonly SpoolFile[];
  /** Paths of manifests that cannot be read. */
  readonly damaged: readonly string[];
}

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

/** Deletes files that a killed process left unfinished. Call it before anything else works in the folder. */
export function deleteUnfinished(dir: string): void {
  if (!existsSync(dir)) return;
  for (const name of namesIn(dir, /\.tmp$/)) rmSync(join(dir, name), { force: true });
}

/** Deletes a batch that the store has. A crash in between leaves a manifest that says so, and the next start deletes the rest. */
export async function finishBatch(batch: ShipBatch): Promise<void> {
  const { dir, name, form, files } = batch;
  const paths = files.map(({ path }) => path);
  if (form === 'folder') return finishFolder(batch);
  if (form === 'file') {
    await forAll(paths, deleteFile);
    return syncFolder(dir);
  }
  const shipped = join(dir, `${name}.shipped`);
  await rename(join(dir, `${name}.batch`), shipped);
  await syncFolder(dir);
  await forAll(paths, deleteFile);
  await syncFolder(dir);
  await deleteFile(shipped);
}

/** Deletes leftovers of batches that are in the store. Call it before anything in the folder ships. */
export async function finishShipped(dir: string): Promise<void> {
  for (const name of namesIn(dir, SHIPPED)) {
    const path = join(dir, name);
    const manifest = readManifest(path);
    // One that cannot be read stays for `listShipWork` to report.
    if (manifest === 'damaged') continue;
    await forAll(
      filesOf(manifest).map((one) => join(dir, one)),
      deleteFile,
    );
    await syncFolder(dir);
    await deleteFile(path);
  }
}

function batchOf(dir: string, name: string, of: Pick<ShipBatch, 'files' | 'table'>): ShipBatch {
  return { dir, name, token: `events/${name}`, ...of, form: 'manifest' };
}

function singleBatch(file: SpoolFile): ShipBatch {
  const { dir, fileId } = file;
  return { dir, name: fileId, token: `events/${fileId}`, table: EVENTS_TABLE, files: [file], form: 'file' };
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

function checksumOf(text: string): string {
  return crc32(text).toString(16).padStart(8, '0');
}

function namesIn(dir: string, pattern: RegExp): string[] {
  return readdirSync(dir)
    .filter((name) => pattern.test(name))
    .sort();
}
