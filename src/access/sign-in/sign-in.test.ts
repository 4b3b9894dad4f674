import { TOTP } from 'otpauth';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createTestDatabase, createTestFolder, silentLog, type TestDatabase } from '../../../test/support/stores.ts';
import type { CoreServer } from '../../http/core/core-server.ts';
import { createCoreServer } from '../../http/core/core-server.ts';
import { type InstallationSecrets, loadSecrets } from '../../storage/secrets.ts';
import { type AccessService, createAccessService } from '../access-service.ts';
import { createApiKey, revokeApiKey } from '../keys/api-keys.sql.ts';
import { listAudit } from '../audit/audit.sql.ts';
import { CountingHotStore } from '../fixtures/counting-hot-store.ts';
import { createPasswordLink, inviteUser, makeInvitationLink } from '../users/invitations.sql.ts';
import { createUser, setMembership, setUserDisabled } from '../users/users.sql.ts';

const folder = createTestFolder();
const by = { actor: 'operator:test', remoteAddress: '', networkId: '0', workspaceId: null };
const PASSWORD = 'correct horse battery';
const clock = { nowMs: Date.now() };
let hot = new CountingHotStore();
let database: TestDatabase;
let secrets: InstallationSecrets;
let service: AccessService;
let server: CoreServer;
let port: number;
let annId: string;

beforeAll(async () => {
  database = await createTestDatabase();
  secrets = loadSecrets(folder.dir);
  await database.db
    .insertInto('networks')
    .values([
      { id: 1000, name: 'Demo', timezone: 'Europe/Warsaw' },
      { id: 2000, name: 'Other', timezone: 'UTC' },
    ])
    .execute();
  for (const network_id of [1000, 2000]) {
    for (const environment of ['production', 'staging'] as const) {
      await database.db.insertInto('workspaces').values({ network_id, environment }).execute();
    }
  }
  const memberships = [{ networkId: '1000', role: 'editor' }] as const;
  annId = (
    await createUser(database.db, { email: 'Ann@Example.com', name: 'Ann', password: PASSWORD, memberships, by })
  ).id;
  const lent = { asHotStore: () => new Proxy({}, { get: (_none, name) => Reflect.get(hot, name, hot)?.bind?.(hot) }) };
  service = createAccessService({
    sql: database.db,
    hot: lent.asHotStore() as never,
    secrets,
    dataDir: folder.dir,
    log: silentLog,
    processName: 'core',
    processes: 1,
    nowMs: () => clock.nowMs,
  });
  await service.start();
  server = await createCoreServer({ transport: { mode: 'loopback', tls: null }, port: 0, log: silentLog });
  service.registerAccess(server.app);
  const show = async (request: Parameters<AccessService['authenticate']>[0]): Promise<unknown> =>
    service.authenticate(request, { operation: 'graphql' });
  server.app.post('/graphql', show);
  server.app.post('/staging/graphql', show);
  server.app.get('/reports/:network/v1/meta', async (request) => {
    const { network } = request.params as { network: string };
    return service.authenticate(request, { operation: 'reports.meta', networkId: network });
  });
  port = await server.listen();
});

afterAll(async () => {
  await server.stop(0);
  await service.stop();
  await database.close();
  folder.remove();
});

beforeEach(() => {
  hot = new CountingHotStore();
});

interface Result {
  readonly status: number;
  readonly body: Record<string, unknown>;
  readonly cookies: string[];
  readonly headers: Headers;
}

async function call(path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Result> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const cookies = response.headers.getSetCookie();
  return {
    status: response.status,
    body: (await response.json()) as Record<string, unknown>,
    cookies,
    headers: response.headers,
  };
}

const cookieOf = (result: Result): string => result.cookies.map((cookie) => cookie.split(';', 1)[0]).join('; ');

async function signIn(
  email = 'ann@example.com',
  password = PASSWORD,
  more: Record<string, string> = {},
): Promise<string> {
  const result = await call('/auth/sign-in', { email, password, ...more });
  expect(result).toMatchObject({ status: 200 });
  return cookieOf(result);
}

