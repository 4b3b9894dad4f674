import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type AuthResult, type AuthServer, PASSWORD, startAuthServer } from '../fixtures/auth-server.ts';
import { CountingHotStore } from '../fixtures/counting-hot-store.ts';
import { CLIENT_SECRET, startProvider, type TestProvider } from '../fixtures/oidc-provider-client.ts';
import type { Log } from '../../domain/log/log.ts';
import { inviteUser } from '../users/invitations.sql.ts';
import { ATTEMPT_MS } from './sign-in-attempts.sql.ts';
import { createUser } from '../users/users.sql.ts';

const ORIGIN = 'https://console.example';
const CALLBACKS = ['installation', '1000', '2000'].map((id) => `${ORIGIN}/auth/oidc/${id}/callback`);
const BY = { actor: 'operator:test', remoteAddress: '', networkId: '0', workspaceId: null };
let provider: TestProvider;
let auth: AuthServer;
let annId: string;
const refusals: unknown[] = [];
const log: Log = {
  event: (code, fields) => {
    if (code === 'sign_in.oidc_refused') refusals.push((fields as { readonly reason?: unknown } | undefined)?.reason);
  },
};

/** The reasons for the last refused sign-ins in the log. */
const reasonsOf = (count = 1): unknown[] => refusals.slice(-count);

beforeAll(async () => {
  provider = await startProvider(CALLBACKS);
  const { issuer } = provider;
  auth = await startAuthServer({
    publicUrl: ORIGIN,
    log,
    oidc: {
      provider: {
        id: 'installation',
        name: 'Example Corp',
        issuer,
        clientId: 'placard-0',
        clientSecret: CLIENT_SECRET,
      },
      networkIssuers: ['127.0.0.1'],
      allowedRanges: ['127.0.0.0/8'],
      allowHttpLoopback: true,
    },
  });
  annId = await auth.addUser('ann@example.com', [
    { networkId: '1000', role: 'admin' },
    { networkId: '2000', role: 'viewer' },
  ]);
});
afterAll(async () => {
  await auth.close();
  await provider.stop();
});
beforeEach(() => {
  auth.hot = new CountingHotStore();
});

/** Returns from the provider; `change` edits the address that it sends the browser to. */
async function comeBack(
  begun: AuthResult,
  login: string,
  more: { cookie?: string; change?: (url: URL) => void } = {},
): Promise<AuthResult> {
  const back = new URL(await provider.visit(String(begun.body['url']), login));
  more.change?.(back);
  return auth.call(`${back.pathname}${back.search}`, undefined, { cookie: more.cookie ?? begun.cookie });
}

async function signInAs(login: string, id = 'installation'): Promise<AuthResult> {
  const begun = await auth.call('/auth/oidc/start', { provider: id, next: '/settings/limits' });
  expect(begun).toMatchObject({ status: 200 });
  return comeBack(begun, login);
}

const locationOf = (result: AuthResult): string | null => result.headers.get('location');
const sessionOf = (result: AuthResult): string | undefined => /__Host-placard=[^;]+/.exec(result.cookie)?.[0];
const NOT_CONNECTED = '/sign-in?problem=not_connected';

async function verifiedCookie(email = 'ann@example.com'): Promise<string> {
  const cookie = await auth.signIn(email);
  await auth.call('/auth/verify', { password: PASSWORD }, { cookie });
  return cookie;
}

const inNetwork = (cookie: string, network: string) => ({ cookie, 'x-placard-network': network });

async function setProvider(network: string, client: string): Promise<void> {
  const cookie = await verifiedCookie();
  const body = { name: `Login ${network}`, issuer: provider.issuer, clientId: client, clientSecret: CLIENT_SECRET };
  expect(await auth.call('/auth/identity-provider', body, inNetwork(cookie, network))).toMatchObject({ status: 200 });
}

