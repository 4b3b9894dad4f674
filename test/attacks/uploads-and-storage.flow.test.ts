import { randomBytes } from 'node:crypto';
import { connect as connectTcp, type Socket } from 'node:net';
import { connect, type TLSSocket } from 'node:tls';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makePng } from '../../src/management/resources/upload/fixtures/pictures.ts';
import { type Client, createClient } from '../support/http-client.ts';
import { type LeanPlacard, startLeanPlacard } from '../support/lean-placard.ts';

const MEGABYTE = 1_000_000;
const CONNECTIONS = 30;
let service: LeanPlacard;
let client: Client;
let segmentId: string;

beforeAll(async () => {
  service = await startLeanPlacard({
    PLACARD_DEMO: 'true',
    PLACARD_ASSET_MEGABYTES: '1',
    PLACARD_CONNECTIONS_PER_ADDRESS: String(CONNECTIONS),
  });
  client = createClient(service.ca);
  const made = await ask('mutation { createSegment(input: {name: "S"}) { segment { id } } }');
  segmentId = made.data?.['createSegment']?.['segment']?.id ?? '';
}, 300_000);
afterAll(async () => {
  client.close();
  await service.remove();
}, 120_000);

const key = () => ({ authorization: `Bearer ${service.demo.keys.admin}` });

async function ask(
  query: string,
): Promise<{ data?: Record<string, Record<string, { id: string }>>; errors?: unknown }> {
  return (await client.send(`${service.coreUrl}/graphql`, { headers: key(), json: { query } })).json();
}

/** Opens a TLS connection to the core and returns everything it sends until it closes. */
function open(): { socket: TLSSocket; said: Promise<string> } {
  const { port, hostname } = new URL(service.coreUrl);
  const socket = connect({ port: Number(port), host: '127.0.0.1', servername: hostname, ca: service.ca });
  const chunks: Buffer[] = [];
  const said = new Promise<string>((resolve) => {
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(Buffer.concat(chunks).toString()));
  });
  return { socket, said };
}

const head = (path: string, headers: readonly string[]): string =>
  [`POST ${path} HTTP/1.1`, 'Host: localhost', `Authorization: ${key().authorization}`, ...headers, '', ''].join(
    '\r\n',
  );

async function coreMemory(): Promise<number> {
  const { text } = await client.send(`${service.coreUrl}/metrics`);
  return Number(/^process_resident_memory_bytes (\S+)/m.exec(text)?.[1]);
}

async function expectServing(): Promise<void> {
  expect((await client.send(`${service.coreUrl}/healthz`)).status).toBe(200);
  expect(service.output()).not.toContain('process.uncaught_error');
}

describe('request bodies', () => {
  test('a segment upload of 600 MB without a line end is refused after one line, in flat memory', async () => {
    const before = await coreMemory();
    const { socket, said } = open();
    let isOver = false;
    void said.then(() => (isOver = true));
    socket.once('data', () => (isOver = true));
    socket.write(head(`/segments/${segmentId}/members`, ['Content-Type: text/csv', 'Content-Length: 600000000']));
    const piece = Buffer.alloc(65_536, 'x');
    for (let sent = 0; sent < 600 * MEGABYTE && !isOver; sent += piece.length) {
      if (!socket.write(piece)) await new Promise((resolve) => socket.once('drain', resolve).once('close', resolve));
    }
    const sent = socket.bytesWritten;
    socket.end();
    expect(await said).toMatch(/^HTTP\/1\.1 400 [\s\S]*Line 1 is longer/);
    expect(sent).toBeLessThan(100 * MEGABYTE);
    expect((await coreMemory()) - before).toBeLessThan(150 * MEGABYTE);
    await expectServing();
  });

  test('a segment upload over the size limit is refused by its headers, and a compressed one is not read', async () => {
    for (const [headers, status] of [
      [['Content-Length: 1000000001'], '413'],
      [['Content-Length: 10', 'Content-Encoding: gzip'], '415'],
    ] as const) {
      const { socket, said } = open();
      socket.write(head(`/segments/${segmentId}/members`, headers));
      socket.once('data', () => socket.end());
      expect((await said).slice(0, 12)).toBe(`HTTP/1.1 ${status}`);
    }
  });

  test('a client that disconnects in the middle of a body ends only its own request', async () => {
    const paths = ['/graphql', '/assets', `/segments/${segmentId}/members`];
    const types = ['application/json', 'multipart/form-data; boundary=B', 'image/png', 'text/csv'];
    for (const path of paths) {
      for (const type of types) {
        const { socket, said } = open();
        socket.write(head(path, [`Content-Type: ${type}`, 'Content-Length: 100000']));
        socket.write('--B\r\ncontent-disposition: form-data; name="f"; filename="a"\r\n\r\n{"query":"', () =>
          socket.destroy(),
        );
        await said;
      }
    }
    await expectServing();
  });

  test('cut off, damaged and exploding compressed bodies are refused', async () => {
    const whole = gzipSync(JSON.stringify({ query: '{ __typename }' }));
    const damaged = Buffer.from(whole.map((byte, at) => (at > 12 ? byte ^ 0x55 : byte)));
    for (const [body, status] of [
      [whole.subarray(0, 20), 400],
      [damaged, 400],
      [gzipSync(Buffer.alloc(100 * MEGABYTE, ' '), { level: 1 }), 413],
    ] as const) {
      const headers = { ...key(), 'content-type': 'application/json', 'content-encoding': 'gzip' };
      expect((await client.send(`${service.coreUrl}/graphql`, { headers, body })).status).toBe(status);
    }
    await expectServing();
  });
});

