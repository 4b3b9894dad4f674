import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { createTestDatabase, createTestFolder } from '../../../test/support/stores.ts';
import { readSettings } from '../../config/settings.ts';
import { startSignedBucket } from '../../storage/fixtures/signed-bucket.ts';
import { openAssets } from './assets.ts';

const folder = createTestFolder();
const picture = Buffer.from('a picture');
const name = `${createHash('sha256').update(picture).digest('hex')}.png`;

afterEach(() => folder.remove());

test('files are stored in the bucket of the settings, and otherwise in the data folder', async () => {
  const { db, close } = await createTestDatabase();
  const keys = { accessKeyId: 'AKIAEXAMPLE', secretKey: 'secret', region: 'us-east-1' };
  const bucket = await startSignedBucket(keys);
  const inBucket = readSettings({
    PLACARD_DATA: folder.dir,
    PLACARD_S3_URL: `${bucket.url}/`,
    PLACARD_S3_ACCESS_KEY_ID: keys.accessKeyId,
    PLACARD_S3_SECRET_KEY: keys.secretKey,
  });
  await openAssets(inBucket, db).put(picture, 'png');
  expect([bucket.objects.has(`/placard/files/${name}`), existsSync(join(folder.dir, 'assets'))]).toEqual([true, false]);
  expect(await openAssets(inBucket, db).get(name)).toEqual({ bytes: picture, contentType: 'image/png' });
  bucket.close();
  const onDisk = openAssets(readSettings({ PLACARD_DATA: folder.dir }), db);
  expect(await onDisk.get(name)).toBeNull();
  await onDisk.put(picture, 'png');
  expect(existsSync(join(folder.dir, 'assets', name))).toBe(true);
  await close();
});
