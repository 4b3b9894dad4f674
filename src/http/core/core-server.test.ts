import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { EventEmitter, once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { gunzipSync, gzipSync, inflateSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { SILENT_LOG } from '../../domain/log/log.ts';
import { PlacardError } from '../../domain/errors.ts';
import type { CoreServer, CoreServerOptions } from './core-server.ts';
import { createCoreServer, mountRoutes } from './core-server.ts';
import { healthRoutes } from '../shared/health.ts';
import { ask, hasResponse, parseResponses, sendRaw, sendThenRead } from '../fixtures/raw-client.ts';
import { prepareTls } from '../tls/tls.ts';

const log = SILENT_LOG;
const LONG_TEXT = 'abc'.repeat(2_000);

const started: CoreServer[] = [];
/** Emits `slow` when the handler of /slow has begun. */
const handlers = new EventEmitter();

async function start(options: Partial<CoreServerOptions> = {}): Promise<{ port: number; server: CoreServer }> {
  const server = await createCoreServer({ transport: { mode: 'loopback', tls: null }, port: 0, log, ...options });
  started.push(server);
  const { app } = server;
  app.post('/graphql', { bodyLimit: 8 * 1024 * 1024 }, async (request) => ({ got: request.body }));
  app.post('/large', { config: { slowBodyAllowed: true } }, async (request) => ({ got: request.body }));
  app.post('/reports/:network/v1/load', async (request) => ({ got: request.body }));
  app.get('/reports/:network/v1/meta', async (request) => ({
    address: request.clientAddress,
    secure: request.protocolSecure,
  }));
  app.get('/long', async () => ({ text: LONG_TEXT }));
  app.get('/boom', async () => {
    throw new Error('secret at db.internal');
  });
  app.get('/foreign', async () => {
    throw Object.assign(new Error('secret'), { statusCode: 418, code: 'EVIL' });
  });
  app.get('/denied', async () => {
    throw new PlacardError('insufficient_permissions');
  });
  app.get('/slow', async () => {
    handlers.emit('slow');
    await sleep(300);
    return { slow: true };
  });
  mountRoutes(
    app,
    healthRoutes({
      readiness: async () => [{ name: 'postgres', ok: false, detail: 'refused' }],
      metrics: { contentType: 'text/plain', metrics: async () => 'up 1\n' },
    }),
  );
  return { port: await server.listen(), server };
}
afterEach(async () => {
  await Promise.all(started.splice(0).map((server) => server.stop(0)));
});

describe('refusals', () => {
  test.each([
    ['an unknown path', 'GET', '/nope', {}, undefined, 404, 'not_found'],
    ['an unknown path, before its body is looked at', 'POST', '/nope', {}, '{"a":', 404, 'not_found'],
    ['a wrong method', 'DELETE', '/graphql', {}, undefined, 405, 'method_not_allowed'],
    [
      'a wrong method with a body of any type',
      'POST',
      '/reports/1000/v1/meta',
      { 'content-type': 'text/xml' },
      '<a/>',
      405,
      'method_not_allowed',
    ],
    ['malformed JSON', 'POST', '/graphql', {}, '{"a":', 400, 'invalid_request'],
    [
      'an empty JSON body',
      'POST',
      '/graphql',
      { 'content-type': 'application/json', 'content-length': '0' },
      '',
      400,
      'invalid_request',
    ],
    [
      'a declared type that is not taken',
      'POST',
      '/graphql',
      { 'content-type': 'text/plain' },
      '{}',
      415,
      'unsupported_media_type',
    ],
    [
      'a type that only begins like JSON',
      'POST',
      '/graphql',
      { 'content-type': 'application/jsonx' },
      '{}',
      415,
      'unsupported_media_type',
    ],
    [
      'a declared charset that is not UTF-8',
      'POST',
      '/graphql',
      { 'content-type': 'application/json; charset=utf-16' },
      '{}',
      415,
      'unsupported_media_type',
    ],
    ['invalid UTF-8', 'POST', '/graphql', {}, Buffer.from([0x22, 0xff, 0xfe, 0x22]), 400, 'invalid_request'],
    ['65 levels of JSON', 'POST', '/graphql', {}, '['.repeat(65) + ']'.repeat(65), 400, 'invalid_request'],
    ['bad gzip data', 'POST', '/graphql', { 'content-encoding': 'gzip' }, 'not gzip', 400, 'invalid_request'],
    ['junk percent-encoding', 'GET', '/reports/%zz/v1/meta', {}, undefined, 400, 'invalid_request'],
    ['an exception', 'GET', '/boom', {}, undefined, 500, 'internal_error'],
    ['an exception that names its own status', 'GET', '/foreign', {}, undefined, 500, 'internal_error'],
    ['a known error', 'GET', '/denied', {}, undefined, 403, 'insufficient_permissions'],
  ] as [string, string, string, Record<string, string>, string | Buffer | undefined, number, string][])(
    'errors of %s are JSON with a stable code and a request id',
    async (_name, method, target, headers, body, status, code) => {
      const { port } = await start();
      const response = await ask(port, method, target, { headers, ...(body === undefined ? {} : { body }) });
      expect(response.status).toBe(status);
      expect(response.json()).toMatchObject({ error: code, message: expect.any(String) });
      expect(response.headers['x-request-id']).toMatch(/^[\w-]{12}\.\w+$/);
      expect(response.body.toString()).not.toMatch(/secret|FST_|stack/);
    },
  );

  test('name the allowed methods, also where the path has a parameter', async () => {
    const { port } = await start();
    expect((await ask(port, 'GET', '/reports/1000/v1/load')).headers['allow']).toBe('POST');
    expect((await ask(port, 'PUT', '/reports/1000/v1/meta')).headers['allow']).toBe('GET, HEAD');
  });

  test('bytes that are not HTTP get a 400 with a JSON body', async () => {
    const { port } = await start();
    expect(parseResponses(await sendRaw(port, ['\x00\x01 what\r\n\r\n']))[0]?.json()).toMatchObject({
      error: 'invalid_request',
    });
  });
});

describe('bodies', () => {
  test('bodies are limited to 1 MiB, or to the limit of the route', async () => {
    const { port } = await start();
    const body = `"${'x'.repeat(1024 * 1024)}"`;
    expect((await ask(port, 'POST', '/reports/1/v1/load', { body })).status).toBe(413);
    expect((await ask(port, 'POST', '/graphql', { body })).status).toBe(200);
    const head = 'POST /graphql HTTP/1.1\r\nHost: x\r\nContent-Length: 20000000\r\n\r\n';
    const [large] = parseResponses(await sendThenRead(port, [head, Buffer.alloc(20_000_000, 0x20)]));
    expect(large).toMatchObject({ status: 413, headers: { connection: 'close', 'x-request-id': expect.any(String) } });
    expect(large?.json()).toMatchObject({ error: 'payload_too_large' });
  });

  test('in chunks are counted while they come', async () => {
    const { port } = await start();
    const mebibyte = `100000\r\n${'x'.repeat(0x100000)}\r\n`;
    const head =
      'POST /reports/1/v1/load HTTP/1.1\r\nHost: x\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n';
    expect(parseResponses(await sendRaw(port, [head, mebibyte, mebibyte, '0\r\n\r\n']))[0]?.status).toBe(413);
  });

  test('bodies may be compressed with gzip, up to 8 MiB inflated', async () => {
    const { port } = await start();
    const send = (text: string) =>
      ask(port, 'POST', '/graphql', { headers: { 'content-encoding': 'gzip' }, body: gzipSync(text) });
    expect((await send('{"a":1}')).json()).toEqual({ got: { a: 1 } });
    expect((await send(`"${'x'.repeat(8 * 1024 * 1024)}"`)).status).toBe(413);
  });

  test('bodies without a content type are parsed as JSON, and their keys never reach a prototype', async () => {
    const { port } = await start();
    const response = await ask(port, 'POST', '/graphql', {
      body: '{"a":{"__proto__":{"x":1},"\\u005f_proto__":2,"b":"__proto__"}}',
    });
    expect(response.body.toString()).toBe('{"got":{"a":{"b":"__proto__"}}}');
  });

  test('a request with another expectation gets a 417 with a JSON body', async () => {
    const { port } = await start();
    const head =
      'POST /graphql HTTP/1.1\r\nHost: x\r\nExpect: foo\r\nX-Request-Id: mine-1\r\nContent-Length: 2\r\n\r\n{}';
    const [response] = parseResponses(await sendRaw(port, [head]));
    expect(response).toMatchObject({ status: 417, headers: { 'x-request-id': 'mine-1', connection: 'close' } });
    expect(response?.json()).toMatchObject({ error: 'invalid_request', message: expect.any(String) });
  });

  test('announced with Expect are asked for', async () => {
    const { port } = await start();
    const head =
      'POST /graphql HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nConnection: close\r\nContent-Length: 2\r\n\r\n';
    expect((await sendRaw(port, [head, '{}'], { pauseMs: 30 })).toString()).toMatch(
      /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 OK/,
    );
  });

  test('the body and content type of a GET are ignored', async () => {
    const { port } = await start();
    expect(
      (await ask(port, 'GET', '/reports/1/v1/meta', { headers: { 'content-type': 'application/json' } })).status,
    ).toBe(200);
  });
});

describe('responses', () => {
  test('responses are compressed when the client accepts it and it saves bytes', async () => {
    const { port } = await start();
    const get = (path: string, encoding: string) =>
      ask(port, 'GET', path, { headers: { 'accept-encoding': encoding } });
    const zipped = await get('/long', 'br, gzip');
    expect(zipped.headers['content-encoding']).toBe('gzip');
    expect(JSON.parse(gunzipSync(zipped.body).toString())).toEqual({ text: LONG_TEXT });
    expect(JSON.parse(inflateSync((await get('/long', 'deflate')).body).toString())).toEqual({ text: LONG_TEXT });
    for (const [path, encoding] of [
      ['/long', 'identity'],
      ['/long', 'br'],
      ['/reports/1/v1/meta', 'gzip'],
    ] as const) {
      const plain = await get(path, encoding);
      expect([plain.status, plain.headers['content-encoding']]).toEqual([200, undefined]);
    }
  });

  test('responses have security headers, and no CORS headers for any origin', async () => {
    const { port } = await start();
    const { headers } = await ask(port, 'GET', '/long', { headers: { origin: 'https://evil.example' } });
    expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' });
    expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
  });

  test('to HEAD have no body', async () => {
    const { port } = await start();
    const bytes = await sendRaw(port, ['HEAD /long HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n']);
    expect(bytes.toString()).toMatch(/^HTTP\/1\.1 200 OK[\s\S]*\r\n\r\n$/);
  });

  test('responses echo a well-formed request id', async () => {
    const { port } = await start();
    expect((await ask(port, 'GET', '/nope', { headers: { 'x-request-id': 'r-1' } })).headers['x-request-id']).toBe(
      'r-1',
    );
  });
});

describe('health', () => {
  test('health endpoints return liveness, readiness with its reasons to this machine, and metrics', async () => {
    const { port } = await start();
    expect((await ask(port, 'GET', '/healthz')).json()).toEqual({ status: 'ok' });
    const ready = await ask(port, 'GET', '/readyz');
    expect(ready.status).toBe(503);
    expect(ready.json()).toEqual({ status: 'not_ready', checks: [{ name: 'postgres', ok: false, detail: 'refused' }] });
    expect((await ask(port, 'GET', '/metrics')).body.toString()).toBe('up 1\n');
  });

  test('health endpoints hide reasons and metrics from callers on other machines', async () => {
    const { port } = await start({
      transport: { mode: 'proxy', tls: null },
      bind: '127.0.0.1',
      trustedProxies: ['127.0.0.1'],
    });
    const headers = { 'x-forwarded-for': '198.51.100.7', 'x-forwarded-proto': 'https' };
    expect((await ask(port, 'GET', '/readyz', { headers })).json()).toEqual({
      status: 'not_ready',
      checks: [{ name: 'postgres', ok: false }],
    });
    expect((await ask(port, 'GET', '/metrics', { headers })).status).toBe(404);
  });

  test.each([
    ['a trusted proxy of this machine that names no client', ['127.0.0.1'], { 'x-forwarded-proto': 'https' }],
    ['a proxy of this machine that is not trusted', [], { 'x-forwarded-for': '198.51.100.7' }],
    ['one that says only that it is one', [], { via: '1.1 front' }],
  ])('health endpoints hide reasons from callers through %s', async (_which, trustedProxies, headers) => {
    const { port } = await start({ transport: { mode: 'loopback', tls: null }, bind: '127.0.0.1', trustedProxies });
    expect((await ask(port, 'GET', '/metrics', { headers })).status).toBe(404);
    expect((await ask(port, 'GET', '/readyz', { headers })).body.toString()).not.toContain('refused');
  });
});

describe('transport', () => {
  test('a proxy is believed only when it is trusted', async () => {
    const headers = { 'x-forwarded-for': '198.51.100.7', 'x-forwarded-proto': 'https' };
    const proxy = { transport: { mode: 'proxy', tls: null }, bind: '127.0.0.1' } as const;
    const trusting = await start({ ...proxy, trustedProxies: ['127.0.0.1'] });
    expect((await ask(trusting.port, 'GET', '/reports/1/v1/meta', { headers })).json()).toEqual({
      address: '198.51.100.7',
      secure: true,
    });
    expect((await ask(trusting.port, 'GET', '/reports/1/v1/meta')).json()).toMatchObject({ error: 'https_required' });
    const doubting = await start({ ...proxy, trustedProxies: ['192.0.2.0/24'] });
    expect((await ask(doubting.port, 'GET', '/reports/1/v1/meta', { headers })).status).toBe(403);
  });

  test('drip-fed requests are cut off', async () => {
    const { port } = await start({
      limits: { headersTimeoutMs: 200, requestTimeoutMs: 400, timeoutCheckIntervalMs: 50 },
    });
    const drip = ['GET /long HTTP/1.1\r\n', ...Array.from({ length: 40 }, (_, index) => `X-${index}: a\r\n`)];
    expect(parseResponses(await sendRaw(port, drip, { pauseMs: 25, isDone: hasResponse }))[0]?.status).toBe(408);
  });

  test('a large upload may take longer where its route allows it; a connection that stands still is cut all the same', async () => {
    const limits = { headersTimeoutMs: 500, requestTimeoutMs: 600, timeoutCheckIntervalMs: 50 };
    const { port } = await start({ limits: { ...limits, idleTimeoutMs: 600_000 } });
    const upload = (path: string) => [
      `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 30\r\n\r\n[`,
      ...Array.from({ length: 28 }, () => ' '),
      ']',
    ];
    const pace = { pauseMs: 30, waitMs: 600_000, isDone: hasResponse };
    expect(parseResponses(await sendRaw(port, upload('/large'), pace))[0]?.status).toBe(200);
    expect(parseResponses(await sendRaw(port, upload('/graphql'), pace))[0]?.status).toBe(408);
    const hasty = await start({ limits: { ...limits, idleTimeoutMs: 500 } });
    const still = upload('/large').slice(0, 3);
    expect(parseResponses(await sendRaw(hasty.port, still, { waitMs: 600_000 }))).toEqual([]);
  });

  test('stopping lets open requests finish and takes no new ones', async () => {
    const { port, server } = await start();
    const idle = connect(port, '127.0.0.1');
    const begun = once(handlers, 'slow');
    const open = sendRaw(port, ['GET /slow HTTP/1.1\r\nHost: x\r\n\r\n']);
    await Promise.all([begun, expect.poll(() => server.connections().open).toBe(2)]);
    const stopped = server.stop(600_000);
    await expect(ask(port, 'GET', '/long')).rejects.toThrow();
    const [response] = parseResponses(await open);
    expect(response).toMatchObject({ status: 200, headers: { connection: 'close' } });
    expect(response?.json()).toEqual({ slow: true });
    await stopped;
    idle.destroy();
  });

  test('while it lingers, connections that are open get a response to what comes late', async () => {
    const { port, server } = await start();
    const [kept, fresh] = [connect(port, '127.0.0.1'), connect(port, '127.0.0.1')];
    const received = (socket: Socket): Promise<string> =>
      new Promise((resolve) => {
        let text = '';
        socket.on('data', (data: Buffer) => (text += data.toString()));
        socket.on('error', () => undefined);
        socket.once('close', () => resolve(text));
      });
    const responses = [received(kept), received(fresh)];
    kept.write('GET /long HTTP/1.1\r\nHost: x\r\n\r\n');
    await once(kept, 'data');
    await expect.poll(() => server.connections().open).toBe(2);
    const stopped = server.stop(600_000, 30_000);
    expect((await ask(port, 'GET', '/long')).headers.connection).toBe('close');
    for (const socket of [kept, fresh]) socket.write('GET /slow HTTP/1.1\r\nHost: x\r\n\r\n');
    for (const text of await Promise.all(responses)) expect(text).toContain('{"slow":true}');
    // Both connections have closed: there is nothing left to wait for.
    await stopped;
  });

  describe('with TLS', () => {
    let dir: string;
    beforeAll(async () => {
      dir = await mkdtemp(join(tmpdir(), 'placard-core-'));
    });
    afterAll(() => rm(dir, { recursive: true, force: true }));

    test('HTTPS is served, plain HTTP on the same port refused, and a renewed certificate taken into use', async () => {
      const transport = await prepareTls({ mode: 'self', publicUrls: [] }, dir, { nowMs: Date.now() });
      const ca = await readFile(join(dir, 'tls', 'ca.pem'), 'utf8');
      const { port, server } = await start({ transport });
      expect((await ask(port, 'POST', '/graphql', { ca, body: '{"query":"{a}"}' })).json()).toEqual({
        got: { query: '{a}' },
      });
      expect((await ask(port, 'POST', '/graphql', { ca, body: Buffer.alloc(20_000_000, 0x20) })).status).toBe(413);
      expect((await ask(port, 'POST', '/graphql', { body: '{}' })).json()).toMatchObject({ error: 'https_required' });
      const moved = await prepareTls({ mode: 'self', publicUrls: ['https://new.example'] }, dir, { nowMs: Date.now() });
      if (moved.tls === null) throw new Error('no TLS');
      server.renewTls(moved.tls);
      const newCa = await readFile(join(dir, 'tls', 'ca.pem'), 'utf8');
      expect((await ask(port, 'GET', '/healthz', { ca: newCa })).status).toBe(200);
      await expect(ask(port, 'GET', '/healthz', { ca })).rejects.toThrow();
    });
  });
});
