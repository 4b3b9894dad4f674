import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { isBucketAddress } from '../../backup/backup-address.ts';
import type { Manifest } from '../../backup/manifest.ts';
import type { Passphrase } from '../../backup/seal.ts';
import type { Settings } from '../../config/settings.ts';
import type { Bucket } from '../../storage/bucket.ts';
import { UsageError } from '../context/cli-context.ts';

/** Where a backup is, as the command line names it. */
export interface BackupLocation {
  /** A folder, or the address of a bucket. */
  readonly location: string;
  /** Where a backup waits that comes from a bucket or goes there. */
  readonly staging?: string;
}

/** The absolute path of a folder; the address of a bucket as it is. */
export function titleOf({ location }: BackupLocation): string {
  return isBucketAddress(location) ? location : resolve(location);
}

/** Runs `work` on a folder to write a backup into; one for a bucket is then copied there. */
export async function writeToLocation(
  settings: Settings,
  of: BackupLocation,
  work: (folder: string) => Promise<Manifest>,
): Promise<Manifest> {
  if (!isBucketAddress(of.location)) return work(resolve(of.location));
  const { requireNoBackup, uploadBackup } = await import('../../backup/bucket-backup.ts');
  const bucket = await openBucket(settings, of.location);
  await requireNoBackup(bucket);
  return withStaging(of, async (folder) => {
    const manifest = await work(folder);
    await uploadBackup(bucket, folder, manifest);
    return manifest;
  });
}

/** Runs `work` on the folder with a backup; one in a bucket is copied first, after the proof of its manifest was checked. */
export async function readFromLocation<T>(
  settings: Settings,
  of: BackupLocation & { readonly passphrase: Passphrase },
  work: (folder: string) => Promise<T>,
): Promise<T> {
  if (!isBucketAddress(of.location)) return work(resolve(of.location));
  const { downloadBackup } = await import('../../backup/bucket-backup.ts');
  const bucket = await openBucket(settings, of.location);
  return withStaging(of, async (folder) => {
    await downloadBackup(bucket, folder, of.passphrase);
    return work(folder);
  });
}

async function openBucket(settings: Settings, url: string): Promise<Bucket> {
  const { Bucket: S3Bucket } = await import('../../storage/bucket.ts');
  const accessKeyId = settings.backupS3AccessKeyId ?? settings.s3AccessKeyId;
  const secretKey = settings.backupS3SecretKey ?? settings.s3SecretKey;
  if (accessKeyId === null || secretKey === null)
    throw new UsageError('A bucket needs PLACARD_BACKUP_S3_ACCESS_KEY_ID and PLACARD_BACKUP_S3_SECRET_KEY.');
  if (!URL.canParse(url) || new URL(url).search !== '') throw new UsageError(`${url} is not the address of a bucket.`);
  return new S3Bucket({ url, region: settings.backupS3Region ?? settings.s3Region, accessKeyId, secretKey });
}

/** Runs `work` on a new folder, which is deleted at its end. */
export async function withStaging<T>(
  { staging }: Pick<BackupLocation, 'staging'>,
  work: (folder: string) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(staging === undefined ? tmpdir() : resolve(staging), 'placard-backup-'));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
