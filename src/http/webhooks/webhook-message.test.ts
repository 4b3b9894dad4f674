import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { makeAuthority, makeServerCertificate } from '../../http/tls/certificate.ts';
import { sendMessage, type WebhookSending } from './webhook-message.ts';
import type { HostResolver } from './webhook-target.ts';

const HOST = 'hooks.example.com';
/** Stands for a public address, and one inside that no webhook may reach. */
const OUTSIDE = '127.0.0.2';
const INSIDE = '127.0.0.1';

let ca = '';
let own = { cert: '', key: '' };
let port = 0;
const servers: Server[] = [];
const received: string[] = [];
let reply = { status: 200, headers: {} as Record<string, string> };

beforeAll(async () => {
  const authority = await makeAuthority([HOST], Date.now());
  const { certPem: cert, keyPem: key } = await makeServerCertificate(authority, [HOST], Date.now());
  ca = authority.certPem;
  own = { cert, key };
  for (const address of [OUTSIDE, INSIDE]) {
    const server = createServer({ cert, key }, (request, response) => {
      received.push(`${address} ${request.url}`);
      request.resume().once('end', () => response.writeHead(reply.status, reply.headers).end());
    });
    await new Promise<void>((resolve) => server.listen(port, address, resolve));
    port = (server.address() as AddressInfo).port;
    servers.push(server);
  }
});
afterAll(() => {
  for (const server of servers) server.close().closeAllConnections();
});
beforeEach(() => {
  received.length = 0;
  reply = { status: 200, headers: {} };
});

function send(resolveHost: HostResolver, to = port): Promise<number> {
  const sending: WebhookSending = { allowedRanges: [`${OUTSIDE}/32`], ca, timeoutMs: 5_000, resolveHost };
  const message = {
    url: `https://${HOST}:${to}/hook`,
    networkId: '1',
    secret: 's',
    id: '1',
    body: '{}',
    nowMs: Date.now(),
  };
  return sendMessage(message, sending);
}

const always =
  (...addresses: string[]): HostResolver =>
  async () =>
    addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));

test('a message goes to the address of the name', async () => {
  await send(always(OUTSIDE));
  expect(received).toEqual([`${OUTSIDE} /hook`]);
});

test('a name server that changes its reply between check and connection does not change the target', async () => {
  const asked: string[] = [];
  const changing: HostResolver = async (host) => {
    asked.push(host);
    return [{ address: asked.length === 1 ? OUTSIDE : INSIDE, family: 4 }];
  };
  await send(changing);
  expect([received, asked]).toEqual([[`${OUTSIDE} /hook`], [HOST]]);
});

test.each([
  ['a private address', [INSIDE]],
  ['a public address and a private one', [OUTSIDE, INSIDE]],
  ['an address of the cloud provider', ['169.254.169.254']],
  ['an IPv4 address in IPv6 clothes', ['::7f00:1']],
  ['an IPv4-mapped address', ['::ffff:127.0.0.1']],
  ['an address behind NAT64', ['64:ff9b::7f00:1']],
  ['a link-local address with a zone', ['fe80::1%lo']],
])('a name that leads to %s is refused before any connection', async (_title, addresses) => {
  await expect(send(always(...addresses))).rejects.toThrow('Give a public address');
  expect(received).toEqual([]);
});

test.each([301, 302, 303, 307, 308])('a redirect (%i) to an internal address is not followed', async (status) => {
  reply = { status, headers: { location: `https://${INSIDE}:${port}/metadata` } };
  await expect(send(always(OUTSIDE))).rejects.toThrow(`The receiver responded with ${status}.`);
  expect(received).toEqual([`${OUTSIDE} /hook`]);
});

// What a receiver writes to the connection instead of a response before it keeps it open; null: it closes it.
test.each([
  ['that switches protocols', 'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n'],
  ['that closes the connection', null],
  ['that speaks another protocol', 'SSH-2.0-x\r\n'],
])('a response %s ends the message', async (_title, text) => {
  const server = createTlsServer(own, (socket) => {
    socket.on('error', () => undefined);
    if (text === null) socket.end();
    else socket.once('data', () => socket.write(text));
  });
  await new Promise<void>((resolve) => server.listen(0, OUTSIDE, resolve));
  try {
    await expect(send(always(OUTSIDE), (server.address() as AddressInfo).port)).rejects.toThrow('cannot be reached');
  } finally {
    server.close();
  }
});
