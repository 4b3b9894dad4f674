/**
 * Two cores behind a balancer, a process for their jobs, PostgreSQL behind a pooler (where there is one), and two delivery nodes with
 * different numbers of workers that reach the balancer and Redis alone.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { FaultProxy } from '../support/fault-proxy.ts';
import { startFaultProxy } from '../support/fault-proxy.ts';
import { createClient, type HttpResponse, type Sending } from '../support/http-client.ts';
import { hasPgBouncer, startPgBouncer, type TestPgBouncer } from '../support/stores/pgbouncer.ts';
import {
  makeDataDir,
  type PlacardProcess,
  removeDataDir,
  runPlacard,
  startPlacard,
} from '../support/placard-process.ts';
import { findRedisServer, startRedis, type TestRedis } from '../support/stores/redis-servers.ts';
import { createTestDatabase, createTestOlapDatabase, type TestDatabase } from '../support/stores.ts';
import type { TestOlapDatabase } from '../support/stores.ts';

const BROWSER = {
  'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
};
const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const TYPE = 'application/octet-stream';
/** Five processes start and work beside other tests. */
const WAIT = { timeout: 300_000, interval: 200 };
const TEST_MS = 400_000;
const binary = findRedisServer();
const dirs = {
  first: makeDataDir(),
  second: makeDataDir(),
  two: makeDataDir(),
  one: makeDataDir(),
  jobs: makeDataDir(),
};
const caFile = join(dirs.first, 'cores.pem');

let database: TestDatabase;
let olap: TestOlapDatabase;
let redis: TestRedis;
let pooler: TestPgBouncer | null = null;
let balancer: FaultProxy;
let cores: PlacardProcess[] = [];
let nodes: PlacardProcess[] = [];
let ca = '';
let joinToken = '';
let bids = 0;
const shown: string[] = [];

const storesOfCores = (): Record<string, string> => ({
  PLACARD_POSTGRES_URL: pooler?.url ?? database.url,
  PLACARD_POSTGRES_DIRECT_URL: database.url,
  PLACARD_POSTGRES_OWNER_URL: database.ownerUrl,
  PLACARD_CLICKHOUSE_URL: olap.url,
  PLACARD_REDIS_URL: redis.url,
  PLACARD_CORE_PUBLIC_URL: `https://localhost:${balancer.port}`,
  PLACARD_NODES: '2',
});
const nodeSettings = (workers: number, more: Record<string, string> = {}): Record<string, string> => ({
  PLACARD_CORE_LINK_URL: `https://localhost:${balancer.port}`,
  PLACARD_CORE_LINK_CA_FILE: caFile,
  PLACARD_REDIS_URL: redis.url,
  PLACARD_NODES: '2',
  PLACARD_TLS: 'loopback',
  PLACARD_WORKERS: String(workers),
  PLACARD_LOG_FORMAT: 'json',
  ...more,
});

beforeAll(async () => {
  if (binary === null) return;
  [database, olap, redis, balancer] = await Promise.all([
    createTestDatabase(),
    createTestOlapDatabase(),
    startRedis(binary),
    startFaultProxy([]),
  ]);
  if (hasPgBouncer()) pooler = await startPgBouncer(database.url, 6);
  const start = (dataDir: string, env: Record<string, string>): Promise<PlacardProcess> =>
    startPlacard({ dataDir, args: ['--role', 'core'], env: { ...storesOfCores(), ...env }, demoHistory: 'none' });
  const first = await start(dirs.first, { PLACARD_DEMO: 'true' });
  cores = [first];
  const args = ['cluster', 'token', '--uses', '4', '--json'];
  const made = await runPlacard(args, { ...storesOfCores(), PLACARD_DATA: dirs.first });
  const { token } = JSON.parse(made.out) as { token: string };
  joinToken = token;
  const second = await start(dirs.second, { PLACARD_DEMO: 'false', PLACARD_JOIN_TOKEN: token });
  cores = [first, second];
  ca = cores.map((core) => core.ca).join('\n');
  writeFileSync(caFile, ca);
  balancer.targets = cores.map(({ dataDir }) => corePortOf(dataDir));
  nodes = await Promise.all([
    startNode(dirs.two, nodeSettings(2, { PLACARD_JOIN_TOKEN: token })),
    startNode(dirs.one, nodeSettings(1, { PLACARD_JOIN_TOKEN: token })),
  ]);
}, 600_000);

