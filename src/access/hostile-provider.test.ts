import { createHash } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type AuthResult, type AuthServer, PASSWORD, startAuthServer } from './fixtures/auth-server.ts';
import { CountingHotStore } from './fixtures/counting-hot-store.ts';
import { inviteUser } from './users/invitations.sql.ts';
import { createSession } from './permissions/sessions.sql.ts';
import { startAttempt } from './sign-in/sign-in-attempts.sql.ts';
import { setMembership, setUserDisabled } from './users/users.sql.ts';

const BY = { actor: 'operator:test', remoteAddress: '', networkId: '0', workspaceId: null };
/** The responses of the provider, which a test sets to anything its owner could send. */
const says = { endpoint: '', claims: {} as Record<string, unknown>, status: 200 };
let provider: Server;
let issuer: string;
let auth: AuthServer;

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

beforeAll(async () => {
  provider = createServer((request, response) => {
    const isToken = request.url === '/token';
    const now = Math.floor(Date.now() / 1000);
    const claims = { iss: issuer, aud: 'placard', iat: now, exp: now + 300, ...says.claims };
    const idToken = `${encode({ alg: 'RS256' })}.${encode(claims)}.${Buffer.alloc(256, 1).toString('base64url')}`;
    const described = {
      issuer,
      authorization_endpoint: says.endpoint,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/jwks`,
    };
    const body = JSON.stringify(isToken ? { access_token: 'a', token_type: 'bearer', id_token: idToken } : described);
    const status = isToken ? says.status : 200;
    request.socket.end(
      `HTTP/1.1 ${status} Odd\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    );
    response.detachSocket(request.socket);
  });
  await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve));
  issuer = `http://127.0.0.1:${(provider.address() as { port: number }).port}`;
  auth = await startAuthServer({
    publicUrl: 'https://console.example',
    oidc: {
      provider: { id: 'installation', name: 'Corp', issuer, clientId: 'placard', clientSecret: 'secret' },
      networkIssuers: ['127.0.0.1'],
      allowedRanges: ['127.0.0.0/8'],
      allowHttpLoopback: true,
    },
  });
  says.endpoint = `${issuer}/authorize`;
});
afterAll(async () => {
  await auth.close();
  provider.close();
});
beforeEach(() => {
  auth.hot = new CountingHotStore();
  says.endpoint = `${issuer}/authorize`;
  says.status = 200;
});

/** Signs in with the claims of the provider. */
async function signIn(claims: Record<string, unknown>): Promise<AuthResult> {
  const begun = await auth.call('/auth/oidc/start', { provider: 'installation' });
  const url = new URL(String(begun.body['url']));
  says.claims = { nonce: url.searchParams.get('nonce'), ...claims };
  const back = `/auth/oidc/installation/callback?code=c&state=${url.searchParams.get('state')}`;
  return auth.call(back, undefined, { cookie: begun.cookie });
}

const locationOf = (result: AuthResult): [number, string | null] => [result.status, result.headers.get('location')];
const NOT_CONNECTED = '/sign-in?problem=not_connected';