describe('signing in', () => {
  test('sign-in starts a session in a __Host- cookie that scripts cannot read', async () => {
    const result = await call('/auth/sign-in', { email: ' ANN@example.com', password: PASSWORD });
    expect(result.status).toBe(200);
    expect(result.cookies[0]).toMatch(
      /^__Host-placard=[0-9A-Za-z]{43}; Path=\/; Max-Age=604800; HttpOnly; Secure; SameSite=Lax$/,
    );
    const me = await call('/auth/me', undefined, { cookie: cookieOf(result) });
    expect(me.body).toMatchObject({
      user: { id: annId, email: 'ann@example.com', operator: false, secondFactor: false },
      networks: [{ id: '1000', name: 'Demo', timezone: 'Europe/Warsaw', role: 'editor' }],
    });
  });

  test.each([
    ['a wrong password', 'ann@example.com', 'wrong password here'],
    ['an unknown address', 'nobody@example.com', PASSWORD],
    ['an address with a null character', 'ann@example.com\0', PASSWORD],
  ])('a sign-in with %s is refused with the same message', async (_title, email, password) => {
    const result = await call('/auth/sign-in', { email, password });
    expect(result).toMatchObject({
      status: 401,
      body: { error: 'invalid_credentials', message: 'Wrong e-mail address, password or code' },
      cookies: [],
    });
  });

  test('the response names missing fields', async () => {
    const result = await call('/auth/sign-in', { email: 'ann@example.com' });
    expect(result).toMatchObject({ status: 400, body: { error: 'validation_failed', fields: [{ path: 'password' }] } });
  });

  test('a disabled account is refused, and its sessions end', async () => {
    const { id } = await createUser(database.db, { email: 'gone@example.com', name: 'Gone', password: PASSWORD, by });
    const cookie = await signIn('gone@example.com');
    await setUserDisabled(database.db, { userId: id, disabled: true, by });
    expect((await call('/auth/me', undefined, { cookie })).status).toBe(401);
    expect((await call('/auth/sign-in', { email: 'gone@example.com', password: PASSWORD })).status).toBe(401);
  });

  test('a failed sign-in is recorded without its unknown address, which may be a password', async () => {
    await call('/auth/sign-in', { email: 'hunter2-typed-here', password: 'x' });
    await call('/auth/sign-in', { email: 'ann@example.com', password: 'x' });
    await signIn();
    clock.nowMs += 61_000;
    const readLog = async (): Promise<string> => {
      const entries = await listAudit(database.db, '0', {}, { beforeSequence: null, limit: 100 });
      return JSON.stringify(
        entries.map(({ actor, action, objectId, details }) => ({ actor, action, objectId, details })),
      );
    };
    const words = ['auth.success', 'email:ann@example.com', 'wrong_password'];
    const isRecorded = async (): Promise<boolean> => {
      const text = await readLog();
      return words.every((word) => text.includes(word));
    };
    await expect.poll(isRecorded).toBe(true);
    expect(await readLog()).not.toContain('hunter2');
  });
});

describe('guessing passwords', () => {
  test('guessing stops after 20 tries at an account, except in a browser in which its owner signed in before', async () => {
    const known = await signIn();
    for (let count = 0; count < 20; count += 1) {
      const result = await call('/auth/sign-in', { email: 'ann@example.com', password: `guess number ${count}` });
      expect(result.status).toBe(401);
    }
    const refused = await call('/auth/sign-in', { email: 'ann@example.com', password: PASSWORD });
    expect(refused).toMatchObject({ status: 429, body: { error: 'rate_limit_exceeded' } });
    // The seconds are counted from the machine's clock, which the test's clock is ahead of.
    const aheadSeconds = Math.ceil((clock.nowMs - Date.now()) / 1_000);
    expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(900 + Math.max(0, aheadSeconds) + 1);
    const owner = await call('/auth/sign-in', { email: 'ann@example.com', password: PASSWORD }, { cookie: known });
    expect(owner.status).toBe(200);
    const forged = known.replace(
      /(device=\d+\.)(.)/,
      (_all, start: string, first: string) => start + (first === 'x' ? 'y' : 'x'),
    );
    expect(
      (await call('/auth/sign-in', { email: 'ann@example.com', password: PASSWORD }, { cookie: forged })).status,
    ).toBe(429);
  });

  test('guessing stops after 50 tries from one address, over all accounts', async () => {
    for (let count = 0; count < 50; count += 1) {
      expect((await call('/auth/sign-in', { email: `user${count}@example.com`, password: 'x' })).status).toBe(401);
    }
    expect((await call('/auth/sign-in', { email: 'other@example.com', password: 'x' })).status).toBe(429);
  });
});

