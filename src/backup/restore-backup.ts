import { mkdir, readdir, readFile, rename, rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Log } from '../domain/log/log.ts';
import { syncFile, verifyFiles } from './backup-files.ts';
import {
  BackupError,
  type Manifest,
  readManifest,
  requireFits,
  requireStores,
  type RestoringProgram,
} from './manifest.ts';
import type { RestoredStores, RestoreTarget } from './part.ts';
import { listParts, requireKnownPaths } from './parts.ts';
import type { Passphrase } from './seal.ts';
import { forgetRunningCluster } from './restored-cluster.sql.ts';
import { requirePlain } from './analytics-part.olap.ts';

/** A backup to restore. */
export interface RestoreJob {
  /** Absolute. */
  readonly folder: string;
  readonly dataDir: string;
  readonly olapMigrations: RestoreTarget['olapMigrations'];
  readonly clickhouseTarget: string | null;
  readonly passphrase: Passphrase;
  /** Stores that are not built in. */
  readonly external: { readonly postgres: boolean; readonly clickhouse: boolean };
  /** Keys in the Redis of the installation, which is to be empty; null: it has none. */
  readonly redisKeys: (() => Promise<number>) | null;
  readonly program: RestoringProgram;
  readonly log: Log;
  readonly progress: (step: string) => void;
  /** Runs `work` with the stores of a data folder. */
  readonly withStores: (dataDir: string, work: (stores: RestoredStores) => Promise<void>) => Promise<void>;
}

const STAGING = '.restoring';
/** Files of stores that ran on the staging folder. */
const RUN_FILES = ['run', 'placard.pid'];
const POINTER_FILE = 'postgres-location';

/**
 * Checks the proof of the manifest, then every file of a backup, and that the passphrase opens its secrets.
 * @throws BackupError or SealError
 */
export async function verifyBackup(folder: string, passphrase: Passphrase): Promise<Manifest> {
  return verifyListed(folder, passphrase, await readManifest(folder, passphrase));
}

async function verifyListed(folder: string, passphrase: Passphrase, manifest: Manifest): Promise<Manifest> {
  requireKnownPaths(manifest);
  await verifyFiles(folder, manifest);
  for (const { verify } of listParts(manifest.parts)) await verify?.({ folder, manifest, passphrase });
  return manifest;
}

/**
 * Makes the data folder of a backup again. Everything is checked before anything is written; then it is made aside, and moved up
 * when it is whole.
 * @throws BackupError or SealError; the data folder is then as it was
 */
export async function restoreBackup(job: RestoreJob): Promise<Manifest> {
  const { folder, dataDir, passphrase, log, progress } = job;
  requirePlain(folder);
  const manifest = await readManifest(folder, passphrase);
  requireFits(manifest, job.program);
  requireStores(manifest, { ...job.external, hasClickhouseTarget: job.clickhouseTarget !== null });
  await requireEmpty(dataDir);
  await requireEmptyRedis(job);
  await verifyListed(folder, passphrase, manifest);
  progress('checked');
  const staging = join(dataDir, STAGING);
  await mkdir(staging, { recursive: true });
  try {
    const target: RestoreTarget = {
      folder,
      manifest,
      dataDir: staging,
      olapMigrations: job.olapMigrations,
      clickhouseTarget: job.clickhouseTarget,
      passphrase,
      log,
    };
    for (const part of listParts(manifest.parts)) await part.restore(target);
    progress('files');
    await job.withStores(staging, async (stores) => {
      for (const { fill } of listParts(manifest.parts)) await fill?.(target, stores);
      await forgetRunningCluster(stores.postgresOwnerUrl ?? stores.postgresUrl);
    });
    progress('stores');
    for (const name of RUN_FILES) await rm(join(staging, name), { recursive: true, force: true });
  } catch (error) {
    await removeStaging(staging);
    throw error;
  }
  await moveUp(staging, dataDir);
  return manifest;
}

/** @throws BackupError when the data folder holds anything */
async function requireEmpty(dataDir: string): Promise<void> {
  const names = await readdir(dataDir).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [] as string[];
    throw error;
  });
  if (names.includes(STAGING))
    throw new BackupError(`An earlier restore into ${dataDir} was cut off: delete what is in it, and repeat.`);
  if (names.length > 0)
    throw new BackupError(`The data folder ${dataDir} is not empty. Set PLACARD_DATA to an empty folder.`);
}

/** Counters that are there would be added to. @throws BackupError */
async function requireEmptyRedis({ redisKeys }: RestoreJob): Promise<void> {
  const keys = await redisKeys?.().catch((cause: Error) => {
    throw new BackupError(`The Redis of PLACARD_REDIS_URL does not respond: ${cause.message}`, { cause });
  });
  if ((keys ?? 0) > 0)
    throw new BackupError(
      `The Redis of PLACARD_REDIS_URL holds ${keys} keys: name an empty one, or another database of it. Its counters are rebuilt from the events.`,
    );
}

/** PostgreSQL's files may be elsewhere, when its account cannot reach the data folder. */
async function removeStaging(staging: string): Promise<void> {
  const elsewhere = (await readFile(join(staging, POINTER_FILE), 'utf8').catch(() => '')).trim();
  if (elsewhere !== '') await rm(elsewhere, { recursive: true, force: true });
  await rm(staging, { recursive: true, force: true });
}

async function moveUp(staging: string, dataDir: string): Promise<void> {
  for (const name of await readdir(staging)) await rename(join(staging, name), join(dataDir, name));
  await rmdir(staging);
  await syncFile(dataDir);
}