describe('a hostile provider', () => {
  test('a provider signs a member in with ordinary claims, which each case below changes in one point', async () => {
    await auth.addUser('kim@example.com');
    const result = await signIn({ sub: 'kim', email: 'KIM@example.com', email_verified: true });
    expect(locationOf(result)).toEqual([303, '/desk']);
  });

  test.each<readonly [string, Record<string, unknown>]>([
    ['a subject with a zero byte', { sub: 'a\0b' }],
    [
      'a subject longer than an index takes',
      { sub: 'x'.repeat(20_000), email: 'kim@example.com', email_verified: true },
    ],
    ['an address with a zero byte', { sub: 'z', email: 'a\0b@example.com', email_verified: true }],
    ['an address that is none', { sub: 'n', email: 'nobody', email_verified: true }],
    ['an address that folds into another', { sub: 'k', email: '\u212Aim@example.com', email_verified: true }],
  ])('a provider signs nobody in with %s', async (_title, claims) => {
    expect(locationOf(await signIn(claims))).toEqual([303, NOT_CONNECTED]);
  });

  test.each([205, 600, 999])(
    'a provider that responds with the status %i signs nobody in, and the process keeps running',
    async (status) => {
      says.status = status;
      expect(locationOf(await signIn({ sub: 'kim' }))).toEqual([303, NOT_CONNECTED]);
      expect((await auth.call('/auth/methods')).status).toBe(200);
    },
  );

  test.each(['javascript:alert(document.domain)//', 'http://example.com/authorize', 'data:text/html,x', ''])(
    'a provider cannot send browsers to %j',
    async (endpoint) => {
      await auth.addUser('admin@example.com', [{ networkId: '1000', role: 'admin' }]).catch(() => undefined);
      const cookie = await auth.signIn('admin@example.com');
      await auth.call('/auth/verify', { password: PASSWORD }, { cookie });
      says.endpoint = endpoint;
      const body = { name: 'Evil', issuer, clientId: `c${endpoint.length}`, clientSecret: 's' };
      const saved = await auth.call('/auth/identity-provider', body, { cookie, 'x-placard-network': '1000' });
      expect(saved).toMatchObject({ status: 400, body: { error: 'validation_failed' } });
    },
  );

  test('a provider opens no invitation whose maker has lost the operator role', async () => {
    const { db } = auth.database;
    const makerId = await auth.addUser('maker@example.com');
    await db.updateTable('users').set({ operator: true }).where('id', '=', BigInt(makerId)).execute();
    const by = { ...BY, actor: `user:${makerId} maker@example.com` };
    const wish = { email: 'late@example.com', networkId: '1000', role: 'admin' as const, by };
    await inviteUser({ sql: db, pepper: auth.pepper, mail: null }, wish, new Date(auth.clock.nowMs));
    await db.updateTable('users').set({ operator: false }).where('id', '=', BigInt(makerId)).execute();
    const result = await signIn({ sub: 'late', email: 'late@example.com', email_verified: true });
    expect(locationOf(result)).toEqual([303, NOT_CONNECTED]);
  });
});

test('sessions from the provider of a network end no other sessions of the member', async () => {
  const userId = await auth.addUser('shared@example.com', [{ networkId: '2000', role: 'viewer' }]);
  const cookie = await auth.signIn('shared@example.com');
  const session = { userId, userAgent: '', remoteAddress: '192.0.2.1', method: 'oidc', networkId: '2000' } as const;
  const now = new Date(auth.clock.nowMs);
  for (let count = 0; count < 60; count += 1) await createSession(auth.database.db, auth.pepper, session, now);
  const { body } = await auth.call('/auth/sessions', undefined, { cookie });
  const networks = (body['sessions'] as { networkId: string | null }[]).map((one) => one.networkId);
  expect([networks.filter((one) => one === null).length, networks.length]).toEqual([1, 51]);
});

test('the open attempts of one member are bounded and leave space for others', async () => {
  const { db } = auth.database;
  const [a, b] = [await auth.addUser('a@example.com'), await auth.addUser('b@example.com')];
  const deps = { sql: db, pepper: auth.pepper };
  const start = (userId: string, index: number) =>
    startAttempt(deps, { purpose: 'passkey-verify', userId, state: {} }, new Date(auth.clock.nowMs + index));
  await start(b, 0);
  for (let index = 0; index < 40; index += 1) await start(a, index);
  const rows = await db.selectFrom('sign_in_attempts').select('user_id').where('user_id', 'is not', null).execute();
  const countOf = (id: string) => rows.filter((row) => String(row.user_id) === id).length;
  expect([countOf(a), countOf(b)]).toEqual([10, 1]);
});

test('the last admin with an enabled account stays an admin', async () => {
  const { db } = auth.database;
  const admin = { networkId: '2000', role: 'admin' } as const;
  const [on, off] = [await auth.addUser('on@example.com', [admin]), await auth.addUser('off@example.com', [admin])];
  await setUserDisabled(db, { userId: off, disabled: true, by: BY });
  const leave = setMembership(db, { userId: on, networkId: '2000', role: null, by: BY, mail: null });
  await expect(leave).rejects.toMatchObject({ code: 'conflict' });
  await setMembership(db, { userId: off, networkId: '2000', role: null, by: BY, mail: null });
});

test('the hot store names an address of a wrong sign-in by a digest that needs the pepper', async () => {
  const email = 'nobody@example.com';
  await auth.call('/auth/sign-in', { email, password: 'wrong password' });
  const [counter = ''] = auth.hot.keys.filter((key) => key.startsWith('fa/account/'));
  expect(counter).toMatch(/^fa\/account\/[0-9a-f]{32}\//);
  expect(counter).not.toContain(createHash('sha256').update(email).digest('hex').slice(0, 32));
});