describe('a session', () => {
  test('a session acts with the role of the network that the header or the address names', async () => {
    const cookie = await signIn();
    const only = await call('/graphql', {}, { cookie });
    expect(only.body).toMatchObject({
      kind: 'session',
      networkId: '1000',
      environment: 'production',
      permission: 'read-write',
    });
    expect(only.headers.get('x-ratelimit-limit')).toBe('500000');
    const staging = await call('/staging/graphql', {}, { cookie });
    expect(staging.body).toMatchObject({ environment: 'staging' });
    expect((await call('/reports/1000/v1/meta', undefined, { cookie })).body).toMatchObject({ networkId: '1000' });
    for (const network of ['2000', '3000', 'x', '0']) {
      const foreign = await call('/graphql', {}, { cookie, 'x-placard-network': network });
      expect(foreign).toMatchObject({ status: 404, body: { error: 'unknown_network' } });
    }
  });

  test('a session of an operator acts as admin in every network and must name the network', async () => {
    await createUser(database.db, { email: 'op@example.com', name: 'Op', password: PASSWORD, operator: true, by });
    const cookie = await signIn('op@example.com');
    expect((await call('/graphql', {}, { cookie })).body).toMatchObject({ error: 'invalid_request' });
    const result = await call('/graphql', {}, { cookie, 'x-placard-network': '2000' });
    expect(result.body).toMatchObject({ networkId: '2000', permission: 'admin' });
  });

  test.each([
    ['another site', { 'sec-fetch-site': 'cross-site' }],
    ['a sister site', { 'sec-fetch-site': 'same-site' }],
    ['another origin, in an older browser', { origin: 'https://evil.example' }],
    ['an opaque origin', { origin: 'null' }],
  ])('a session is refused for a page of %s', async (_title, headers) => {
    const cookie = await signIn();
    expect(await call('/graphql', {}, { cookie, ...headers })).toMatchObject({
      status: 403,
      body: { error: 'csrf_refused' },
    });
    expect(await call('/auth/sessions/end-others', {}, { cookie, ...headers })).toMatchObject({ status: 403 });
    expect(await call('/auth/sign-in', { email: 'ann@example.com', password: PASSWORD }, headers)).toMatchObject({
      status: 403,
    });
  });

  test('a session works for a page of its own origin', async () => {
    const cookie = await signIn();
    expect((await call('/graphql', {}, { cookie, 'sec-fetch-site': 'same-origin' })).status).toBe(200);
    expect((await call('/graphql', {}, { cookie, origin: `http://127.0.0.1:${port}` })).status).toBe(200);
  });

  test('a session ends by signing out, by its owner in another session, and after a day without use', async () => {
    const first = await signIn();
    const second = await signIn();
    await call('/auth/sign-out', {}, { cookie: first });
    expect((await call('/auth/me', undefined, { cookie: first })).status).toBe(401);
    const listed = (await call('/auth/sessions', undefined, { cookie: second })).body['sessions'] as {
      id: string;
      current: boolean;
    }[];
    expect(listed.filter((one) => one.current)).toHaveLength(1);
    const third = await signIn();
    await call('/auth/sessions/end-others', {}, { cookie: third });
    expect((await call('/auth/me', undefined, { cookie: second })).status).toBe(401);
    expect((await call('/auth/me', undefined, { cookie: third })).status).toBe(200);
    clock.nowMs += 25 * 3_600_000;
    expect((await call('/auth/me', undefined, { cookie: third })).status).toBe(401);
  });

  test('a session loses its rights as soon as the membership changes', async () => {
    const memberships = [{ networkId: '1000', role: 'admin' }] as const;
    const { id } = await createUser(database.db, {
      email: 'eve@example.com',
      name: 'Eve',
      password: PASSWORD,
      memberships,
      by,
    });
    await createUser(database.db, { email: 'boss@example.com', name: 'Boss', memberships, by });
    const cookie = await signIn('eve@example.com');
    expect((await call('/graphql', {}, { cookie })).body).toMatchObject({ permission: 'admin' });
    await setMembership(database.db, { userId: id, networkId: '1000', role: 'viewer', by, mail: null });
    expect((await call('/graphql', {}, { cookie })).body).toMatchObject({ permission: 'read-only' });
    await setMembership(database.db, { userId: id, networkId: '1000', role: null, by, mail: null });
    expect((await call('/graphql', {}, { cookie, 'x-placard-network': '1000' })).status).toBe(404);
  });
});

