import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Bucket } from '../storage/bucket.ts';
import { type SignedBucket, startSignedBucket } from '../storage/fixtures/signed-bucket.ts';
import { BackupWriter, verifyFiles } from './backup-files.ts';
import { downloadBackup, requireNoBackup, uploadBackup } from './bucket-backup.ts';
import { MAC_FILE, MANIFEST_FILE, parseManifest, renderManifest } from './manifest.ts';
import { Passphrase } from './seal.ts';

const PASSPHRASE = new Passphrase('correct horse battery', 1_024);
const KEYS = { accessKeyId: 'id', secretKey: 'key', region: 'eu-central-1' };
let dir: string;
let signed: SignedBucket;
let bucket: Bucket;

beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), 'bucket-backup-'));
  signed = await startSignedBucket(KEYS);
  bucket = new Bucket({ ...KEYS, url: `${signed.url}/2026-11-22` });
});

afterEach(() => {
  signed.close();
  rmSync(dir, { recursive: true, force: true });
});

const manifestPath = '/placard/files/2026-11-22/manifest.json';

async function writeBackup(folder: string) {
  const writer = new BackupWriter(folder);
  for (let at = 0; at < 30; at += 1) await writer.write(`part/in/file-${at}`, `content of ${at}`);
  await writer.write('part/empty', '');
  const manifest = parseManifest({
    format: 3,
    parts: ['files'],
    version: '1.0.0',
    platform: 'any',
    migration: 'none',
    cutAt: '2026-03-01T10:00:00.000Z',
    finishedAt: '2026-03-01T10:01:00.000Z',
    nodes: [],
    folders: [],
    files: writer.files(),
  });
  const texts = await renderManifest(manifest, PASSPHRASE);
  writeFileSync(join(folder, MANIFEST_FILE), texts.manifest);
  writeFileSync(join(folder, MAC_FILE), texts.mac);
  return manifest;
}

test('a backup comes out of a bucket as it went in, with its manifest written last', async () => {
  const manifest = await writeBackup(join(dir, 'b'));
  await requireNoBackup(bucket);
  await uploadBackup(bucket, join(dir, 'b'), manifest);
  expect(signed.requests.at(-1)).toBe(`PUT ${manifestPath}`);
  await downloadBackup(bucket, join(dir, 'back'), PASSPHRASE);
  await verifyFiles(join(dir, 'back'), manifest);
});

test('an address that holds a backup is refused', async () => {
  const manifest = await writeBackup(join(dir, 'b'));
  await uploadBackup(bucket, join(dir, 'b'), manifest);
  await expect(requireNoBackup(bucket)).rejects.toThrow('name a new one');
});

test('a copy that fails leaves no backup, and none is read from there', async () => {
  const manifest = await writeBackup(join(dir, 'b'));
  signed.failures.push(403);
  await expect(uploadBackup(bucket, join(dir, 'b'), manifest)).rejects.toThrow();
  expect(signed.objects.has(manifestPath)).toBe(false);
  await expect(downloadBackup(bucket, join(dir, 'back'), PASSPHRASE)).rejects.toThrow('was not finished');
});

test('a file that is missing in the bucket, or was changed there, is named', async () => {
  const manifest = await writeBackup(join(dir, 'b'));
  await uploadBackup(bucket, join(dir, 'b'), manifest);
  const path = '/placard/files/2026-11-22/part/in/file-7';
  signed.objects.set(path, { bytes: Buffer.from('other'), contentType: undefined });
  await downloadBackup(bucket, join(dir, 'changed'), PASSPHRASE);
  await expect(verifyFiles(join(dir, 'changed'), manifest)).rejects.toThrow('part/in/file-7 of the backup was changed');
  signed.objects.delete(path);
  await expect(downloadBackup(bucket, join(dir, 'missing'), PASSPHRASE)).rejects.toThrow(
    'part/in/file-7 of the backup is missing',
  );
});

test('a manifest that was changed in the bucket is refused before a file is read by it', async () => {
  const manifest = await writeBackup(join(dir, 'b'));
  await uploadBackup(bucket, join(dir, 'b'), manifest);
  const { bytes } = signed.objects.get(manifestPath) ?? { bytes: Buffer.alloc(0) };
  const changed = bytes.toString('utf8').replace('file-7', 'file-6');
  signed.objects.set(manifestPath, { bytes: Buffer.from(changed), contentType: undefined });
  const before = signed.requests.length;
  await expect(downloadBackup(bucket, join(dir, 'back'), PASSPHRASE)).rejects.toThrow(
    'manifest.json of the backup was changed',
  );
  expect(signed.requests.slice(before).filter((request) => request.includes('/part/'))).toEqual([]);
});
