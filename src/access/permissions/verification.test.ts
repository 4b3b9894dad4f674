import { TOTP } from 'otpauth';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type AuthServer, PASSWORD, startAuthServer } from '../fixtures/auth-server.ts';
import { CountingHotStore } from '../fixtures/counting-hot-store.ts';
import { createSession } from './sessions.sql.ts';
import { setMembership } from '../users/users.sql.ts';
import { VERIFICATION_MS } from './verification.ts';

let auth: AuthServer;
let annId: string;

beforeAll(async () => {
  auth = await startAuthServer();
  annId = await auth.addUser('ann@example.com', [{ networkId: '1000', role: 'admin' }]);
});
afterAll(() => auth.close());
beforeEach(() => {
  auth.hot = new CountingHotStore();
});

const NEXT = 'another long password';
const asks = { status: 403, body: { error: 'verification_required' } };

describe('an action on one’s own account', () => {
  const ACTIONS: readonly (readonly [string, Record<string, unknown>])[] = [
    ['/auth/password', { next: NEXT }],
    ['/auth/second-factor/start', {}],
    ['/auth/second-factor/remove', {}],
  ];

  test.each(ACTIONS)('%s requires the password even in a new session', async (path, body) => {
    const cookie = await auth.signIn('ann@example.com');
    expect(await auth.call(path, body, { cookie })).toMatchObject(asks);
  });

  test('a proof opens an action for ten minutes in its session only', async () => {
    const [cookie, other] = [await auth.signIn('ann@example.com'), await auth.signIn('ann@example.com')];
    expect((await auth.call('/auth/verify', { password: PASSWORD }, { cookie })).status).toBe(200);
    expect((await auth.call('/auth/second-factor/remove', {}, { cookie })).status).toBe(200);
    expect(await auth.call('/auth/second-factor/remove', {}, { cookie: other })).toMatchObject(asks);
    auth.clock.nowMs += VERIFICATION_MS;
    expect(await auth.call('/auth/second-factor/remove', {}, { cookie })).toMatchObject(asks);
  });

  test('verification accepts the password in the same request and refuses a wrong one', async () => {
    const cookie = await auth.signIn('ann@example.com');
    const refused = await auth.call('/auth/second-factor/remove', { password: 'not the password' }, { cookie });
    expect(refused).toMatchObject({ status: 401, body: { error: 'invalid_credentials' } });
    expect((await auth.call('/auth/second-factor/remove', { password: PASSWORD }, { cookie })).status).toBe(200);
  });
});

describe('making a secret', () => {
  const makeKey = (cookie: string) => auth.call('/graphql', {}, { cookie, 'x-operation': 'mutation.createApiKey' });

  test('making a secret works for ten minutes after sign-in, and then after a password', async () => {
    const cookie = await auth.signIn('ann@example.com');
    expect((await makeKey(cookie)).status).toBe(200);
    auth.clock.nowMs += VERIFICATION_MS;
    expect(await makeKey(cookie)).toMatchObject({ ...asks, body: { action: 'mutation.createApiKey' } });
    expect((await auth.call('/graphql', {}, { cookie, 'x-operation': 'query.apiKeys' })).status).toBe(200);
    await auth.call('/auth/verify', { password: PASSWORD }, { cookie });
    expect((await makeKey(cookie)).status).toBe(200);
  });
});

describe('guessing', () => {
  test('guessing passwords in one session ends that session after ten wrong ones', async () => {
    const [stolen, own] = [await auth.signIn('ann@example.com'), await auth.signIn('ann@example.com')];
    const guess = () => auth.call('/auth/verify', { password: 'guess guess guess' }, { cookie: stolen });
    for (let tries = 0; tries < 10; tries += 1)
      expect(await guess()).toMatchObject({ status: 401, body: { error: 'invalid_credentials' } });
    expect(await guess()).toMatchObject({ status: 401, body: { error: 'authentication_required' } });
    expect((await auth.call('/auth/me', undefined, { cookie: stolen })).status).toBe(401);
    expect((await auth.call('/auth/verify', { password: PASSWORD }, { cookie: own })).status).toBe(200);
  });

  test('guessing codes stops after ten wrong ones of an account, from any browsers', async () => {
    const email = 'codes@example.com';
    await auth.addUser(email);
    const devices = [await auth.signIn(email), await auth.signIn(email), await auth.signIn(email)];
    const cookie = devices[0] ?? '';
    const { body } = await auth.call('/auth/second-factor/start', { password: PASSWORD }, { cookie });
    const code = () => new TOTP({ secret: String(body['secret']) }).generate({ timestamp: auth.clock.nowMs });
    expect((await auth.call('/auth/second-factor/confirm', { code: code() }, { cookie })).status).toBe(200);
    const statuses: number[] = [];
    for (let tries = 0; tries < 12; tries += 1) {
      const device = devices[tries % 3] ?? '';
      const guess = { email, password: PASSWORD, code: String(tries).padStart(6, '9') };
      statuses.push((await auth.call('/auth/sign-in', guess, { cookie: device })).status);
    }
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 401), 429, 429]);
    auth.clock.nowMs += 2 * 900_000;
    expect((await auth.call('/auth/sign-in', { email, password: PASSWORD, code: code() })).status).toBe(200);
  });
});

describe('a session that a network’s own provider started', () => {
  const limited = async (): Promise<string> => {
    const input = { userId: annId, userAgent: '', remoteAddress: '', method: 'oidc', networkId: '1000' } as const;
    return `__Host-placard=${await createSession(auth.database.db, auth.pepper, input, new Date(auth.clock.nowMs))}`;
  };

  test('the session opens that network and no other', async () => {
    const by = { actor: 'test', remoteAddress: '', networkId: '0', workspaceId: null };
    await setMembership(auth.database.db, { userId: annId, networkId: '2000', role: 'admin', by, mail: null });
    const cookie = await limited();
    const inNetwork = (network: string) => auth.call('/graphql', {}, { cookie, 'x-placard-network': network });
    expect((await inNetwork('1000')).status).toBe(200);
    expect(await inNetwork('2000')).toMatchObject({ status: 404, body: { error: 'unknown_network' } });
    const me = await auth.call('/auth/me', undefined, { cookie });
    expect(me.body).toMatchObject({ networks: [{ id: '1000' }], limitedTo: '1000' });
  });

  test('the session cannot change the account of its member and sees only sessions of its provider', async () => {
    const cookie = await limited();
    for (const [path, body] of [
      ['/auth/password', { current: PASSWORD, next: NEXT }],
      ['/auth/second-factor/start', { password: PASSWORD }],
      ['/auth/sessions/end-others', {}],
    ] as const)
      expect(await auth.call(path, body, { cookie })).toMatchObject({
        status: 403,
        body: { error: 'insufficient_permissions' },
      });
    await auth.signIn('ann@example.com');
    const { body } = await auth.call('/auth/sessions', undefined, { cookie });
    expect((body['sessions'] as { networkId: string }[]).map(({ networkId }) => networkId)).not.toContain(null);
  });

  test('the session of an operator has no operator rights', async () => {
    await auth.database.db.updateTable('users').set({ operator: true }).where('id', '=', BigInt(annId)).execute();
    const me = await auth.call('/auth/me', undefined, { cookie: await limited() });
    expect(me.body).toMatchObject({ user: { operator: false }, networks: [{ id: '1000' }] });
    await auth.database.db.updateTable('users').set({ operator: false }).where('id', '=', BigInt(annId)).execute();
  });
});
