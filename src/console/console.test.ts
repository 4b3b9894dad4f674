import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PlacardError } from '../domain/errors.ts';
import type { Principal } from '../domain/tenancy/principal.ts';
import { toProblem } from '../http/shared/problem.ts';
import { createTestDatabase, type TestDatabase } from '../../test/support/stores.ts';
import { registerConsole } from './console.routes.ts';
import { registerConsoleFacts } from './facts.routes.ts';
import { registerSavedViews } from './saved-views.routes.ts';

function createApp(): FastifyInstance {
  const app = Fastify();
  app.setErrorHandler((error, request, reply) => {
    const { status, body } = toProblem(error, request.id);
    void reply.code(status).send(body);
  });
  return app;
}

describe('the console’s files', () => {
  const folder = mkdtempSync(join(tmpdir(), 'placard-console-'));
  const app = createApp();

  beforeAll(() => {
    mkdirSync(join(folder, 'assets'));
    mkdirSync(join(folder, '.vite'));
    writeFileSync(join(folder, 'index.html'), '<!doctype html><title>Placard</title>');
    writeFileSync(join(folder, 'assets', 'main-abc.js'), 'let x = 1;');
    writeFileSync(join(folder, 'assets', 'main-abc.js.gz'), gzipSync('let x = 1;'));
    writeFileSync(join(folder, '.vite', 'manifest.json'), '{}');
    registerConsole(app, { folder, deliveryPublicUrl: 'https://ads.example:8444' });
  });
  afterAll(async () => {
    await app.close();
    rmSync(folder, { recursive: true });
  });

  test.each([
    '/',
    '/sign-in',
    '/lens',
    '/lens?m=clicks',
    '/settings',
    '/settings/api-keys',
    '/dashboards',
    '/invitation',
    '/forgot-password',
    '/reset-password',
    '/confirm-address',
  ])('%s returns the document, under a policy without inline scripts', async (url) => {
    const response = await app.inject({ url });
    expect([response.statusCode, response.headers['content-type'], response.headers['cache-control']]).toEqual([
      200,
      'text/html; charset=utf-8',
      'no-cache',
    ]);
    const policy = Object.fromEntries(
      String(response.headers['content-security-policy'])
        .split('; ')
        .map((rule) => [rule.split(' ')[0], rule.split(' ').slice(1).join(' ')]),
    );
    expect(policy).toMatchObject({
      'default-src': "'none'",
      'script-src': "'self'",
      'connect-src': "'self'",
      'frame-src': "'self' https://ads.example:8444",
      'frame-ancestors': "'none'",
    });
  });

  test('the console learns where delivery is', async () => {
    const response = await app.inject({ url: '/console/addresses' });
    expect(response.json()).toEqual({ delivery: 'https://ads.example:8444' });
  });

  test('hashed files are kept for ever, compressed when the client takes it', async () => {
    const plain = await app.inject({ url: '/assets/main-abc.js' });
    expect([plain.body, plain.headers['content-encoding'], plain.headers['cache-control']]).toEqual([
      'let x = 1;',
      undefined,
      'public, max-age=31536000, immutable',
    ]);
    const packed = await app.inject({ url: '/assets/main-abc.js', headers: { 'accept-encoding': 'gzip, br' } });
    expect([packed.headers['content-encoding'], packed.headers['vary']]).toEqual(['gzip', 'accept-encoding']);
    const refused = await app.inject({ url: '/assets/main-abc.js', headers: { 'accept-encoding': 'gzip;q=0' } });
    expect(refused.headers['content-encoding']).toBeUndefined();
  });

  test.each([
    '/assets/other.js',
    '/assets/../.vite/manifest.json',
    '/assets/%2e%2e/index.html',
    '/assets/main-abc.js.gz',
  ])('%s is not served as a file', async (url) => {
    expect((await app.inject({ url })).statusCode).toBe(404);
  });

  test('a console that was not built is said so', async () => {
    const other = createApp();
    registerConsole(other, { folder: join(folder, 'nowhere'), deliveryPublicUrl: 'https://ads.example' });
    const response = await other.inject({ url: '/lens' });
    expect([response.statusCode, response.json<{ error: string }>().error]).toEqual([503, 'unavailable']);
    await other.close();
  });
});

