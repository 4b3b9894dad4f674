import { execFile } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import { request } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { makeAuthority, makeServerCertificate } from './certificate.ts';
import type { TlsSettings, Transport } from './tls.ts';
import { certificateHosts, prepareTls, readTls } from './tls.ts';

const NOW_MS = Date.now();
const DAY_MS = 86_400_000;
const SELF: TlsSettings = { mode: 'self', publicUrls: ['https://ads.example.org:8443'] };

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'placard-tls-'));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

function certOf(transport: Transport): string {
  if (transport.tls === null) throw new Error('no TLS material');
  return transport.tls.cert;
}

async function callOver(
  server: { key: string; cert: string },
  ca: string,
  servername: string,
): Promise<number | string> {
  const https = createServer(server, (_request, response) => response.end('ok'));
  await new Promise<void>((resolve) => https.listen(0, '127.0.0.1', resolve));
  const { port } = https.address() as AddressInfo;
  try {
    return await new Promise((resolve) => {
      request({ host: '127.0.0.1', port, ca, servername, agent: false }, (response) => {
        response.resume().on('end', () => resolve(response.statusCode ?? 0));
      })
        .on('error', (error: NodeJS.ErrnoException) =>
          resolve(error.code === 'UNSPECIFIED' ? error.message : (error.code ?? 'error')),
        )
        .end();
    });
  } finally {
    https.close();
  }
}

describe('self-made certificates', () => {
  test('a client that trusts the CA file trusts the certificates, for every host of the settings', async () => {
    const transport = await prepareTls(SELF, dir, { nowMs: NOW_MS });
    if (transport.tls?.caFile === undefined) throw new Error('no CA file');
    const ca = await readFile(transport.tls.caFile, 'utf8');
    expect(await callOver(transport.tls, ca, 'localhost')).toBe(200);
    expect(await callOver(transport.tls, ca, 'ads.example.org')).toBe(200);
    expect(await callOver(transport.tls, ca, 'elsewhere.example')).toBe('ERR_TLS_CERT_ALTNAME_INVALID');
  });

  test('certificates are valid for 397 days, their CA for 10 years', async () => {
    const transport = await prepareTls(SELF, dir, { nowMs: NOW_MS });
    const server = new X509Certificate(certOf(transport));
    const ca = new X509Certificate(await readFile(join(dir, 'tls', 'ca.pem')));
    expect(Math.round((Date.parse(server.validTo) - NOW_MS) / DAY_MS)).toBe(397);
    expect(Math.round((Date.parse(ca.validTo) - NOW_MS) / DAY_MS)).toBe(3_650);
    expect(ca.ca).toBe(true);
    expect(server.ca).toBe(false);
  });

  test('private keys are readable by the owner only', async () => {
    await prepareTls(SELF, dir, { nowMs: NOW_MS });
    for (const file of ['server.pem', 'ca-key.pem']) {
      expect((await stat(join(dir, 'tls', file))).mode & 0o777).toBe(0o600);
    }
    expect(await readFile(join(dir, 'tls', 'ca.pem'), 'utf8')).not.toContain('PRIVATE KEY');
  });

  test('stay the same until 30 days before their end, and are then renewed under the same CA', async () => {
    const first = await prepareTls(SELF, dir, { nowMs: NOW_MS });
    const ca = await readFile(join(dir, 'tls', 'ca.pem'), 'utf8');
    expect(certOf(await prepareTls(SELF, dir, { nowMs: NOW_MS + 366 * DAY_MS }))).toBe(certOf(first));
    expect(certOf(await prepareTls(SELF, dir, { nowMs: NOW_MS + 368 * DAY_MS }))).not.toBe(certOf(first));
    expect(await readFile(join(dir, 'tls', 'ca.pem'), 'utf8')).toBe(ca);
  });

  test('get a new CA when a host comes that the old one may not sign for', async () => {
    await prepareTls(SELF, dir, { nowMs: NOW_MS });
    const before = await readFile(join(dir, 'tls', 'ca.pem'), 'utf8');
    const moved = await prepareTls({ mode: 'self', publicUrls: ['https://new.example.net'] }, dir, { nowMs: NOW_MS });
    expect(await readFile(join(dir, 'tls', 'ca.pem'), 'utf8')).not.toBe(before);
    expect(new X509Certificate(certOf(moved)).checkHost('new.example.net')).toBe('new.example.net');
  });

  test('certificates are made once when several processes start together', async () => {
    const made = await Promise.all(Array.from({ length: 6 }, () => prepareTls(SELF, dir, { nowMs: NOW_MS })));
    expect(new Set(made.map(certOf)).size).toBe(1);
    expect(certOf(await readTls(SELF, dir))).toBe(certOf(made[0] as Transport));
  });

  test('certificates are made again when a file is damaged', async () => {
    await prepareTls(SELF, dir, { nowMs: NOW_MS });
    await writeFile(join(dir, 'tls', 'server.pem'), 'half a fi');
    await expect(readTls(SELF, dir)).rejects.toThrow(/damaged/);
    const again = await prepareTls(SELF, dir, { nowMs: NOW_MS });
    expect(new X509Certificate(certOf(again)).checkHost('localhost')).toBe('localhost');
  });

  test('load the library that makes them only when one is made', async () => {
    const script = `
      const { createRequire } = await import('node:module');
      const { prepareTls } = await import(${JSON.stringify(new URL('./tls.ts', import.meta.url).href)});
      await prepareTls(${JSON.stringify(SELF)}, ${JSON.stringify(dir)}, { nowMs: ${NOW_MS} });
      const { cache } = createRequire(process.execPath);
      const loaded = Object.keys(cache).some((path) => path.includes('@peculiar'));
      process.stdout.write(JSON.stringify({ loaded, polyfilled: 'getMetadata' in Reflect }));`;
    const run = async (): Promise<unknown> =>
      JSON.parse((await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script])).stdout);
    expect(await run()).toEqual({ loaded: true, polyfilled: false });
    expect(await run()).toEqual({ loaded: false, polyfilled: false });
  });

  test('certificates are valid for addresses in every spelling, and beyond 2049', async () => {
    const hosts = ['10.1.2.3', '2001:db8::1', '::ffff:1.2.3.4'];
    const authority = await makeAuthority(hosts, Date.UTC(2045, 5, 1));
    const server = new X509Certificate((await makeServerCertificate(authority, hosts, Date.UTC(2049, 5, 1))).certPem);
    expect(['10.1.2.3', '2001:db8::1', '::ffff:102:304'].map((ip) => server.checkIP(ip))).not.toContain(undefined);
    expect(server.validToDate.toISOString()).toBe('2050-07-03T00:00:00.000Z');
    expect(server.verify(new X509Certificate(authority.certPem).publicKey)).toBe(true);
  });

  test('the CA is not trusted for a host outside its name constraints', async () => {
    const authority = await makeAuthority(['localhost', '127.0.0.1', '::1'], NOW_MS);
    const evil = await makeServerCertificate(authority, ['bank.example'], NOW_MS);
    const fair = await makeServerCertificate(authority, ['localhost'], NOW_MS);
    const call = (c: typeof evil, name: string) =>
      callOver({ key: c.keyPem, cert: c.certPem }, authority.certPem, name);
    expect(await call(fair, 'localhost')).toBe(200);
    expect(await call(evil, 'bank.example')).toBe('permitted subtree violation');
  });

  test('certificates verify with the openssl command, for an address too', async () => {
    await prepareTls(SELF, dir, { nowMs: NOW_MS });
    const certFile = join(dir, 'cert.pem');
    await writeFile(certFile, certOf(await readTls(SELF, dir)));
    const args = ['verify', '-x509_strict', '-verify_ip', '::1', '-CAfile', join(dir, 'tls', 'ca.pem'), certFile];
    const output = await new Promise<string>((resolve) => {
      execFile('openssl', args, (error, stdout, stderr) =>
        resolve(error?.code === ('ENOENT' as never) ? 'OK (no openssl)' : stdout + stderr),
      );
    });
    expect(output).toContain('OK');
  });
});

