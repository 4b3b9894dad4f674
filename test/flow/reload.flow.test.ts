/** SIGHUP under load: no request is refused, reset or left without a response, with one worker as with two. */
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TLSSocket } from 'node:tls';
import { afterEach, describe, expect, test } from 'vitest';
import { makeAuthority, makeServerCertificate } from '../../src/http/tls/certificate.ts';
import { readChildren } from '../../src/runtime/supervisor/run-files.ts';
import { type LeanPlacard, startLeanPlacard } from '../support/lean-placard.ts';

const BROWSER = {
  'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
};
const CALLERS = 3;
const RELOADS = 3;
const WAIT_MS = 120_000;
let placard: LeanPlacard;
let dir: string | null = null;

afterEach(async () => {
  await placard.remove();
  if (dir !== null) rmSync(dir, { recursive: true });
  dir = null;
});

interface Call {
  readonly status: number;
  readonly text: string;
  readonly ms: number;
  readonly closes: boolean;
  /** SHA-256 of the certificate that was shown. */
  readonly fingerprint: string;
}

/** One request; `agent` false makes a connection of its own. */
function call(url: string, agent: Agent | false, body?: object): Promise<Call> {
  const beganMs = performance.now();
  const text = body === undefined ? undefined : JSON.stringify(body);
  return new Promise((resolve, reject) => {
    const outgoing = request(
      url,
      {
        agent,
        ca: placard.ca,
        rejectUnauthorized: placard.ca !== '',
        method: text === undefined ? 'GET' : 'POST',
        headers: {
          ...BROWSER,
          ...(text === undefined
            ? {}
            : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
        },
      },
      (response) => {
        const fingerprint = (response.socket as TLSSocket).getPeerCertificate().fingerprint256;
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            text: Buffer.concat(chunks).toString(),
            ms: performance.now() - beganMs,
            closes: response.headers.connection === 'close',
            fingerprint,
          }),
        );
      },
    );
    outgoing.on('error', reject);
    outgoing.end(text);
  });
}

const pidOf = (name: string): number => readChildren(placard.dataDir).find((child) => child.name === name)?.pid ?? 0;

/** Sends SIGHUP, and waits until each worker has a successor that serves. */
async function reload(workers: number): Promise<void> {
  const names = Array.from({ length: workers }, (_, index) => `delivery ${index}`);
  const before = names.map(pidOf);
  process.kill(placard.pid, 'SIGHUP');
  await expect
    .poll(() => names.every((name, index) => ![0, before[index]].includes(pidOf(name))), { timeout: WAIT_MS })
    .toBe(true);
  const isReady = async (): Promise<string> => (await call(`${placard.deliveryUrl}/readyz`, false)).text;
  await expect.poll(isReady, { timeout: WAIT_MS }).not.toContain('not_ready');
}

/** Bids and fires the impression of each ad, without a pause, until it is told to stop. */
class Caller {
  readonly #agent: Agent | false;
  readonly failures: string[] = [];
  readonly calls: Call[] = [];
  impressions = 0;
  readonly #done: Promise<void>;
  #stopped = false;

  constructor(agent: Agent | false) {
    this.#agent = agent;
    this.#done = this.#run();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#done;
  }

  async #run(): Promise<void> {
    const network = `${placard.deliveryUrl}/${placard.demo.networkId}`;
    for (let at = 0; !this.#stopped; at += 1) {
      const bid = await this.#send(`${network}/bid`, {
        id: `reload-${at}-${Math.random()}`,
        imp: [{ id: '1', tagid: 'home/top', banner: { format: [{ w: 970, h: 250 }] }, secure: 1 }],
        site: { id: 'magazine', domain: 'magazine.example', page: 'https://www.magazine.example/' },
      });
      const token = /\/imp\/([\w.-]+)/.exec(bid?.text ?? '')?.[1];
      if (token === undefined) continue;
      if ((await this.#send(`${network}/imp/${token}`)) !== null) this.impressions += 1;
    }
  }

  async #send(url: string, body?: object): Promise<Call | null> {
    try {
      const made = await call(url, this.#agent, body);
      this.calls.push(made);
      if (made.status === 200 || made.status === 204) return made;
      this.failures.push(`${url}: ${made.status} ${made.text.slice(0, 200)}`);
    } catch (error) {
      this.failures.push(`${url}: ${String(error)}`);
    }
    return null;
  }
}

