import Fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PlacardError } from '../../domain/errors.ts';
import { toProblem } from '../../http/problem.ts';
import { openAssetStore } from '../../storage/assets.ts';
import { createTestDatabase, createTestFolder, type TestDatabase } from '../../../test/support/stores.ts';
import { sniffFile } from './sniff-file.ts';
import { registerUploads } from './upload.routes.ts';

const png = Buffer.alloc(64);
png.write('89504e470d0a1a0a0000000d49484452', 'hex');
png.writeUInt32BE(300, 16);
png.writeUInt32BE(250, 20);
const gif = Buffer.from('474946383961 2c01fa00 000000'.replaceAll(' ', ''), 'hex');
const jpeg = Buffer.from(
  'ffd8ffe000104a46494600010100000100010000ffc0001108 00fa012c 03012200021101031101'.replaceAll(' ', ''),
  'hex',
);
/** One red picture of 300 × 250. */
const avif = Buffer.from(
  'AAAAIGZ0eXBhdmlmAAAAAGF2aWZtaWYxbWlhZk1BMUIAAAD5bWV0YQAAAAAAAAAvaGRscgAAAAAAAAAAcGljdAAAAAAAAAAAAAAAAFBpY3R1cmVIYW5kbGVyAAAAAA5waXRtAAAAAAABAAAAHmlsb2MAAAAARAAAAQABAAAAAQAAASEAAAAjAAAAKGlpbmYAAAAAAAEAAAAaaW5mZQIAAAAAAQAAYXYwMUNvbG9yAAAAAGppcHJwAAAAS2lwY28AAAAUaXNwZQAAAAAAAAEsAAAA+gAAABBwaXhpAAAAAAMICAgAAAAMYXYxQ4EADAAAAAATY29scm5jbHgAAgACAAIAAAAAF2lwbWEAAAAAAAAAAQABBAECgwQAAAArbWRhdAoHGCHlfy2AQDIYE8AAABYAABAJGPWebmUb+Fmo7Z9m/b2H',
  'base64',
);
const webp = Buffer.alloc(32);
webp.write('RIFF', 0, 'latin1');
webp.write('WEBPVP8X', 8, 'latin1');
webp.writeUIntLE(299, 24, 3);
webp.writeUIntLE(249, 27, 3);

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
  ] as const)('%s is known by its bytes', async (_name, bytes, extension, width, height) => {
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

describe('uploading', () => {
  let app: FastifyInstance;
  let database: TestDatabase;
  const folder = createTestFolder();
  const assets = openAssetStore(folder.dir);
  beforeAll(async () => {
    database = await createTestDatabase();
    app = Fastify();
    app.setErrorHandler((error, request, reply) => {
      const problem = toProblem(error, request.id);
      return reply.code(problem.status).send(problem.body);
    });
    await registerUploads(app, {
      sql: database.db,
      nowMs: () => Date.parse('2026-11-20T10:00:00Z'),
      assets,
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

  test('keeps the file under its content and tells type and size', async () => {
    const answer = await send(png);
    expect([answer.statusCode, answer.json()]).toMatchObject([
      201,
      { contentType: 'image/png', sizeBytes: 64, width: 300, height: 250 },
    ]);
    const { url } = answer.json<{ url: string }>();
    expect((await assets.get(url.slice('/assets/'.length)))?.bytes.equals(png)).toBe(true);
    const audit = await database.db.selectFrom('audit_log').select(['action', 'object_id']).execute();
    expect(audit).toEqual([{ action: 'asset.upload', object_id: url }]);
  });

  test('takes a form with one file', async () => {
    const form = [
      '--B',
      'content-disposition: form-data; name="file"; filename="a.gif"',
      'content-type: image/gif',
      '',
      gif.toString('latin1'),
      '--B--',
      '',
    ].join('\r\n');
    const answer = await send(Buffer.from(form, 'latin1'), { 'content-type': 'multipart/form-data; boundary=B' });
    expect([answer.statusCode, answer.json()]).toMatchObject([201, { contentType: 'image/gif', width: 300 }]);
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
  ])('a form %s is bad input', async (_name, type, body) => {
    const answer = await send(body, { 'content-type': type });
    expect([answer.statusCode, answer.json()]).toMatchObject([400, { error: 'invalid_request' }]);
  });

  test('believes the bytes, not the declared type', async () => {
    const answer = await send('MZ this is a program', { 'content-type': 'image/png' });
    expect([answer.statusCode, answer.json()]).toMatchObject([415, { error: 'unsupported_media_type' }]);
  });

  test('refuses a picture of absurd size, and a caller without a key before reading', async () => {
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
