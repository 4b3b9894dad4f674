import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  createTestDatabase,
  createTestFolder,
  createTestOlapDatabase,
  silentLog,
  type TestDatabase,
  type TestOlapDatabase,
} from '../../../test/support/stores.ts';
import { type AccessService, createAccessService } from '../../access/access-service.ts';
import { CountingHotStore } from '../../access/fixtures/counting-hot-store.ts';
import { createApiKey, revokeApiKey } from '../../access/keys/api-keys.sql.ts';
import { createHeaderCredential, disableHeaderCredential } from '../../access/keys/header-credentials.sql.ts';
import { type CoreServer, createCoreServer } from '../../http/core/core-server.ts';
import type { Shortcut } from '../../http/core/shortcuts.ts';
import { parseResponses, type RawResponse, sendRaw } from '../../http/fixtures/raw-client.ts';
import { EVENTS_TABLE, makeEvent } from '../../reports/fixtures/events-table.ts';
import { createReportsService, type ReportsService } from '../../reports/reports-service.ts';
import { migrateOlap } from '../../storage/olap/migrate-olap.ts';
import { type InstallationSecrets, loadSecrets } from '../../storage/secrets.ts';

const folder = createTestFolder();
const hot = new CountingHotStore();
const clock = { nowMs: Date.parse('2026-07-15T13:03:20.100Z') };
const by = { actor: 'operator:test', remoteAddress: '', networkId: '1000', workspaceId: null };
let sql: TestDatabase;
let analytics: TestOlapDatabase;
let secrets: InstallationSecrets;
let access: AccessService;
let reports: ReportsService;
let server: CoreServer;
let port: number;
let workspaces: { production: number; staging: number; other: number };
let batches = 0;
/** Responses that the shortcut gave. */
let shortcuts = 0;

beforeAll(async () => {
  [sql, analytics] = await Promise.all([createTestDatabase(), createTestOlapDatabase()]);
  secrets = loadSecrets(folder.dir);
  workspaces = await seedNetworks();
  const nowMs = (): number => clock.nowMs;
  const deps = { sql: sql.db, hot: hot.asHotStore(), secrets, dataDir: folder.dir, log: silentLog };
  access = createAccessService({ ...deps, processName: 'core', processes: 1, nowMs, keysRefreshMs: 3_600_000 });
  reports = createReportsService({
    sql: sql.db,
    olap: analytics.olap,
    changes: { watch: () => ({ close: () => Promise.resolve() }) },
    log: silentLog,
    nowMs,
    completeUntil: () => Promise.resolve(clock.nowMs - 60_000),
  });
  await analytics.olap.command(EVENTS_TABLE);
  await migrateOlap({ olap: analytics.olap, migrations: reports.migrations, log: silentLog });
  await access.start();
  await reports.start();
  await vi.waitFor(async () => expect((await reports.readiness())[0]?.ok).toBe(true), { timeout: 60_000 });
  server = await createCoreServer({ transport: { mode: 'loopback', tls: null }, port: 0, log: silentLog });
  access.registerAccess(server.app);
  const shortcut = reports.register(server.app, {
    authenticate: (request, options) => access.authenticate(request, options),
    identifyEarly: (request, operation) => access.identifyEarly(request, operation),
  });
  server.addShortcut(counted(shortcut));
  port = await server.listen();
  await insert(30);
});

afterAll(async () => {
  // Each may be missing when the setup failed: what was made must still be taken away.
  const closings = [() => server?.stop(0), () => access?.stop(), () => reports?.stop()];
  for (const close of [...closings, () => sql?.close(), () => analytics?.close()]) await close();
  folder.remove();
});

beforeEach(() => {
  clock.nowMs += 10_000;
  shortcuts = 0;
});

async function seedNetworks(): Promise<typeof workspaces> {
  const named = [1000, 2000].map((id) => ({ id, name: `Network ${id}` }));
  await sql.db.insertInto('networks').values(named).execute();
  const rows = await sql.db
    .insertInto('workspaces')
    .values([
      { network_id: 1000, environment: 'production' },
      { network_id: 1000, environment: 'staging' },
      { network_id: 2000, environment: 'production' },
    ])
    .returning('id')
    .execute();
  const [production = 0, staging = 0, other = 0] = rows.map(({ id }) => id);
  return { production, staging, other };
}

