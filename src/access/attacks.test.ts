/** Attacks on sign-in, links, second factors, sessions and headers. */
import { request } from 'node:http';
import { TOTP } from 'otpauth';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestDatabase, createTestFolder, silentLog, type TestDatabase } from '../../test/support/stores.ts';
import { type CoreServer, createCoreServer } from '../http/core/core-server.ts';
import { type InstallationSecrets, loadSecrets } from '../storage/secrets.ts';
import { type AccessService, createAccessService } from './access-service.ts';
import { createApiKey } from './keys/api-keys.sql.ts';
import { CountingHotStore } from './fixtures/counting-hot-store.ts';
import { createHeaderCredential } from './keys/header-credentials.sql.ts';
import { createPasswordLink } from './users/invitations.sql.ts';
import { createNetwork } from './permissions/networks.sql.ts';
import { checkSameOrigin } from './permissions/same-origin.ts';
import { confirmSecondFactor, startSecondFactor } from './sign-in/second-factor.sql.ts';
import { createUser, setUserDisabled } from './users/users.sql.ts';

const folder = createTestFolder();
const by = { actor: 'operator:test', remoteAddress: '', networkId: '0', workspaceId: null };
const PASSWORD = 'correct horse battery';
let database: TestDatabase;
let secrets: InstallationSecrets;
let service: AccessService;
let server: CoreServer;
let port: number;
let users = 0;

beforeAll(async () => {
  database = await createTestDatabase();
  secrets = loadSecrets(folder.dir);
  service = createAccessService({
    sql: database.db,
    hot: new CountingHotStore().asHotStore(),
    secrets,
    dataDir: folder.dir,
    log: silentLog,
    processName: 'core',
    processes: 1,
    nowMs: Date.now,
  });
  await service.start();
  server = await createCoreServer({ transport: { mode: 'loopback', tls: null }, port: 0, log: silentLog });
  service.registerAccess(server.app);
  for (const url of ['/graphql', '/staging/graphql']) {
    server.app.post(url, async (incoming) => service.authenticate(incoming, { operation: 'graphql' }));
  }
  server.app.get('/reports/:network/v1/meta', async (incoming) =>
    service.authenticate(incoming, {
      operation: 'reports.meta',
      networkId: (incoming.params as { network: string }).network,
    }),
  );
  port = await server.listen();
});

afterAll(async () => {
  await server.stop(0);
  await service.stop();
  await database.close();
  folder.remove();
});

interface Result {
  readonly status: number;
  readonly body: Record<string, unknown>;
  readonly cookie: string;
  readonly headers: Readonly<Record<string, unknown>>;
}

/** `headers` in the form of pairs, so that one can be sent twice. */
function call(
  path: string,
  body?: unknown,
  headers: readonly (readonly [string, string])[] = [],
  localAddress = '127.0.0.1',
): Promise<Result> {
  const text = body === undefined ? undefined : JSON.stringify(body);
  const sent = [...headers, ['host', `127.0.0.1:${port}`] as const];
  if (text !== undefined) sent.push(['content-type', 'application/json'], ['content-length', `${text.length}`]);
  return new Promise((resolve, reject) => {
    const method = text === undefined ? 'GET' : 'POST';
    const outgoing = request(
      { host: '127.0.0.1', port, path, method, headers: sent.flat(), localAddress },
      (response) => {
        response.toArray().then((chunks: Buffer[]) => {
          const set = response.headers['set-cookie'] ?? [];
          resolve({
            status: response.statusCode ?? 0,
            body: JSON.parse(Buffer.concat(chunks).toString()) as Record<string, unknown>,
            cookie: set.map((cookie) => cookie.split(';', 1)[0]).join('; '),
            headers: response.headers,
          });
        }, reject);
      },
    );
    outgoing.on('error', reject);
    outgoing.end(text);
  });
}

async function newUser(): Promise<{ id: string; email: string }> {
  users += 1;
  const email = `user${users}@example.com`;
  const { id } = await createUser(database.db, { email, name: 'U', password: PASSWORD, by });
  return { id, email };
}

const signIn = (email: string, more: object = {}, from?: string): Promise<Result> =>
  call('/auth/sign-in', { email, password: PASSWORD, ...more }, [], from);

