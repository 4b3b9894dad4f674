import { once } from 'node:events';
import { request } from 'node:http';
import type { Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { sql } from 'kysely';
import { Registry } from 'prom-client';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { createTestDatabase, createTestFolder, silentLog, type TestDatabase } from '../../../../test/support/stores.ts';
import { markOfKey, newClusterKey } from '../../../cluster/cluster-key.ts';
import { insertCluster, lockCluster } from '../../../cluster/cluster.sql.ts';
import { createJoinToken } from '../../../cluster/join-tokens.sql.ts';
import { issueNodeToken, revokeNodeToken } from '../../../cluster/node-tokens.sql.ts';
import { loadNodeId, readSecretFile, writeSecretFile } from '../../../cluster/secret-files.ts';
import { readSettings, SettingsError } from '../../../config/settings.ts';
import type { Settings } from '../../../config/settings.ts';
import { bookBenchNetwork } from '../../../../bench/support/bench-network.ts';
import { readLists } from '../../../delivery/snapshot/read-lists.ts';
import { readWorkspaces } from '../../../delivery/snapshot/snapshot-calls.ts';
import { readEventIds, readNewEventIds } from '../../../events/recovery/hot-rebuild-calls.ts';
import { isRefusal } from '../../../events/shipping/refused-rows.ts';
import { type CoreServer, createCoreServer } from '../../../http/core/core-server.ts';
import { INSERT_BYTES_MAX, type Olap, OlapError, type OlapInsert } from '../../../storage/olap/olap.ts';
import type { ChangeListener } from '../../../storage/sql/change-hub.ts';
import { KEPT_RESULTS, NODE_OF_CALL, OLAP_CALLS, SQL_CALLS } from './core-calls.ts';
import { openCoreChangeFeed } from './core-change-feed.ts';
import { CoreLink, NODE_TOKEN_FILE } from './core-link.ts';
import { CoreOlap } from './core-olap.ts';
import { joinThroughCore } from './join-through-core.ts';
import { registerNodeRoutes } from './node-routes.ts';

const clusterKey = newClusterKey();
const listeners = new Set<ChangeListener>();
const folders: ReturnType<typeof createTestFolder>[] = [];
const links: CoreLink[] = [];
let database: TestDatabase;
let core: CoreServer;
let streams: { end(): void };
let port = 0;
let nowMs = 1_000_000;
let inserted: OlapInsert[] = [];
let failure: OlapError | null = null;

beforeAll(async () => {
  database = await createTestDatabase();
  core = await createCoreServer({ transport: { mode: 'loopback', tls: null }, port: 0, log: silentLog });
  const olap = {
    insertRaw: (insert: OlapInsert) => {
      if (failure !== null) return Promise.reject(failure);
      inserted.push(insert);
      return Promise.resolve();
    },
  } as unknown as Olap;
  streams = await registerNodeRoutes(core.app, {
    sql: database.db,
    olap,
    changes: {
      watch: (listener) => {
        listeners.add(listener);
        listener.onReconnect();
        return { close: () => Promise.resolve(void listeners.delete(listener)) };
      },
      connect: () => undefined,
      close: () => Promise.resolve(),
    },
    assets: { get: () => Promise.resolve(null) } as never,
    areAssetsInSql: false,
    nowMs: () => nowMs,
  });
  port = await core.listen();
  await lockCluster(database.db, (trx) =>
    insertCluster(trx, { clusterId: 'c1', keyMark: markOfKey(clusterKey), pepperKey: null }),
  );
});
beforeEach(() => {
  // Refusals of the test before do not count.
  nowMs += 120_000;
  failure = null;
  inserted = [];
});
afterEach(() => {
  for (const link of links.splice(0)) link.close();
  for (const folder of folders.splice(0)) folder.remove();
});
afterAll(async () => {
  await core.stop(0);
  await database.close();
});

function makeNode(more: Record<string, string> = {}): Settings {
  const folder = createTestFolder();
  folders.push(folder);
  return readSettings({ PLACARD_DATA: folder.dir, PLACARD_CORE_LINK_URL: `http://127.0.0.1:${port}`, ...more });
}

function openLink(settings: Settings): CoreLink {
  const link = new CoreLink(settings);
  links.push(link);
  return link;
}

/** A node with a token. */
async function joinedNode(): Promise<{ settings: Settings; link: CoreLink; nodeId: string }> {
  const settings = makeNode();
  const nodeId = loadNodeId(settings.dataDir);
  const token = await database.db.transaction().execute((trx) => issueNodeToken(trx, nodeId));
  writeSecretFile(settings.dataDir, NODE_TOKEN_FILE, token);
  return { settings, nodeId, link: openLink(settings) };
}

/** As a node reports a refused key. */
const attempt = () => ({
  by: { actor: 'anonymous', remoteAddress: '192.0.2.1', networkId: '0', workspaceId: null },
  action: 'auth.failure',
  objectKind: 'credential',
  objectId: 'plc_xxxx',
});

const makeJoinToken = (): Promise<string> =>
  lockCluster(database.db, (trx) =>
    createJoinToken(trx, { clusterKey, uses: 1, lifeMs: 3_600_000, createdBy: 'test' }),
  );

test('a node joins through a core with a join token, once, and gets the cluster key and a token of its own', async () => {
  const joinToken = await makeJoinToken();
  const settings = makeNode({ PLACARD_JOIN_TOKEN: joinToken });
  // This cluster has no secrets to write: the node says which one is missing.
  await expect(joinThroughCore(settings, silentLog)).rejects.toThrow('link-keys comes from a vault');
  expect(readSecretFile(settings.dataDir, 'cluster-key')?.trim()).toBe(clusterKey.toString('hex'));
  expect(readSecretFile(settings.dataDir, NODE_TOKEN_FILE)).toMatch(/^plc_node_/);
  expect(await readWorkspaces(openLink(settings))).toEqual([]);
  const late = makeNode({ PLACARD_JOIN_TOKEN: joinToken });
  await expect(joinThroughCore(late, silentLog)).rejects.toThrow('was used already');
  await expect(joinThroughCore(makeNode(), silentLog)).rejects.toThrow('this node has no node token');
});

test('an unchanged result is not sent again, and a changed one is', async () => {
  const { link } = await joinedNode();
  const statuses: number[] = [];
  const { connections } = link;
  const send = connections.send.bind(connections);
  connections.send = async (request) => {
    const response = await send(request);
    statuses.push(response.status);
    return response;
  };
  const first = await readWorkspaces(link);
  expect(await readWorkspaces(link)).toEqual(first);
  await database.owner
    .insertInto('networks')
    .values({ id: 1000n, name: 'N', timezone: 'UTC', currency: 'EUR' } as never)
    .execute();
  await database.owner
    .insertInto('workspaces')
    .values({ id: 1, network_id: 1000n, environment: 'production' } as never)
    .execute();
  expect((await readWorkspaces(link)).map(({ networkId }) => networkId)).toEqual(['1000']);
  expect(statuses).toEqual([200, 304, 200]);
});

test('a node without a token, with that of another node, or with a revoked one is refused', async () => {
  const { settings, nodeId, link } = await joinedNode();
  const other = makeNode();
  await expect(readWorkspaces(openLink(other))).rejects.toMatchObject({ status: 401 });
  writeSecretFile(other.dataDir, NODE_TOKEN_FILE, readSecretFile(settings.dataDir, NODE_TOKEN_FILE) ?? '');
  await expect(readWorkspaces(openLink(other))).rejects.toMatchObject({ status: 401 });
  await expect(link.viaCore('cluster.read', [loadNodeId(other.dataDir)])).rejects.toMatchObject({ status: 403 });
  await database.db.transaction().execute((trx) => revokeNodeToken(trx, nodeId));
  await expect(readWorkspaces(link)).rejects.toMatchObject({ status: 403 });
  await expect(joinThroughCore(settings, silentLog)).rejects.toThrow('was revoked');
});

test('an address that is refused too often gets 429, but for nodes that are known', async () => {
  const { link } = await joinedNode();
  const known = await readWorkspaces(link);
  const fresh = await joinedNode();
  const stranger = openLink(makeNode());
  for (let at = 0; at < 30; at += 1) await expect(readWorkspaces(stranger)).rejects.toMatchObject({ status: 401 });
  await expect(readWorkspaces(stranger)).rejects.toMatchObject({ status: 429 });
  await expect(readWorkspaces(fresh.link)).rejects.toMatchObject({ status: 429 });
  expect(await readWorkspaces(link)).toEqual(known);
  nowMs += 60_000;
  expect(await readWorkspaces(fresh.link)).toEqual(known);
});

test.each([
  ['a call that is none', 'nothing', [], 404, 'Upgrade cores first'],
  ['too few arguments', 'snapshot.read', [1], 400, 'body'],
  ['a text in place of a number', 'snapshot.read', [1, 'x'], 400, '1'],
  ['a workspace no table can hold', 'snapshot.creatives', [2 ** 40, { nowMs: 1, lineItemIds: [] }], 400, '0'],
  ['a use at no instant', 'keys.used', [new Map([['1', { workspaceId: 1, atMs: 9e15 }]]), new Map()], 400, '0.1.atMs'],
  ['an action other than an attempt', 'audit.attempts', [[{ action: 'user.delete' }], new Date(0)], 400, '0.0'],
  [
    'the sign-in of a person',
    'audit.attempts',
    [[{ ...attempt(), action: 'auth.success', objectKind: 'session' }], new Date(0)],
    400,
    '0.0.objectKind',
  ],
  ['the part of another kind of node', 'cluster.markNodeStopped', ['node00000001', 'core'], 400, '1'],
])('%s is refused with the name of the field', async (_what, name, args, status, field) => {
  const { link } = await joinedNode();
  await expect(link.viaCore(name, args)).rejects.toMatchObject({ status, message: expect.stringContaining(field) });
});

test.each([
  ['a network with a leading zero', { networkId: '00' }, 'networkId'],
  ['a network that no table can hold', { networkId: '9223372036854775808' }, 'networkId'],
  ['a workspace that no table can hold', { workspaceId: 2 ** 31 }, 'workspaceId'],
  ['a workspace below 1', { workspaceId: 0 }, 'workspaceId'],
])('an attempt at %s is refused with the name of the field', async (_what, by, field) => {
  const { link } = await joinedNode();
  const entry = { ...attempt(), by: { ...attempt().by, ...by } };
  const refused = { status: 400, message: expect.stringContaining(`0.0.by.${field}`) };
  await expect(link.viaCore('audit.attempts', [[entry], new Date(0)])).rejects.toMatchObject(refused);
});

test('attempts carry the name of their node and the time of the core, and a node writes a bounded number a minute', async () => {
  nowMs = Date.UTC(2026, 5, 1);
  const { link, nodeId } = await joinedNode();
  const other = await joinedNode();
  await link.viaCore('audit.attempts', [[{ ...attempt(), more: { node: other.nodeId } }], new Date(0)]);
  const many = Array.from({ length: 1_000 }, attempt);
  for (let batch = 0; batch < 4; batch += 1) await link.viaCore('audit.attempts', [many, new Date(0)]);
  await expect(link.viaCore('audit.attempts', [many, new Date(0)])).rejects.toMatchObject({ status: 429 });
  await other.link.viaCore('audit.attempts', [[attempt()], new Date(0)]);
  const written = await sql<{
    node: string;
    at: Date;
    count: string;
  }>`SELECT details ->> 'node' AS node, at, count(*)
    FROM audit_log WHERE action = 'auth.failure' GROUP BY 1, 2 ORDER BY 3 DESC`.execute(database.owner);
  const at = new Date(nowMs);
  expect(written.rows).toEqual([
    { node: nodeId, at, count: 4001n },
    { node: other.nodeId, at, count: 1n },
  ]);
});

test('attempts that name no present network, or the workspace of another one, are in the log of the installation', async () => {
  const { link, nodeId } = await joinedNode();
  await sql`INSERT INTO networks (id, name, timezone, currency, status) VALUES (77, 'Other', 'UTC', 'EUR', 'ACTIVE'), (78, 'Third', 'UTC', 'EUR', 'ACTIVE')`.execute(
    database.owner,
  );
  await sql`INSERT INTO workspaces (id, network_id, environment) VALUES (771, 77, 'production')`.execute(
    database.owner,
  );
  const of = (networkId: string, workspaceId: number | null, actor: string) => ({
    ...attempt(),
    by: { ...attempt().by, networkId, workspaceId, actor },
    more: { text: 'a\ud800b\u0000c', 'name\u0000': 1 },
  });
  const entries = [of('77', 771, 'own'), of('77', null, 'network'), of('78', 771, 'foreign'), of('4242', 4242, 'gone')];
  await link.viaCore('audit.attempts', [entries, new Date(0)]);
  const { rows } = await sql<{ network: string; workspace: number | null; actor: string }>`
    SELECT network_id::text AS network, workspace_id AS workspace, actor FROM audit_log
    WHERE details ->> 'node' = ${nodeId} ORDER BY actor`.execute(database.owner);
  expect(rows).toEqual([
    { network: '0', workspace: null, actor: 'foreign' },
    { network: '0', workspace: null, actor: 'gone' },
    { network: '77', workspace: null, actor: 'network' },
    { network: '77', workspace: 771, actor: 'own' },
  ]);
  const heads = await sql`SELECT 1 FROM audit_heads WHERE network_id IN (78, 4242)`.execute(database.owner);
  expect(heads.rows).toEqual([]);
});

test('rows are inserted under their token, into the tables of nodes alone', async () => {
  const { link } = await joinedNode();
  const olap = new CoreOlap(link);
  const insert = {
    table: 'events_intake',
    token: 'events/batch-1',
    columns: ['a', 'b'],
    format: 'JSONCompactEachRow',
    body: Buffer.from('[1,2]\n'),
  } as const;
  await olap.insertRaw(insert);
  expect(inserted).toEqual([insert]);
  await expect(olap.insertRaw({ ...insert, table: 'delivery_quarter_hourly' })).rejects.toBeInstanceOf(OlapError);
  await expect(olap.insertRaw({ ...insert, token: "x' OR 1" })).rejects.toBeInstanceOf(OlapError);
  await expect(olap.query()).rejects.toThrow('takes no statements');
  expect(inserted).toHaveLength(1);
});

test('many rows are sent zipped and stored as they were, and as they are to a core that knows no zipped ones', async () => {
  const { link } = await joinedNode();
  const olap = new CoreOlap(link);
  const insert = { table: 'events_intake', token: 'many', body: Buffer.from('{"a":1}\n'.repeat(5_000)) } as const;
  const sent: number[] = [];
  const { connections } = link;
  const send = connections.send.bind(connections);
  let isOlder = false;
  connections.send = (request) => {
    sent.push(request.body?.length ?? 0);
    // As a strict schema without the parameter refuses it.
    return send(isOlder ? { ...request, path: request.path.replace('encoding=gzip', 'encodings=gzip') } : request);
  };
  await olap.insertRaw(insert);
  expect(inserted).toEqual([insert]);
  expect(sent).toEqual([expect.toSatisfy((bytes: number) => bytes < insert.body.length / 50)]);
  isOlder = true;
  await olap.insertRaw(insert);
  expect(inserted).toEqual([insert, insert]);
  expect(sent.at(-1)).toBe(insert.body.length);
});

test.each([
  ['no gzip', Buffer.from('x')],
  ['too much', gzipSync(Buffer.alloc(INSERT_BYTES_MAX + 1))],
])('zipped rows that are %s are refused', async (_what, body) => {
  const { link } = await joinedNode();
  const path = '/nodes/v1/rows?table=events_intake&token=t&encoding=gzip';
  const headers = { ...link.headers(), 'content-type': 'application/octet-stream' };
  expect(await link.connections.send({ method: 'POST', path, headers, body })).toMatchObject({ status: 400 });
  expect(inserted).toEqual([]);
});

test('a batch that is too large for a core of the version before is divided', async () => {
  const { link } = await joinedNode();
  link.connections.send = () => Promise.resolve({ status: 413, headers: {}, body: Buffer.alloc(0) });
  const inserting = new CoreOlap(link).insertRaw({ table: 'events_intake', token: 't', body: Buffer.from('{}\n') });
  const error: unknown = await inserting.catch((refused: unknown) => refused);
  expect([error, isRefusal(error)]).toEqual([expect.objectContaining({ code: 'too_large' }), true]);
});

test.each([
  ['unreachable', true, null],
  ['invalid_query', false, 62],
] as const)('a node learns that the analytics store says %s', async (code, retryable, serverCode) => {
  const { link } = await joinedNode();
  failure = new OlapError(code, 'as it is', { retryable, ...(serverCode === null ? {} : { serverCode }) });
  const inserting = new CoreOlap(link).insertRaw({ table: 'events_intake', token: 't', body: Buffer.from('{}\n') });
  await expect(inserting).rejects.toMatchObject({ name: 'OlapError', code, retryable, serverCode });
});

test('rows wait while no core responds', async () => {
  const unconnected = openLink(makeNode({ PLACARD_CORE_LINK_URL: 'http://127.0.0.1:1' }));
  const inserting = new CoreOlap(unconnected).insertRaw({
    table: 'events_intake',
    token: 't',
    body: Buffer.from('{}\n'),
  });
  await expect(inserting).rejects.toMatchObject({ code: 'unreachable', retryable: true });
  expect(unconnected.isUp).toBe(false);
});

test('a node goes on without kinds of events that an older core refuses, and says that cores come first', async () => {
  const { link } = await joinedNode();
  const olap = new CoreOlap(link);
  const of = { kinds: ['kind_of_the_future'], fromMs: 0, idsMax: 10 };
  expect(link.isCoreOlder).toBe(false);
  await expect(Array.fromAsync(readEventIds(olap, of))).rejects.toMatchObject({
    code: 'invalid_query',
    retryable: true,
  });
  const told: string[] = [];
  expect(await Array.fromAsync(readNewEventIds(olap, of, ({ message }) => told.push(message)))).toEqual([]);
  expect(told).toEqual([expect.stringContaining('The core refused events.ids with 400')]);
  expect([link.isCoreOlder, link.isUp]).toEqual([true, true]);
  const registry = new Registry();
  link.registerMetrics(registry);
  expect(await registry.metrics()).toContain('placard_core_link_refused_total 2');
});

test('changes arrive, and after a connection that ended everything is read again', async () => {
  const { link } = await joinedNode();
  const told: string[] = [];
  const feed = await openCoreChangeFeed({
    link,
    log: silentLog,
    onChange: (batch) => told.push(batch.map(({ kind, id }) => `${kind} ${id}`).join()),
    onReconnect: () => told.push('read again'),
    onLost: () => told.push('lost'),
  });
  for (const { onChange } of listeners) onChange([{ workspaceId: 1, kind: 'lineItem', id: '7' }]);
  await expect.poll(() => told).toEqual(['read again', 'lineItem 7']);
  streams.end();
  await expect.poll(() => told).toEqual(['read again', 'lineItem 7', 'lost', 'read again']);
  await feed.close();
  await expect.poll(() => listeners.size).toBe(0);
});

/** Sends a request whose connection ends while the core still checks its token. */
async function dropWhileChecked(link: CoreLink, method: string, path: string): Promise<void> {
  const dropped = database.owner.transaction().execute(async (trx) => {
    await sql`LOCK TABLE cluster_node_tokens IN ACCESS EXCLUSIVE MODE`.execute(trx);
    const connected = once(core.app.server, 'connection') as Promise<[Socket]>;
    const received = once(core.app.server, 'request');
    const outgoing = request({ port, method, path, agent: false, headers: link.headers() });
    outgoing.on('error', () => undefined).end();
    const [socket] = await connected;
    await received;
    const closed = once(socket, 'close');
    outgoing.destroy();
    await closed;
  });
  await dropped;
}

test('a connection that ends while its token is checked blocks no insert', async () => {
  const { link } = await joinedNode();
  for (let at = 0; at < 4; at += 1) await dropWhileChecked(link, 'POST', '/nodes/v1/rows?table=events_intake&token=t');
  await new CoreOlap(link).insertRaw({ table: 'events_intake', token: 't', body: Buffer.from('{}\n') });
  expect(inserted.map(({ token }) => token)).toContain('t');
});

test('a connection that ends while its token is checked keeps no stream of changes', async () => {
  const { link } = await joinedNode();
  await dropWhileChecked(link, 'GET', '/nodes/v1/changes');
  await readWorkspaces(link);
  await expect.poll(() => listeners.size).toBe(0);
});

test('a snapshot comes in pages, and only a page that differs comes again', async () => {
  await sql`SELECT setval(pg_get_serial_sequence('workspaces', 'id'), 5000)`.execute(database.owner);
  await bookBenchNetwork(database.ownerUrl, 2_100);
  const { link } = await joinedNode();
  const sent: string[] = [];
  const { connections } = link;
  const send = connections.send.bind(connections);
  connections.send = async (request) => {
    const response = await send(request);
    if (response.status === 200) sent.push(request.path.replace('/nodes/v1/calls/snapshot.', ''));
    return response;
  };
  const read = async (): Promise<unknown> => {
    sent.length = 0;
    const { workspaceId = 0 } = (await readWorkspaces(link)).at(-1) ?? {};
    return readLists(link, { workspaceId, nowMs: Date.now(), former: null });
  };
  const first = await read();
  expect(sent).toEqual(['workspaces', 'page', 'page', 'page', 'page', 'short']);
  expect(await read()).toEqual(first);
  expect(sent).toEqual([]);
  await sql`UPDATE line_items SET name = 'Other' WHERE id = 100007`.execute(database.owner);
  await read();
  expect(sent).toEqual(['page']);
});

test('each call has one name, and every rule is of a call', () => {
  const names = [...SQL_CALLS, ...OLAP_CALLS].map(({ callName }) => callName);
  expect(new Set(names).size).toBe(names.length);
  for (const name of [...KEPT_RESULTS.keys(), ...NODE_OF_CALL.keys()]) expect(names).toContain(name);
});

test.each([
  ['http://core.example', {}, 'write an https:// address'],
  ['https://user@core.example', {}, 'leave user and password out'],
  ['https://core.example', { PLACARD_POSTGRES_URL: 'postgres://db.example/p' }, 'remove it'],
])('the settings refuse the core %s with %j', (url, more, message) => {
  const read = (): Settings => readSettings({ PLACARD_CORE_LINK_URL: url, ...more });
  expect(read).toThrow(SettingsError);
  expect(read).toThrow(message);
});

test.each([
  ['http://127.0.0.1:8443', {}],
  ['http://core.example', { PLACARD_CORE_LINK_HTTP: 'any' }],
  ['https://core.example', {}],
])('the settings accept the core %s with %j', (url, more) => {
  expect(readSettings({ PLACARD_CORE_LINK_URL: url, ...more }).coreUrl).toBe(url);
});
