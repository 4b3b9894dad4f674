import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, type SecureVersion } from 'node:tls';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SILENT_LOG } from '../../domain/log/log.ts';
import { readSettings } from '../../config/settings.ts';
import { type CoreServer, createCoreServer, mountRoutes } from './core-server.ts';
import { type DeliveryServer, startDeliveryServer } from '../fast/delivery-server.ts';
import { ask } from '../fixtures/raw-client.ts';
import { securityTextRoutes } from './security-text.ts';
import { prepareTls } from '../tls/tls.ts';

const log = SILENT_LOG;
const NOW_MS = Date.parse('2026-03-01T15:30:00Z');
const PATH = '/.well-known/security.txt';
let dir: string;
const servers: (CoreServer | DeliveryServer)[] = [];
const ports: Record<string, number> = {};

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'placard-file-'));
  const contacts = readSettings({ PLACARD_SECURITY_CONTACT: 'security@example.com, https://example.com/report' });
  const loopback = { transport: { mode: 'loopback', tls: null }, port: 0, log } as const;
  for (const [name, list] of [
    ['', contacts.securityContacts],
    [' without contacts', []],
  ] as const) {
    const routes = securityTextRoutes({ contacts: list, nowMs: () => NOW_MS });
    const core = await createCoreServer(loopback);
    mountRoutes(core.app, routes);
    ports[`core${name}`] = await core.listen();
    const delivery = await startDeliveryServer({ ...loopback, routes });
    ports[`delivery${name}`] = delivery.port;
    servers.push(core, delivery);
  }
  const transport = await prepareTls({ mode: 'self', publicUrls: [] }, dir, { nowMs: Date.now() });
  const core = await createCoreServer({ transport, port: 0, log });
  ports['core over TLS'] = await core.listen();
  const delivery = await startDeliveryServer({ transport, port: 0, log, routes: [] });
  ports['delivery over TLS'] = delivery.port;
  servers.push(core, delivery);
});
afterAll(async () => {
  await Promise.all(servers.map((server) => server.stop(0)));
  await rm(dir, { recursive: true, force: true });
});

describe.each(['core', 'delivery'])('security.txt of the %s port', (name) => {
  test('names the contacts and ends in half a year', async () => {
    const response = await ask(ports[name] ?? 0, 'GET', PATH);
    expect([response.status, response.headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8']);
    expect(String(response.body).split('\n')).toEqual([
      'Contact: mailto:security@example.com',
      'Contact: https://example.com/report',
      'Expires: 2026-08-28T00:00:00Z',
      'Preferred-Languages: en',
      '',
    ]);
  });

  test('security.txt is 404 until contacts are configured', async () => {
    expect((await ask(ports[`${name} without contacts`] ?? 0, 'GET', PATH)).status).toBe(404);
  });
});

test.each(['nobody', 'http://example.com', 'mailto:', 'a@b\nContact: x@y', 'https://exa mple', 'a@b,'.repeat(6)])(
  'the contact %j is refused at the start',
  (text) => {
    const contacts = () => readSettings({ PLACARD_SECURITY_CONTACT: text }).securityContacts;
    expect(contacts).toThrow(/write up to 5 e-mail addresses/);
  },
);

describe.each(['core over TLS', 'delivery over TLS'])('%s', (name) => {
  /** The suite that client and server agree on; null when they do not. */
  function shake(ciphers: string, version: SecureVersion = 'TLSv1.2'): Promise<string | null> {
    return new Promise((resolve) => {
      const socket = connect({
        port: ports[name] ?? 0,
        host: '127.0.0.1',
        rejectUnauthorized: false,
        minVersion: version,
        maxVersion: version,
        ciphers: `${ciphers}:@SECLEVEL=0`,
      });
      socket.once('secureConnect', () => {
        resolve(`${socket.getProtocol()} ${socket.getCipher().standardName}`);
        socket.destroy();
      });
      socket.once('error', () => resolve(null));
    });
  }

  test.each([
    ['AES in CBC mode, SHA-256', 'ECDHE-ECDSA-AES128-SHA256:ECDHE-RSA-AES128-SHA256'],
    ['AES in CBC mode, SHA-384', 'ECDHE-ECDSA-AES256-SHA384:ECDHE-RSA-AES256-SHA384'],
    ['AES in CBC mode, SHA-1', 'ECDHE-ECDSA-AES128-SHA:ECDHE-RSA-AES256-SHA:AES128-SHA'],
    ['AES-CCM', 'ECDHE-ECDSA-AES128-CCM8:ECDHE-ECDSA-AES256-CCM'],
    ['RSA key exchange', 'AES128-GCM-SHA256:AES256-GCM-SHA384'],
    ['finite-field key exchange', 'DHE-RSA-AES128-GCM-SHA256'],
  ])('the server refuses %s', async (_title, ciphers) => {
    expect(await shake(ciphers)).toBeNull();
  });

  test.each(['TLSv1', 'TLSv1.1'] as const)('the server refuses %s', async (version) => {
    expect(await shake('ALL', version)).toBeNull();
  });

  test('the server negotiates authenticated suites with TLS 1.2, and TLS 1.3', async () => {
    expect(await shake('ALL')).toMatch(
      /^TLSv1\.2 TLS_ECDHE_(ECDSA|RSA)_WITH_(AES_128_GCM|AES_256_GCM|CHACHA20_POLY1305)_/,
    );
    expect(await shake('ECDHE-ECDSA-CHACHA20-POLY1305:ECDHE-RSA-CHACHA20-POLY1305')).toContain('CHACHA20');
    expect(await shake('ALL:TLS_AES_128_GCM_SHA256', 'TLSv1.3')).toBe('TLSv1.3 TLS_AES_128_GCM_SHA256');
  });
});