function counted(shortcut: Shortcut): Shortcut {
  return {
    knows: (method, url) => shortcut.knows(method, url),
    open: (request) => {
      const respond = shortcut.open(request);
      if (respond === null) return null;
      return async (body) => {
        const reply = await respond(body);
        if (reply !== null) shortcuts += 1;
        return reply;
      };
    },
  };
}

async function insert(count: number, workspace = workspaces.production): Promise<void> {
  batches += 1;
  const rows = Array.from({ length: count }, (_, at) =>
    JSON.stringify(
      makeEvent({ workspace_id: workspace, time: `2026-07-${String(1 + (at % 14)).padStart(2, '0')} 10:00:00.000` }),
    ),
  );
  await analytics.olap.insertRaw({ table: 'events', body: Buffer.from(rows.join('\n')), token: `b${batches}` });
}

type Credentials = Readonly<Record<string, string>>;

async function newPair(workspaceId = workspaces.production): Promise<Credentials & { readonly id: string }> {
  const { id, login, token } = await createHeaderCredential(sql.db, secrets, { workspaceId, name: 'BI', by });
  await access.directory.refresh();
  return Object.defineProperty({ 'x-internal-auth-login': login, 'x-internal-auth-token': token }, 'id', {
    value: id,
  }) as unknown as Credentials & { readonly id: string };
}

const member = (name: string): string => `campaign_overview.${name}`;
const QUERY = {
  measures: [member('impressions'), member('clicks'), member('ctr')],
  timeDimensions: [{ dimension: member('time'), granularity: 'day', dateRange: 'last 30 days' }],
};

const JULY = [{ dimension: member('time'), dateRange: ['2026-07-01', '2026-07-14'] }];

interface Sent {
  readonly credentials: Credentials;
  readonly network?: string;
  readonly method?: string;
  readonly query?: object;
  readonly isMulti?: boolean;
  readonly headers?: Readonly<Record<string, string>>;
  /** A request that says how its body is encoded always goes through the framework. */
  readonly isLong?: boolean;
}

