/** Two nodes on one PostgreSQL, ClickHouse and Redis without a bucket, set up as docs/operations/cluster.md says; and one that does not belong. */
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadSecrets } from '../../src/storage/secrets.ts';
import { type Client, createClient, type HttpResponse, type Sending } from '../support/http-client.ts';
import {
  makeDataDir,
  type PlacardProcess,
  removeDataDir,
  runPlacard,
  startPlacard,
} from '../support/placard-process.ts';
import {
  createTestDatabase,
  createTestOlapDatabase,
  type TestDatabase,
  type TestOlapDatabase,
} from '../support/stores.ts';

const BROWSER = {
  'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
};
const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
/** A Redis database that no other test uses. */
const REDIS_URL = `${process.env['PLACARD_TEST_REDIS_URL'] ?? 'redis://127.0.0.1:6379'}/13`;
const dirs = { a: makeDataDir(), b: makeDataDir(), stranger: makeDataDir() };
const stopping: (() => Promise<unknown>)[] = [];
let database: TestDatabase;
let olap: TestOlapDatabase;
let redis: Redis;
let stores: Record<string, string>;
let a: Node;
let b: Node;

interface Node {
  readonly process: PlacardProcess;
  readonly client: Client;
}

beforeAll(async () => {
  [database, olap] = await Promise.all([createTestDatabase(), createTestOlapDatabase()]);
  redis = new Redis(REDIS_URL);
  await redis.flushdb();
  stores = {
    PLACARD_POSTGRES_URL: database.url,
    PLACARD_CLICKHOUSE_URL: olap.url,
    PLACARD_REDIS_URL: REDIS_URL,
    PLACARD_NODES: '2',
    PLACARD_WORKERS: '1',
  };
  a = await startNode(dirs.a, { PLACARD_DEMO: 'true' });
  b = await startNode(dirs.b, { PLACARD_DEMO: 'false', PLACARD_JOIN_TOKEN: await makeToken() });
}, 600_000);

afterAll(async () => {
  for (const stop of stopping.toReversed()) await stop();
  await redis.flushdb();
  redis.disconnect();
  await database.close();
  await olap.close();
  for (const dir of Object.values(dirs)) await removeDataDir(dir);
}, 300_000);

async function startNode(dataDir: string, env: Record<string, string>): Promise<Node> {
  const started = await startPlacard({ dataDir, env: { ...stores, ...env }, demoHistory: 'none' });
  const client = createClient(started.ca);
  stopping.push(async () => {
    client.close();
    await started.stop();
  });
  return { process: started, client };
}

const command = (dataDir: string, args: readonly string[], env: Record<string, string> = {}) =>
  runPlacard(args, { ...stores, PLACARD_DATA: dataDir, ...env });

async function makeToken(): Promise<string> {
  const { out, err } = await command(dirs.a, ['cluster', 'token', '--json']);
  expect(err).toBe('');
  return (JSON.parse(out) as { token: string }).token;
}

const core = (node: Node, path: string, sending?: Sending): Promise<HttpResponse> =>
  node.client.send(`${node.process.coreUrl}${path}`, sending);
const delivery = (node: Node, path: string, sending?: Sending): Promise<HttpResponse> =>
  node.client.send(`${node.process.deliveryUrl}${path}`, sending);
const asAdmin = () => ({ authorization: `Bearer ${a.process.demo.keys.admin}` });

let bids = 0;
async function serveAd(node: Node): Promise<{ imp: string; click: string }> {
  bids += 1;
  const json = {
    id: `cluster-${bids}`,
    imp: [{ id: '1', tagid: 'home/top', banner: { format: [{ w: 970, h: 250 }] }, secure: 1 }],
    site: { id: 'magazine', domain: 'magazine.example', page: 'https://www.magazine.example/' },
  };
  let found: { imp: string; click: string } | null = null;
  await expect
    .poll(async () => {
      const { status, text } = await delivery(node, '/1000/bid', { json, headers: BROWSER });
      const [imp, click] = ['imp', 'click'].map((kind) => new RegExp(`/1000/${kind}/[\\w.-]+`).exec(text)?.[0]);
      if (status === 200 && imp !== undefined && click !== undefined) found = { imp, click };
      return found;
    })
    .not.toBeNull();
  return found as unknown as { imp: string; click: string };
}

async function countEvents(node: Node): Promise<{ impressions: number; clicks: number }> {
  const response = await core(node, '/reports/1000/v1/load', {
    headers: asAdmin(),
    json: {
      query: {
        measures: ['campaign_overview.impressions', 'campaign_overview.clicks'],
        timeDimensions: [{ dimension: 'campaign_overview.time', dateRange: 'today' }],
      },
    },
  });
  const row = response.json<{ data: Record<string, string>[] }>().data[0] ?? {};
  return {
    impressions: Number(row['campaign_overview.impressions'] ?? 0),
    clicks: Number(row['campaign_overview.clicks'] ?? 0),
  };
}

