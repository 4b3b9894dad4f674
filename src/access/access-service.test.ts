import { sql } from 'kysely';
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestDatabase, createTestFolder, silentLog, type TestDatabase } from '../../test/support/stores.ts';
import type { Principal } from '../domain/tenancy/principal.ts';
import type { HttpReply, HttpRequest } from '../http/shared/route.ts';
import { type InstallationSecrets, loadSecrets } from '../storage/secrets.ts';
import { openChangeFeed } from '../storage/sql/change-feed.ts';
import { type AccessService, createAccessService } from './access-service.ts';
import { createApiKey, listApiKeys, type NewApiKey, revokeApiKey, rotateApiKey } from './keys/api-keys.sql.ts';
import { listAudit } from './audit/audit.sql.ts';
import { CountingHotStore } from './fixtures/counting-hot-store.ts';
import { createHeaderCredential, disableHeaderCredential } from './keys/header-credentials.sql.ts';

const folder = createTestFolder();
const hot = new CountingHotStore();
const clock = { nowMs: Date.now() };
let database: TestDatabase;
let secrets: InstallationSecrets;
let service: AccessService;
let feed: { close(): Promise<void> };
let workspaces: Record<'production' | 'staging' | 'other', number>;

const by = { actor: 'operator:test', remoteAddress: '', networkId: '1000', workspaceId: null };

beforeAll(async () => {
  database = await createTestDatabase();
  secrets = loadSecrets(folder.dir);
  await database.db
    .insertInto('networks')
    .values([
      { id: 1000, name: 'Demo' },
      { id: 2000, name: 'Other' },
    ])
    .execute();
  const rows = await database.db
    .insertInto('workspaces')
    .values([
      { network_id: 1000, environment: 'production' },
      { network_id: 1000, environment: 'staging' },
      { network_id: 2000, environment: 'production' },
    ])
    .returning('id')
    .execute();
  const [production = 0, staging = 0, other = 0] = rows.map((row) => row.id);
  workspaces = { production, staging, other };
  service = createService('delivery-0');
  await service.start();
  feed = await openChangeFeed({
    url: database.url,
    channel: 'placard_change',
    onChange: (batch) => service.onChange(batch),
    onReconnect: () => service.onChange(null),
    log: silentLog,
  });
});

afterAll(async () => {
  await feed.close();
  await service.stop();
  await database.close();
  folder.remove();
});

function createService(processName: string, db = database.db): AccessService {
  const nowMs = (): number => clock.nowMs;
  const deps = { sql: db, hot: hot.asHotStore(), secrets, dataDir: folder.dir, log: silentLog };
  // Longer than any test waits: what a test sees of a change came with its notice.
  return createAccessService({ ...deps, processName, processes: 1, nowMs, keysRefreshMs: 3_600_000 });
}

async function newKey(change: Partial<NewApiKey> = {}): Promise<{ id: string; value: string }> {
  const settings = { workspaceId: workspaces.production, name: 'CI', permission: 'read-only', modules: null } as const;
  const made = await createApiKey(database.db, secrets, { ...settings, by, ...change }, new Date(clock.nowMs));
  await service.directory.refresh();
  return made;
}

async function newPair(workspaceId = workspaces.production): Promise<{ id: string; login: string; token: string }> {
  const pair = await createHeaderCredential(database.db, secrets, { workspaceId, name: 'BI', by });
  await service.directory.refresh();
  return pair;
}

interface Sent {
  readonly operation?: string;
  readonly environment?: 'production' | 'staging';
  readonly headers?: Record<string, string>;
  readonly remoteAddress?: string;
  readonly params?: Record<string, string>;
}

interface Result {
  readonly status: number;
  readonly error: string | undefined;
  readonly message: string | undefined;
  readonly headers: Readonly<Record<string, string | string[]>>;
  readonly principal: Principal | null;
}

/** Sends one request through a guarded route that returns 200, as the delivery server would. */
async function send(sent: Sent, from: AccessService = service): Promise<Result> {
  const seen: Principal[] = [];
  const handler = (_request: HttpRequest, caller: Principal): HttpReply => {
    seen.push(caller);
    return { status: 200, body: '{}' };
  };
  const operation = sent.operation ?? 'ads.request';
  const route = { method: 'POST', pattern: '/api/v1/ads', name: 'ads', operation, handler } as const;
  const guarded = from.guardRoute(route, sent.environment ?? 'production');
  const request = {
    headers: sent.headers ?? {},
    remoteAddress: sent.remoteAddress ?? `10.0.${randomBytes(1)[0]}.1`,
    requestId: 'r',
    params: sent.params ?? {},
  } as unknown as HttpRequest;
  try {
    const reply = await guarded.handler(request);
    const body = JSON.parse(String(reply.body)) as { error?: string; message?: string };
    return {
      status: reply.status,
      error: body.error,
      message: body.message,
      headers: reply.headers ?? {},
      principal: seen[0] ?? null,
    };
  } catch (error) {
    const { code, message } = error as { code: string; message: string };
    return { status: 0, error: code, message, headers: {}, principal: null };
  }
}