afterAll(async () => {
  if (binary === null) return;
  await Promise.all(nodes.map((node) => node.stop()));
  await Promise.all(cores.map((core) => core.stop()));
  await balancer.end();
  await pooler?.end();
  await redis.end();
  await Promise.all([database.close(), olap.close()]);
  for (const dir of Object.values(dirs)) await removeDataDir(dir);
}, 300_000);

function startNode(dataDir: string, env: Record<string, string>): Promise<PlacardProcess> {
  return startPlacard({ dataDir, args: ['--role', 'delivery'], env });
}

function corePortOf(dataDir: string): number {
  const text = readFileSync(join(dataDir, 'run', 'endpoints.json'), 'utf8');
  return (JSON.parse(text) as { corePort: number }).corePort;
}

/** Each request on a connection of its own: the balancer sends it to the other core than the last one. */
async function ask(path: string, sending: Sending = {}): Promise<HttpResponse> {
  const client = createClient(ca);
  try {
    return await client.send(`https://localhost:${balancer.port}${path}`, sending);
  } finally {
    client.close();
  }
}

const demo = (): PlacardProcess['demo'] => (cores[0] as PlacardProcess).demo;
const graphql = (query: string, variables: unknown = {}, headers: Record<string, string> = {}): Promise<HttpResponse> =>
  ask('/graphql', {
    json: { query, variables },
    headers: { authorization: `Bearer ${demo().keys.admin}`, ...headers },
  });

/** A bid of a node: its status, and the address of its impression. */
async function bid(node: PlacardProcess): Promise<{ status: number; path: string | null }> {
  bids += 1;
  const json = {
    id: `bid-${bids}`,
    imp: [{ id: '1', tagid: 'home/top', banner: { format: [{ w: 970, h: 250 }] }, secure: 1 }],
    site: { id: 'magazine', domain: 'magazine.example', page: 'https://www.magazine.example/' },
  };
  const client = createClient(null);
  try {
    const response = await client.send(`${node.deliveryUrl}/${demo().networkId}/bid`, { json, headers: BROWSER });
    const token = response.status === 200 ? /\/imp\/([\w.-]+)/.exec(response.text)?.[1] : undefined;
    return { status: response.status, path: token === undefined ? null : `/${demo().networkId}/imp/${token}` };
  } finally {
    client.close();
  }
}

/** Shows so many ads of a node, and remembers those that were acknowledged. */
async function show(node: PlacardProcess, count: number): Promise<void> {
  for (let left = count; left > 0; ) {
    const { path } = await bid(node);
    if (path === null) continue;
    const client = createClient(null);
    const { status } = await client.send(`${node.deliveryUrl}${path}`, { headers: BROWSER });
    client.close();
    expect(status).toBe(200);
    shown.push(path);
    left -= 1;
  }
}

/** Rows and different ids of impressions in the analytics store. */
async function countImpressions(): Promise<string> {
  const [row] = await olap.olap.query<{ rows: string; ids: string }>({
    sql: "SELECT count() AS rows, uniqExact(event_id) AS ids FROM events WHERE kind = 'impression' AND NOT startsWith(event_id, 'demo:')",
  });
  return `${row?.rows} rows, ${row?.ids} ids`;
}

const readyOf = async (node: PlacardProcess): Promise<string> => {
  const client = createClient(null);
  try {
    return (await client.send(`${node.deliveryUrl}/readyz`)).text;
  } finally {
    client.close();
  }
};