describe('guessing', () => {
  test('60 a burst of 60 guesses gets no more tries than 20 guesses in turn', async () => {
    const { email } = await newUser();
    const guesses = Array.from({ length: 60 }, (_none, index) =>
      signIn(email, { password: `wrong guess ${index}` }, `127.0.1.${1 + (index % 30)}`),
    );
    const statuses = (await Promise.all(guesses)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 401).length).toBe(20);
    expect(statuses.filter((status) => status === 429).length).toBe(40);
  });

  test('correct passwords never use up the limit of guesses', async () => {
    const { email } = await newUser();
    for (let count = 0; count < 25; count += 1) expect((await signIn(email, {}, '127.0.2.1')).status).toBe(200);
  });

  test('a borrowed session cannot guess an active second factor or replace its recovery codes', async () => {
    const { id, email } = await newUser();
    const { cookie } = await signIn(email, {}, '127.0.3.1');
    const app = await turnOn(id, email);
    for (const code of ['000000', app.generate({ timestamp: Date.now() + 30_000 })]) {
      const result = await call('/auth/second-factor/confirm', { code }, [['cookie', cookie]], '127.0.3.1');
      expect([result.status, result.body['error']]).toEqual([409, 'conflict']);
      expect(result.body['recoveryCodes']).toBeUndefined();
    }
  });

  test('a code works once even when it is sent twice at the same time', async () => {
    const { id, email } = await newUser();
    const app = await turnOn(id, email);
    const code = app.generate({ timestamp: Date.now() + 30_000 });
    const both = await Promise.all([1, 2].map(() => signIn(email, { code }, '127.0.4.1')));
    expect(both.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 401]);
  });

  test('an unknown address, a wrong password and a disabled account get the same response', async () => {
    const known = await newUser();
    const disabled = await newUser();
    await setUserDisabled(database.db, { userId: disabled.id, disabled: true, by });
    const results = await Promise.all([
      signIn('nobody@example.com', {}, '127.0.5.1'),
      signIn(known.email, { password: 'not the password' }, '127.0.5.1'),
      signIn(disabled.email, {}, '127.0.5.1'),
    ]);
    expect(new Set(results.map(({ status, body }) => JSON.stringify([status, body])))).toHaveLength(1);
  });
});

async function turnOn(userId: string, email: string): Promise<TOTP> {
  const deps = { sql: database.db, pepper: secrets.pepper };
  const { secret } = await startSecondFactor(deps, { id: userId, email }, new Date());
  const app = new TOTP({ secret });
  const code = app.generate();
  await confirmSecondFactor(deps, { userId, code, by }, new Date());
  return app;
}

