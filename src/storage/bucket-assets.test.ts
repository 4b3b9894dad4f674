import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type BucketAssetsOptions, openBucketAssets } from './bucket-assets.ts';
import { type SignedBucket, startSignedBucket } from './fixtures/signed-bucket.ts';

const keys = { accessKeyId: 'AKIAEXAMPLE', secretKey: 'wJalrXUtnFEMI/K7MDENG', region: 'eu-central-1' };
const picture = Buffer.from('\x89PNG not really');
let bucket: SignedBucket;

beforeAll(async () => {
  bucket = await startSignedBucket(keys);
});
beforeEach(() => {
  bucket.objects.clear();
  bucket.requests.length = 0;
  bucket.failures.length = 0;
});
afterAll(() => bucket.close());

const open = (change: Partial<BucketAssetsOptions> = {}) => openBucketAssets({ url: bucket.url, ...keys, ...change });
const nameOf = (path: string) => path.slice('/assets/'.length);

describe('files in a bucket', () => {
  test('a file is stored under the hash of its content, with its type, and read back', async () => {
    const path = await open().put(picture, 'png');
    expect(path).toBe(`/assets/${createHash('sha256').update(picture).digest('hex')}.png`);
    expect(bucket.objects.get(`/placard/files/${nameOf(path)}`)).toEqual({ bytes: picture, contentType: 'image/png' });
    expect(await open().get(nameOf(path))).toEqual({ bytes: picture, contentType: 'image/png' });
  });

  test('a file is read from the bucket once while it fits into memory, also when two requests ask for it at a time', async () => {
    const name = nameOf(await open().put(picture, 'png'));
    const assets = open();
    await Promise.all([assets.get(name), assets.get(name)]);
    await assets.get(name);
    expect(bucket.requests.filter((request) => request.startsWith('GET'))).toHaveLength(1);
    const cramped = open({ cacheBytesMax: picture.length - 1 });
    await cramped.get(name);
    await cramped.get(name);
    expect(bucket.requests.filter((request) => request.startsWith('GET'))).toHaveLength(3);
  });

  test('the memory drops the files that were unused the longest', async () => {
    const files = ['a', 'b', 'c'].map((letter) => Buffer.from(letter.repeat(10)));
    const names = await Promise.all(files.map(async (file) => nameOf(await open().put(file, 'png'))));
    const assets = open({ cacheBytesMax: 20 });
    const [a = '', b = '', c = ''] = names;
    for (const name of [a, b, a, c]) await assets.get(name);
    bucket.requests.length = 0;
    await assets.get(a);
    await assets.get(c);
    expect(bucket.requests).toEqual([]);
    await assets.get(b);
    expect(bucket.requests).toHaveLength(1);
  });

  test.each(['../secret.png', 'x.png', `${'a'.repeat(64)}.exe`])('%s is asked of nobody', async (name) => {
    expect(await open().get(name)).toBeNull();
    expect(bucket.requests).toEqual([]);
  });

  test('a file that is not there is null', async () => {
    expect(await open().get(`${'0'.repeat(64)}.png`)).toBeNull();
  });

  test('a bucket that says "later" is asked again', async () => {
    bucket.failures.push(503, 500);
    await open().put(picture, 'png');
    expect(bucket.objects.size).toBe(1);
  });

  test('a request fails with unavailable when the secret is wrong, the file has changed or the bucket is unreachable', async () => {
    await expect(open({ secretKey: 'wrong' }).put(picture, 'png')).rejects.toMatchObject({ code: 'unavailable' });
    const name = nameOf(await open().put(picture, 'png'));
    bucket.objects.set(`/placard/files/${name}`, { bytes: Buffer.from('other'), contentType: 'image/png' });
    await expect(open().get(name)).rejects.toMatchObject({ code: 'unavailable' });
    await expect(open({ url: 'http://127.0.0.1:9/b' }).get(name)).rejects.toMatchObject({ code: 'unavailable' });
  });
});
