import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { createTestDatabase, createTestFolder, type TestDatabase } from '../../../test/support/stores.ts';
import { assetName, type AssetStore } from '../assets.ts';
import { openSharedAssets } from './shared-assets.ts';

const picture = Buffer.from('a picture');
const name = assetName(picture, 'png');
let database: TestDatabase;
let folders: Record<'a' | 'b', ReturnType<typeof createTestFolder>>;

beforeAll(async () => {
  database = await createTestDatabase();
});
beforeEach(() => {
  folders = { a: createTestFolder(), b: createTestFolder() };
});
afterEach(async () => {
  await database.db.deleteFrom('asset_files').execute();
  for (const folder of Object.values(folders)) folder.remove();
});
afterAll(() => database.close());

const open = (
  node: 'a' | 'b',
  { bucket = null, nowMs = Date.now }: { bucket?: AssetStore | null; nowMs?: () => number } = {},
) => openSharedAssets({ dataDir: folders[node].dir, sql: database.db, bucket, nowMs });
const filesOf = (node: 'a' | 'b', folder: string): string[] => {
  const dir = join(folders[node].dir, folder);
  return existsSync(dir) ? readdirSync(dir) : [];
};

test('a file that one node stores is served by another, which reads it from PostgreSQL once', async () => {
  await open('a').put(picture, 'png');
  const assets = open('b');
  expect(await Promise.all([assets.get(name), assets.get(name)])).toEqual([
    { bytes: picture, contentType: 'image/png' },
    { bytes: picture, contentType: 'image/png' },
  ]);
  await database.db.deleteFrom('asset_files').execute();
  expect(await open('b').get(name)).toMatchObject({ bytes: picture });
});

test('files from before they were shared are copied once; a damaged one is not', async () => {
  const own = join(folders.a.dir, 'assets');
  mkdirSync(own);
  writeFileSync(join(own, name), picture);
  writeFileSync(join(own, `${'0'.repeat(64)}.png`), 'damaged');
  expect([await open('a').share(), await open('a').share()]).toEqual([1, 0]);
  expect(await open('b').get(name)).toMatchObject({ bytes: picture });
  expect(filesOf('a', 'assets')).toEqual([`${'0'.repeat(64)}.png`]);
});

test('a file that was deleted on one node does not come back from the disk of another', async () => {
  await open('a').put(picture, 'png');
  await open('b').get(name);
  await open('a').remove(name);
  expect(await open('a').get(name)).toBeNull();
  expect(await open('b').share()).toBe(0);
  expect([filesOf('b', 'assets-cache'), await open('b').get(name)]).toEqual([[], null]);
});

test('files that are older than the bucket are served from PostgreSQL and the data folder, which is copied', async () => {
  const objects = new Map<string, Buffer>();
  const bucket: AssetStore = {
    put: async (bytes, extension) => {
      objects.set(assetName(bytes, extension), bytes);
      return `/assets/${assetName(bytes, extension)}`;
    },
    get: async (key) => {
      const bytes = objects.get(key);
      return bytes === undefined ? null : { bytes, contentType: 'image/png' };
    },
    remove: async (key) => void objects.delete(key),
  };
  await open('a').put(picture, 'png');
  expect(await open('b', { bucket }).get(name)).toMatchObject({ bytes: picture });
  const older = Buffer.from('an older picture');
  mkdirSync(join(folders.b.dir, 'assets'));
  writeFileSync(join(folders.b.dir, 'assets', assetName(older, 'png')), older);
  expect(await open('b', { bucket }).get(assetName(older, 'png'))).toMatchObject({ bytes: older });
  expect(await open('b', { bucket }).share()).toBe(1);
  expect([...objects.keys()]).toEqual([assetName(older, 'png')]);
});

test('a name that nobody has is looked up again after two seconds, and a new upload at once', async () => {
  let nowMs = 0;
  const assets = open('b', { nowMs: () => nowMs });
  expect(await assets.get(name)).toBeNull();
  await open('a').put(picture, 'png');
  expect(await assets.get(name)).toBeNull();
  nowMs = 2_001;
  expect(await assets.get(name)).toMatchObject({ bytes: picture });
});

test('a file that is not on this disk is no 404 while PostgreSQL is unavailable', async () => {
  const gone = await createTestDatabase();
  await gone.close();
  const assets = openSharedAssets({ dataDir: folders.b.dir, sql: gone.db, bucket: null, nowMs: Date.now });
  await expect(assets.get(name)).rejects.toMatchObject({ code: 'unavailable' });
  expect(await assets.get('../secret.png')).toBeNull();
});