describe('given files', () => {
  test('configured files are used as they are when they belong together', async () => {
    const pair = await makeAuthority(['localhost'], NOW_MS);
    const [certFile, keyFile] = [join(dir, 'c.pem'), join(dir, 'k.pem')];
    await writeFile(certFile, pair.certPem);
    await writeFile(keyFile, pair.keyPem);
    const transport = await prepareTls({ mode: 'files', certFile, keyFile, publicUrls: [] }, dir, { nowMs: NOW_MS });
    expect(transport).toEqual({ mode: 'files', tls: { key: pair.keyPem, cert: pair.certPem } });
  });

  test('configured files are rejected when the key does not match, is missing, or is not PEM', async () => {
    const [certFile, keyFile] = [join(dir, 'c.pem'), join(dir, 'k.pem')];
    await writeFile(certFile, (await makeAuthority(['localhost'], NOW_MS)).certPem);
    const settings: TlsSettings = { mode: 'files', certFile, keyFile, publicUrls: [] };
    await expect(readTls(settings, dir)).rejects.toThrow(/PLACARD_TLS_KEY_FILE.*cannot be read/);
    await writeFile(keyFile, (await makeAuthority(['localhost'], NOW_MS)).keyPem);
    await expect(readTls(settings, dir)).rejects.toThrow(/do not belong together/);
    await writeFile(keyFile, 'junk');
    await expect(readTls(settings, dir)).rejects.toThrow(/unencrypted PEM key/);
  });
});

test('certificate hosts leave out names that no certificate can carry', () => {
  expect(certificateHosts(['https://Ads.Example:1/x', 'https://[2001:db8::1]:2'], 'bad host!')).toEqual([
    '127.0.0.1',
    '2001:db8::1',
    '::1',
    'ads.example',
    'localhost',
  ]);
});