describe('passwords', () => {
  test('a password changes with the old one, and the change ends all other sessions', async () => {
    await createUser(database.db, { email: 'pat@example.com', name: 'Pat', password: PASSWORD, by });
    const other = await signIn('pat@example.com');
    const cookie = await signIn('pat@example.com');
    const next = 'a whole new pass phrase';
    expect((await call('/auth/password', { current: 'wrong', next }, { cookie })).status).toBe(401);
    expect((await call('/auth/password', { current: PASSWORD, next: 'short' }, { cookie })).body).toMatchObject({
      error: 'validation_failed',
    });
    expect((await call('/auth/password', { current: PASSWORD, next }, { cookie })).status).toBe(200);
    expect((await call('/auth/me', undefined, { cookie })).status).toBe(200);
    expect((await call('/auth/me', undefined, { cookie: other })).status).toBe(401);
    await signIn('pat@example.com', next);
  });
});

describe('invitations', () => {
  const deps = () => ({ sql: database.db, pepper: secrets.pepper, mail: null });

  /** Without mail, only the operator gets the link. */
  async function invite(wish: Parameters<typeof inviteUser>[1], now = new Date(clock.nowMs)): Promise<string> {
    const { id } = await inviteUser(deps(), wish, now);
    return (await makeInvitationLink(deps(), { id, by }, now)).token;
  }

  test('an invitation makes an account with a role, once', async () => {
    const wish = { email: 'new@example.com', networkId: '1000', role: 'viewer', by } as const;
    const token = await invite(wish);
    const shown = await call('/auth/invitations/show', { token });
    expect(shown.body).toEqual({
      purpose: 'join',
      email: 'new@example.com',
      networkName: 'Demo',
      role: 'viewer',
    });
    const weak = await call('/auth/invitations/accept', { token, name: 'New', password: 'short' });
    expect(weak.body).toMatchObject({ error: 'validation_failed', fields: [{ path: 'password' }] });
    const accepted = await call('/auth/invitations/accept', { token, name: 'New', password: PASSWORD });
    expect(accepted.status).toBe(200);
    const me = await call('/auth/me', undefined, { cookie: cookieOf(accepted) });
    expect(me.body).toMatchObject({ user: { email: 'new@example.com' }, networks: [{ id: '1000', role: 'viewer' }] });
    expect((await call('/auth/invitations/accept', { token, name: 'New', password: PASSWORD })).status).toBe(410);
  });

  test('an invitation adds an existing account only when its owner is signed in', async () => {
    const wish = { email: 'ann@example.com', networkId: '2000', role: 'admin', by } as const;
    const token = await invite(wish);
    expect((await call('/auth/invitations/accept', { token, password: 'another password' })).status).toBe(401);
    const cookie = await signIn();
    expect((await call('/auth/invitations/accept', { token }, { cookie })).status).toBe(200);
    const me = await call('/auth/me', undefined, { cookie });
    expect(me.body['networks']).toContainEqual({ id: '2000', name: 'Other', timezone: 'UTC', role: 'admin' });
    await database.db.deleteFrom('memberships').where('network_id', '=', 2000n).execute();
  });

  test('invitations of a revoked key are revoked with it', async () => {
    const wish = { name: 'k', permission: 'admin', modules: null, by } as const;
    const { id: workspaceId } = await database.db
      .selectFrom('workspaces')
      .select('id')
      .where('network_id', '=', 1000n)
      .where('environment', '=', 'production')
      .executeTakeFirstOrThrow();
    const key = await createApiKey(database.db, secrets, { ...wish, workspaceId });
    const made = { actor: `key:${key.id} "k"`, remoteAddress: '', networkId: '1000', workspaceId };
    const token = await invite({ email: 'thief@example.com', networkId: '1000', role: 'admin', by: made });
    const kept = await invite({ email: 'kept@example.com', networkId: '1000', role: 'admin', by });
    await revokeApiKey(database.db, { workspaceId, id: key.id, by });
    expect((await call('/auth/invitations/show', { token })).status).toBe(410);
    expect((await call('/auth/invitations/show', { token: kept })).status).toBe(200);
  });

  test('an invitation expires after a week, and a link for a new password after a day', async () => {
    const wish = { email: 'late@example.com', networkId: '1000', role: 'viewer', by } as const;
    const token = await invite(wish, new Date(clock.nowMs - 8 * 86_400_000));
    expect((await call('/auth/invitations/show', { token })).status).toBe(410);
    const link = await createPasswordLink(deps(), { userId: annId, by }, new Date(clock.nowMs));
    expect((await call('/auth/invitations/accept', { token: link.token, password: PASSWORD })).status).toBe(200);
    const old = await createPasswordLink(deps(), { userId: annId, by }, new Date(clock.nowMs - 2 * 86_400_000));
    expect((await call('/auth/invitations/accept', { token: old.token, password: PASSWORD })).status).toBe(410);
  });
});