const bearer = (value: string): Record<string, string> => ({ authorization: `Bearer ${value}` });
const pairHeaders = (pair: { login: string; token: string }): Record<string, string> => ({
  'x-internal-auth-login': pair.login,
  'x-internal-auth-token': pair.token,
});

describe('bearer keys', () => {
  test('a key opens what its permission and modules cover, and its principal names the network', async () => {
    const key = await newKey();
    const result = await send({ headers: bearer(key.value) });
    expect(result.status).toBe(200);
    expect(result.principal).toMatchObject({
      kind: 'apiKey',
      id: key.id,
      networkId: '1000',
      environment: 'production',
      actor: `key:${key.id} "CI"`,
    });
    expect(result.headers['x-ratelimit-limit']).toBe('10000');
  });

  test.each([
    ['nothing', undefined],
    ['an empty header', ''],
    ['the literal text undefined', 'undefined'],
  ])('%s is a missing Authorization header', async (_title, authorization) => {
    const result = await send({ headers: authorization === undefined ? {} : { authorization } });
    expect(result).toMatchObject({ error: 'authentication_required', message: 'Missing Authorization header' });
  });

  test.each([
    ['another scheme', 'Basic YTpi'],
    ['Bearer without a key', 'Bearer'],
    ['Bearer undefined', 'Bearer undefined'],
    ['two keys', 'Bearer plc_live_a plc_live_b'],
    ['a wrong checksum', `Bearer plc_live_${'a'.repeat(42)}`],
  ])('%s is invalid, with the message of the specification', async (_title, authorization) => {
    const result = await send({ headers: { authorization } });
    expect(result).toMatchObject({ error: 'invalid_credentials', message: 'Invalid or expired API key' });
  });

  test('the scheme may be written in any case', async () => {
    const key = await newKey();
    expect((await send({ headers: { authorization: `bearer  ${key.value}` } })).status).toBe(200);
  });

  test('a staging key fails on production paths, and a production key on staging paths', async () => {
    const staging = await newKey({ workspaceId: workspaces.staging });
    const production = await newKey();
    expect(staging.value).toMatch(/^plc_test_[0-9A-Za-z]{42}$/);
    expect(production.value).toMatch(/^plc_live_[0-9A-Za-z]{42}$/);
    expect((await send({ headers: bearer(staging.value) })).error).toBe('invalid_credentials');
    expect((await send({ headers: bearer(production.value), environment: 'staging' })).error).toBe(
      'invalid_credentials',
    );
    expect((await send({ headers: bearer(staging.value), environment: 'staging' })).status).toBe(200);
  });

  test('a key expires at its instant, not a millisecond later', async () => {
    const expiresAt = new Date(clock.nowMs + 60_000);
    const key = await newKey({ expiresAt });
    const before = clock.nowMs;
    clock.nowMs = expiresAt.getTime() - 1;
    expect((await send({ headers: bearer(key.value) })).status).toBe(200);
    clock.nowMs = expiresAt.getTime();
    expect((await send({ headers: bearer(key.value) })).error).toBe('invalid_credentials');
    clock.nowMs = before;
  });

  test('a revoked key is refused by notice', async () => {
    const key = await newKey();
    expect((await send({ headers: bearer(key.value) })).status).toBe(200);
    await revokeApiKey(database.db, { workspaceId: workspaces.production, id: key.id, by });
    const refusal = async () => (await send({ headers: bearer(key.value) })).error;
    await expect.poll(refusal, { interval: 5 }).toBe('invalid_credentials');
  });

  test('a rotated key works until the chosen instant, and the new one at once', async () => {
    const old = await newKey({ name: 'old', permission: 'read-write', modules: ['DELIVERY'] });
    const oldExpiresAt = new Date(clock.nowMs + 5_000);
    const wish = { workspaceId: workspaces.production, id: old.id, oldExpiresAt, by };
    const fresh = await rotateApiKey(database.db, secrets, wish, new Date(clock.nowMs));
    await service.directory.refresh();
    expect((await send({ headers: bearer(old.value) })).status).toBe(200);
    expect((await send({ headers: bearer(fresh.value) })).principal).toMatchObject({
      permission: 'read-write',
      modules: ['DELIVERY'],
    });
    const before = clock.nowMs;
    clock.nowMs += 5_000;
    expect((await send({ headers: bearer(old.value) })).error).toBe('invalid_credentials');
    expect((await send({ headers: bearer(fresh.value) })).status).toBe(200);
    clock.nowMs = before;
  });

  test('an allowlist admits only its ranges, also for IPv4-mapped addresses', async () => {
    const key = await newKey({ ipAllowlist: ['192.0.2.0/24', '2001:db8::/32'] });
    for (const remoteAddress of ['192.0.2.7', '::ffff:192.0.2.7', '2001:db8::1']) {
      expect((await send({ headers: bearer(key.value), remoteAddress })).status).toBe(200);
    }
    for (const remoteAddress of ['192.0.3.7', '::1', '']) {
      expect((await send({ headers: bearer(key.value), remoteAddress })).error).toBe('ip_not_allowed');
    }
  });

  test('the listing describes a key and never shows its value', async () => {
    const key = await newKey({ name: 'listed', modules: ['DELIVERY', 'REPORTS'] });
    const listed = (await listApiKeys(database.db, workspaces.production)).find((one) => one.id === key.id);
    expect(listed).toMatchObject({
      name: 'listed',
      permission: 'read-only',
      modules: ['DELIVERY', 'REPORTS'],
      lastUsedAt: null,
    });
    expect(JSON.stringify(listed)).not.toContain(key.value.slice(12, 40));
    const stored = await sql<{
      text: string;
    }>`SELECT api_keys::text AS text FROM api_keys WHERE id = ${key.id}`.execute(database.db);
    expect(stored.rows[0]?.text).not.toContain(key.value.slice(12, 40));
  });

  test.each([
    ['an empty name', { name: ' ' }, 'name'],
    ['a name of 201 characters', { name: 'x'.repeat(201) }, 'name'],
    ['no module', { modules: [] }, 'modules'],
    ['a module twice', { modules: ['DELIVERY', 'DELIVERY'] }, 'modules'],
    ['an expiry in the past', { expiresAt: new Date(0) }, 'expiresAt'],
    ['an allowlist entry that is not an address', { ipAllowlist: ['10.1'] }, 'ipAllowlist[0]'],
  ] as const)('%s is refused by name', async (_title, change, path) => {
    await expect(newKey(change)).rejects.toMatchObject({ code: 'validation_failed', fields: [{ path }] });
  });
});

