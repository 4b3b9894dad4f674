import fc from 'fast-check';
import { readFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PlacardError } from '../../../domain/errors.ts';
import { toProblem } from '../../../http/shared/problem.ts';
import { type AssetExtension, openAssetStore } from '../../../storage/assets.ts';
import { createTestDatabase, createTestFolder, type TestDatabase } from '../../../../test/support/stores.ts';
import { createTestServer } from '../../../../test/support/test-server.ts';
import { seedNetworks } from '../../fixtures/test-management.ts';
import { sniffFile } from './sniff-file.ts';
import { makeGif, makeJpeg, makePng, makeWebp } from './fixtures/pictures.ts';
import { isWholeFile } from './whole-file.ts';
import { registerUploads } from './upload.routes.ts';

const png = makePng(300, 250);
const gif = makeGif(300, 250);
const jpeg = makeJpeg(300, 250);
/** One red picture of 300 × 250. */
const avif = Buffer.from(
  'AAAAIGZ0eXBhdmlmAAAAAGF2aWZtaWYxbWlhZk1BMUIAAAD5bWV0YQAAAAAAAAAvaGRscgAAAAAAAAAAcGljdAAAAAAAAAAAAAAAAFBpY3R1cmVIYW5kbGVyAAAAAA5waXRtAAAAAAABAAAAHmlsb2MAAAAARAAAAQABAAAAAQAAASEAAAAjAAAAKGlpbmYAAAAAAAEAAAAaaW5mZQIAAAAAAQAAYXYwMUNvbG9yAAAAAGppcHJwAAAAS2lwY28AAAAUaXNwZQAAAAAAAAEsAAAA+gAAABBwaXhpAAAAAAMICAgAAAAMYXYxQ4EADAAAAAATY29scm5jbHgAAgACAAIAAAAAF2lwbWEAAAAAAAAAAQABBAECgwQAAAArbWRhdAoHGCHlfy2AQDIYE8AAABYAABAJGPWebmUb+Fmo7Z9m/b2H',
  'base64',
);
const webp = makeWebp(300, 250);

describe('the kind of a file', () => {
  test.each([
    ['PNG', png, 'png', 300, 250],
    ['GIF', gif, 'gif', 300, 250],
    ['JPEG', jpeg, 'jpg', 300, 250],
    ['WebP', webp, 'webp', 300, 250],
    [
      'SVG by attributes',
      Buffer.from('<?xml version="1.0"?><!-- x --><svg xmlns="x" width="300" height="250px">'),
      'svg',
      300,
      250,
    ],
    ['SVG by view box', Buffer.from('<svg viewBox="0 0 300 250">'), 'svg', 300, 250],
    ['MP4', Buffer.from('00000020667479706d70343200000000', 'hex'), 'mp4', null, null],
    ['AVIF', avif, 'avif', 300, 250],
    ['HTML', Buffer.from('<!doctype html><p>x'), 'html', null, null],
  ] as const)('%s is recognised by its bytes', async (_name, bytes, extension, width, height) => {
    expect(await sniffFile(bytes)).toEqual({ extension, width, height });
  });

  test.each([
    ['nothing', Buffer.alloc(0)],
    ['a cut PNG', png.subarray(0, 12)],
    ['a cut JPEG', jpeg.subarray(0, 10)],
    ['a JPEG whose segment has no length', Buffer.from('ffd8ffe00000ffe00000ffe00000ffe00000', 'hex')],
    ['a program', Buffer.from('7f454c4602010100000000000000000000', 'hex')],
    ['plain text', Buffer.from('hello')],
    ['JavaScript', Buffer.from('alert(1)')],
    ['PDF', Buffer.from('%PDF-1.7 0000000000000000000')],
  ])('%s is refused', async (_name, bytes) => {
    expect(await sniffFile(bytes)).toBeNull();
  });
});

const media = new URL('../../../demo/media/', import.meta.url);
const fileOf = (name: string) => readFileSync(new URL(name, media));

describe('a whole file', () => {
  const WHOLE: readonly (readonly [string, Buffer, AssetExtension])[] = [
    ['PNG', png, 'png'],
    ['GIF', gif, 'gif'],
    ['JPEG', jpeg, 'jpg'],
    ['WebP', webp, 'webp'],
    ['AVIF', avif, 'avif'],
    ['MP4', fileOf('house-spot.mp4'), 'mp4'],
    ['WebM', fileOf('house-spot.webm'), 'webm'],
  ];
  test.each(WHOLE)('%s is accepted, and refused when its end is cut off anywhere', async (_name, bytes, extension) => {
    expect(await isWholeFile(bytes, extension)).toBe(true);
    const last = extension === 'gif' || extension === 'jpg' ? bytes.length : bytes.length - 1;
    const lengths = Array.from({ length: 60 }, (_one, index) => Math.floor((index / 60) * last));
    for (const length of [...lengths, last - 1]) {
      expect([length, await isWholeFile(bytes.subarray(0, length), extension)]).toEqual([length, false]);
    }
  });

  test('a PNG of 33 bytes whose header claims 5000 × 5000 is refused', async () => {
    const header = makePng(5_000, 5_000).subarray(0, 33);
    expect(await sniffFile(header)).toMatchObject({ width: 5_000, height: 5_000 });
    expect(await isWholeFile(header, 'png')).toBe(false);
  });

  test.each([
    ['with a wrong checksum', Buffer.from(png.map((byte, index) => (index === 30 ? byte ^ 1 : byte)))],
    ['with fewer pixels than its header says', makePng(5_000, 5_000, { rows: Buffer.alloc(100) })],
    ['with far more pixels than its header says', makePng(10, 10, { rows: Buffer.alloc(50_000_000) })],
    ['with bytes behind its end', Buffer.concat([png, Buffer.from('x')])],
  ])('PNG %s is refused', async (_name, bytes) => {
    expect(await isWholeFile(bytes, 'png')).toBe(false);
  });

  test('damage in a single byte never throws', async () => {
    for (const [, bytes, extension] of WHOLE.slice(0, 5)) {
      await fc.assert(
        fc.asyncProperty(fc.nat(bytes.length - 1), fc.nat(255), async (at, value) => {
          const damaged = Buffer.from(bytes);
          damaged[at] = value;
          expect(typeof (await isWholeFile(damaged, extension))).toBe('boolean');
        }),
        { numRuns: 200 },
      );
    }
  });
});

