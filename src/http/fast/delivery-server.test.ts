import { EventEmitter, once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { BoundSocket, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { brotliCompressSync, deflateRawSync, deflateSync, gunzipSync, gzipSync, inflateSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { SILENT_LOG } from '../../domain/log/log.ts';
import { PlacardError } from '../../domain/errors.ts';
import type { DeliveryServer, DeliveryServerOptions } from './delivery-server.ts';
import { startDeliveryServer } from './delivery-server.ts';
import { healthRoutes } from '../shared/health.ts';
import { parseJsonBody } from '../shared/json.ts';
import { ask, parseResponses, sendRaw, sendThenRead } from '../fixtures/raw-client.ts';
import type { HttpRequest, Route } from '../shared/route.ts';
import { prepareTls } from '../tls/tls.ts';

const log = SILENT_LOG;
/** Emits the name of a route when its handler has begun. */
const handlers = new EventEmitter();
const LONG_TEXT = JSON.stringify({ text: 'abc'.repeat(2_000) });

function echo(request: HttpRequest): { status: number; body: string } {
  const { method, path, query, params, remoteAddress, protocolSecure, requestId } = request;
  return {
    status: 200,
    body: JSON.stringify({ method, path, query, params, remoteAddress, protocolSecure, requestId }),
  };
}

const ROUTES: Route[] = [
  {
    method: 'POST',
    pattern: '/api/v1/ads',
    name: 'ads',
    handler: (r) => ({ status: 200, body: JSON.stringify(parseJsonBody(r.body)) }),
  },
  {
    method: 'POST',
    pattern: '/small',
    name: 'small',
    bodyBytesMax: 100,
    handler: (r) => ({ status: 200, body: `{"bytes":${r.body.length}}` }),
  },
  { method: 'GET', pattern: '/:network/bid', name: 'bid', corsCredentials: true, handler: echo },
  {
    method: 'POST',
    pattern: '/:network/bid',
    name: 'bid',
    corsCredentials: true,
    contentTypes: ['application/json', 'text/plain'],
    handler: (r) => (parseJsonBody(r.body), { status: 204 }),
  },
  { method: 'GET', pattern: '/:network/click/*rest', name: 'click', handler: echo },
  { method: 'GET', pattern: '/long', name: 'long', handler: () => ({ status: 200, body: LONG_TEXT }) },
  {
    method: 'GET',
    pattern: '/pixel',
    name: 'pixel',
    handler: () => ({ status: 200, headers: { 'content-type': 'image/gif' }, body: Buffer.alloc(2_000) }),
  },
  {
    method: 'GET',
    pattern: '/boom',
    name: 'boom',
    handler: () => {
      throw new Error('secret at db.internal');
    },
  },
  {
    method: 'GET',
    pattern: '/late-boom',
    name: 'late-boom',
    handler: async () => {
      await sleep(1);
      throw new Error('secret');
    },
  },
  {
    method: 'GET',
    pattern: '/bad-header',
    name: 'bad-header',
    handler: () => ({ status: 200, headers: { 'x-bad': 'a\r\nb: c' }, body: '{}' }),
  },
  {
    method: 'GET',
    pattern: '/limited',
    name: 'limited',
    handler: () => {
      throw new PlacardError('rate_limit_exceeded', undefined, {
        details: { limit: 5, reset: Math.floor(Date.now() / 1000) + 60 },
      });
    },
  },
  {
    method: 'GET',
    pattern: '/slow',
    name: 'slow',
    handler: async () => {
      handlers.emit('slow');
      await sleep(300);
      return { status: 200, body: '{"slow":true}' };
    },
  },
];

const started: DeliveryServer[] = [];
async function start(options: Partial<DeliveryServerOptions> = {}): Promise<DeliveryServer> {
  const server = await startDeliveryServer({
    routes: ROUTES,
    transport: { mode: 'loopback', tls: null },
    port: 0,
    log,
    ...options,
  });
  started.push(server);
  return server;
}
afterEach(async () => {
  await Promise.all(started.splice(0).map((server) => server.stop(0)));
});

describe('Every response', () => {
  test("every response has a request id: the client's if well-formed, else a new one", async () => {
    const { port } = await start();
    expect(
      (await ask(port, 'GET', '/1/bid', { headers: { 'x-request-id': 'abc-1.2_3' } })).headers['x-request-id'],
    ).toBe('abc-1.2_3');
    const made = await ask(port, 'GET', '/1/bid', { headers: { 'x-request-id': 'a b<script>' } });
    expect(made.headers['x-request-id']).toMatch(/^[\w-]{12}\.\w+$/);
    expect((await ask(port, 'GET', '/nowhere')).headers['x-request-id']).toBeTruthy();
    expect(
      (await ask(port, 'GET', '/1/bid', { headers: { 'x-request-id': 'a'.repeat(129) } })).headers['x-request-id'],
    ).not.toContain('aaaa');
  });

  test('every response has an exact Content-Length and a JSON content type', async () => {
    const { port } = await start();
    const response = await ask(port, 'GET', '/1/bid?x=%C3%A9');
    expect(response.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(response.headers['content-length']).toBe(String(response.body.length));
    expect(response.json()).toMatchObject({ query: 'x=%C3%A9', params: { network: '1' }, remoteAddress: '127.0.0.1' });
  });
});

test('a server listens on a socket that is bound already, and a taken port is an error', async () => {
  const bound = new BoundSocket({ host: '127.0.0.1', reusePort: true });
  const first = await start({ fd: bound.fd() });
  expect(bound.address()).toMatchObject({ port: first.port });
  expect((await ask(first.port, 'GET', '/1/bid')).status).toBe(200);
  await expect(start({ port: first.port })).rejects.toThrow(/EADDRINUSE/);
});

test('each response is observed once, with its route, status and duration', async () => {
  const seen: [string, number][] = [];
  const { port, stats } = await start({
    observe: (route, status, durationMs) => void (durationMs >= 0 && seen.push([route, status])),
  });
  await ask(port, 'GET', '/1/bid');
  await ask(port, 'GET', '/late-boom');
  await ask(port, 'GET', '/nope');
  expect(seen).toEqual([
    ['bid', 200],
    ['late-boom', 500],
    ['-', 404],
  ]);
  expect(stats()).toMatchObject({ requests: 3, responses: 3, draining: false });
});

test('a handler sees that its client has left', async () => {
  const requests: HttpRequest[] = [];
  const handler = (request: HttpRequest) => (requests.push(request), new Promise<never>(() => undefined));
  const { port } = await start({ routes: [{ method: 'GET', pattern: '/waits', name: 'waits', handler }] });
  const socket = connect(port, '127.0.0.1');
  socket.write('GET /waits HTTP/1.1\r\nhost: localhost\r\n\r\n');
  await expect.poll(() => requests.length).toBe(1);
  expect(requests[0]?.hasLeft()).toBe(false);
  socket.destroy();
  await expect.poll(() => requests[0]?.hasLeft()).toBe(true);
});

describe('refusals', () => {
  test.each([
    ['an unknown path', 'GET', '/nope', {}, undefined, 404, 'not_found'],
    ['a wrong method', 'DELETE', '/api/v1/ads', {}, undefined, 405, 'method_not_allowed'],
    ['OPTIONS where no browser may call', 'OPTIONS', '/api/v1/ads', {}, undefined, 405, 'method_not_allowed'],
    ['malformed JSON', 'POST', '/api/v1/ads', {}, '{"a":', 400, 'invalid_request'],
    ['an empty body', 'POST', '/api/v1/ads', { 'content-type': 'application/json' }, undefined, 400, 'invalid_request'],
    [
      'a declared type that is not taken',
      'POST',
      '/api/v1/ads',
      { 'content-type': 'text/plain' },
      '{}',
      415,
      'unsupported_media_type',
    ],
    [
      'an unknown content encoding',
      'POST',
      '/api/v1/ads',
      { 'content-encoding': 'zstd' },
      '{}',
      415,
      'unsupported_media_type',
    ],
    [
      'stacked content encodings',
      'POST',
      '/api/v1/ads',
      { 'content-encoding': 'gzip, gzip' },
      '{}',
      415,
      'unsupported_media_type',
    ],
    [
      'a declared charset that is not UTF-8',
      'POST',
      '/api/v1/ads',
      { 'content-type': 'application/json; charset=utf-16' },
      '{}',
      415,
      'unsupported_media_type',
    ],
    ['invalid UTF-8', 'POST', '/api/v1/ads', {}, Buffer.from([0x22, 0xff, 0xfe, 0x22]), 400, 'invalid_request'],
    ['invalid UTF-8 that nobody parses', 'POST', '/small', {}, Buffer.from([0xc3]), 400, 'invalid_request'],
    ['bad gzip data', 'POST', '/api/v1/ads', { 'content-encoding': 'gzip' }, 'not gzip', 400, 'invalid_request'],
    [
      'cut gzip data',
      'POST',
      '/api/v1/ads',
      { 'content-encoding': 'gzip' },
      gzipSync('{"a":1}').subarray(0, 15),
      400,
      'invalid_request',
    ],
    ['65 levels of JSON', 'POST', '/api/v1/ads', {}, '['.repeat(65) + ']'.repeat(65), 400, 'invalid_request'],
    ['junk percent-encoding', 'GET', '/%E0%A4%A/bid', {}, undefined, 400, 'invalid_request'],
    ['a target that is not a path', 'GET', 'nonsense', {}, undefined, 400, 'invalid_request'],
    ['a route body over the route limit', 'POST', '/small', {}, 'x'.repeat(101), 413, 'payload_too_large'],
    ['an exception', 'GET', '/boom', {}, undefined, 500, 'internal_error'],
    ['a late exception', 'GET', '/late-boom', {}, undefined, 500, 'internal_error'],
    ['a reply with an impossible header', 'GET', '/bad-header', {}, undefined, 500, 'internal_error'],
  ] as [string, string, string, Record<string, string>, string | Buffer | undefined, number, string][])(
    'errors of %s are JSON with a stable code',
    async (_name, method, target, headers, body, status, code) => {
      const { port } = await start();
      const response = await ask(port, method, target, { headers, ...(body === undefined ? {} : { body }) });
      expect(response.status).toBe(status);
      expect(response.json()).toMatchObject({ error: code, message: expect.any(String) });
      expect(response.body.toString()).not.toContain('secret');
      expect(response.headers['access-control-allow-origin']).toBeUndefined();
    },
  );

  test('a 405 lists the allowed methods', async () => {
    const { port } = await start();
    expect((await ask(port, 'PUT', '/7/bid')).headers['allow']).toBe('GET, POST, HEAD, OPTIONS');
    expect((await ask(port, 'GET', '/api/v1/ads')).headers['allow']).toBe('POST');
  });

  test('carry Retry-After on rate limits', async () => {
    const { port } = await start();
    const response = await ask(port, 'GET', '/limited');
    expect(response.status).toBe(429);
    expect(Number(response.headers['retry-after'])).toBeGreaterThan(55);
    expect(response.json()).toMatchObject({ error: 'rate_limit_exceeded', limit: 5, reset: expect.any(Number) });
  });

  test('a request without Host gets a JSON error too', async () => {
    const { port } = await start();
    const [response] = parseResponses(await sendRaw(port, ['GET /1/bid HTTP/1.1\r\nConnection: close\r\n\r\n']));
    expect(response?.status).toBe(400);
    expect(response?.json()).toMatchObject({ error: 'invalid_request' });
  });

  test('bytes that are not HTTP get a 400 with a JSON body, and the server goes on', async () => {
    const { port } = await start();
    const [response] = parseResponses(await sendRaw(port, ['\x00\x01\x02 what is this\r\n\r\n']));
    expect(response?.status).toBe(400);
    expect(response?.json()).toMatchObject({ error: 'invalid_request' });
    expect((await ask(port, 'GET', '/1/bid')).status).toBe(200);
  });

  test('huge headers get a 431', async () => {
    const { port } = await start();
    const [response] = parseResponses(
      await sendRaw(port, [`GET / HTTP/1.1\r\nHost: x\r\nX-Big: ${'a'.repeat(40_000)}\r\n\r\n`]),
    );
    expect(response?.status).toBe(431);
    expect(response?.json()).toMatchObject({ error: 'invalid_request' });
  });

  test('smuggling attempts (two lengths) get a 400', async () => {
    const { port } = await start();
    const bytes =
      'POST /api/v1/ads HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n';
    expect(parseResponses(await sendRaw(port, [bytes]))[0]?.status).toBe(400);
  });
});

describe('admission', () => {
  const handled: string[] = [];
  const full = {
    name: 'full',
    pattern: '/full',
    admit: () => {
      throw new PlacardError('overloaded', 'Full.', { details: { retryAfterSeconds: 1 } });
    },
    handler: (request: HttpRequest) => {
      handled.push(request.method);
      return { status: 200 };
    },
  };
  const routes: Route[] = [...ROUTES, { ...full, method: 'GET' }, { ...full, method: 'POST' }];

  test('a route that admits nothing refuses every method with its error, and calls no handler', async () => {
    const { port } = await start({ routes });
    for (const [method, options] of [
      ['GET', {}],
      ['HEAD', {}],
      ['POST', { body: '{}' }],
    ] as const) {
      const { status, headers } = await ask(port, method, '/full', options);
      expect([status, headers['retry-after']], method).toEqual([503, '1']);
    }
    expect((await ask(port, 'GET', '/full')).json()).toMatchObject({ error: 'overloaded', message: 'Full.' });
    expect(handled).toEqual([]);
  });

  test('a refusal is written before the handlers of earlier requests run, and responses come in order', async () => {
    const steps: string[] = [];
    const work: Route = {
      method: 'GET',
      pattern: '/work',
      name: 'work',
      handler: () => {
        steps.push('handled');
        return { status: 200 };
      },
    };
    const { port } = await start({ routes: [...routes, work], observe: (route) => steps.push(route) });
    const bytes = await sendRaw(port, [
      'GET /work HTTP/1.1\r\nHost: x\r\n\r\nGET /full HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
    ]);
    expect(parseResponses(bytes).map(({ status }) => status)).toEqual([200, 503]);
    expect(steps).toEqual(['full', 'handled', 'work']);
  });
});

describe('bodies', () => {
  test('a body of exactly 1 MiB passes; one byte more is rejected', async () => {
    const { port } = await start();
    const exact = `"${'x'.repeat(1024 * 1024 - 2)}"`;
    expect((await ask(port, 'POST', '/api/v1/ads', { body: exact })).status).toBe(200);
    const response = await ask(port, 'POST', '/api/v1/ads', { body: `${exact} ` });
    expect(response.status).toBe(413);
    expect(response.json()).toMatchObject({ error: 'payload_too_large' });
  });

  test('a body of 20 MB gets a readable 413, also for a client that reads only after it has sent everything', async () => {
    const { port } = await start();
    const head = 'POST /api/v1/ads HTTP/1.1\r\nHost: x\r\nContent-Length: 20000000\r\n\r\n';
    const [response] = parseResponses(await sendThenRead(port, [head, Buffer.alloc(20_000_000, 0x20)]));
    expect(response).toMatchObject({ status: 413, headers: { connection: 'close' } });
  });

  test('in chunks are put together, and counted while they come', async () => {
    const { port } = await start();
    const head = 'POST /api/v1/ads HTTP/1.1\r\nHost: x\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n';
    const [ok] = parseResponses(
      await sendRaw(port, [head, '6\r\n{"a":"\r\n', '4\r\nb"}\n\r\n', '0\r\n\r\n'], { pauseMs: 5 }),
    );
    expect(ok?.json()).toEqual({ a: 'b' });
    const mebibyte = `100000\r\n${'x'.repeat(0x100000)}\r\n`;
    const [large] = parseResponses(await sendRaw(port, [head, mebibyte, mebibyte, '0\r\n\r\n']));
    expect(large?.status).toBe(413);
  });

  test.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['deflate', deflateRawSync],
    ['br', brotliCompressSync],
    ['identity', Buffer.from],
  ] as [string, (text: string) => Buffer][])('sent as %s are inflated', async (encoding, encode) => {
    const { port } = await start();
    const response = await ask(port, 'POST', '/api/v1/ads', {
      headers: { 'content-encoding': encoding },
      body: encode('{"é":1}'),
    });
    expect(response.json()).toEqual({ é: 1 });
  });

  test('that inflate beyond 8 MiB are refused', async () => {
    const { port } = await start();
    const bomb = (bytes: number): Buffer => gzipSync(`"${'x'.repeat(bytes - 2)}"`);
    const send = (body: Buffer) => ask(port, 'POST', '/api/v1/ads', { headers: { 'content-encoding': 'gzip' }, body });
    expect((await send(bomb(8 * 1024 * 1024))).status).toBe(200);
    const response = await send(bomb(8 * 1024 * 1024 + 1));
    expect(response.status).toBe(413);
    expect(response.json()).toMatchObject({ message: expect.stringContaining('8388608') });
  });

  test('announced with Expect are asked for, or refused unsent', async () => {
    const { port } = await start();
    const head = (bytes: number) =>
      `POST /api/v1/ads HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nConnection: close\r\nContent-Length: ${bytes}\r\n\r\n`;
    const taken = await sendRaw(port, [head(2), '{}'], { pauseMs: 30 });
    expect(taken.toString()).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 OK/);
    const refused = await sendRaw(port, [head(2_000_000)], { waitMs: 500 });
    expect(refused.toString()).toMatch(/^HTTP\/1\.1 413 /);
  });

  test('bodies of rejected requests are dropped, so that the next request on the connection is parsed', async () => {
    const { port } = await start();
    const bad =
      'POST /nope HTTP/1.1\r\nHost: x\r\nContent-Length: 40\r\n\r\n' + 'GET /1/bid HTTP/1.1\r\nHost: smuggled\r\n\r\n';
    const good = 'GET /2/bid HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';
    const padded = bad.padEnd(bad.indexOf('\r\n\r\n') + 4 + 40, ' ');
    const responses = parseResponses(await sendRaw(port, [padded, good], { pauseMs: 20 }));
    expect(responses.map((response) => response.status)).toEqual([404, 200]);
    expect(responses[1]?.json()).toMatchObject({ path: '/2/bid' });
  });
});

describe('responses', () => {
  test('responses are compressed when the client accepts it and it saves bytes', async () => {
    const { port } = await start();
    const get = (path: string, encoding?: string) =>
      ask(port, 'GET', path, encoding === undefined ? {} : { headers: { 'accept-encoding': encoding } });
    const zipped = await get('/long', 'br, gzip, deflate');
    expect(zipped.headers).toMatchObject({
      'content-encoding': 'gzip',
      vary: 'Accept-Encoding',
      'content-length': String(zipped.body.length),
    });
    expect(gunzipSync(zipped.body).toString()).toBe(LONG_TEXT);
    expect(inflateSync((await get('/long', 'gzip;q=0, deflate')).body).toString()).toBe(LONG_TEXT);
    for (const [path, encoding] of [
      ['/long', undefined],
      ['/long', 'identity'],
      ['/long', 'gzip;q=0'],
      ['/1/bid', 'gzip'],
      ['/pixel', 'gzip'],
    ] as const) {
      expect((await get(path, encoding)).headers['content-encoding']).toBeUndefined();
    }
  });

  test('to HEAD have the length but no body', async () => {
    const { port } = await start();
    const response = await ask(port, 'HEAD', '/long');
    expect(response.status).toBe(200);
    expect(response.headers['content-length']).toBe(String(LONG_TEXT.length));
    expect((await sendRaw(port, ['HEAD /long HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'])).toString()).toMatch(
      /\r\n\r\n$/,
    );
  });

  test('a 204 has neither body nor length', async () => {
    const { port } = await start();
    const response = await ask(port, 'POST', '/1/bid', { body: '{}' });
    expect(response.status).toBe(204);
    expect(response.headers['content-length']).toBeUndefined();
  });

  test('to pipelined requests come in order', async () => {
    const { port } = await start();
    const request = (path: string, last = false) =>
      `GET ${path} HTTP/1.1\r\nHost: x\r\n${last ? 'Connection: close\r\n' : ''}\r\n`;
    const bytes = await sendRaw(port, [
      request('/slow') + request('/1/bid') + request('/nope') + request('/2/bid', true),
    ]);
    expect(parseResponses(bytes).map((response) => response.status)).toEqual([200, 200, 404, 200]);
  });

  test('to many requests of one moment are each its own, also where some of them fail', async () => {
    const { port } = await start();
    const kinds = ['{"n":@}', '{"n":@', '@bad-header', '@boom'] as const;
    const asked = Array.from({ length: 200 }, (_one, n) => ({ n, kind: kinds[n % kinds.length] ?? '' }));
    const responses = await Promise.all(
      asked.map(({ n, kind }) =>
        kind.startsWith('@')
          ? ask(port, 'GET', `/${kind.slice(1)}`)
          : ask(port, 'POST', '/api/v1/ads', { body: kind.replace('@', String(n)) }),
      ),
    );
    expect(responses.map(({ status }) => status)).toEqual(asked.map(({ n }) => [200, 400, 500, 500][n % kinds.length]));
    for (const { n, kind } of asked.filter((one) => one.kind === kinds[0])) {
      expect(responses[n]?.json(), kind).toEqual({ n });
    }
  });

  test('wildcard routes receive the rest of a path unchanged', async () => {
    const { port } = await start();
    const response = await ask(port, 'GET', '/1/click/tok/https://x.example/a%20b//c?d=https://y');
    expect(response.json()).toMatchObject({
      params: { network: '1', rest: 'tok/https://x.example/a%20b//c' },
      query: 'd=https://y',
    });
    expect((await ask(port, 'GET', '/a%2Fb/bid')).json()).toMatchObject({ params: { network: 'a/b' } });
    expect((await ask(port, 'GET', '/1/click/%zz')).json()).toMatchObject({ params: { rest: '%zz' } });
  });
});

describe('CORS', () => {
  const headers = { origin: 'https://pub.example' };
  test.each([
    ['200', 'GET', '/1/bid', undefined, 200],
    ['204', 'POST', '/1/bid', '{}', 204],
    ['400', 'POST', '/1/bid', '{', 400],
    ['400 of the address', 'GET', '/%zz/bid', undefined, 400],
    ['405', 'DELETE', '/1/bid', undefined, 405],
    ['413', 'POST', '/1/bid', ' '.repeat(1_100_000), 413],
    ['a preflight', 'OPTIONS', '/1/bid', undefined, 204],
  ] as [string, string, string, string | undefined, number][])(
    'CORS echoes the exact origin on %s',
    async (_name, method, path, body, status) => {
      const { port } = await start();
      const response = await ask(port, method, path, { headers, ...(body === undefined ? {} : { body }) });
      expect(response.status).toBe(status);
      expect(response.headers).toMatchObject({
        'access-control-allow-origin': 'https://pub.example',
        'access-control-allow-credentials': 'true',
        vary: 'Origin',
      });
    },
  );

  test('CORS preflights get methods and headers', async () => {
    const { port } = await start();
    const response = await ask(port, 'OPTIONS', '/1/bid', {
      headers: { ...headers, 'access-control-request-method': 'POST' },
    });
    expect(response.headers).toMatchObject({
      'access-control-allow-methods': 'GET, POST, HEAD, OPTIONS',
      'access-control-allow-headers': expect.stringContaining('content-type'),
    });
  });

  test('bearer APIs send no CORS headers, whatever the origin', async () => {
    const { port } = await start();
    const response = await ask(port, 'POST', '/api/v1/ads', { headers, body: '{}' });
    expect(Object.keys(response.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
  });
});

describe('slow and rude clients', () => {
  const limits = { headersTimeoutMs: 200, requestTimeoutMs: 400, timeoutCheckIntervalMs: 50, idleTimeoutMs: 600 };

  test('that drip their headers are cut off with 408', async () => {
    const { port } = await start({ limits });
    const drip = ['GET /1/bid HTTP/1.1\r\n', ...Array.from({ length: 40 }, (_, index) => `X-${index}: a\r\n`)];
    const [response] = parseResponses(await sendRaw(port, drip, { pauseMs: 25, waitMs: 3_000 }));
    expect(response?.status).toBe(408);
  });

  test('that drip their body are cut off', async () => {
    const { port } = await start({ limits });
    await sendRaw(
      port,
      ['POST /api/v1/ads HTTP/1.1\r\nHost: x\r\nContent-Length: 50\r\n\r\n', ...Array.from({ length: 40 }, () => ' ')],
      { pauseMs: 25, waitMs: 600_000 },
    );
  });

  test('that leave in the middle of a body harm nobody', async () => {
    const { port } = await start();
    for (let index = 0; index < 20; index += 1) {
      const socket = connect(port, '127.0.0.1', () =>
        socket.write('POST /api/v1/ads HTTP/1.1\r\nHost: x\r\nContent-Length: 50\r\n\r\n{', () =>
          socket.resetAndDestroy(),
        ),
      );
      socket.on('error', () => undefined);
    }
    await sleep(50);
    expect((await ask(port, 'GET', '/1/bid')).status).toBe(200);
  });
});

describe('stopping', () => {
  test('draining lets open requests finish with Connection: close, accepts no new ones, and ends idle connections', async () => {
    const server = await start();
    const { port } = server;
    const idle = connect(port, '127.0.0.1');
    const begun = once(handlers, 'slow');
    const open = sendRaw(port, ['GET /slow HTTP/1.1\r\nHost: x\r\n\r\n']);
    await Promise.all([begun, expect.poll(() => server.stats().connections).toBe(2)]);
    const stopped = server.stop(600_000);
    await expect(ask(port, 'GET', '/1/bid')).rejects.toThrow();
    const [response] = parseResponses(await open);
    expect(response).toMatchObject({ status: 200, headers: { connection: 'close' } });
    await stopped;
    expect(server.stats()).toMatchObject({ connections: 0, draining: true });
    idle.destroy();
  });

  test('while it lingers, new connections get a response, and one accepted last may still send its request', async () => {
    const server = await start();
    const kept = connect(server.port, '127.0.0.1');
    await expect.poll(() => server.stats().connections).toBe(1);
    const stopped = server.stop(600_000, 30_000);
    const [response] = parseResponses(await sendRaw(server.port, ['GET /1/bid HTTP/1.1\r\nHost: x\r\n\r\n']));
    expect(response).toMatchObject({ status: 200, headers: { connection: 'close' } });
    const late = connect(server.port, '127.0.0.1');
    await expect.poll(() => server.stats().connections).toBe(2);
    // The last connection from before the stop has ended: the server stops accepting.
    kept.destroy();
    await expect.poll(() => ask(server.port, 'GET', '/1/bid').catch(() => null)).toBeNull();
    late.write('GET /1/bid HTTP/1.1\r\nHost: x\r\n\r\n');
    expect(String(await once(late, 'data'))).toContain('HTTP/1.1 200');
    await stopped;
  });

  test('draining closes connections that outlive the drain time', async () => {
    const handler = (): Promise<never> => {
      handlers.emit('never');
      return new Promise(() => undefined);
    };
    const server = await start({ routes: [{ method: 'GET', pattern: '/never', name: 'never', handler }] });
    const begun = once(handlers, 'never');
    const open = sendRaw(server.port, ['GET /never HTTP/1.1\r\nHost: x\r\n\r\n']);
    await begun;
    await server.stop(100);
    expect((await open).length).toBe(0);
  });
});

describe('behind a TLS-terminating proxy', () => {
  const transport = { mode: 'proxy', tls: null } as const;
  const forwarded = { 'x-forwarded-proto': 'https', 'x-forwarded-for': '198.51.100.7, 203.0.113.9' };

  test('plain requests are refused unless a trusted proxy says https', async () => {
    const { port } = await start({ transport, bind: '127.0.0.1', trustedProxies: ['127.0.0.0/8'] });
    expect((await ask(port, 'GET', '/1/bid')).json()).toMatchObject({ error: 'https_required' });
    expect((await ask(port, 'GET', '/1/bid', { headers: { 'x-forwarded-proto': 'http' } })).status).toBe(403);
    const response = await ask(port, 'GET', '/1/bid', { headers: forwarded });
    expect(response.json()).toMatchObject({ remoteAddress: '203.0.113.9', protocolSecure: true });
    expect(response.headers['strict-transport-security']).toBeTruthy();
  });

  test('nobody else is believed', async () => {
    const { port } = await start({ transport, bind: '127.0.0.1', trustedProxies: ['192.0.2.1'] });
    expect((await ask(port, 'GET', '/1/bid', { headers: forwarded })).json()).toMatchObject({
      error: 'https_required',
    });
  });

  test('health probes need no TLS, the refusal is not a redirect', async () => {
    const routes = [...ROUTES, ...healthRoutes({ readiness: async () => [{ name: 'snapshot', ok: true }] })];
    const { port } = await start({ transport, routes, bind: '127.0.0.1', trustedProxies: ['192.0.2.1'] });
    expect((await ask(port, 'GET', '/readyz')).json()).toEqual({
      status: 'ready',
      checks: [{ name: 'snapshot', ok: true }],
    });
    expect((await ask(port, 'GET', '/1/bid')).headers['location']).toBeUndefined();
  });
});

describe('with TLS', () => {
  let dir: string;
  let ca: string;
  let transport: Awaited<ReturnType<typeof prepareTls>>;
  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'placard-delivery-'));
    transport = await prepareTls({ mode: 'self', publicUrls: [] }, dir, { nowMs: Date.now() });
    ca = await readFile(join(dir, 'tls', 'ca.pem'), 'utf8');
  });
  afterAll(() => rm(dir, { recursive: true, force: true }));

  test('the server serves HTTPS, and responds 403 to plain HTTP on the same port', async () => {
    const { port } = await start({ transport });
    expect((await ask(port, 'GET', '/1/bid', { ca })).json()).toMatchObject({
      protocolSecure: true,
      remoteAddress: '127.0.0.1',
    });
    const plain = await ask(port, 'POST', '/1/bid', { body: '{}', headers: { 'x-request-id': 'mine' } });
    expect(plain.status).toBe(403);
    expect(plain.headers).toMatchObject({ 'x-request-id': 'mine', connection: 'close' });
    expect(plain.json()).toMatchObject({ error: 'https_required', message: expect.any(String) });
    expect((await ask(port, 'POST', '/1/bid', { body: Buffer.alloc(2_000_000) })).status).toBe(403);
    expect(parseResponses(await sendRaw(port, ['nonsense\r\n\r\n']))[0]?.status).toBe(400);
  });

  test('the server reads bodies that arrive with the handshake, and keeps connections alive', async () => {
    const { port } = await start({ transport });
    const request = 'POST /api/v1/ads HTTP/1.1\r\nHost: x\r\nContent-Length: 7\r\n';
    const bytes = await sendRaw(port, [`${request}\r\n{"a":1}`, `${request}Connection: close\r\n\r\n{"a":2}`], {
      ca,
      pauseMs: 40,
    });
    expect(parseResponses(bytes).map((response) => response.json())).toEqual([{ a: 1 }, { a: 2 }]);
    expect((await ask(port, 'POST', '/api/v1/ads', { ca, body: Buffer.alloc(2_000_000) })).status).toBe(413);
  });

  test('drops connections that never speak, or drip plain HTTP', async () => {
    const { port } = await start({ transport, limits: { handshakeTimeoutMs: 200 } });
    expect((await sendRaw(port, [], { waitMs: 600_000 })).length).toBe(0);
    await sendRaw(port, ['GET', ...Array.from({ length: 30 }, () => ' ')], { pauseMs: 25, waitMs: 600_000 });
  });

  test('the server stops although a connection stays silent', async () => {
    const server = await start({ transport });
    const silent = connect(server.port, '127.0.0.1');
    await sleep(30);
    await server.stop(600_000);
    silent.destroy();
  });
});
