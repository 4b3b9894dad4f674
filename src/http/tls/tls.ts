import { createPrivateKey, X509Certificate } from 'node:crypto';
import { mkdir, open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { isIP } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { KeyedCertificate } from './certificate.ts';
import { makeAuthority, makeServerCertificate } from './certificate.ts';

const RENEW_BEFORE_MS = 30 * 86_400_000;
const LOCK_STALE_MS = 15_000;
const LOCK_WAIT_MS = 30_000;

/** Where certificates come from: made here, given as files, ended by a proxy, or none because only this machine may call. */
export type TlsMode = 'self' | 'files' | 'proxy' | 'loopback';

/** The settings that TLS depends on. */
export interface TlsSettings {
  readonly mode: TlsMode;
  /** PEM files, for mode `files` only. The certificate file holds the chain. */
  readonly certFile?: string | undefined;
  readonly keyFile?: string | undefined;
  /** Public addresses of this service; their hosts go into a self-made certificate. */
  readonly publicUrls: readonly string[];
}

/** PEM material of a TLS listener. */
export interface TlsMaterial {
  readonly key: string;
  readonly cert: string;
  /** The local CA's certificate, for mode `self`: what clients are told to trust. */
  readonly caFile?: string;
}

/** How a server takes its connections. */
export type Transport =
  | { readonly mode: 'self' | 'files'; readonly tls: TlsMaterial }
  | { readonly mode: 'proxy' | 'loopback'; readonly tls: null };

/**
 * Gives the transport for the settings and, in mode `self`, makes what is missing in `<dataDir>/tls`: a CA (10 years) and a server
 * certificate (397 days), renewed when fewer than 30 days are left or the hosts changed. The CA stays the same until the hosts
 * go beyond its name constraints or it runs out itself. Keys are readable by the owner only. Safe against others who do the same.
 *
 * @throws Error that says what to do, when the files of mode `files` cannot be read or do not belong together.
 */
export async function prepareTls(
  settings: TlsSettings,
  dataDir: string,
  { nowMs }: { nowMs: number },
): Promise<Transport> {
  if (settings.mode !== 'self') return readTls(settings, dataDir);
  const dir = join(dataDir, 'tls');
  await mkdir(dir, { recursive: true, mode: 0o700 });
  const hosts = certificateHosts(settings.publicUrls);
  if (!(await isCurrent(dir, hosts, nowMs))) {
    await withLock(dir, async () => {
      if (!(await isCurrent(dir, hosts, nowMs))) await makeMaterial(dir, hosts, nowMs);
    });
  }
  return readTls(settings, dataDir);
}

/** Whether `readTls` gives a certificate that `prepareTls` would leave as it is. */
export async function isTlsPrepared(
  settings: TlsSettings,
  dataDir: string,
  { nowMs }: { nowMs: number },
): Promise<boolean> {
  return settings.mode !== 'self' || isCurrent(join(dataDir, 'tls'), certificateHosts(settings.publicUrls), nowMs);
}

/**
 * Reads what `prepareTls` left (mode `self`) or the configured files, without writing: for delivery workers.
 *
 * @throws Error when the material is missing, unreadable, or key and certificate do not match.
 */
export async function readTls(settings: TlsSettings, dataDir: string): Promise<Transport> {
  if (settings.mode === 'proxy' || settings.mode === 'loopback') return { mode: settings.mode, tls: null };
  if (settings.mode === 'files') {
    const cert = await readPem(settings.certFile, 'PLACARD_TLS_CERT_FILE');
    const key = await readPem(settings.keyFile, 'PLACARD_TLS_KEY_FILE');
    assertPair(cert, key, `${settings.certFile} and ${settings.keyFile}`);
    return { mode: 'files', tls: { key, cert } };
  }
  const bundle = splitBundle(await readFile(bundlePath(dataDir), 'utf8'));
  if (bundle === null)
    throw new Error(`The certificate file ${bundlePath(dataDir)} is damaged; delete it and start again`);
  return { mode: 'self', tls: { key: bundle.keyPem, cert: bundle.certPem, caFile: join(dataDir, 'tls', 'ca.pem') } };
}

/** The hosts of a self-made certificate: localhost, the loopback addresses, this machine's name, and those of the public URLs. */
export function certificateHosts(publicUrls: readonly string[], machineName: string = hostname()): string[] {
  const hosts = new Set(['localhost', '127.0.0.1', '::1']);
  for (const candidate of [machineName, ...publicUrls.map((url) => new URL(url).hostname)]) {
    const host = candidate.toLowerCase().replace(/^\[|\]$/g, '');
    if (isIP(host) || /^[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?)*$/.test(host))
      hosts.add(host);
  }
  return [...hosts].sort();
}

function bundlePath(dataDir: string): string {
  return join(dataDir, 'tls', 'server.pem');
}

async function makeMaterial(dir: string, hosts: readonly string[], nowMs: number): Promise<void> {
  const authority = (await readAuthority(dir, hosts, nowMs)) ?? (await writeAuthority(dir, hosts, nowMs));
  await writeWhole(join(dir, 'ca.pem'), authority.certPem, 0o644);
  const server = await makeServerCertificate(authority, hosts, nowMs);
  await writeWhole(join(dir, 'server.pem'), joinBundle(server), 0o600);
}

async function writeAuthority(dir: string, hosts: readonly string[], nowMs: number): Promise<KeyedCertificate> {
  const authority = await makeAuthority(hosts, nowMs);
  await writeWhole(join(dir, 'ca-hosts.json'), JSON.stringify(hosts), 0o600);
  await writeWhole(join(dir, 'ca-key.pem'), joinBundle(authority), 0o600);
  return authority;
}

/** The present CA when it may still sign for all the hosts, else null. */
async function readAuthority(dir: string, hosts: readonly string[], nowMs: number): Promise<KeyedCertificate | null> {
  const bundle = splitBundle(await readOrEmpty(join(dir, 'ca-key.pem')));
  if (bundle === null) return null;
  const certificate = new X509Certificate(bundle.certPem);
  const permitted = new Set(parseHosts(await readOrEmpty(join(dir, 'ca-hosts.json'))));
  const livesLongEnough = Date.parse(certificate.validTo) - nowMs > 400 * 86_400_000;
  return livesLongEnough && hosts.every((host) => permitted.has(host)) ? bundle : null;
}

async function isCurrent(dir: string, hosts: readonly string[], nowMs: number): Promise<boolean> {
  const server = splitBundle(await readOrEmpty(join(dir, 'server.pem')));
  const caPem = await readOrEmpty(join(dir, 'ca.pem'));
  if (server === null || !caPem.includes('BEGIN CERTIFICATE')) return false;
  const certificate = new X509Certificate(server.certPem);
  if (Date.parse(certificate.validTo) - nowMs < RENEW_BEFORE_MS) return false;
  if (!certificate.verify(new X509Certificate(caPem).publicKey)) return false;
  const named = (certificate.subjectAltName ?? '').split(', ').map((name) => name.replace(/^(DNS|IP Address):/, ''));
  const present = named.map((name) => (isIP(name) === 6 ? new URL(`http://[${name}]`).hostname.slice(1, -1) : name));
  return present.sort().join() === [...hosts].sort().join();
}

/** Runs `work` while holding a lock folder; a lock older than 15 s belongs to a process that died and is broken. */
async function withLock(dir: string, work: () => Promise<void>): Promise<void> {
  const lock = join(dir, '.lock');
  for (let waitedMs = 0; ; waitedMs += 50) {
    try {
      await mkdir(lock);
      break;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || waitedMs > LOCK_WAIT_MS) throw error;
      const made = await stat(lock).catch(() => null);
      if (made !== null && Date.now() - made.mtimeMs > LOCK_STALE_MS) await rm(lock, { recursive: true, force: true });
      await sleep(50);
    }
  }
  try {
    await work();
  } finally {
    await rm(lock, { recursive: true, force: true });
  }
}