describe.skipIf(binary === null)('two cores behind a balancer', { timeout: TEST_MS }, () => {
  test('a session of one core is known to the other', async () => {
    const signedIn = await ask('/auth/sign-in', { json: demo().account });
    expect(signedIn.status).toBe(200);
    const cookie = (signedIn.headers['set-cookie'] ?? []).map((one) => one.split(';', 1)[0]).join('; ');
    for (let at = 0; at < 4; at += 1) expect((await ask('/auth/sessions', { headers: { cookie } })).status).toBe(200);
  });

  test('a mutation that is sent to both cores under one key is done once', async () => {
    const query = 'mutation { createSegment(input: { name: "Once" }) { segment { id } } }';
    const headers = { 'idempotency-key': 'once' };
    const both = [await graphql(query, {}, headers), await graphql(query, {}, headers)].map(({ text }) => text);
    const ids = both.map((text) => /"id":"(\d+)"/.exec(text)?.[1]);
    expect(ids[0]).toMatch(/^\d+$/);
    expect(ids[1]).toBe(ids[0]);
    expect(both[1]).toContain('"replayed":true');
  });

  test('both cores compute the same report', async () => {
    const { login, token } = demo().credentials;
    const headers = { 'x-internal-auth-login': login, 'x-internal-auth-token': token };
    const timeDimensions = [{ dimension: 'campaign_overview.time', dateRange: 'today' }];
    const query = { measures: ['campaign_overview.impressions'], timeDimensions };
    const report = async (): Promise<string> => {
      const response = await ask(`/reports/${demo().networkId}/v1/load`, { json: { query }, headers });
      // Until it is computed: "Continue wait".
      return `${response.status} ${response.text.includes('"data":') ? 'data' : response.text}`;
    };
    for (let at = 0; at < 4; at += 1) await expect.poll(report, WAIT).toBe('200 data');
  });
});

/** The nodes that run jobs at present, and how many each. */
async function jobHolders(): Promise<Readonly<Record<string, number>>> {
  const listed = await runPlacard(['cluster', 'status', '--json'], { ...storesOfCores(), PLACARD_DATA: dirs.first });
  const { jobs } = JSON.parse(listed.out) as { jobs: { nodeId: string; runs: boolean }[] };
  const holders = Object.groupBy(
    jobs.filter(({ runs }) => runs),
    ({ nodeId }) => nodeId,
  );
  return Object.fromEntries(Object.entries(holders).map(([id, held]) => [id, held?.length ?? 0]));
}

describe.skipIf(binary === null)('a process of the role jobs', { timeout: TEST_MS }, () => {
  test('a jobs process takes every job from the cores, and they take them back when it stops', async () => {
    const idOf = (dataDir: string): string => readFileSync(join(dataDir, 'node-id'), 'utf8').trim();
    const all = Object.values(await jobHolders()).reduce((sum, held) => sum + held, 0);
    expect(all).toBeGreaterThan(5);
    const env = { ...storesOfCores(), PLACARD_JOIN_TOKEN: joinToken, PLACARD_LOG_FORMAT: 'json' };
    const jobs = await startPlacard({ dataDir: dirs.jobs, args: ['--role', 'jobs'], env });
    await expect.poll(jobHolders, WAIT).toEqual({ [idOf(dirs.jobs)]: all });
    const client = createClient(jobs.ca);
    const address = `https://localhost:${corePortOf(dirs.jobs)}`;
    expect((await client.send(`${address}/readyz`)).status).toBe(200);
    expect((await client.send(`${address}/graphql`, { json: { query: '{ __typename }' } })).status).toBe(404);
    client.close();
    expect(await jobs.stop()).toBe(0);
    await expect.poll(async () => Object.keys(await jobHolders()), WAIT).not.toContain(idOf(dirs.jobs));
    await expect
      .poll(async () => Object.values(await jobHolders()).reduce((sum, held) => sum + held, 0), WAIT)
      .toBe(all);
  });
});