describe('saved views', () => {
  let database: TestDatabase;
  let app: FastifyInstance;
  let workspaces: { production: number; staging: number };
  const people = new Map<string, string>();

  beforeAll(async () => {
    database = await createTestDatabase();
    workspaces = await seed(database, people);
    app = createApp();
    registerSavedViews(app, {
      sql: database.db,
      nowMs: () => Date.parse('2026-11-20T12:00:00Z'),
      authenticate: async (request, { environment }) => {
        const who = String(request.headers['x-who'] ?? '');
        if (who === '') throw new PlacardError('authentication_required');
        return principal(who, workspaces[environment]);
      },
    });
  });
  afterAll(async () => {
    await app.close();
    await database.close();
  });

  const principal = (who: string, workspaceId: number): Principal => ({
    kind: 'session',
    actor: who,
    id: people.get(who) ?? '0',
    workspaceId,
    networkId: '1000',
    environment: 'production',
    permission: 'read-only',
    modules: null,
    remoteAddress: '::1',
  });
  const view = (name: string, over: object = {}): object => ({
    kind: 'view',
    name,
    shared: false,
    body: { search: '?m=clicks' },
    ...over,
  });
  const call = async (
    who: string,
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    path = '',
    payload?: object,
    prefix = '',
  ) => {
    const response = await app.inject({
      method,
      url: `${prefix}/console-api/views${path}`,
      headers: { 'x-who': who },
      ...(payload === undefined ? {} : { payload }),
    });
    return { status: response.statusCode, body: response.json<Record<string, unknown> & { id: string }>() };
  };
  const names = async (who: string, prefix = ''): Promise<string[]> => {
    const { body } = await call(who, 'GET', '', undefined, prefix);
    return (body['views'] as { name: string; own: boolean }[]).map(
      (one) => `${one.name}${one.own ? '' : ' (not own)'}`,
    );
  };

  test('one’s own are private until they are shared, and never leave their environment', async () => {
    const made = await call('ann', 'POST', '', view('By day'));
    expect([made.status, made.body]).toMatchObject([
      201,
      { name: 'By day', own: true, version: 1, ownerName: 'ann', body: { search: '?m=clicks' } },
    ]);
    expect(await names('ann')).toEqual(['By day']);
    expect(await names('bob')).toEqual([]);
    const shared = await call('ann', 'PUT', `/${made.body.id}`, view('By day', { shared: true, version: 1 }));
    expect([shared.status, shared.body['version']]).toEqual([200, 2]);
    expect(await names('bob')).toEqual(['By day (not own)']);
    expect(await names('ann', '/staging')).toEqual([]);
    expect((await call('ann', 'DELETE', `/${made.body.id}`, undefined, '/staging')).status).toBe(404);
  });

  test('another member’s view is absent for a member who wants to change or delete it', async () => {
    const { body } = await call('ann', 'POST', '', view('Hers', { shared: true }));
    expect((await call('bob', 'PUT', `/${body.id}`, view('His', { version: 1 }))).status).toBe(404);
    expect((await call('bob', 'DELETE', `/${body.id}`)).status).toBe(404);
    expect((await call('ann', 'DELETE', `/${body.id}`)).status).toBe(200);
    expect(await names('bob')).not.toContain('Hers (not own)');
  });

  test('a change of an old version is a conflict, and changes nothing', async () => {
    const { body } = await call('ann', 'POST', '', view('First'));
    await call('ann', 'PUT', `/${body.id}`, view('Second', { version: 1 }));
    const late = await call('ann', 'PUT', `/${body.id}`, view('Late', { version: 1 }));
    expect([late.status, late.body['error']]).toEqual([409, 'conflict']);
    expect(await names('ann')).toContain('Second');
  });

  test.each([
    ['an empty name', view(' '), 'name'],
    ['a kind that there is none of', view('x', { kind: 'board' }), 'kind'],
    ['a view with the body of a dashboard', view('x', { body: { views: ['1'] } }), 'body'],
    ['a dashboard of no ids', view('x', { kind: 'dashboard', body: { views: ["1' OR 1=1"] } }), 'body'],
    ['a dashboard with the body of a view', view('x', { kind: 'dashboard', body: { search: '' } }), 'body'],
    ['a name with U+0000', view('a\u0000b'), 'name'],
    ['an address with half a character', view('x', { body: { search: '\ud800' } }), 'body'],
    ['an address that is too long', view('x', { body: { search: 'm'.repeat(8_001) } }), 'body'],
  ])('%s is refused by the name of its field', async (_title, payload, field) => {
    const { status, body } = await call('ann', 'POST', '', payload);
    expect([status, (body['fields'] as { path: string }[])[0]?.path.split('.')[0]]).toEqual([400, field]);
  });

  test('a dashboard is read as it was written, with its widgets, or with ids of views from before there were widgets', async () => {
    const widgets = [{ id: 'a', kind: 'figures', width: 'full', title: 'Our day', options: {} }];
    const made = await call('ann', 'POST', '', view('New', { kind: 'dashboard', body: { widgets } }));
    expect([made.status, made.body['body']]).toEqual([201, { widgets }]);
    const old = await call('ann', 'POST', '', view('Old', { kind: 'dashboard', body: { views: ['1', '2'] } }));
    expect([old.status, old.body['body']]).toEqual([201, { views: ['1', '2'] }]);
    const both = await call('ann', 'POST', '', view('Both', { kind: 'dashboard', body: { views: [], widgets } }));
    expect([both.status, both.body['fields']]).toMatchObject([400, [{ path: 'body' }]]);
    const [wrong] = widgets.map((widget) => ({ ...widget, width: 'third' }));
    const changed = view('New', { kind: 'dashboard', body: { widgets: [wrong] }, version: 1 });
    const refused = await call('ann', 'PUT', `/${made.body.id}`, changed);
    expect([refused.status, refused.body['fields']]).toMatchObject([400, [{ path: 'body.widgets.0.width' }]]);
  });

  test.each([
    ['a view', view('Kind'), { kind: 'dashboard', body: { views: ['1'] } }],
    [
      'a dashboard',
      view('Kind', { kind: 'dashboard', body: { views: ['1'] } }),
      { kind: 'view', body: { search: '' } },
    ],
  ])('%s keeps its kind', async (_title, stored, other) => {
    const { body } = await call('ann', 'POST', '', stored);
    const change = await call('ann', 'PUT', `/${body.id}`, view('Kind', { ...other, version: 1 }));
    expect([change.status, change.body['fields']]).toMatchObject([400, [{ path: 'kind', code: 'cannot_change' }]]);
    const same = await call('ann', 'PUT', `/${body.id}`, { ...stored, version: 1 });
    expect([same.status, same.body['kind'], same.body['body']]).toEqual([200, body['kind'], body['body']]);
  });

  test('a version that none can have is refused', async () => {
    const { body } = await call('ann', 'POST', '', view('Versioned'));
    const change = await call('ann', 'PUT', `/${body.id}`, view('x', { version: 9_999_999_999 }));
    expect([change.status, change.body['fields']]).toMatchObject([400, [{ path: 'version' }]]);
  });

  test('a suspended network reads on, and changes nothing', async () => {
    const { body } = await call('ann', 'POST', '', view('Kept'));
    const setStatus = async (status: 'ACTIVE' | 'SUSPENDED') =>
      void (await database.db.updateTable('networks').set({ status }).execute());
    await setStatus('SUSPENDED');
    const responses = [
      await call('ann', 'POST', '', view('New')),
      await call('ann', 'PUT', `/${body.id}`, view('Changed', { version: 1 })),
      await call('ann', 'DELETE', `/${body.id}`),
    ];
    const seen = await names('ann');
    await setStatus('ACTIVE');
    expect(responses.map((one) => [one.status, one.body['error']])).toEqual(
      responses.map(() => [403, 'network_suspended']),
    );
    expect(seen).toContain('Kept');
  });

  test('no more than 500 of one person are kept, however many come at once', async () => {
    await Promise.all(Array.from({ length: 498 }, (_one, at) => call('bob', 'POST', '', view(`Many ${at}`))));
    const last = await Promise.all(
      Array.from({ length: 12 }, (_one, at) => call('bob', 'POST', '', view(`Last ${at}`))),
    );
    expect(last.filter(({ status }) => status === 201)).toHaveLength(2);
    expect((await names('bob')).filter((name) => !name.endsWith('(not own)'))).toHaveLength(500);
  });

  test('strangers have no views, and nothing of theirs is read', async () => {
    expect((await call('', 'GET')).status).toBe(401);
    const broken = await app.inject({
      method: 'POST',
      url: '/console-api/views',
      headers: { 'content-type': 'application/json' },
      payload: '{bad',
    });
    expect(broken.statusCode).toBe(401);
  });
});

