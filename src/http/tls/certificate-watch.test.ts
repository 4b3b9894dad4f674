import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TLSSocket } from 'node:tls';
import { X509Certificate } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { writeLogTo } from '../../runtime/log/log.ts';
import { SILENT_LOG } from '../../domain/log/log.ts';
import { type CertificateWatch, type CertificateWatchOptions, watchCertificate } from './certificate-watch.ts';
import { makeAuthority } from './certificate.ts';
import { DEFAULT_HTTP_LIMITS } from '../shared/limits.ts';
import { createListener, listenAt, type Listener } from '../shared/listener.ts';
import { prepareTls, readTls, type TlsMaterial, type TlsSettings, type Transport } from './tls.ts';

const NOW_MS = Date.now();
const DAY_MS = 86_400_000;
const SELF: TlsSettings = { mode: 'self', publicUrls: [] };

let dir: string;
let lines: { level: number; event: string }[];
let listener: Listener | undefined;
let watch: CertificateWatch | undefined;

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'placard-watch-'));
  lines = [];
});
afterEach(async () => {
  vi.useRealTimers();
  await watch?.stop();
  await listener?.stop(0);
  [watch, listener] = [undefined, undefined];
  await rm(dir, { recursive: true, force: true });
});

function start(options: Omit<CertificateWatchOptions, 'log'>): void {
  const log = writeLogTo({ write: (line: string) => void lines.push(JSON.parse(line)) }, 'info', 'test');
  watch = watchCertificate({ ...options, log });
}

async function serve(transport: Transport): Promise<number> {
  listener = createListener(transport, DEFAULT_HTTP_LIMITS, (_request, response) => response.end('ok'));
  await listenAt(listener.server, transport, { bind: '127.0.0.1', port: 0 });
  return (listener.server.address() as AddressInfo).port;
}

/** The PEM certificate that a new connection gets, from a client that trusts `ca` only. */
function served(port: number, ca: string): Promise<string> {
  return new Promise((resolve, reject) => {
    request({ host: '127.0.0.1', port, ca, servername: 'localhost', agent: false }, (response) => {
      const { raw } = (response.socket as TLSSocket).getPeerCertificate();
      response.resume().on('end', () => resolve(new X509Certificate(raw).toString()));
    })
      .on('error', reject)
      .end();
  });
}

function materialOf(transport: Transport): TlsMaterial {
  if (transport.tls === null) throw new Error('no TLS material');
  return transport.tls;
}

describe('a watched certificate', () => {
  test('a certificate is renewed before it expires, in the process that makes it and in one that reads it, while both serve', async () => {
    const early = await prepareTls(SELF, dir, { nowMs: NOW_MS - 380 * DAY_MS });
    const ca = await readFile(join(dir, 'tls', 'ca.pem'), 'utf8');
    const port = await serve(early);
    expect(await served(port, ca)).toBe(materialOf(early).cert);
    const apply = (tls: TlsMaterial): void => listener?.renewTls(tls);
    start({ transport: early, renew: () => readTls(SELF, dir), apply, everyMs: 10 });
    const owner = watchCertificate({
      transport: early,
      renew: () => prepareTls(SELF, dir, { nowMs: NOW_MS }),
      apply: () => undefined,
      log: SILENT_LOG,
      everyMs: 10,
    });
    await expect.poll(() => served(port, ca)).not.toBe(materialOf(early).cert);
    await owner.stop();
    expect(await served(port, ca)).toBe(materialOf(await readTls(SELF, dir)).cert);
    expect(lines.map(({ event }) => event)).toEqual(['tls.certificate_renewed']);
  });

  test('an unchanged certificate is not applied again', async () => {
    const transport = await prepareTls(SELF, dir, { nowMs: NOW_MS });
    const renew = vi.fn(() => readTls(SELF, dir));
    const apply = vi.fn();
    start({ transport, renew, apply, everyMs: 5 });
    await expect.poll(() => renew.mock.calls.length).toBeGreaterThan(3);
    expect(apply).not.toHaveBeenCalled();
  });

  test('a certificate stays in use while its files are half replaced; the new one follows soon after', async () => {
    const [certFile, keyFile] = [join(dir, 'c.pem'), join(dir, 'k.pem')];
    const settings: TlsSettings = { mode: 'files', certFile, keyFile, publicUrls: [] };
    const [old, next] = [await makeAuthority(['localhost'], NOW_MS), await makeAuthority(['localhost'], NOW_MS)];
    await writeFile(certFile, old.certPem);
    await writeFile(keyFile, old.keyPem);
    const transport = await readTls(settings, dir);
    await writeFile(certFile, next.certPem);
    const applied: TlsMaterial[] = [];
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    start({ transport, renew: () => readTls(settings, dir), apply: (tls) => void applied.push(tls), everyMs: DAY_MS });
    vi.advanceTimersByTime(DAY_MS);
    await expect.poll(() => lines.length).toBeGreaterThan(0);
    expect(lines[0]).toMatchObject({ level: 50, msg: expect.stringContaining('stays in use') });
    expect(applied).toEqual([]);
    await writeFile(keyFile, next.keyPem);
    // A twenty-fourth of the interval.
    vi.advanceTimersByTime(3_600_000);
    await expect.poll(() => applied).toEqual([{ cert: next.certPem, key: next.keyPem }]);
  });

  test('that a server cannot take is offered to it again', async () => {
    const transport = await prepareTls(SELF, dir, { nowMs: NOW_MS - 380 * DAY_MS });
    const apply = vi.fn<(tls: TlsMaterial) => void>().mockImplementationOnce(() => {
      throw new Error('refused');
    });
    start({ transport, renew: () => prepareTls(SELF, dir, { nowMs: NOW_MS }), apply, everyMs: 10 });
    await expect.poll(() => apply.mock.calls.length).toBe(2);
    expect(lines.map(({ level }) => level)).toEqual([50, 30]);
  });

  test('a stopped watch changes nothing, even when a check was under way', async () => {
    const transport = await prepareTls(SELF, dir, { nowMs: NOW_MS - 380 * DAY_MS });
    const renewed = await prepareTls(SELF, dir, { nowMs: NOW_MS });
    const renew = vi.fn(() => sleep(50, renewed));
    const apply = vi.fn();
    start({ transport, renew, apply, everyMs: 5 });
    await expect.poll(() => renew.mock.calls.length).toBe(1);
    await watch?.stop();
    await sleep(30);
    expect(renew).toHaveBeenCalledTimes(1);
    expect(apply).not.toHaveBeenCalled();
  });
});

test('a transport without TLS is never asked about', async () => {
  const renew = vi.fn(() => Promise.resolve<Transport>({ mode: 'proxy', tls: null }));
  start({ transport: { mode: 'proxy', tls: null }, renew, apply: () => undefined, everyMs: 1 });
  await sleep(20);
  expect(renew).not.toHaveBeenCalled();
});

test.each([0, -1, Number.NaN, 2 ** 31])('an interval of %d ms is refused', (everyMs) => {
  const renew = (): Promise<Transport> => readTls({ mode: 'proxy', publicUrls: [] }, dir);
  expect(() => start({ transport: { mode: 'proxy', tls: null }, renew, apply: () => undefined, everyMs })).toThrow(
    RangeError,
  );
});
