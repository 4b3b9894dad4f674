import { createHash, createHmac } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type BucketOptions, openBucketAssets } from './bucket-assets.ts';

const keys = { accessKeyId: 'AKIAEXAMPLE', secretKey: 'wJalrXUtnFEMI/K7MDENG' };
const region = 'eu-central-1';
const picture = Buffer.from('\x89PNG not really');

/** A bucket over HTTP that takes only requests whose signature (AWS version 4) is right. */
const bucket = {
  objects: new Map<string, { bytes: Buffer; contentType: string | undefined }>(),
  requests: [] as string[],
  /** Statuses of the next answers, before it behaves again. */
  failures: [] as number[],
};
const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const bytes = Buffer.concat(chunks);
    bucket.requests.push(`${request.method} ${request.url}`);
    const failure = bucket.failures.shift();
    if (failure !== undefined) return response.writeHead(failure).end('<Error/>');
    if (!isSigned(request, bytes))
      return response.writeHead(403).end('<Error><Code>SignatureDoesNotMatch</Code></Error>');
    const path = request.url ?? '';
    if (request.method === 'PUT') {
      bucket.objects.set(path, { bytes, contentType: request.headers['content-type'] });
      return response.writeHead(200).end();
    }
    const found = bucket.objects.get(path);
    return found === undefined ? response.writeHead(404).end('<Error/>') : response.writeHead(200).end(found.bytes);
  });
});

/** Computed as "Authenticating Requests (AWS Signature Version 4)" has it, apart from the library under test. */
function isSigned(request: IncomingMessage, bytes: Buffer): boolean {
  const header = request.headers.authorization ?? '';
  const match =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, SignedHeaders=([^,]+), Signature=([0-9a-f]{64})$/.exec(
      header,
    );
  if (match === null) return false;
  const [, id, day = '', place = '', signedHeaders = '', signature] = match;
  const declared = String(request.headers['x-amz-content-sha256']);
  const actual = createHash('sha256').update(bytes).digest('hex');
  if (request.method === 'PUT' && declared !== actual) return false;
  const canonicalHeaders = signedHeaders.split(';').map((name) => `${name}:${String(request.headers[name]).trim()}\n`);
  const canonical = [request.method, request.url, '', canonicalHeaders.join(''), signedHeaders, declared].join('\n');
  const scope = `${day}/${place}/s3/aws4_request`;
  const date = String(request.headers['x-amz-date']);
  const text = ['AWS4-HMAC-SHA256', date, scope, createHash('sha256').update(canonical).digest('hex')].join('\n');
  const mac = (key: string | Buffer, value: string) => createHmac('sha256', key).update(value).digest();
  const key = mac(mac(mac(mac(`AWS4${keys.secretKey}`, day), region), 's3'), 'aws4_request');
  return id === keys.accessKeyId && mac(key, text).toString('hex') === signature;
}

let url = '';
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/placard/files`;
});
beforeEach(() => {
  bucket.objects.clear();
  bucket.requests = [];
  bucket.failures = [];
});
afterAll(() => server.close());

const open = (change: Partial<BucketOptions> = {}) => openBucketAssets({ url, region, ...keys, ...change });
const nameOf = (path: string) => path.slice('/assets/'.length);

describe('files in a bucket', () => {
  test('are kept under their content, with their type, and read back', async () => {
    const path = await open().put(picture, 'png');
    expect(path).toBe(`/assets/${createHash('sha256').update(picture).digest('hex')}.png`);
    expect(bucket.objects.get(`/placard/files/${nameOf(path)}`)).toEqual({ bytes: picture, contentType: 'image/png' });
    expect(await open().get(nameOf(path))).toEqual({ bytes: picture, contentType: 'image/png' });
  });

  test('are read from the bucket once while the memory has room, also when asked for twice at a time', async () => {
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

  test('the longest unused give way', async () => {
    const files = ['a', 'b', 'c'].map((letter) => Buffer.from(letter.repeat(10)));
    const names = await Promise.all(files.map(async (file) => nameOf(await open().put(file, 'png'))));
    const assets = open({ cacheBytesMax: 20 });
    const [a = '', b = '', c = ''] = names;
    for (const name of [a, b, a, c]) await assets.get(name);
    bucket.requests = [];
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
    bucket.failures = [503, 500];
    await open().put(picture, 'png');
    expect(bucket.objects.size).toBe(1);
  });

  test('a wrong secret, a file that was changed, and a bucket that is away are unavailable', async () => {
    await expect(open({ secretKey: 'wrong' }).put(picture, 'png')).rejects.toMatchObject({ code: 'unavailable' });
    const name = nameOf(await open().put(picture, 'png'));
    bucket.objects.set(`/placard/files/${name}`, { bytes: Buffer.from('other'), contentType: 'image/png' });
    await expect(open().get(name)).rejects.toMatchObject({ code: 'unavailable' });
    await expect(open({ url: 'http://127.0.0.1:9/b' }).get(name)).rejects.toMatchObject({ code: 'unavailable' });
  });
});