/** Key and certificate in one file, so that one rename changes both. */
function joinBundle({ certPem, keyPem }: KeyedCertificate): string {
  return `${keyPem.trim()}\n${certPem.trim()}\n`;
}

function splitBundle(text: string): KeyedCertificate | null {
  const key = /-----BEGIN PRIVATE KEY-----[^-]+-----END PRIVATE KEY-----/.exec(text);
  const cert = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/.exec(text);
  return key === null || cert === null ? null : { keyPem: `${key[0]}\n`, certPem: `${cert[0]}\n` };
}

function parseHosts(text: string): string[] {
  if (text === '') return [];
  const hosts: unknown = JSON.parse(text);
  return Array.isArray(hosts) ? hosts.filter((host) => typeof host === 'string') : [];
}

async function writeWhole(path: string, text: string, mode: number): Promise<void> {
  const temporary = `${path}.${process.pid}.tmp`;
  await rm(temporary, { force: true });
  await writeFile(temporary, text, { mode, flag: 'wx' });
  const handle = await open(temporary, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(temporary, path);
}

async function readOrEmpty(path: string): Promise<string> {
  return readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
}

async function readPem(path: string | undefined, setting: string): Promise<string> {
  if (path === undefined) throw new Error(`${setting} must name a PEM file when PLACARD_TLS is files`);
  return readFile(path, 'utf8').catch((cause: Error) => {
    throw new Error(`${setting}: ${path} cannot be read (${cause.message})`, { cause });
  });
}

function assertPair(cert: string, key: string, names: string): void {
  let matches: boolean;
  try {
    matches = new X509Certificate(cert).checkPrivateKey(createPrivateKey(key));
  } catch (cause) {
    throw new Error(`${names} are not a PEM certificate and its unencrypted PEM key`, { cause });
  }
  if (!matches) throw new Error(`${names} do not belong together: the key is not the certificate's`);
}