async function countImpressions(): Promise<number> {
  const rows = await fetchReport();
  return Number(rows[0]?.['campaign_overview.impressions'] ?? 0);
}

async function fetchReport(): Promise<Record<string, string>[]> {
  const { createClient } = await import('../support/http-client.ts');
  const client = createClient(placard.ca);
  const response = await client.send(`${placard.coreUrl}/reports/${placard.demo.networkId}/v1/load`, {
    headers: { authorization: `Bearer ${placard.demo.keys.admin}` },
    json: {
      query: {
        measures: ['campaign_overview.impressions'],
        timeDimensions: [{ dimension: 'campaign_overview.time', dateRange: 'today' }],
      },
    },
  });
  client.close();
  return response.json<{ data: Record<string, string>[] }>().data;
}

describe.each([1, 2])('with %i workers', (workers) => {
  test('no request fails and no impression is lost while the service is reloaded again and again', async () => {
    placard = await startLeanPlacard({ PLACARD_DEMO: 'true', PLACARD_WORKERS: String(workers) });
    const countedBefore = await countImpressions();
    const agent = new Agent({ keepAlive: true });
    const callers = [agent, false as const].flatMap((one) => Array.from({ length: CALLERS }, () => new Caller(one)));
    const served = (): number => callers.reduce((sum, { calls }) => sum + calls.length, 0);
    await expect.poll(served, { timeout: WAIT_MS }).toBeGreaterThan(50);
    for (let round = 0; round < RELOADS; round += 1) {
      await reload(workers);
      const before = served();
      await expect.poll(served, { timeout: WAIT_MS }).toBeGreaterThan(before + 50);
    }
    await Promise.all(callers.map((caller) => caller.stop()));
    agent.destroy();
    expect(callers.flatMap(({ failures }) => failures)).toEqual([]);
    const calls = callers.flatMap((caller) => caller.calls);
    const longest = calls.map(({ ms }) => Math.round(ms)).toSorted((left, right) => right - left);
    console.log(`${workers} workers: ${calls.length} requests; longest ${longest.slice(0, 12).join(', ')} ms`);
    expect(calls.some(({ closes }) => closes)).toBe(true);
    const fired = callers.reduce((sum, { impressions }) => sum + impressions, 0);
    expect(fired).toBeGreaterThan(50);
    await expect.poll(async () => (await countImpressions()) - countedBefore, { timeout: WAIT_MS }).toBe(fired);
  }, 600_000);
});

test('a reload takes a new certificate into use in core and workers, and one that cannot be read changes nothing', async () => {
  dir = mkdtempSync(join(tmpdir(), 'placard-certificate-'));
  const [certFile, keyFile] = [join(dir, 'cert.pem'), join(dir, 'key.pem')];
  const renew = async (): Promise<void> => {
    const nowMs = Date.now();
    const authority = await makeAuthority(['localhost'], nowMs);
    const made = await makeServerCertificate(authority, ['localhost'], nowMs);
    writeFileSync(certFile, made.certPem);
    writeFileSync(keyFile, made.keyPem);
  };
  await renew();
  placard = await startLeanPlacard({
    PLACARD_TLS: 'files',
    PLACARD_TLS_CERT_FILE: certFile,
    PLACARD_TLS_KEY_FILE: keyFile,
  });
  const shown = async (): Promise<string[]> => {
    const urls = [placard.coreUrl, placard.deliveryUrl];
    return (await Promise.all(urls.map((url) => call(`${url}/healthz`, false)))).map(({ fingerprint }) => fingerprint);
  };
  const [first] = await shown();
  await renew();
  await reload(1);
  await expect.poll(async () => new Set(await shown()), { timeout: WAIT_MS }).not.toContain(first);
  const [second] = await shown();

  const worker = pidOf('delivery 0');
  copyFileSync(certFile, keyFile);
  process.kill(placard.pid, 'SIGHUP');
  await expect.poll(() => placard.output(), { timeout: WAIT_MS }).toContain('tls.certificate_not_renewed');
  expect(await shown()).toEqual([second, second]);
  expect(pidOf('delivery 0')).toBe(worker);
}, 300_000);
