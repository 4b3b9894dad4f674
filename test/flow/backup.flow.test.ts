import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { runBackupCommand } from '../../src/backup/own-program.ts';
import { openOlap } from '../../src/storage/olap/clickhouse.ts';
import { type Client, createClient } from '../support/http-client.ts';
import {
  MAIN,
  makeDataDir,
  type PlacardProcess,
  removeDataDir,
  runPlacard,
  startPlacard,
  waitForDemoHistory,
} from '../support/placard-process.ts';
import { silentLog } from '../support/stores.ts';

const BROWSER = {
  'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
};
const SENDERS = 4;
const EVENTS_BEFORE = 100;
/** How often a person sees the capped ad on a day. */
const CAP = 3;
const env = { PLACARD_WORKERS: '1' };
const passphrase = { PLACARD_BACKUP_PASSPHRASE: 'correct horse battery staple' };
const dataDir = makeDataDir();
const restoredDir = makeDataDir();
const backups = mkdtempSync(join(tmpdir(), 'backups-'));
const backup = join(backups, 'one');
let placard: PlacardProcess;
let client: Client;
let asked = 0;

beforeAll(async () => {
  placard = await startPlacard({ dataDir, env, demoHistory: 'none' });
  await waitForDemoHistory(placard.coreUrl, placard.ca);
  client = createClient(placard.ca);
}, 300_000);

afterAll(async () => {
  client.close();
  await placard.stop();
  await removeDataDir(dataDir);
  await removeDataDir(restoredDir);
  rmSync(backups, { recursive: true, force: true });
});

/** The impression address of a new ad, without the server's address; null when no bid comes. */
async function bid(id: string): Promise<string | null> {
  const json = {
    id,
    imp: [{ id: '1', tagid: 'home/top', banner: { format: [{ w: 970, h: 250 }] }, secure: 1 }],
    site: { id: 'magazine', domain: 'magazine.example', page: 'https://www.magazine.example/' },
  };
  const { networkId } = placard.demo;
  const response = await client.send(`${placard.deliveryUrl}/${networkId}/bid`, { json, headers: BROWSER });
  const token = response.status === 200 ? /\/imp\/([\w.-]+)/.exec(response.text)?.[1] : undefined;
  return token === undefined ? null : `/${networkId}/imp/${token}`;
}

/** Creates an object through the management API; its id. */
async function create(resource: string, input: object): Promise<string> {
  const name = `${resource[0]?.toLowerCase()}${resource.slice(1)}`;
  const response = await client.send(`${placard.coreUrl}/graphql`, {
    headers: { authorization: `Bearer ${placard.demo.keys.admin}` },
    json: {
      query: `mutation ($input: Create${resource}Input!) { made: create${resource}(input: $input) { ${name} { id } } }`,
      variables: { input },
    },
  });
  const { data } = response.json<{ data?: { made: Record<string, { id: string }> | null } }>();
  const id = data?.made?.[name]?.id;
  if (id === undefined) throw new Error(`create${resource}: ${response.text}`);
  return id;
}

/** Books an ad that serves first on a unit of its own, to each person at most {@link CAP} times a day. */
async function bookCapped(): Promise<void> {
  const site = await create('Site', { code: 'capped', name: 'Capped', domain: 'capped.example' });
  const unit = await create('AdUnit', {
    siteId: site,
    name: 'capped/unit',
    sizes: [{ width: 300, height: 250 }],
    mediaTypes: ['BANNER'],
  });
  const advertiserId = await create('Advertiser', {
    name: 'Capped',
    domains: ['shop.example'],
    dsaBehalf: 'Capped',
    dsaPaid: 'Capped',
  });
  const campaignId = await create('Campaign', { advertiserId, name: 'Capped', status: 'ACTIVE' });
  const lineItemId = await create('LineItem', {
    campaignId,
    name: 'Capped',
    type: 'SPONSORSHIP',
    level: 1,
    sharePercent: 100,
    pricingModel: 'CPM',
    price: '10.00',
    status: 'ACTIVE',
    frequencyCaps: [{ count: CAP, window: 'DAY' }],
    targeting: { test: { dimension: 'AD_UNIT', values: [unit] } },
  });
  await create('Creative', {
    lineItemId,
    name: 'Capped',
    width: 300,
    height: 250,
    clickUrl: 'https://www.shop.example/',
    content: { image: { imageUrl: 'https://cdn.shop.example/picture.png', alt: 'Capped' } },
  });
}