describe('a second factor', () => {
  test('sign-in asks for the second factor after the password, and each code or recovery code works once', async () => {
    const email = 'two@example.com';
    await createUser(database.db, { email, name: 'Two', password: PASSWORD, by });
    const cookie = await signIn(email);
    const started = await call('/auth/second-factor/start', { password: PASSWORD }, { cookie });
    const secret = String(started.body['secret']);
    const codeNow = (): string => new TOTP({ secret }).generate({ timestamp: clock.nowMs });
    expect(secret).toMatch(/^[A-Z2-7]{32}$/);
    expect(started.body['uri']).toBe(
      `otpauth://totp/Placard%3Atwo%40example.com?issuer=Placard&secret=${secret}&algorithm=SHA1&digits=6&period=30`,
    );
    expect((await call('/auth/second-factor/confirm', { code: '000000' }, { cookie })).status).toBe(400);
    const confirmed = await call('/auth/second-factor/confirm', { code: codeNow() }, { cookie });
    const recovery = confirmed.body['recoveryCodes'] as string[];
    expect(recovery).toHaveLength(10);
    const without = await call('/auth/sign-in', { email, password: PASSWORD });
    expect(without).toMatchObject({ status: 401, body: { error: 'authentication_required', secondFactor: true } });
    expect((await call('/auth/sign-in', { email, password: PASSWORD, code: codeNow() })).status).toBe(401);
    clock.nowMs += 30_000;
    expect((await call('/auth/sign-in', { email, password: PASSWORD, code: codeNow() })).status).toBe(200);
    expect((await call('/auth/sign-in', { email, password: PASSWORD, code: codeNow() })).status).toBe(401);
    const code = recovery[0] ?? '';
    expect((await call('/auth/sign-in', { email, password: PASSWORD, code })).status).toBe(200);
    expect((await call('/auth/sign-in', { email, password: PASSWORD, code })).status).toBe(401);
    expect((await call('/auth/second-factor/remove', { password: 'wrong' }, { cookie })).status).toBe(401);
    expect((await call('/auth/second-factor/remove', { password: PASSWORD }, { cookie })).status).toBe(200);
    await signIn(email);
  });
});