describe('the installation’s provider', () => {
  test('a provider is listed on the sign-in page and signs in the account of a verified address', async () => {
    expect((await auth.call('/auth/methods')).body).toEqual({
      passkeys: true,
      providers: [{ id: 'installation', name: 'Example Corp' }],
    });
    const result = await signInAs('ann@example.com');
    expect([result.status, locationOf(result)]).toEqual([303, '/settings/limits']);
    const me = await auth.call('/auth/me', undefined, { cookie: sessionOf(result) ?? '' });
    expect(me.body).toMatchObject({ user: { id: annId }, networks: [{ id: '1000' }, { id: '2000' }], limitedTo: null });
    expect(result.cookie).not.toContain('placard-device');
  });

  test.each([
    ['nobody has an account with the address', 'nobody@example.com', 'no_account'],
    ['the address is not verified', 'unverified@example.com', 'email_not_verified'],
    ['the provider tells no address', 'noemail', 'email_missing'],
    ['the account is disabled', 'disabled@example.com', 'account_disabled'],
  ])(
    'a provider signs nobody in when %s: the response is always the same, and the log has the cause',
    async (_title, login, reason) => {
      for (const email of ['unverified@example.com', 'disabled@example.com'])
        await createUser(auth.database.db, { email, name: 'N', by: BY }).catch(() => undefined);
      await auth.database.db
        .updateTable('users')
        .set({ disabled_at: new Date() })
        .where('email', '=', 'disabled@example.com')
        .execute();
      const result = await signInAs(login);
      expect([result.status, locationOf(result), sessionOf(result)]).toEqual([303, NOT_CONNECTED, undefined]);
      expect(reasonsOf()).toEqual([reason]);
    },
  );

  test('a provider makes the account of an open invitation once', async () => {
    const deps = { sql: auth.database.db, pepper: auth.pepper, mail: null };
    await inviteUser(
      deps,
      { email: 'new@example.com', networkId: '2000', role: 'editor', by: BY },
      new Date(auth.clock.nowMs),
    );
    const result = await signInAs('new@example.com');
    const me = await auth.call('/auth/me', undefined, { cookie: sessionOf(result) ?? '' });
    expect(me.body).toMatchObject({ user: { email: 'new@example.com' }, networks: [{ id: '2000', role: 'editor' }] });
  });

  test('a provider finds a connected account by its subject even when the address has changed', async () => {
    const cookie = await verifiedCookie();
    const begun = await auth.call('/auth/oidc/connect', { provider: 'installation' }, { cookie });
    const back = await comeBack(begun, 'renamed+other@example.com', { cookie: `${cookie}; ${begun.cookie}` });
    expect(locationOf(back)).toBe('/settings/account');
    const result = await signInAs('renamed+other@example.com');
    expect((await auth.call('/auth/me', undefined, { cookie: sessionOf(result) ?? '' })).body).toMatchObject({
      user: { id: annId },
    });
  });

  test('a session of a provider makes no secret until its member signs in at the provider again', async () => {
    const cookie = sessionOf(await signInAs('ann@example.com')) ?? '';
    const makeKey = () =>
      auth.call('/graphql', {}, { ...inNetwork(cookie, '1000'), 'x-operation': 'mutation.createApiKey' });
    expect((await makeKey()).body['error']).toBe('verification_required');
    expect((await auth.call('/auth/verify', undefined, { cookie })).body).toEqual({
      password: true,
      passkey: false,
      provider: true,
    });
    const begun = await auth.call(
      '/auth/oidc/verify',
      { provider: 'installation', next: '/settings/api-keys' },
      { cookie },
    );
    const both = { cookie: `${cookie}; ${begun.cookie}` };
    expect(locationOf(await comeBack(begun, 'ann@example.com', both))).toBe('/settings/api-keys');
    expect((await makeKey()).status).toBe(200);
  });
});

describe('a way back from the provider is refused', () => {
  const start = () => auth.call('/auth/oidc/start', { provider: 'installation' });

  test('a sign-in fails in another browser, with another state, or with another code', async () => {
    expect(locationOf(await comeBack(await start(), 'ann@example.com', { cookie: '' }))).toBe(NOT_CONNECTED);
    for (const name of ['state', 'code']) {
      const change = (url: URL): void => url.searchParams.set(name, 'x'.repeat(43));
      expect(locationOf(await comeBack(await start(), 'ann@example.com', { change }))).toBe(NOT_CONNECTED);
    }
    expect(reasonsOf(3)).toEqual(['other_browser', 'state_mismatch', 'code_refused']);
  });

  test('a sign-in fails when the provider refuses, and the log has its message', async () => {
    const change = (url: URL): void => {
      url.searchParams.delete('code');
      url.searchParams.set('error', 'access_denied');
    };
    expect(locationOf(await comeBack(await start(), 'ann@example.com', { change }))).toBe(NOT_CONNECTED);
    expect(reasonsOf()).toEqual(['provider_refused']);
  });

  test('a sign-in fails the second time, after five minutes, and at the address of another provider', async () => {
    const begun = await start();
    const back = new URL(await provider.visit(String(begun.body['url']), 'ann@example.com'));
    const come = (path: string, cookie = begun.cookie) => auth.call(`${path}${back.search}`, undefined, { cookie });
    expect(locationOf(await come(back.pathname.replace('installation', '1000')))).toBe(NOT_CONNECTED);
    expect(locationOf(await come(back.pathname))).toBe(NOT_CONNECTED);
    const late = await start();
    auth.clock.nowMs += ATTEMPT_MS;
    expect(locationOf(await comeBack(late, 'ann@example.com'))).toBe(NOT_CONNECTED);
    expect(reasonsOf(3)).toEqual(['other_provider', 'attempt_over', 'attempt_over']);
    auth.clock.nowMs -= ATTEMPT_MS;
  });

  test('a sign-in fails when it would lead out of the console', async () => {
    for (const next of ['//evil.example', '/\\evil.example', 'https://evil.example', '/\tx']) {
      const begun = await auth.call('/auth/oidc/start', { provider: 'installation', next });
      expect(locationOf(await comeBack(begun, 'ann@example.com'))).toBe('/desk');
    }
  });
});