describe('uploading', () => {
  let app: FastifyInstance;
  let database: TestDatabase;
  const folder = createTestFolder();
  const assets = openAssetStore(folder.dir);
  beforeAll(async () => {
    database = await createTestDatabase();
    await seedNetworks(database);
    app = createTestServer();
    app.setErrorHandler((error, request, reply) => {
      const problem = toProblem(error, request.id);
      return reply.code(problem.status).send(problem.body);
    });
    await registerUploads(app, {
      sql: database.db,
      nowMs: () => Date.parse('2026-11-20T10:00:00Z'),
      assets,
      bytesMax: 1_000_000,
      requireSpace: async () => undefined,
      authenticate: async (request) => {
        if (request.headers.authorization === undefined) throw new PlacardError('authentication_required');
        return {
          kind: 'apiKey',
          actor: 'key:1',
          id: '1',
          workspaceId: 1,
          networkId: '1000',
          environment: 'production',
          permission: 'read-write',
          modules: null,
          remoteAddress: '',
        };
      },
    });
    await app.ready();
  });
  afterAll(async () => {
    await app.close();
    await database.close();
    folder.remove();
  });

  const send = (payload: Buffer | string, headers: Record<string, string> = {}) =>
    app.inject({
      method: 'POST',
      url: '/assets',
      payload,
      headers: { authorization: 'x', 'content-type': 'image/png', ...headers },
    });

  test('an upload stores the file under its content hash and returns its type and size', async () => {
    const response = await send(png);
    expect([response.statusCode, response.json()]).toMatchObject([
      201,
      { contentType: 'image/png', sizeBytes: png.length, width: 300, height: 250 },
    ]);
    const { url } = response.json<{ url: string }>();
    expect((await assets.get(url.slice('/assets/'.length)))?.bytes.equals(png)).toBe(true);
    const audit = await database.db.selectFrom('audit_log').select(['action', 'object_id']).execute();
    expect(audit).toEqual([{ action: 'asset.upload', object_id: url }]);
  });

  test('an upload accepts a form with one file', async () => {
    const form = [
      '--B',
      'content-disposition: form-data; name="file"; filename="a.gif"',
      'content-type: image/gif',
      '',
      gif.toString('latin1'),
      '--B--',
      '',
    ].join('\r\n');
    const response = await send(Buffer.from(form, 'latin1'), { 'content-type': 'multipart/form-data; boundary=B' });
    expect([response.statusCode, response.json()]).toMatchObject([201, { contentType: 'image/gif', width: 300 }]);
  });

  test.each([
    [
      'without a boundary',
      'multipart/form-data',
      '--B\r\ncontent-disposition: form-data; name="f"; filename="a"\r\n\r\nx',
    ],
    [
      'cut off',
      'multipart/form-data; boundary=B',
      '--B\r\ncontent-disposition: form-data; name="f"; filename="a"\r\n\r\nx',
    ],
    ['cut off in its headers', 'multipart/form-data; boundary=B', '--B\r\ncontent-dispo'],
    ['whose boundary is nowhere', 'multipart/form-data; boundary=B', 'hello'],
    ['without a file', 'multipart/form-data; boundary=B', '--B--\r\n'],
  ])('a form %s gets bad input', async (_name, type, body) => {
    const response = await send(body, { 'content-type': type });
    expect([response.statusCode, response.json()]).toMatchObject([400, { error: 'invalid_request' }]);
  });

  test('an upload trusts the bytes, not the declared type', async () => {
    const response = await send('MZ this is a program', { 'content-type': 'image/png' });
    expect([response.statusCode, response.json()]).toMatchObject([415, { error: 'unsupported_media_type' }]);
  });

  test('an upload of an absurdly large picture is refused, and a caller without a key is refused unread', async () => {
    const huge = Buffer.from(png);
    huge.writeUInt32BE(60_000, 16);
    expect((await send(huge)).statusCode).toBe(400);
    const anonymous = await app.inject({
      method: 'POST',
      url: '/assets',
      payload: png,
      headers: { 'content-type': 'image/png' },
    });
    expect(anonymous.statusCode).toBe(401);
  });
});
