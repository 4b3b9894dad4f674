/**
 * Two cores behind a balancer, a process for their jobs, PostgreSQL behind a pooler (where there is one), and two delivery nodes with
 * different numbers of workers, whose role of PostgreSQL may only read.
 */
import { readFileSync } from 'node:fs';
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
import { sql } from 'kysely';
import { grantDeliveryRole } from '../../src/storage/sql/service-role.sql.ts';
import { createTestDatabase, createTestOlapDatabase, type TestDatabase } from '../support/stores.ts';
import type { TestOlapDatabase } from '../support/stores.ts';

const BROWSER = {
  'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
};
const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
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
/** The role of the delivery nodes: a name of this run, because roles belong to the whole PostgreSQL. */
const role = `delivery_${process.pid}`;

let database: TestDatabase;
let olap: TestOlapDatabase;
let redis: TestRedis;
let pooler: TestPgBouncer | null = null;
let balancer: FaultProxy;
/** The way of the nodes to PostgreSQL. */
let nodePostgres: FaultProxy;
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
  PLACARD_POSTGRES_URL: addressOf(role, nodePostgres.port),
  PLACARD_CLICKHOUSE_URL: olap.url,
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
  nodePostgres = await startFaultProxy([Number(new URL(database.url).port)]);
  await sql.raw(`CREATE ROLE ${role} LOGIN PASSWORD '${role}'`).execute(database.owner);
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
  await grantDeliveryRole(database.owner, role);
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
  await nodePostgres.end();
  await sql.raw(`DROP OWNED BY ${role}; DROP ROLE ${role}`).execute(database.owner);
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

describe.skipIf(binary === null)('delivery nodes whose role of PostgreSQL may only read', { timeout: TEST_MS }, () => {
  test('nodes of two and of one worker serve, and each event is in the analytics store once', async () => {
    for (const node of nodes) await show(node, 10);
    await expect.poll(countImpressions, WAIT).toBe(`${shown.length} rows, ${shown.length} ids`);
    const listed = await runPlacard(['cluster', 'status', '--json'], { ...storesOfCores(), PLACARD_DATA: dirs.first });
    const { nodes: known } = JSON.parse(listed.out) as { nodes: { workers: number; problems: string[] }[] };
    expect(known.map(({ workers }) => workers)).toEqual(expect.arrayContaining([1, 2]));
    expect(known.flatMap(({ problems }) => problems)).toEqual([]);
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

  test('a change on a core is in the bids of every node, also after their connections to PostgreSQL broke', async () => {
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
    nodePostgres.cut();
    await setStatus('ACTIVE');
    await expect.poll(statuses, WAIT).toEqual([200, 200]);
  });

  test('ads and events go on without PostgreSQL, also after a restart; then all events are there once', async () => {
    const [two, one] = nodes as [PlacardProcess, PlacardProcess];
    nodePostgres.mode = 'refuse';
    nodePostgres.cut();
    await show(two, 5);
    await one.stop();
    nodes = [two, await startNode(dirs.one, nodeSettings(1))];
    for (const node of nodes) await show(node, 5);
    nodePostgres.mode = 'pass';
    await expect.poll(countImpressions, WAIT).toBe(`${shown.length} rows, ${shown.length} ids`);
  });

  test('a node writes who called it into the audit log, and when a key was last used', async () => {
    const [node] = nodes as [PlacardProcess, PlacardProcess];
    const client = createClient(null);
    const call = (key: string) =>
      client.send(`${node.deliveryUrl}/api/v1/ads`, { json: {}, headers: { authorization: `Bearer ${key}` } });
    expect((await call('plc_wrong')).status).toBe(401);
    await call(demo().keys.delivery);
    client.close();
    const written = async (): Promise<string> => {
      const entries = database.db.selectFrom('audit_log').where('action', '=', 'auth.failure').select('sequence');
      const keys = database.db.selectFrom('api_keys').where('last_used_at', 'is not', null).select('id');
      return `${(await entries.execute()).length} failures, ${(await keys.execute()).length} used keys`;
    };
    // The core has used the key of the administrator.
    await expect.poll(written, WAIT).toBe('1 failures, 2 used keys');
  });
});

function addressOf(user: string, port: number): string {
  const url = new URL(database.url);
  return Object.assign(url, { username: user, password: user, port: String(port) }).href;
}