describe.skipIf(binary === null)('delivery nodes that reach a core and Redis alone', { timeout: TEST_MS }, () => {
  test('nodes of two and of one worker serve, and each event is in the analytics store once', async () => {
    for (const node of nodes) await show(node, 10);
    await expect.poll(countImpressions, WAIT).toBe(`${shown.length} rows, ${shown.length} ids`);
    const listed = await runPlacard(['cluster', 'status', '--json'], { ...storesOfCores(), PLACARD_DATA: dirs.first });
    const { nodes: known } = JSON.parse(listed.out) as { nodes: { workers: number; problems: string[] }[] };
    expect(known.map(({ workers }) => workers)).toEqual(expect.arrayContaining([1, 2]));
    expect(known.flatMap(({ problems }) => problems)).toEqual([]);
    const checked = await runPlacard(['doctor'], { ...nodeSettings(2), PLACARD_DATA: dirs.two });
    expect(checked.out).toContain(`https://localhost:${balancer.port} responds to this node`);
  });

  test('a picture that was uploaded to a core is served by every node', async () => {
    const headers = { authorization: `Bearer ${demo().keys.admin}`, 'content-type': 'image/png' };
    const uploaded = await ask('/assets', { body: PICTURE, headers });
    expect(uploaded.status).toBe(201);
    const name = /\/assets\/([\w.-]+)/.exec(uploaded.text)?.[1];
    for (const node of nodes) {
      const client = createClient(null);
      const served = await client.send(`${node.deliveryUrl}/assets/${name}`);
      client.close();
      expect([served.status, served.bytes.equals(PICTURE)]).toEqual([200, true]);
    }
  });

  test('a change on a core is in the bids of every node, also when the core that it listened to is gone', async () => {
    const listed = await graphql('{ lineItems(first: 100) { nodes { id status } } }');
    const { data } = listed.json<{ data: { lineItems: { nodes: { id: string; status: string }[] } } }>();
    const ids = data.lineItems.nodes.filter(({ status }) => status === 'ACTIVE').map(({ id }) => id);
    expect(ids.length).toBeGreaterThan(0);
    const setStatus = async (status: string): Promise<void> => {
      const query =
        'mutation ($id: ID!, $input: UpdateLineItemInput!) { updateLineItem(id: $id, input: $input) { lineItem { id } } }';
      for (const id of ids) expect((await graphql(query, { id, input: { status } })).text).not.toContain('errors');
    };
    const statuses = async (): Promise<number[]> => Promise.all(nodes.map(async (node) => (await bid(node)).status));
    await setStatus('PAUSED');
    await expect.poll(statuses, WAIT).toEqual([204, 204]);
    // All streams go to the other core.
    await cores[1]?.stop();
    balancer.targets = [corePortOf(dirs.first)];
    balancer.cut();
    await setStatus('ACTIVE');
    await expect.poll(statuses, WAIT).toEqual([200, 200]);
  });

  test('ads and events go on without a core, also after a restart; then all events are there once', async () => {
    const [two, one] = nodes as [PlacardProcess, PlacardProcess];
    balancer.mode = 'refuse';
    balancer.cut();
    await expect.poll(() => readyOf(two), WAIT).toMatch(/"name":"core link","ok":true,"degraded":true/);
    await show(two, 5);
    await one.stop();
    nodes = [two, await startNode(dirs.one, nodeSettings(1))];
    for (const node of nodes) await show(node, 5);
    balancer.mode = 'pass';
    await expect.poll(countImpressions, WAIT).toBe(`${shown.length} rows, ${shown.length} ids`);
    await expect.poll(() => readyOf(two), WAIT).not.toContain('"name":"core link","ok":true,"degraded"');
  });

  test('a token opens nothing for others, and nothing once it is revoked; the node goes on with what it has', async () => {
    const node = nodes[0] as PlacardProcess;
    const read = (path: string): string => readFileSync(join(dirs.two, path), 'utf8').trim();
    const [id, token] = [read('node-id'), read('secrets/node-token')];
    const call = async (name: string, args: string, headers: Record<string, string>): Promise<number> =>
      (await ask(`/nodes/v1/calls/${name}`, { body: args, headers: { ...headers, 'content-type': TYPE } })).status;
    const own = { 'x-placard-node': id, authorization: `Bearer ${token}` };
    expect(await call('cluster.read', JSON.stringify([id]), own)).toBe(200);
    expect(await call('cluster.read', '["aaaaaaaaaaaa"]', own)).toBe(403);
    expect(await call('cluster.read', '["aaaaaaaaaaaa"]', { ...own, 'x-placard-node': 'aaaaaaaaaaaa' })).toBe(401);
    expect(await call('pacing.curves', '[]', { 'x-placard-node': id })).toBe(401);
    expect(await call('pacing.curves', '[1]', own)).toBe(400);
    expect(await call('pacing.curves', 'x', own)).toBe(400);
    expect(await call('unknown', '[]', own)).toBe(404);
    const revoked = await runPlacard(['cluster', 'revoke', id], { ...storesOfCores(), PLACARD_DATA: dirs.first });
    expect(revoked.out).toContain(`The token of node ${id} is revoked.`);
    expect(await call('pacing.curves', '[]', own)).toBe(403);
    expect((await bid(node)).status).toBe(200);
  });
});