describe('permissions', () => {
  test.each([
    ['read-only', ['AUDIENCE'], 'events.record', 'insufficient_permissions'],
    ['read-write', ['AUDIENCE'], 'events.record', undefined],
    ['read-write', ['DELIVERY'], 'events.record', 'insufficient_permissions'],
    ['admin', ['DELIVERY'], 'ads.request', undefined],
    ['admin', ['REPORTS'], 'ads.request', 'insufficient_permissions'],
    ['read-only', null, 'ads.request', undefined],
    ['read-only', ['REPORTS'], 'reports.load', undefined],
    ['admin', ['DELIVERY'], 'reports.load', 'insufficient_permissions'],
    ['admin', null, 'legacy.download', 'authentication_required'],
    ['read-only', ['INVENTORY'], 'graphql', undefined],
  ] as const)('a %s key of %s that calls %s gets %s', async (permission, modules, operation, error) => {
    const key = await newKey({ permission, modules });
    const result = await send({ headers: bearer(key.value), operation });
    expect(result.error).toBe(error);
    if (error === 'insufficient_permissions') {
      expect(result).toMatchObject({ status: 403, message: 'Key lacks permission for the operation' });
      expect(result.headers['x-ratelimit-limit']).toBeDefined();
    }
  });
});

describe('header credentials', () => {
  test('a pair opens the Reports API and the legacy download, and no ad request', async () => {
    const pair = await newPair();
    const headers = pairHeaders(pair);
    expect((await send({ headers, operation: 'reports.load', params: { network: '1000' } })).status).toBe(200);
    expect((await send({ headers, operation: 'legacy.download' })).principal).toMatchObject({
      kind: 'headerCredential',
      id: pair.id,
    });
    expect((await send({ headers, operation: 'ads.request' })).error).toBe('authentication_required');
  });

  test('a pair with a wrong token, of another network or environment, or disabled is invalid', async () => {
    const pair = await newPair();
    const other = await newPair(workspaces.other);
    const operation = 'reports.load';
    const params = { network: '1000' };
    expect((await send({ headers: pairHeaders({ ...pair, token: other.token }), operation })).error).toBe(
      'invalid_credentials',
    );
    expect((await send({ headers: pairHeaders({ ...pair, login: 'nobody' }), operation })).error).toBe(
      'invalid_credentials',
    );
    expect((await send({ headers: pairHeaders(other), operation, params })).error).toBe('invalid_credentials');
    expect((await send({ headers: pairHeaders(pair), operation, environment: 'staging' })).error).toBe(
      'invalid_credentials',
    );
    await disableHeaderCredential(database.db, { workspaceId: workspaces.production, id: pair.id, by });
    await service.directory.refresh();
    expect((await send({ headers: pairHeaders(pair), operation })).error).toBe('invalid_credentials');
  });

  test('a request with half a pair lacks credentials, and the message names the missing header', async () => {
    const pair = await newPair();
    const result = await send({ headers: { 'x-internal-auth-login': pair.login }, operation: 'reports.load' });
    expect(result).toMatchObject({ error: 'authentication_required', message: 'Missing x-internal-auth-token header' });
  });

  test('a request with both schemes needs both to be valid and of one network', async () => {
    const key = await newKey();
    const foreignKey = await newKey({ workspaceId: workspaces.other });
    const pair = await newPair();
    const operation = 'graphql';
    const both = await send({ headers: { ...bearer(key.value), ...pairHeaders(pair) }, operation });
    expect(both.status).toBe(200);
    expect((await send({ headers: { ...bearer(foreignKey.value), ...pairHeaders(pair) }, operation })).error).toBe(
      'invalid_credentials',
    );
    expect((await send({ headers: { ...bearer('x'), ...pairHeaders(pair) }, operation })).error).toBe(
      'invalid_credentials',
    );
    const badPair = pairHeaders({ ...pair, token: 'x' });
    expect((await send({ headers: { ...bearer(key.value), ...badPair }, operation: 'ads.request' })).error).toBe(
      'invalid_credentials',
    );
  });

  test('only the Reports API accepts a bare key, as Cube sends it', async () => {
    const key = await newKey();
    const headers = { authorization: key.value };
    expect((await send({ headers, operation: 'reports.load' })).status).toBe(200);
    expect((await send({ headers, operation: 'ads.request' })).error).toBe('invalid_credentials');
  });
});

