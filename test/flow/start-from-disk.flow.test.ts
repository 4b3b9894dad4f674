/** A service that has run once, started again while its PostgreSQL cannot start. */
import { once } from 'node:events';
import { existsSync, renameSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Client, createClient } from '../support/http-client.ts';
import {
  makeDataDir,
  type PlacardProcess,
  removeDataDir,
  runPlacard,
  startPlacard,
} from '../support/placard-process.ts';

const BROWSER = {
  'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
};
const ADS = 20;
const dataDir = makeDataDir();
/** The second run, of which nobody knows more than the first run told. */
let starting: Promise<PlacardProcess> | undefined;
let first: PlacardProcess;
let client: Client;
let controlFile: string;
let countedBefore: number;

beforeAll(async () => {
  first = await startPlacard({ dataDir, env: await fixedPorts(), demoHistory: 'none' });
  client = createClient(first.ca);
  const line = first
    .output()
    .split('\n')
    .find((one) => one.includes('"postgres.ready"'));
  const { dir } = JSON.parse(line ?? '{}') as { dir: string };
  controlFile = join(dir, 'cluster', 'global', 'pg_control');
  countedBefore = await countImpressions();
  await first.stop();
  expect([controlFile, join(dataDir, 'snapshot', 'last-good.ndjson')].filter((path) => !existsSync(path))).toEqual([]);
}, 300_000);

afterAll(async () => {
  client.close();
  // A failed test must not wait for a service that cannot be ready.
  if (existsSync(`${controlFile}.away`)) renameSync(`${controlFile}.away`, controlFile);
  await (await starting)?.stop();
  await removeDataDir(dataDir);
}, 300_000);

/** Ports that both runs have: links of ads name them. */
async function fixedPorts(): Promise<Record<string, string>> {
  const probes = [0, 1].map(() => createServer().listen(0, '127.0.0.1'));
  await Promise.all(probes.map((probe) => once(probe, 'listening')));
  const [core, delivery] = probes.map((probe) => String((probe.address() as AddressInfo).port));
  await Promise.all(probes.map((probe) => once(probe.close(), 'close')));
  return {
    PLACARD_WORKERS: '1',
    PLACARD_LOG_FORMAT: 'json',
    PLACARD_CORE_PORT: core ?? '',
    PLACARD_DELIVERY_PORT: delivery ?? '',
  };
}

function portsOf({ coreUrl, deliveryUrl }: PlacardProcess): Record<string, string> {
  return { PLACARD_CORE_PORT: new URL(coreUrl).port, PLACARD_DELIVERY_PORT: new URL(deliveryUrl).port };
}

/** The impression address of a new ad; null when no bid comes. */
async function bid(id: string): Promise<string | null> {
  const json = {
    id,
    imp: [{ id: '1', tagid: 'home/top', banner: { format: [{ w: 970, h: 250 }] }, secure: 1 }],
    site: { id: 'magazine', domain: 'magazine.example', page: 'https://www.magazine.example/' },
  };
  const url = `${first.deliveryUrl}/${first.demo.networkId}/bid`;
  const response = await client.send(url, { json, headers: BROWSER }).catch(() => null);
  const token = response?.status === 200 ? /\/imp\/([\w.-]+)/.exec(response.text)?.[1] : undefined;
  return token === undefined ? null : `${first.deliveryUrl}/${first.demo.networkId}/imp/${token}`;
}

async function bidUntilServed(id: string): Promise<string> {
  let url: string | null = null;
  await expect.poll(async () => (url = await bid(`${id}-${performance.now()}`))).not.toBeNull();
  return url as unknown as string;
}

async function readCoreCheck(): Promise<unknown> {
  const response = await client.send(`${first.deliveryUrl}/readyz`);
  const { checks } = response.json<{ checks: { name: string }[] }>();
  return checks.find(({ name }) => name === 'core') ?? response.text;
}

async function countImpressions(): Promise<number> {
  const response = await client.send(`${first.coreUrl}/reports/${first.demo.networkId}/v1/load`, {
    headers: { authorization: `Bearer ${first.demo.keys.admin}` },
    json: {
      query: {
        measures: ['campaign_overview.impressions'],
        timeDimensions: [{ dimension: 'campaign_overview.time', dateRange: 'today' }],
      },
    },
  });
  return Number(response.json<{ data: Record<string, string>[] }>().data[0]?.['campaign_overview.impressions'] ?? 0);
}

test('ads are served and impressions recorded while PostgreSQL cannot start, and each counts once when it is back', async () => {
  renameSync(controlFile, `${controlFile}.away`);
  const env = { PLACARD_WORKERS: '1', PLACARD_LOG_FORMAT: 'json', ...portsOf(first) };
  starting = startPlacard({ dataDir, env, demoHistory: 'none' });
  const urls: string[] = [];
  for (let at = 0; at < ADS; at += 1) urls.push(await bidUntilServed(`ad-${at}`));
  // Twice: the second time none of them counts.
  for (const url of [...urls, ...urls]) expect((await client.send(url, { headers: BROWSER })).status).toBe(200);
  expect(await readCoreCheck()).toMatchObject({ ok: true, degraded: true });
  await expect(client.send(`${first.coreUrl}/readyz`)).rejects.toThrow();

  renameSync(`${controlFile}.away`, controlFile);
  const second = await starting;
  expect(second.output()).toContain('"postgres.start_failed"');
  await expect.poll(readCoreCheck).toEqual({ name: 'core', ok: true });
  await expect.poll(countImpressions).toBe(countedBefore + ADS);
  const verified = await runPlacard(['verify-counts'], { PLACARD_DATA: dataDir });
  expect(verified.out + verified.err).toContain('0 differences in roll-ups');
}, 300_000);
