import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { SILENT_LOG } from '../../domain/log/log.ts';
import type { CoreServer } from '../core/core-server.ts';
import { createCoreServer } from '../core/core-server.ts';
import { PIPELINED_MAX } from './connection-bounds.ts';
import { type DeliveryServer, startDeliveryServer } from '../fast/delivery-server.ts';
import { hasResponse, parseResponses, sendRaw } from '../fixtures/raw-client.ts';
import type { Route } from './route.ts';
import { prepareTls, type Transport } from '../tls/tls.ts';

const log = SILENT_LOG;
const routes: Route[] = [
  { method: 'GET', pattern: '/', name: 'root', handler: () => ({ status: 200, body: '{}' }) },
  { method: 'GET', pattern: '/never', name: 'never', handler: () => new Promise(() => undefined) },
];
const PROXY: Transport = { mode: 'proxy', tls: null };
const started: { stop(drainMs: number): Promise<void> }[] = [];
const sockets: Socket[] = [];
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'placard-bounds-'));
});
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await Promise.all(started.splice(0).map((server) => server.stop(0)));
});
afterAll(() => rm(folder, { recursive: true }));

async function startDelivery(
  transport: Transport,
  limits: object,
  trustedProxies: string[] = [],
): Promise<DeliveryServer> {
  const server = await startDeliveryServer({
    routes,
    transport,
    port: 0,
    bind: '127.0.0.1',
    log,
    limits,
    trustedProxies,
  });
  started.push(server);
  return server;
}

/** Opens a connection from an address of this machine; false when it was closed without a byte. */
async function staysOpen(port: number, localAddress: string): Promise<boolean> {
  const socket = connect({ port, host: '127.0.0.1', localAddress });
  sockets.push(socket);
  socket.on('error', () => undefined);
  const closed = once(socket, 'close').then(() => false);
  await Promise.race([once(socket, 'connect'), closed]);
  socket.write('GET / HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-Proto: https\r\n\r\n');
  return Promise.race([closed, once(socket, 'data').then(() => true)]);
}

const opened = async (port: number, address: string, count: number): Promise<number> => {
  let open = 0;
  for (let one = 0; one < count; one += 1) open += (await staysOpen(port, address)) ? 1 : 0;
  return open;
};

describe('connections of one address', () => {
  test('connections of one address are bounded, others still get theirs, and a closed one frees its share', async () => {
    const server = await startDelivery(PROXY, { connectionsPerAddressMax: 3 });
    expect(await opened(server.port, '127.0.0.1', 5)).toBe(3);
    expect(await opened(server.port, '127.0.0.2', 1)).toBe(1);
    expect(server.connections().refused).toEqual({ address: 2, total: 0 });
    sockets[0]?.destroy();
    await expect.poll(() => staysOpen(server.port, '127.0.0.1')).toBe(true);
  });

  test('connections are bounded below TLS too, before a handshake', async () => {
    const transport = await prepareTls({ mode: 'self', publicUrls: [] }, folder, { nowMs: Date.now() });
    const server = await startDelivery(transport, { connectionsPerAddressMax: 2 });
    for (let one = 0; one < 4; one += 1) sockets.push(connect(server.port, '127.0.0.1').on('error', () => undefined));
    await expect.poll(() => server.connections()).toEqual({ open: 2, refused: { address: 2, total: 0 } });
  });

  test('connections of a trusted proxy and of loopback mode are not counted', async () => {
    const behind = await startDelivery(PROXY, { connectionsPerAddressMax: 2 }, ['127.0.0.1']);
    expect(await opened(behind.port, '127.0.0.1', 5)).toBe(5);
    const local = await startDelivery({ mode: 'loopback', tls: null }, { connectionsPerAddressMax: 2 });
    expect(await opened(local.port, '127.0.0.1', 5)).toBe(5);
  });

  test('connections have a bound over all addresses', async () => {
    const server = await startDelivery(PROXY, { connectionsMax: 3 }, ['127.0.0.1']);
    expect(await opened(server.port, '127.0.0.1', 5)).toBe(3);
    expect(server.connections().refused.total).toBe(2);
  });
});

async function startCore(): Promise<number> {
  const core: CoreServer = await createCoreServer({ transport: { mode: 'loopback', tls: null }, port: 0, log });
  core.app.get('/', () => ({}));
  core.app.get('/never', () => new Promise(() => undefined));
  started.push(core);
  return core.listen();
}

describe.each([
  ['delivery', async () => (await startDelivery({ mode: 'loopback', tls: null }, {})).port],
  ['core', startCore],
] as const)('the %s server', (_name, start) => {
  const get = (path: string, headers: string): string => `GET ${path} HTTP/1.1\r\n${headers}\r\n`;

  test.each([
    ['two Host headers', 'Host: a\r\nhost: b\r\n'],
    ['the same Host twice', 'Host: a\r\nHost: a\r\n'],
    ['no Host header', 'Accept: */*\r\n'],
    ['Content-Length beside Transfer-Encoding', 'Host: a\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n'],
    ['two different Content-Lengths', 'Host: a\r\nContent-Length: 3\r\nContent-Length: 4\r\n'],
    ['a Transfer-Encoding that does not end in chunked', 'Host: a\r\nTransfer-Encoding: chunked, gzip\r\n'],
  ])('the server responds 400 to %s', async (_case, headers) => {
    const received = await sendRaw(await start(), [get('/', headers)], { waitMs: 60_000, isDone: hasResponse });
    const [response] = parseResponses(received);
    expect([response?.status, response?.json()['error']]).toEqual([400, 'invalid_request']);
  });

  test('the server closes a connection that pipelines too many requests, and serves one with fewer', async () => {
    const port = await start();
    const few = await sendRaw(port, [
      get('/', 'Host: a\r\n').repeat(PIPELINED_MAX - 1),
      get('/', 'Host: a\r\nConnection: close\r\n'),
    ]);
    expect(parseResponses(few).filter(({ status }) => status === 200)).toHaveLength(PIPELINED_MAX);
    const flood = await sendRaw(port, [get('/never', 'Host: a\r\n').repeat(PIPELINED_MAX + 1)], { waitMs: 600_000 });
    expect(flood).toHaveLength(0);
  });
});