describe('a network’s own provider', () => {
  beforeAll(async () => {
    await setProvider('1000', 'placard-1');
  });

  test('only members who verify their identity set the provider of a network, and its secret is sealed and never shown', async () => {
    const cookie = await auth.signIn('ann@example.com');
    const body = { name: 'N', issuer: provider.issuer, clientId: 'placard-1', clientSecret: CLIENT_SECRET };
    const asked = await auth.call('/auth/identity-provider', body, inNetwork(cookie, '1000'));
    expect(asked.body['error']).toBe('verification_required');
    const shown = await auth.call('/auth/identity-provider', undefined, inNetwork(cookie, '1000'));
    expect(shown.body).toEqual({
      allowed: true,
      callback: CALLBACKS[1],
      provider: { name: 'Login 1000', issuer: provider.issuer, clientId: 'placard-1' },
    });
    const viewer = await auth.call('/auth/identity-provider', undefined, inNetwork(cookie, '2000'));
    expect(viewer.body['error']).toBe('insufficient_permissions');
    const row = await auth.database.db.selectFrom('identity_providers').selectAll().executeTakeFirstOrThrow();
    expect(row.sealed_secret.includes(CLIENT_SECRET)).toBe(false);
  });

  test('the provider of a network signs nobody in by address alone, only accounts that their owners connected', async () => {
    expect(locationOf(await signInAs('ann@example.com', '1000'))).toBe(NOT_CONNECTED);
    expect(reasonsOf()).toEqual(['not_connected']);
    const cookie = await verifiedCookie();
    const begun = await auth.call('/auth/oidc/connect', { provider: '1000' }, { cookie });
    await comeBack(begun, 'ann@example.com', { cookie: `${cookie}; ${begun.cookie}` });
    const result = await signInAs('ann@example.com', '1000');
    expect(locationOf(result)).toBe('/settings/limits');
    const session = sessionOf(result) ?? '';
    expect((await auth.call('/graphql', {}, inNetwork(session, '1000'))).status).toBe(200);
    expect((await auth.call('/graphql', {}, inNetwork(session, '2000'))).body['error']).toBe('unknown_network');
    expect((await auth.call('/auth/passkeys/add/start', {}, { cookie: session })).body['error']).toBe(
      'insufficient_permissions',
    );
  });

  test('the provider of a network makes accounts only from invitations of that network', async () => {
    const deps = { sql: auth.database.db, pepper: auth.pepper, mail: null };
    const now = new Date(auth.clock.nowMs);
    await inviteUser(deps, { email: 'two@example.com', networkId: '2000', role: 'admin', by: BY }, now);
    expect(locationOf(await signInAs('two@example.com', '1000'))).toBe(NOT_CONNECTED);
    await inviteUser(deps, { email: 'two@example.com', networkId: '1000', role: 'viewer', by: BY }, now);
    const session = sessionOf(await signInAs('two@example.com', '1000')) ?? '';
    const me = await auth.call('/auth/me', undefined, { cookie: session });
    expect(me.body).toMatchObject({ networks: [{ id: '1000', role: 'viewer' }], limitedTo: '1000' });
  });

  test.each([
    ['an issuer that the operator does not list', 'https://login.example.com', 'not_allowed'],
    ['an issuer over plain HTTP on another host', 'http://127.0.0.1.example', 'not_allowed'],
    ['a text that is not an address', 'login', 'not_an_address'],
    ['an issuer that does not respond', 'http://127.0.0.1:1', 'unreachable'],
  ])('a network’s provider is refused with %s', async (_title, issuer, code) => {
    const cookie = await verifiedCookie();
    const body = { name: 'N', issuer, clientId: 'c', clientSecret: 's' };
    const result = await auth.call('/auth/identity-provider', body, inNetwork(cookie, '1000'));
    expect(result).toMatchObject({ status: 400, body: { fields: [{ path: 'issuer', code }] } });
  });

  test('the removal of a provider ends its sessions', async () => {
    const session = sessionOf(await signInAs('two@example.com', '1000')) ?? '';
    const cookie = await verifiedCookie();
    expect((await auth.call('/auth/identity-provider/remove', {}, inNetwork(cookie, '1000'))).status).toBe(200);
    expect((await auth.call('/auth/me', undefined, { cookie: session })).status).toBe(401);
    expect((await auth.call('/auth/oidc/start', { provider: '1000' })).status).toBe(404);
  });
});
