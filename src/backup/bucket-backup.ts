import { createWriteStream } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Bucket } from '../storage/bucket.ts';
import { BackupError, MAC_FILE, MANIFEST_FILE, type Manifest, readManifest } from './manifest.ts';
import type { Passphrase } from './seal.ts';

/** Files on their way at once. */
const FILES_AT_ONCE = 8;
/** Largest manifest, in bytes: one of some 400,000 files. */
const MANIFEST_BYTES_MAX = 64 * 1_024 * 1_024;
/** Largest proof of a manifest, in bytes. */
const MAC_BYTES_MAX = 4_096;
const CONTENT_TYPE = 'application/octet-stream';

/** @throws BackupError when the bucket holds a backup under this address; PlacardError `unavailable` */
export async function requireNoBackup(bucket: Bucket): Promise<void> {
  if ((await bucket.sizeOf(MANIFEST_FILE)) === null) return;
  throw new BackupError('The bucket holds a backup under this address: name a new one.');
}

/**
 * Copies a finished backup into a bucket, its manifest last: no restore reads what an interrupted copy leaves.
 * @throws BackupError when a file is not as the manifest says; PlacardError `unavailable`
 */
export async function uploadBackup(bucket: Bucket, folder: string, { files }: Manifest): Promise<void> {
  await forEachFile(files, ({ path, sha256 }) =>
    bucket.writeFile(path, join(folder, path), { hash: sha256, contentType: CONTENT_TYPE }),
  );
  for (const name of [MAC_FILE, MANIFEST_FILE]) {
    const hash = createHash('sha256')
      .update(await readFile(join(folder, name)))
      .digest('hex');
    await bucket.writeFile(name, join(folder, name), { hash, contentType: 'application/json' });
  }
}

/**
 * Copies a backup out of a bucket into a folder. Its files are checked when the folder is verified.
 * @throws BackupError when there is none, its manifest was changed, or a file is missing; PlacardError `unavailable`
 */
export async function downloadBackup(bucket: Bucket, folder: string, passphrase: Passphrase): Promise<void> {
  const size = await bucket.sizeOf(MANIFEST_FILE);
  if (size === null)
    throw new BackupError(
      `The bucket has no ${MANIFEST_FILE} under this address: no backup, or one that was not finished.`,
    );
  if (size > MANIFEST_BYTES_MAX) throw new BackupError(`The ${MANIFEST_FILE} in the bucket is damaged.`);
  await download(bucket, folder, { path: MANIFEST_FILE, bytes: size });
  const macBytes = await bucket.sizeOf(MAC_FILE);
  if (macBytes !== null && macBytes <= MAC_BYTES_MAX)
    await download(bucket, folder, { path: MAC_FILE, bytes: macBytes });
  // The manifest is in the folder first: it says which paths there are, and refuses those that leave the folder.
  const { files } = await readManifest(folder, passphrase);
  await forEachFile(files, (file) => download(bucket, folder, file));
}

async function download(bucket: Bucket, folder: string, file: { path: string; bytes: number }): Promise<void> {
  const target = join(folder, file.path);
  await mkdir(dirname(target), { recursive: true, mode: 0o700 });
  if (file.bytes === 0) return writeFile(target, '', { mode: 0o600, flag: 'wx' });
  const found = await bucket.read(file.path);
  if (found === null) throw new BackupError(`The file ${file.path} of the backup is missing.`);
  await pipeline(found.body, createWriteStream(target, { flags: 'wx', mode: 0o600 }));
}

async function forEachFile(
  files: Manifest['files'],
  work: (file: Manifest['files'][number]) => Promise<void>,
): Promise<void> {
  const queue = files.values();
  const failures: unknown[] = [];
  const lane = async (): Promise<void> => {
    for (const file of queue) {
      // All lanes end before this returns: the folder may be removed then.
      if (failures.length > 0) return;
      await work(file).catch((error: unknown) => failures.push(error));
    }
  };
  await Promise.all(Array.from({ length: FILES_AT_ONCE }, lane));
  if (failures.length > 0) throw failures[0];
}
