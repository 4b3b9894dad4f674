import { mkdir, readdir, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { BackupWriter, syncFile, walkFolder } from './backup-files.ts';
import { type CutCluster, withClusterCut } from './cluster-cut.ts';
import { holdShipping } from './hold-shipping.ts';
import { BackupError, MAC_FILE, MANIFEST_FILE, type Manifest, parseManifest, renderManifest } from './manifest.ts';
import type { BackupPart, BackupSource } from './part.ts';
import { listParts, requireKnownPaths } from './parts.ts';
import type { Passphrase } from './seal.ts';
import { requirePlain } from './analytics-part.olap.ts';

/** A backup to make. */
export interface BackupJob extends Omit<BackupSource, 'writer'> {
  /** Absolute. */
  readonly folder: string;
  readonly isOffline: boolean;
  readonly cluster: CutCluster;
  /** Their names, from `partsFor`. */
  readonly parts: readonly string[];
  readonly version: string;
  readonly platform: string;
  readonly migration: string;
  readonly nowMs: () => number;
  /** Is told when a part is whole. */
  readonly progress: (part: string, sum: { readonly files: number; readonly bytes: number }) => void;
}

/**
 * Writes a backup; the manifest comes last. Every event that was acknowledged before the cut is in it.
 * @throws BackupError; the folder then holds a backup without a manifest, which no restore accepts
 */
export async function makeBackup(job: BackupJob): Promise<Manifest> {
  const { folder, dataDir, isOffline } = job;
  requirePlain(folder);
  await makeEmptyFolder(folder);
  const writer = new BackupWriter(folder);
  const source: BackupSource = { ...job, writer };
  const partsOf = (needsStillness: boolean): readonly BackupPart[] =>
    listParts(job.parts).filter((part) => part.needsStillness === needsStillness);
  const cut = await withClusterCut(job.cluster, () =>
    holdShipping({ dataDir, isOffline }, async () => {
      const startMs = job.nowMs();
      await writeParts(job, source, partsOf(true));
      return startMs;
    }),
  );
  await writeParts(job, source, partsOf(false));
  const manifest = parseManifest({
    format: 3,
    version: job.version,
    platform: job.platform,
    migration: job.migration,
    parts: job.parts,
    // What other nodes acknowledged later than that may wait in their spools.
    cutAt: new Date(cut.cutMs ?? cut.result).toISOString(),
    nodes: cut.nodes,
    finishedAt: new Date(job.nowMs()).toISOString(),
    folders: writer.folders(),
    files: writer.files(),
  });
  requireKnownPaths(manifest);
  await writeManifest(folder, manifest, job.passphrase);
  return manifest;
}

async function writeParts(job: BackupJob, source: BackupSource, parts: readonly BackupPart[]): Promise<void> {
  for (const part of parts) {
    const before = source.writer.files().length;
    await part.write(source);
    const files = source.writer.files().slice(before);
    job.progress(part.name, { files: files.length, bytes: files.reduce((sum, { bytes }) => sum + bytes, 0) });
  }
}

/** @throws BackupError when the folder holds anything */
async function makeEmptyFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 }).catch((cause: Error) => {
    throw new BackupError(`The folder ${folder} cannot be made: ${cause.message}`, { cause });
  });
  if ((await readdir(folder)).length > 0) throw new BackupError(`The folder ${folder} is not empty: name a new one.`);
}

/** Everything else is on stable storage before the manifest has its name. */
async function writeManifest(folder: string, manifest: Manifest, passphrase: Passphrase): Promise<void> {
  for await (const { path, isFolder } of walkFolder(folder)) if (isFolder) await syncFile(join(folder, path));
  const texts = await renderManifest(manifest, passphrase);
  const aside = join(folder, `${MANIFEST_FILE}.tmp`);
  const options = { mode: 0o600, flag: 'wx', flush: true };
  await writeFile(join(folder, MAC_FILE), texts.mac, options);
  await writeFile(aside, texts.manifest, options);
  await syncFile(folder);
  await rename(aside, join(folder, MANIFEST_FILE));
  await syncFile(folder);
  await syncFile(dirname(folder));
}