async function seed(
  database: TestDatabase,
  people: Map<string, string>,
): Promise<{ production: number; staging: number }> {
  const { db } = database;
  await db
    .insertInto('networks')
    .values({ id: 1000, name: 'Test', timezone: 'UTC', currency: 'EUR' } as never)
    .execute();
  const ids: Record<string, number> = {};
  for (const environment of ['production', 'staging'] as const) {
    const row = await db
      .insertInto('workspaces')
      .values({ network_id: 1000, environment } as never)
      .returning('id')
      .executeTakeFirstOrThrow();
    ids[environment] = Number(row.id);
  }
  for (const name of ['ann', 'bob']) {
    const row = await db
      .insertInto('users')
      .values({ email: `${name}@example.com`, name } as never)
      .returning('id')
      .executeTakeFirstOrThrow();
    people.set(name, String(row.id));
  }
  return ids as { production: number; staging: number };
}

test('the audit chain is walked at most once a minute for a network, and again after a failure', async () => {
  const app = createApp();
  let nowMs = 0;
  let checks = 0;
  let fails = false;
  registerConsoleFacts(app, {
    nowMs: () => nowMs,
    authenticate: async (request) => ({ networkId: String(request.headers['x-network']) }) as Principal,
    readLimits: async () => [],
    checkAuditChain: async () => {
      checks += 1;
      if (fails) throw new PlacardError('unavailable');
      return { verified: true, entries: checks };
    },
  });
  const ask = async (network: string) =>
    (await app.inject({ url: '/console-api/audit-chain', headers: { 'x-network': network } })).statusCode;
  await ask('1');
  await ask('1');
  await ask('2');
  expect(checks).toBe(2);
  nowMs = 60_000;
  fails = true;
  expect(await ask('1')).toBe(503);
  fails = false;
  expect(await ask('1')).toBe(200);
  expect(checks).toBe(4);
  await app.close();
});
