import { mkdtempSync, rmSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type SignedBucket, startSignedBucket } from '../../src/storage/fixtures/signed-bucket.ts';
import { withDatabase } from '../support/global-setup.ts';
import { type Client as HttpClient, createClient } from '../support/http-client.ts';
import {
  makeDataDir,
  type PlacardProcess,
  removeDataDir,
  runPlacard,
  startPlacard,
  waitForDemoHistory,
} from '../support/placard-process.ts';
import { createTestDatabase, type TestDatabase } from '../support/stores.ts';

const BROWSER = {
  'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
};
const EVENTS = 40;
const KEYS = { accessKeyId: 'id', secretKey: 'key', region: 'us-east-1' };
const dirs = { first: makeDataDir(), restored: makeDataDir() };
const staging = mkdtempSync(join(tmpdir(), 'staging-'));
const emptyName = `backup_${randomBytes(6).toString('hex')}`;
let database: TestDatabase;
let bucket: SignedBucket;
let placard: PlacardProcess;
let client: HttpClient;

/** PostgreSQL by address, as two roles; the other stores are built in. */
const storesOf = (name: string | null): Record<string, string> => ({
  PLACARD_WORKERS: '1',
  PLACARD_POSTGRES_URL: name === null ? database.url : withDatabase(database.url, name),
  PLACARD_POSTGRES_OWNER_URL: name === null ? database.ownerUrl : withDatabase(database.ownerUrl, name),
});

const command = (dataDir: string, name: string | null, args: readonly string[]) =>
  runPlacard([...args], {
    ...storesOf(name),
    PLACARD_DATA: dataDir,
    PLACARD_BACKUP_PASSPHRASE: 'correct horse battery staple',
    PLACARD_BACKUP_S3_ACCESS_KEY_ID: KEYS.accessKeyId,
    PLACARD_BACKUP_S3_SECRET_KEY: KEYS.secretKey,
  });

beforeAll(async () => {
  [database, bucket] = await Promise.all([createTestDatabase(), startSignedBucket(KEYS)]);
  await administer(`CREATE DATABASE ${emptyName}`);
  placard = await startPlacard({
    dataDir: dirs.first,
    env: { ...storesOf(null), PLACARD_DEMO: 'true' },
    demoHistory: 'none',
  });
  await waitForDemoHistory(placard.coreUrl, placard.ca);
  client = createClient(placard.ca);
}, 300_000);

afterAll(async () => {
  client.close();
  await placard.stop();
  bucket.close();
  await administer(`DROP DATABASE IF EXISTS ${emptyName} WITH (FORCE)`);
  await database.close();
  for (const dir of Object.values(dirs)) await removeDataDir(dir);
  rmSync(staging, { recursive: true, force: true });
}, 120_000);

async function administer(statement: string): Promise<void> {
  const admin = new Client({ connectionString: database.ownerUrl });
  await admin.connect();
  await admin.query(statement);
  await admin.end();
}

/** The impression address of a new ad; null when no bid comes. */
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

const fire = async (path: string): Promise<number> =>
  (await client.send(`${placard.deliveryUrl}${path}`, { headers: BROWSER })).status;

/** Shows ads until this many impressions are acknowledged. */
async function showAds(count: number, name: string): Promise<string[]> {
  const shown: string[] = [];
  for (let at = 0; shown.length < count; at += 1) {
    const path = await bid(`${name}-${at}`);
    if (path !== null && (await fire(path)) === 200) shown.push(path);
  }
  return shown;
}

test('a PostgreSQL by address comes back from a bucket, with each event acknowledged before the cut once', async () => {
  const before = await showAds(EVENTS, 'before');
  const location = `${bucket.url}/one`;
  let isDone = false;
  const beside = (async () => {
    for (let at = 0; !isDone; at += 1) await showAds(1, `beside-${at}`);
  })();
  const made = await command(dirs.first, null, ['backup', location, '--staging', staging, '--json']);
  isDone = true;
  await beside;
  expect(made.err).toBe('');
  expect(JSON.parse(made.out)).toMatchObject({ folder: location });
  const again = await command(dirs.first, null, ['backup', location, '--staging', staging]);
  expect(again.err).toContain('holds a backup');
  const verified = await command(dirs.first, null, ['backup', 'verify', location, '--staging', staging]);
  expect(verified.out).toContain('files are as they were written');
  client.close();
  await placard.stop();

  const full = await command(dirs.restored, null, ['restore', location, '--staging', staging]);
  expect(full.err).toContain('is not empty');
  const restored = await command(dirs.restored, emptyName, ['restore', location, '--staging', staging]);
  expect(restored.out + restored.err).toContain('Restored into');
  placard = await startPlacard({ dataDir: dirs.restored, env: storesOf(emptyName), demoHistory: 'none' });
  client = createClient(placard.ca);
  const verifyCounts = async (): Promise<string> => (await command(dirs.restored, emptyName, ['verify-counts'])).out;
  await expect.poll(verifyCounts, { timeout: 120_000, interval: 1_000 }).toMatch(/\b0 events wait/);
  const counted = await countImpressions();
  expect(counted).toBeGreaterThanOrEqual(before.length);
  // Links of before are valid, and their events are known.
  for (const path of before) expect(await fire(path)).toBe(200);
  await showAds(1, 'after');
  await expect.poll(countImpressions, { timeout: 120_000 }).toBe(counted + 1);
  await expect
    .poll(verifyCounts, { timeout: 120_000, interval: 1_000 })
    .toMatch(/0 differences in roll-ups, 0 in [1-9]\d* delivery counters; 0 events wait/);
}, 600_000);

async function countImpressions(): Promise<number> {
  const response = await client.send(`${placard.coreUrl}/reports/${placard.demo.networkId}/v1/load`, {
    headers: { authorization: `Bearer ${placard.demo.keys.admin}` },
    json: {
      query: {
        measures: ['campaign_overview.impressions'],
        timeDimensions: [{ dimension: 'campaign_overview.time', dateRange: 'today' }],
      },
    },
  });
  const [row] = response.json<{ data: Record<string, string>[] }>().data;
  return Number(row?.['campaign_overview.impressions'] ?? 0);
}
