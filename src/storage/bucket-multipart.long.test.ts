import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Bucket } from './bucket.ts';
import { type SignedBucket, startSignedBucket } from './fixtures/signed-bucket.ts';

const keys = { accessKeyId: 'AKIAEXAMPLE', secretKey: 'wJalrXUtnFEMI/K7MDENG', region: 'eu-central-1' };
const MIB = 1024 * 1024;
const NAME = 'report.1.csv';
/** A whole part and a bit. */
const content = randomBytes(5 * MIB + 17);
let bucket: SignedBucket;
let dir: string;

beforeAll(async () => {
  bucket = await startSignedBucket(keys);
  dir = mkdtempSync(join(tmpdir(), 'placard-parts-'));
});
beforeEach(() => {
  bucket.objects.clear();
  bucket.requests.length = 0;
  bucket.failures.length = 0;
  for (const key of Object.keys(bucket.tampering)) delete bucket.tampering[key as keyof typeof bucket.tampering];
});
afterAll(() => {
  bucket.close();
  rmSync(dir, { recursive: true, force: true });
});

/** @param hash of the expected content */
function send(bytes: Buffer, hash = createHash('sha256').update(bytes).digest('hex')): Promise<void> {
  const path = join(dir, 'file');
  writeFileSync(path, bytes);
  const opened = new Bucket({ url: bucket.url, ...keys, partBytes: 5 * MIB });
  return opened.writeFile(NAME, path, { hash, contentType: 'text/csv' });
}

const kept = () => bucket.objects.get(`/placard/files/${NAME}`);
const methods = () =>
  bucket.requests.map((request) => request.replace(/ .*?(?:\?|$)/, ' ').replace(/uploadId=[^&]+/, 'id'));

describe('a file of a bucket', () => {
  test('that is large goes in parts, and is there whole, with its type', async () => {
    const large = randomBytes(10 * MIB + 17);
    await send(large);
    expect(kept()?.bytes.equals(large)).toBe(true);
    expect(kept()?.contentType).toBe('text/csv');
    expect(methods()).toEqual([
      'POST uploads',
      'PUT id&partNumber=1',
      'PUT id&partNumber=2',
      'PUT id&partNumber=3',
      'POST id',
    ]);
    expect(bucket.uploads.count).toBe(0);
  });

  test.each([
    [5 * MIB, ['PUT ']],
    [5 * MIB + 1, ['POST uploads', 'PUT id&partNumber=1', 'PUT id&partNumber=2', 'POST id']],
  ])('a file of %i bytes takes as few requests as it can', async (size, expected) => {
    await send(content.subarray(0, size));
    expect(methods()).toEqual(expected);
    expect(kept()?.bytes.equals(content.subarray(0, size))).toBe(true);
  });

  test.each([
    ['fails four times', { number: 2, status: 503, times: 4 }],
    ['is cut off twice', { number: 1, status: 0, times: 2 }],
  ])('an upload goes on after a part of it %s', async (_title, part) => {
    bucket.tampering.part = { ...part };
    await send(content);
    expect(kept()?.bytes.equals(content)).toBe(true);
    expect(bucket.uploads.count).toBe(0);
  });

  test.each([
    ['a part is refused', { part: { number: 2, status: 403 } }, ['PUT id&partNumber=2']],
    ['the connection is cut at a part each time', { part: { number: 2, status: 0 } }, ['PUT id&partNumber=2']],
    ['the bucket acknowledges other bytes', { acknowledgesOther: true }, ['PUT id&partNumber=1']],
    ['the bucket says 200 and then that it failed', { failsToComplete: true }, ['PUT id&partNumber=2', 'POST id']],
  ] as const)('a file is absent, with all of its parts, when %s', async (_title, wrong, last) => {
    Object.assign(bucket.tampering, wrong);
    await expect(send(content)).rejects.toMatchObject({ code: 'unavailable' });
    expect(kept()).toBeUndefined();
    expect(bucket.uploads.count).toBe(0);
    expect(methods().slice(-1 - last.length)).toEqual([...last, 'DELETE id']);
  });

  test('a file is absent when it was changed on disk meanwhile', async () => {
    await expect(send(content, '0'.repeat(64))).rejects.toMatchObject({ code: 'unavailable' });
    expect(kept()).toBeUndefined();
    expect(bucket.uploads.count).toBe(0);
  });

  test('that stood there stays until the new one is whole', async () => {
    await send(content);
    bucket.tampering.part = { number: 2, status: 403 };
    await expect(send(randomBytes(6 * MIB))).rejects.toMatchObject({ code: 'unavailable' });
    expect(kept()?.bytes.equals(content)).toBe(true);
  });
});