/** The impression address of the capped ad for a person; null when the cap is reached. */
async function bidCapped(person: string): Promise<string | null> {
  asked += 1;
  const json = {
    id: `capped-${asked}`,
    imp: [{ id: '1', tagid: 'capped/unit', banner: { format: [{ w: 300, h: 250 }] }, secure: 1 }],
    site: { id: 'capped', domain: 'capped.example', page: 'https://capped.example/' },
    user: { ext: { npa: false, ids: { lu: person } } },
  };
  const { networkId } = placard.demo;
  const response = await client.send(`${placard.deliveryUrl}/${networkId}/bid`, { json, headers: BROWSER });
  // Others fill the unit when the cap is reached.
  if (!response.text.includes('cdn.shop.example')) return null;
  const token = /\/imp\/([\w.-]+)/.exec(response.text)?.[1];
  return token === undefined ? null : `/${networkId}/imp/${token}`;
}

/** Shows the capped ad to a person until none comes, or until it has come more often than the cap allows. */
async function showCapped(person: string): Promise<number> {
  for (let shown = 0; ; shown += 1) {
    const path = shown > CAP ? null : await bidCapped(person);
    if (path === null) return shown;
    expect(await fire(path)).toBe(200);
  }
}

const fire = async (path: string): Promise<number> =>
  (await client.send(`${placard.deliveryUrl}${path}`, { headers: BROWSER })).status;

interface Acknowledged {
  readonly path: string;
  readonly atMs: number;
}

/** Sends impressions until it is told to stop. */
function sendEvents(): { readonly acknowledged: Acknowledged[]; stop(): Promise<void> } {
  const acknowledged: Acknowledged[] = [];
  let isStopped = false;
  const send = async (sender: number): Promise<void> => {
    for (let count = 0; !isStopped; count += 1) {
      const path = await bid(`load-${sender}-${count}`);
      if (path !== null && (await fire(path)) === 200) acknowledged.push({ path, atMs: Date.now() });
    }
  };
  const senders = Promise.all(Array.from({ length: SENDERS }, (_none, sender) => send(sender)));
  return {
    acknowledged,
    stop: async () => {
      isStopped = true;
      await senders;
    },
  };
}

async function countEvents(): Promise<{ rows: number; ids: number }> {
  const endpoints = JSON.parse(readFileSync(join(placard.dataDir, 'run', 'endpoints.json'), 'utf8')) as {
    clickhouseUrl: string;
  };
  const olap = openOlap({ url: endpoints.clickhouseUrl, log: silentLog });
  const sql =
    "SELECT toUInt32(count()) AS rows, toUInt32(uniqExact(event_id)) AS ids FROM events WHERE kind = 'impression'";
  const [row] = await olap.query<{ rows: number; ids: number }>({ sql });
  await olap.close();
  return row ?? { rows: 0, ids: 0 };
}

async function listCampaigns(): Promise<string> {
  const response = await client.send(`${placard.coreUrl}/graphql`, {
    headers: { authorization: `Bearer ${placard.demo.keys.admin}` },
    json: { query: '{ campaigns(first: 50) { nodes { id name } } }' },
  });
  expect(response.status).toBe(200);
  expect(response.text).not.toContain('"errors"');
  return response.text;
}

const readyChecks = async (): Promise<unknown> =>
  (await client.send(`${placard.coreUrl}/readyz`)).json<{ checks: unknown }>().checks;

const verifyCounts = async (): Promise<string> =>
  (await runPlacard(['verify-counts'], { PLACARD_DATA: restoredDir })).out;