describe('storage', () => {
  const upload = (body: Buffer) =>
    client.send(`${service.coreUrl}/assets`, { headers: { ...key(), 'content-type': 'image/png' }, body });
  /** Bytes of files that are stored for the network. */
  const storedBytes = async (): Promise<number> => {
    const { data } = await ask('{ network(id: "1000") { storage { name used } } }');
    const { network } = data as unknown as { network: { storage: { name: string; used: string | number }[] } };
    return Number(network.storage.find(({ name }) => name === 'assetBytes')?.used);
  };

  test('parallel uploads of one key stop at the quota of its environment', async () => {
    const before = await storedBytes();
    const files = Array.from({ length: 24 }, () => makePng(4, 4, { noise: randomBytes(100_000) }));
    const responses = await Promise.all(files.map(upload));
    const refused = responses.filter(({ status }) => status !== 201);
    expect(refused.length).toBeGreaterThanOrEqual(14);
    for (const response of refused)
      expect([response.status, response.json()]).toMatchObject([409, { error: 'quota_exceeded', quota: 'assetBytes' }]);
    const after = await storedBytes();
    expect(after).toBeLessThanOrEqual(MEGABYTE);
    // Files are stored under the hash of their content: each one that was accepted is there.
    const accepted = files.filter((_file, at) => responses[at]?.status === 201);
    expect(after - before).toBe(accepted.reduce((sum, { length }) => sum + length, 0));
  });

  test('a PNG of 33 bytes that claims 5000 × 5000 pixels is refused', async () => {
    const response = await upload(makePng(5_000, 5_000).subarray(0, 33));
    expect([response.status, response.json()]).toMatchObject([400, { error: 'invalid_request' }]);
  });

  test('an uploaded SVG with a script is served under a policy that runs no script', async () => {
    const body = Buffer.from(
      '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"><script>alert(1)</script></svg>',
    );
    const { url } = (await client.send(`${service.coreUrl}/assets`, { headers: key(), body })).json<{ url: string }>();
    const { headers } = await client.send(service.deliveryUrl + url);
    expect(headers['content-type']).toBe('image/svg+xml');
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(headers['content-security-policy']).toMatch(/^default-src 'none';.* sandbox$/);
  });
});

describe.each(['coreUrl', 'deliveryUrl'] as const)('connections of the %s', (name) => {
  test('one address cannot hold all connections', async () => {
    const port = Number(new URL(service[name]).port);
    const sockets: Socket[] = [];
    try {
      let open = 0;
      const opening = Array.from({ length: CONNECTIONS * 2 }, () => {
        const socket = connectTcp({ port, host: '127.0.0.1', localAddress: '127.0.0.9' });
        sockets.push(socket);
        socket
          .on('error', () => undefined)
          .once('connect', () => (open += 1))
          .once('close', () => (open -= 1));
        return new Promise((resolve) => socket.once('connect', resolve));
      });
      await Promise.all(opening);
      await expect.poll(() => open).toBe(CONNECTIONS);
      expect((await client.send(`${service[name]}/healthz`)).status).toBe(200);
    } finally {
      for (const socket of sockets) socket.destroy();
    }
  });

  test('a request with two Host headers gets 400', async () => {
    const { port, hostname } = new URL(service[name]);
    const socket = connect({ port: Number(port), host: '127.0.0.1', servername: hostname, ca: service.ca });
    socket.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\nHost: other\r\nConnection: close\r\n\r\n');
    const [first] = (await Array.fromAsync(socket as AsyncIterable<Buffer>)).map(String);
    expect(first).toMatch(/^HTTP\/1\.1 400 /);
  });
});