test('both nodes are ready, have the same secrets in files of mode 0600, and cluster status agrees', async () => {
  for (const node of [a, b]) {
    expect((await core(node, '/readyz')).status).toBe(200);
    expect((await delivery(node, '/readyz')).json()).toMatchObject({
      checks: expect.arrayContaining([{ name: 'cluster', ok: true }]),
    });
  }
  for (const name of ['link-keys', 'pepper', 'user-hash', 'audit-signing-key', 'cluster-key']) {
    const [one, other] = [dirs.a, dirs.b].map((dir) => join(dir, 'secrets', name));
    expect(readFileSync(other ?? '', 'utf8'), name).toBe(readFileSync(one ?? '', 'utf8'));
    expect(statSync(other ?? '').mode & 0o777).toBe(0o600);
  }
  const { code, out } = await command(dirs.b, ['cluster', 'status', '--json']);
  expect(JSON.parse(out)).toMatchObject({ ok: true, warnings: [], nodes: [{ state: 'ready' }, { state: 'ready' }] });
  expect(code).toBe(0);
});

test('a key that was made on one node works on the other', async () => {
  const made = await command(dirs.a, [
    'keys',
    'create',
    '-n',
    '1000',
    '--name',
    'two',
    '--permission',
    'admin',
    '--json',
  ]);
  const { value: key } = JSON.parse(made.out) as { value: string };
  expect(key, made.out).toMatch(/^plc_live_/);
  await expect
    .poll(async () => {
      const json = { query: '{ network { id } }' };
      return (await core(b, '/graphql', { headers: { authorization: `Bearer ${key}` }, json })).status;
    })
    .toBe(200);
});

test('an impression and a click of an ad from one node count once through the other', async () => {
  const before = await countEvents(b);
  const ad = await serveAd(a);
  for (const node of [b, a, b]) expect((await delivery(node, ad.imp, { headers: BROWSER })).status).toBe(200);
  const click = await delivery(b, ad.click, { headers: BROWSER });
  expect(click.status).toBe(302);
  await expect
    .poll(async () => countEvents(a), { timeout: 60_000 })
    .toEqual({ impressions: before.impressions + 1, clicks: before.clicks + 1 });
});

test('a picture that was uploaded on one node is served by the other, without a bucket', async () => {
  const headers = { ...asAdmin(), 'content-type': 'image/png' };
  const uploaded = await core(a, '/assets', { method: 'POST', headers, body: PICTURE });
  expect(uploaded.status).toBe(201);
  const { url } = uploaded.json<{ url: string }>();
  for (const node of [b, a]) expect((await delivery(node, url)).bytes.equals(PICTURE)).toBe(true);
});

test('rotated keys reach both nodes without a restart, and links work all the time', async () => {
  const before = await serveAd(b);
  const rotated = await command(dirs.a, ['secrets', 'rotate', 'link-keys', '--json']);
  const { keyId } = JSON.parse(rotated.out) as { keyId: string };
  const sealed = await command(dirs.b, ['secrets', 'rotate', 'cluster-key']);
  expect([rotated.code, sealed.code]).toEqual([0, 0]);
  const readOf = (dir: string, name: string): string => readFileSync(join(dir, 'secrets', name), 'utf8');
  await expect
    .poll(() => ['link-keys', 'cluster-key'].map((name) => readOf(dirs.a, name) === readOf(dirs.b, name)))
    .toEqual([true, true]);
  expect(readOf(dirs.b, 'link-keys')).toContain(`\n${keyId}:`);
  const after = await serveAd(a);
  for (const node of [a, b])
    for (const ad of [before, after]) {
      const click = await delivery(node, ad.click, { headers: BROWSER });
      expect([click.status, click.status === 302 ? '' : ad.click + click.text]).toEqual([302, '']);
    }
  expect((await core(b, '/readyz')).status).toBe(200);
});

test('a node with other secrets serves nothing, says why, and joins with a token that works once', {
  timeout: 400_000,
}, async () => {
  loadSecrets(dirs.stranger);
  const stranger = await startNode(dirs.stranger, { PLACARD_DEMO: 'false' });
  const ready = await delivery(stranger, '/readyz');
  expect([ready.status, ready.text]).toEqual([503, expect.stringContaining('placard cluster token')]);
  const ad = await serveAd(a);
  expect((await delivery(stranger, ad.imp, { headers: BROWSER })).status).toBe(503);
  expect((await core(stranger, '/graphql', { json: { query: '{ network { id } }' } })).status).toBe(503);
  const status = await command(dirs.a, ['cluster', 'status']);
  expect([status.code, status.out]).toEqual([1, expect.stringContaining('differs')]);
  const token = await makeToken();
  const join1 = await command(dirs.stranger, ['cluster', 'join'], { PLACARD_JOIN_TOKEN: token });
  expect([join1.code, join1.out]).toEqual([0, expect.stringContaining('pepper')]);
  const again = await command(makeDataDir(), ['cluster', 'join'], { PLACARD_JOIN_TOKEN: token });
  expect([again.code, again.err]).toEqual([1, expect.stringContaining('was used already')]);
});