test('backup under load keeps each event acknowledged before its cut exactly once, with bookings, keys, links and frequency caps', async () => {
  await bookCapped();
  await expect.poll(() => bidCapped('first'), { timeout: 120_000 }).not.toBeNull();
  expect(await showCapped('capped')).toBe(CAP);
  expect(await fire((await bidCapped('half')) ?? '')).toBe(200);
  const load = sendEvents();
  await expect.poll(() => load.acknowledged.length, { timeout: 120_000 }).toBeGreaterThan(EVENTS_BEFORE);
  const made = await runPlacard(['backup', backup, '--json'], { PLACARD_DATA: dataDir, ...passphrase });
  expect(made.err).toBe('');
  const { cutAt } = JSON.parse(made.out) as { cutAt: string };
  await load.stop();
  const before = load.acknowledged.filter(({ atMs }) => atMs < Date.parse(cutAt));
  expect(before.length).toBeGreaterThan(EVENTS_BEFORE);
  expect(load.acknowledged.length).toBeGreaterThan(before.length);
  const unused = (await bid('unused')) ?? '';
  const campaigns = await listCampaigns();
  client.close();
  await placard.stop();

  const restored = await runPlacard(['restore', backup], { PLACARD_DATA: restoredDir, ...passphrase });
  expect(restored.out + restored.err).toContain('Restored into');
  placard = await startPlacard({ dataDir: restoredDir, env });
  client = createClient(placard.ca);
  expect(await listCampaigns()).toBe(campaigns);
  expect(await readyChecks()).toContainEqual(expect.objectContaining({ name: 'jobs', degraded: true }));
  expect((await runPlacard(['release'], { PLACARD_DATA: restoredDir })).out).toContain('Released');
  await expect.poll(readyChecks, { timeout: 60_000 }).not.toContainEqual(expect.objectContaining({ name: 'jobs' }));
  expect((await runPlacard(['release'], { PLACARD_DATA: restoredDir })).out).toContain('Nothing waited');
  expect(await showCapped('capped')).toBe(0);
  expect(await showCapped('half')).toBe(CAP - 1);
  expect(await showCapped('new')).toBe(CAP);

  await expect.poll(verifyCounts, { timeout: 120_000, interval: 1_000 }).toMatch(/\b0 events wait/);
  const found = await countEvents();
  expect(found.ids).toBe(found.rows);
  expect(found.rows).toBeGreaterThanOrEqual(before.length);
  // Repeats of events that the backup must have add none; the new one behind them shows that they were read.
  for (const { path } of before) expect(await fire(path)).toBe(200);
  expect(await fire(unused)).toBe(200);
  const one = { rows: found.rows + 1, ids: found.rows + 1 };
  await expect.poll(countEvents, { timeout: 120_000 }).toEqual(one);
  // An event whose insert has just ended may still be in the spool as well.
  await expect
    .poll(verifyCounts, { timeout: 120_000, interval: 1_000 })
    .toMatch(/0 differences in roll-ups, 0 in [1-9]\d* delivery counters; 0 events wait/);
  expect(await countEvents()).toEqual(one);
}, 600_000);

test('a drill proves a backup beside the running installation, and leaves nothing behind', async () => {
  const staging = join(backups, 'drill');
  mkdirSync(staging);
  const own = { PLACARD_DATA: restoredDir, ...passphrase };
  const made = await runPlacard(['backup', 'drill', backup, '--staging', staging, '--json'], own);
  const result = JSON.parse(made.out || '{}') as { comparedCounters: number };
  expect({ ...result, said: made.err }).toMatchObject({ ok: true, differences: 0, lost: null, said: '' });
  expect(result.comparedCounters).toBeGreaterThan(0);
  expect(readdirSync(staging)).toEqual([]);
  expect(await listCampaigns()).toContain('Capped');
}, 600_000);

test('the command of the daily backup writes one, and says why it cannot', async () => {
  const written = join(backups, 'daily');
  for (const [name, value] of Object.entries({ PLACARD_DATA: restoredDir, ...passphrase })) vi.stubEnv(name, value);
  const { signal } = new AbortController();
  await runBackupCommand([MAIN], written, signal);
  expect(existsSync(join(written, 'manifest.json'))).toBe(true);
  await expect(runBackupCommand([MAIN], written, signal)).rejects.toThrow('is not empty');
  vi.unstubAllEnvs();
}, 120_000);

test('a backup that is damaged, incomplete or sealed otherwise is refused and changes nothing', async () => {
  const empty = join(backups, 'empty');
  const restoreInto = async (changes: Record<string, string>): Promise<string> =>
    (await runPlacard(['restore', backup], { PLACARD_DATA: empty, ...passphrase, ...changes })).err;
  expect(await restoreInto({ PLACARD_DATA: restoredDir })).toContain('is not empty');
  expect(await restoreInto({ PLACARD_BACKUP_PASSPHRASE: 'another passphrase' })).toContain(
    'is not that of this backup',
  );
  expect(await restoreInto({ PLACARD_BACKUP_PASSPHRASE: 'short' })).toContain('fewer than 12 characters');
  const again = await runPlacard(['backup', backup], { PLACARD_DATA: restoredDir, ...passphrase });
  expect(again.err).toContain('is not empty');
  writeFileSync(join(backup, 'analytics', 'schema.json'), '[]');
  expect(await restoreInto({})).toContain('analytics/schema.json of the backup was changed');
  rmSync(join(backup, 'manifest.json'));
  expect(await restoreInto({})).toContain('was not finished');
  expect(existsSync(empty) ? readdirSync(empty) : []).toEqual([]);
}, 120_000);