function requestText(sent: Sent): string {
  const { credentials, network = '/reports/1000', method = 'POST', query = QUERY, isMulti = false } = sent;
  const fields = { query, ...(isMulti ? { queryType: 'multi' } : {}) };
  const body = method === 'POST' ? JSON.stringify(fields) : '';
  const search = new URLSearchParams({ query: JSON.stringify(query) });
  const target = `${network}/v1/load${method === 'GET' ? `?${search}` : ''}`;
  const all = {
    host: 'localhost',
    'x-request-id': 'request-1',
    ...(method === 'POST' ? { 'content-type': 'application/json', 'content-length': String(body.length) } : {}),
    ...(sent.isLong === true ? { ...LONG_WAY[method] } : {}),
    ...credentials,
    ...sent.headers,
    connection: 'close',
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${target} HTTP/1.1\r\n${lines.join('')}\r\n${body}`;
}

const LONG_WAY: Readonly<Record<string, Credentials>> = {
  POST: { 'content-encoding': 'identity' },
  GET: { 'content-length': '1' },
};

async function sendBytes(sent: Sent): Promise<Buffer> {
  const text = requestText(sent);
  const isPadded = sent.isLong === true && sent.method === 'GET';
  return sendRaw(port, [isPadded ? `${text} ` : text], { waitMs: 120_000 });
}

async function send(sent: Sent): Promise<RawResponse> {
  const [response] = parseResponses(await sendBytes(sent));
  if (response === undefined) throw new Error('There is no response');
  return response;
}

/** A response without what differs from one request to the next. */
function comparable(bytes: Buffer): string {
  return bytes
    .toString('latin1')
    .replace(/\r\nDate: [^\r]+/i, '')
    .replace(/\r\nx-ratelimit-remaining: \d+/, '');
}

const remainingOf = ({ headers }: RawResponse): number => Number(headers['x-ratelimit-remaining']);

describe('a repeated report request', () => {
  test.each<[string, Partial<Sent>]>([
    ['a query', {}],
    ['a query of a Cube client', { isMulti: true }],
    [
      'a query that compares two ranges',
      {
        isMulti: true,
        query: {
          ...QUERY,
          timeDimensions: [
            { dimension: member('time'), granularity: 'day', compareDateRange: ['last 7 days', 'last month'] },
          ],
        },
      },
    ],
    ['a query in the address', { method: 'GET' }],
    ['a compressed response', { headers: { 'accept-encoding': 'gzip' } }],
    ['a response that a client has', { headers: { 'if-none-match': '*' } }],
    ['a response that a client with gzip has', { headers: { 'if-none-match': '*', 'accept-encoding': 'gzip, br' } }],
    ['a query that is to be checked', { query: { ...QUERY, cache: 'must-revalidate' } }],
    ['staging', { network: '/staging/reports/1000' }],
  ])('%s gets the same bytes from the shortcut as from the framework', async (_name, change) => {
    const workspace = change.network === undefined ? workspaces.production : workspaces.staging;
    const sent = { credentials: await newPair(workspace), ...change };
    for (let time = 0; time < 3; time += 1) await send(sent);
    const before = shortcuts;
    const long = await sendBytes({ ...sent, isLong: true });
    expect(shortcuts).toBe(before);
    const short = await sendBytes(sent);
    expect(shortcuts).toBe(before + 1);
    expect(comparable(short)).toBe(comparable(long));
    expect(parseResponses(short)[0]?.status).toBe(change.headers?.['if-none-match'] === undefined ? 200 : 304);
  });

  test('every request counts once, whichever way it takes', async () => {
    const credentials = await newPair(workspaces.other);
    const sent = { credentials, network: '/reports/2000' };
    const first = remainingOf(await send(sent));
    for (let time = 1; time <= 6; time += 1) {
      expect(remainingOf(await send({ ...sent, isLong: time % 3 === 0 }))).toBe(first - time);
    }
    expect(shortcuts).toBe(4);
  });

  test('a request whose rows are gone after it was counted is not counted again', async () => {
    const query = { ...QUERY, cache: 'must-revalidate' };
    const sent = { credentials: await newPair(workspaces.staging), network: '/staging/reports/1000', query };
    await send(sent);
    const before = remainingOf(await send(sent));
    expect(shortcuts).toBe(1);
    await insert(1, workspaces.staging);
    expect(remainingOf(await send(sent))).toBe(before - 1);
    expect(shortcuts).toBe(1);
    expect(remainingOf(await send(sent))).toBe(before - 2);
    expect(shortcuts).toBe(2);
  });

  test('a request over the limit is refused as by the framework, and a raised limit admits it', async () => {
    const credentials = await newPair();
    const setLimits = async (limits: Readonly<Record<string, number>>): Promise<void> => {
      const settings = JSON.stringify({ limits });
      await sql.db.updateTable('networks').set({ settings }).where('name', '=', 'Network 1000').execute();
      await access.directory.refresh();
    };
    const sent = { credentials };
    for (let time = 0; time < 3; time += 1) expect((await send(sent)).status).toBe(200);
    await setLimits({ reports: 1 });
    const before = shortcuts;
    const short = await sendBytes(sent);
    const long = await sendBytes({ ...sent, isLong: true });
    expect(parseResponses(short)[0]?.status).toBe(429);
    expect(comparable(short)).toBe(comparable(long));
    expect(shortcuts).toBe(before);
    await setLimits({});
    clock.nowMs += 1_000;
    for (let time = 0; time < 3; time += 1) expect((await send(sent)).status).toBe(200);
  });

  test('a credential that was disabled, or a key that was revoked, gets nothing', async () => {
    const pair = await newPair();
    const settings = {
      workspaceId: workspaces.production,
      name: 'CI',
      permission: 'read-only',
      modules: null,
    } as const;
    const key = await createApiKey(sql.db, secrets, { ...settings, by }, new Date(clock.nowMs));
    await access.directory.refresh();
    const callers: Credentials[] = [pair, { authorization: `Bearer ${key.value}` }];
    for (const credentials of callers) {
      for (let time = 0; time < 3; time += 1) expect((await send({ credentials })).status).toBe(200);
    }
    expect(shortcuts).toBeGreaterThan(0);
    const before = shortcuts;
    const own = { workspaceId: workspaces.production, by };
    await disableHeaderCredential(sql.db, { ...own, id: pair.id });
    await revokeApiKey(sql.db, { ...own, id: key.id });
    await access.directory.refresh();
    for (const credentials of callers) expect((await send({ credentials })).status).toBe(401);
    expect(shortcuts).toBe(before);
  });

  test('a caller of another network, or without the permission, gets nothing of it', async () => {
    const credentials = await newPair();
    for (let time = 0; time < 3; time += 1) expect((await send({ credentials })).status).toBe(200);
    const before = shortcuts;
    expect((await send({ credentials: await newPair(workspaces.other) })).status).toBe(401);
    expect((await send({ credentials: await newPair(workspaces.staging) })).status).toBe(401);
    expect((await send({ credentials: {} })).status).toBe(401);
    expect((await send({ credentials, network: '/reports/2000' })).status).toBe(401);
    const narrow = {
      workspaceId: workspaces.production,
      name: 'CI',
      permission: 'read-only',
      modules: ['INVENTORY'],
    } as const;
    const key = await createApiKey(
      sql.db,
      secrets,
      { ...narrow, modules: [...narrow.modules], by },
      new Date(clock.nowMs),
    );
    await access.directory.refresh();
    expect((await send({ credentials: { authorization: `Bearer ${key.value}` } })).status).toBe(403);
    expect(shortcuts).toBe(before);
  });

  test('equal queries of two networks get the rows of each', async () => {
    const [mine, theirs] = [await newPair(), await newPair(workspaces.other)];
    await insert(7, workspaces.other);
    clock.nowMs += 10_000;
    const total = { measures: [member('impressions')], timeDimensions: JULY };
    const rowsAndTag = async (credentials: Credentials, network: string): Promise<unknown[]> => {
      const response = await send({ credentials, network, query: total });
      const rows = response.json()['data'] as Record<string, unknown>[];
      return [rows[0]?.[member('impressions')], response.headers['etag']];
    };
    const asked = async (): Promise<unknown[][]> => [
      await rowsAndTag(mine, '/reports/1000'),
      await rowsAndTag(theirs, '/reports/2000'),
    ];
    const [ours = [], others = []] = await asked();
    expect(others[0]).toBe('7');
    expect(ours[0]).not.toBe('7');
    expect(await asked()).toEqual([ours, others]);
    expect(shortcuts).toBe(2);
  });

  test('new rows appear once the version of the data was read again', async () => {
    const credentials = await newPair();
    const query = { measures: [member('impressions')], timeDimensions: JULY };
    const count = async (): Promise<number> => {
      const { json } = await send({ credentials, query });
      return Number((json()['data'] as Record<string, unknown>[])[0]?.[member('impressions')]);
    };
    const before = await count();
    expect(await count()).toBe(before);
    await insert(3);
    clock.nowMs += 40_000;
    expect(await count()).toBe(before + 3);
    expect(await count()).toBe(before + 3);
    expect(shortcuts).toBeGreaterThan(0);
  });

  test('a request is read again in the next second, and refused in the same words when it is wrong', async () => {
    const credentials = await newPair();
    const broken = { credentials, query: { measures: ['campaign_overview.nothing'] } };
    const [short, long] = [await sendBytes(broken), await sendBytes({ ...broken, isLong: true })];
    expect(parseResponses(short)[0]?.status).toBe(400);
    expect(comparable(short)).toBe(comparable(long));
    for (let time = 0; time < 2; time += 1) await send({ credentials });
    expect(shortcuts).toBe(1);
    clock.nowMs += 1_000;
    await send({ credentials });
    expect(shortcuts).toBe(1);
    await send({ credentials });
    expect(shortcuts).toBe(2);
  });

  test('a body in pieces, and one that the shortcut leaves alone, are read whole', async () => {
    const credentials = await newPair();
    const text = requestText({ credentials });
    for (let time = 0; time < 3; time += 1) {
      const [response] = parseResponses(
        await sendRaw(port, [text.slice(0, -40), text.slice(-40, -3), text.slice(-3)], { pauseMs: 5, waitMs: 120_000 }),
      );
      expect(response?.status).toBe(200);
    }
    expect(shortcuts).toBe(2);
    const values = Array.from({ length: 200 }, (_, at) => `${at}-${'country'.repeat(7)}`);
    const filters = [{ member: member('country'), operator: 'notEquals', values }];
    for (let time = 0; time < 2; time += 1) {
      expect((await send({ credentials, query: { ...QUERY, filters } })).status).toBe(200);
    }
    expect(shortcuts).toBe(2);
  });

  test('a client that disconnects in the middle of its body leaves the server as it was', async () => {
    const credentials = await newPair();
    const text = requestText({ credentials });
    await sendRaw(port, [text.slice(0, -40)], { waitMs: 50 });
    expect((await send({ credentials })).status).toBe(200);
  });
});