describe('without PostgreSQL', () => {
  test('a restarted process accepts good keys and refuses revoked ones, from the last good copy', async () => {
    const good = await newKey();
    const revoked = await newKey();
    await revokeApiKey(database.db, { workspaceId: workspaces.production, id: revoked.id, by });
    await service.directory.refresh();
    const { openPostgres } = await import('../storage/sql/postgres.ts');
    const nowhere = openPostgres({
      url: 'postgres://nobody@127.0.0.1:1/none',
      log: silentLog,
      poolMax: 1,
      statementTimeoutMs: 1_000,
    });
    const fresh = createService('delivery-1', nowhere.db);
    await fresh.start();
    expect((await send({ headers: bearer(good.value) }, fresh)).status).toBe(200);
    expect((await send({ headers: bearer(revoked.value) }, fresh)).error).toBe('invalid_credentials');
    await fresh.stop();
    await nowhere.close();
  });
});

describe('failed authentications', () => {
  test('the 101st failure from one address gets 429, and good credentials from there still pass', async () => {
    const key = await newKey();
    const remoteAddress = '203.0.113.9';
    for (let count = 0; count < 100; count += 1) {
      expect((await send({ headers: bearer('plc_live_x'), remoteAddress })).error).toBe('invalid_credentials');
    }
    expect((await send({ headers: bearer('plc_live_x'), remoteAddress })).error).toBe('rate_limit_exceeded');
    expect((await send({ headers: bearer(key.value), remoteAddress })).status).toBe(200);
    expect((await send({ headers: bearer('plc_live_x'), remoteAddress: '203.0.113.10' })).error).toBe(
      'invalid_credentials',
    );
  });
});

describe('audit', () => {
  test('the creation and revocation of a key are recorded without its value', async () => {
    const key = await newKey({ name: 'audited' });
    await revokeApiKey(database.db, { workspaceId: workspaces.production, id: key.id, by });
    const filter = { objectKind: 'apiKey', objectId: key.id };
    const entries = await listAudit(database.db, '1000', filter, { beforeSequence: null, limit: 10 });
    expect(entries.map((entry) => entry.action)).toEqual(['apiKey.revoke', 'apiKey.create']);
    expect(
      JSON.stringify(entries, (_key, value: unknown) => (typeof value === 'bigint' ? String(value) : value)),
    ).not.toContain(key.value);
  });
});