describe('links', () => {
  const accept = (token: string): Promise<Result> =>
    call('/auth/invitations/accept', { token, password: 'another long password' });
  const newLink = async (userId: string): Promise<string> =>
    (await createPasswordLink({ sql: database.db, pepper: secrets.pepper }, { userId, by }, new Date())).token;

  test('the use of one password link ends all others', async () => {
    const { id } = await newUser();
    const [stolen, fresh] = [await newLink(id), await newLink(id)];
    expect((await accept(fresh)).status).toBe(200);
    expect((await accept(stolen)).body).toMatchObject({ error: 'gone' });
  });

  test('a link works once even when it is used ten times at the same time', async () => {
    const { id } = await newUser();
    const token = await newLink(id);
    const results = await Promise.all(Array.from({ length: 10 }, () => accept(token)));
    expect(results.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  test('a link does not open a disabled account', async () => {
    const { id } = await newUser();
    const token = await newLink(id);
    await setUserDisabled(database.db, { userId: id, disabled: true, by });
    expect((await accept(token)).body).toMatchObject({ error: 'gone' });
  });
});

describe('sessions', () => {
  test('sign-in replaces a planted cookie with its own', async () => {
    const { email } = await newUser();
    const planted = `__Host-placard=${'a'.repeat(43)}`;
    const body = { email, password: PASSWORD };
    const { cookie } = await call('/auth/sign-in', body, [['cookie', planted]], '127.0.6.1');
    expect(cookie).toMatch(/__Host-placard=/);
    expect(cookie).not.toContain(planted);
    expect((await call('/auth/me', undefined, [['cookie', planted]])).status).toBe(401);
  });

  test.each([
    [{ 'sec-fetch-site': 'same-origin' }, true],
    [{ 'sec-fetch-site': 'none' }, true],
    [{}, true],
    [{ origin: 'https://ads.example' }, true],
    [{ 'sec-fetch-site': 'cross-site' }, false],
    [{ 'sec-fetch-site': 'same-site' }, false],
    [{ 'sec-fetch-site': 'same-origin, cross-site' }, false],
    [{ 'sec-fetch-site': 'cross-site', origin: 'https://ads.example' }, false],
    [{ origin: 'http://ads.example' }, false],
    [{ origin: 'https://evil.example' }, false],
    [{ origin: 'https://ads.example.evil.example' }, false],
    [{ origin: 'https://ads.example:8443' }, false],
    [{ origin: 'null' }, false],
  ])('a page that sends %j may use the session: %s', (headers, expected) => {
    const check = (): void => checkSameOrigin({ host: 'ads.example', ...headers });
    if (expected) expect(check).not.toThrow();
    else expect(check).toThrow(expect.objectContaining({ code: 'csrf_refused' }));
  });
});

describe('headers', () => {
  let key: string;
  let staging: string;
  let pair: { login: string; token: string };

  beforeAll(async () => {
    const { workspaceIds } = await createNetwork(database.db, {
      name: 'N',
      id: '1000',
      timezone: 'UTC',
      currency: 'EUR',
      by,
    });
    const wish = { name: 'k', permission: 'admin', modules: null, by } as const;
    const { production, staging: other } = workspaceIds;
    key = (await createApiKey(database.db, secrets, { ...wish, workspaceId: production })).value;
    staging = (await createApiKey(database.db, secrets, { ...wish, workspaceId: other })).value;
    pair = await createHeaderCredential(database.db, secrets, { workspaceId: production, name: 'p', by });
    await service.directory.refresh();
  });

  const graphql = (headers: readonly (readonly [string, string])[], path = '/graphql'): Promise<Result> =>
    call(path, {}, headers, '127.0.7.1');

  test('a key is accepted in exactly one notation', async () => {
    expect((await graphql([['authorization', `Bearer ${key}`]])).status).toBe(200);
    const wrong = [
      `Bearer ${key},${key}`,
      `Bearer ${key} ${key}`,
      `Bearer\t${key}`,
      `Bearer ${key}\u00a0`,
      `Basic ${key}`,
      key,
      `Bearer ${key.toUpperCase()}`,
      `Bearer ${key.replace('plc_live_', 'plc_test_')}`,
      `Bearer ${key.slice(0, -1)}`,
    ];
    for (const value of wrong) {
      const result = await graphql([['authorization', value]]);
      expect([value.length, result.status, result.body['error']]).toEqual([value.length, 401, 'invalid_credentials']);
    }
  });

  test('the first of two Authorization headers counts, and the second is ignored', async () => {
    const [good, bad] = [['authorization', `Bearer ${key}`] as const, ['authorization', 'Bearer nonsense'] as const];
    expect((await graphql([bad, good])).status).toBe(401);
  });

  test('a login or token that is sent twice counts as missing', async () => {
    const login = ['x-internal-auth-login', pair.login] as const;
    const token = ['x-internal-auth-token', pair.token] as const;
    const meta = (headers: readonly (readonly [string, string])[]): Promise<Result> =>
      call('/reports/1000/v1/meta', undefined, headers, '127.0.7.1');
    expect((await meta([login, token])).status).toBe(200);
    expect((await meta([login, ['x-internal-auth-login', 'other'], token])).status).toBe(401);
    expect((await meta([login, token, token])).status).toBe(401);
  });

  test('staging stays staging in every notation of its address', async () => {
    for (const path of ['/staging/graphql', '/%73taging/graphql', '/staging/graphql?x=/graphql']) {
      expect([path, (await graphql([['authorization', `Bearer ${key}`]], path)).status]).toEqual([path, 401]);
      expect([path, (await graphql([['authorization', `Bearer ${staging}`]], path)).status]).toEqual([path, 200]);
    }
  });

  test('an unauthenticated caller learns nothing about limits', async () => {
    for (const headers of [[], [['authorization', `Bearer ${key}x`]]] as (readonly [string, string])[][]) {
      const result = await graphql(headers);
      expect(result.status).toBe(401);
      expect(Object.keys(result.headers).filter((name) => name.startsWith('x-ratelimit'))).toEqual([]);
    }
  });

  test('the server ignores an address that a caller writes into X-Forwarded-For', async () => {
    const { id } = await createNetwork(database.db, { name: 'M', timezone: 'UTC', currency: 'EUR', by });
    const row = await database.db.selectFrom('workspaces').select('id').where('network_id', '=', BigInt(id)).execute();
    const workspaceId = row[0]?.id ?? 0;
    const wish = { workspaceId, name: 'k', permission: 'admin', modules: null, by } as const;
    const { value } = await createApiKey(database.db, secrets, { ...wish, ipAllowlist: ['192.0.2.1'] });
    await service.directory.refresh();
    const result = await graphql([
      ['authorization', `Bearer ${value}`],
      ['x-forwarded-for', '192.0.2.1'],
      ['forwarded', 'for=192.0.2.1'],
    ]);
    expect(result.body).toMatchObject({ error: 'ip_not_allowed' });
  });
});
