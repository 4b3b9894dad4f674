import { TOTP } from 'otpauth';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { listAudit } from '../audit/audit.sql.ts';
import { type AuthResult, type AuthServer, PASSWORD, startAuthServer } from '../fixtures/auth-server.ts';
import { CountingHotStore } from '../fixtures/counting-hot-store.ts';
import { SoftAuthenticator, type Tampering } from '../fixtures/soft-authenticator.ts';
import { ATTEMPT_MS } from './sign-in-attempts.sql.ts';

const ORIGIN = 'https://console.example:8443';
const EMAIL = 'ann@example.com';
let auth: AuthServer;
let annId: string;

beforeAll(async () => {
  auth = await startAuthServer({ publicUrl: `${ORIGIN}/` });
  annId = await auth.addUser(EMAIL, [{ networkId: '1000', role: 'admin' }]);
});
afterAll(() => auth.close());
beforeEach(() => {
  auth.hot = new CountingHotStore();
});

interface Asked {
  readonly attempt: string;
  readonly options: { challenge: string; rpId?: string; rp: { id?: string }; user: { id: string } };
}

const asked = (result: AuthResult): Asked => result.body as unknown as Asked;

async function verifiedCookie(email = EMAIL): Promise<string> {
  const cookie = await auth.signIn(email);
  await auth.call('/auth/verify', { password: PASSWORD }, { cookie });
  return cookie;
}

async function addPasskey(cookie: string, name = 'Laptop'): Promise<SoftAuthenticator> {
  const authenticator = new SoftAuthenticator();
  const { attempt, options } = asked(await auth.call('/auth/passkeys/add/start', {}, { cookie }));
  const response = authenticator.create(options, ORIGIN);
  const added = await auth.call('/auth/passkeys/add', { attempt, name, response }, { cookie });
  expect(added).toMatchObject({ status: 200 });
  return authenticator;
}

async function signInWith(authenticator: SoftAuthenticator, change: Tampering = {}): Promise<AuthResult> {
  const { attempt, options } = asked(await auth.call('/auth/passkeys/sign-in/start', {}));
  return auth.call('/auth/passkeys/sign-in', { attempt, response: authenticator.get(options, ORIGIN, change) });
}

const refused = { status: 401, body: { error: 'invalid_credentials' }, cookie: '' };

describe('a passkey', () => {
  test('a passkey is added after the password, signs in without it, is listed with its last use, and can be removed', async () => {
    const cookie = await auth.signIn(EMAIL);
    expect((await auth.call('/auth/passkeys/add/start', {}, { cookie })).body['error']).toBe('verification_required');
    await auth.call('/auth/verify', { password: PASSWORD }, { cookie });
    const authenticator = await addPasskey(cookie, ' Laptop ');
    const signedIn = await signInWith(authenticator);
    expect(signedIn).toMatchObject({ status: 200, body: { userId: annId } });
    const own = { cookie: signedIn.cookie };
    expect((await auth.call('/auth/me', undefined, own)).body).toMatchObject({ user: { email: EMAIL } });
    const { body } = await auth.call('/auth/passkeys', undefined, own);
    expect(body).toMatchObject({ available: true, passkeys: [{ name: 'Laptop', lastUsedAt: expect.any(String) }] });
    const [{ id } = { id: '' }] = body['passkeys'] as { id: string }[];
    expect((await auth.call('/auth/passkeys/remove', { id }, own)).body['error']).toBe('verification_required');
    expect((await auth.call('/auth/passkeys/remove', { id }, { cookie })).status).toBe(200);
    expect(await signInWith(authenticator)).toMatchObject(refused);
    const log = await listAudit(auth.database.db, '0', { objectId: annId }, { beforeSequence: null, limit: 50 });
    expect(log.map(({ action }) => action)).toEqual(expect.arrayContaining(['user.passkeyAdd', 'user.passkeyRemove']));
  });

  test('a passkey verifies the member of a session again', async () => {
    const cookie = await verifiedCookie();
    const authenticator = await addPasskey(cookie);
    const { cookie: later } = await signInWith(authenticator);
    const { attempt, options } = asked(await auth.call('/auth/verify/passkey/start', {}, { cookie: later }));
    const response = authenticator.get(options, ORIGIN);
    expect((await auth.call('/auth/verify/passkey', { attempt, response }, { cookie })).status).toBe(401);
    const again = asked(await auth.call('/auth/verify/passkey/start', {}, { cookie: later }));
    const given = { attempt: again.attempt, response: authenticator.get(again.options, ORIGIN) };
    expect((await auth.call('/auth/verify/passkey', given, { cookie: later })).status).toBe(200);
    expect((await auth.call('/auth/second-factor/start', {}, { cookie: later })).status).toBe(200);
  });

  test('a passkey replaces the code of the second factor, even one without user verification', async () => {
    const email = 'factor@example.com';
    await auth.addUser(email);
    const cookie = await verifiedCookie(email);
    const authenticator = await addPasskey(cookie);
    const { body } = await auth.call('/auth/second-factor/start', {}, { cookie });
    const code = new TOTP({ secret: String(body['secret']) }).generate({ timestamp: auth.clock.nowMs });
    await auth.call('/auth/second-factor/confirm', { code }, { cookie });
    const needed = await auth.call('/auth/sign-in', { email, password: PASSWORD });
    expect(needed).toMatchObject({ status: 401, body: { secondFactor: true } });
    const { attempt, options } = needed.body['passkey'] as Asked;
    const response = authenticator.get(options, ORIGIN, { isVerified: false });
    const wrong = await auth.call('/auth/sign-in', {
      email,
      password: 'not the password',
      passkey: { attempt, response },
    });
    expect(wrong).toMatchObject(refused);
    const right = await auth.call('/auth/sign-in', { email, password: PASSWORD, passkey: { attempt, response } });
    expect(right.status).toBe(200);
    const replayed = await auth.call('/auth/sign-in', { email, password: PASSWORD, passkey: { attempt, response } });
    expect(replayed).toMatchObject(refused);
  });
});

describe('a sign-in with a passkey is refused', () => {
  let authenticator: SoftAuthenticator;
  beforeAll(async () => {
    authenticator = await addPasskey(await verifiedCookie());
    expect((await signInWith(authenticator)).status).toBe(200);
  });

  test.each<readonly [string, Tampering]>([
    ['with another challenge', { challenge: Buffer.alloc(32, 7).toString('base64url') }],
    ['from another origin', { origin: 'https://console.example' }],
    ['from a host that looks like ours', { origin: 'https://console.example.evil.example:8443' }],
    ['for another relying party', { rpId: 'evil.example' }],
    ['without user verification', { isVerified: false }],
    ['with a counter that was seen', { counter: 1 }],
    ['for the handle of another member', { userHandle: Buffer.alloc(32).toString('base64url') }],
  ])('%s', async (_title, change) => {
    expect(await signInWith(authenticator, change)).toMatchObject(refused);
  });

  test('a sign-in with a passkey is refused when it is sent again', async () => {
    const { attempt, options } = asked(await auth.call('/auth/passkeys/sign-in/start', {}));
    const given = { attempt, response: authenticator.get(options, ORIGIN) };
    expect((await auth.call('/auth/passkeys/sign-in', given)).status).toBe(200);
    expect(await auth.call('/auth/passkeys/sign-in', given)).toMatchObject(refused);
  });

  test('a challenge ends after five minutes', async () => {
    const { attempt, options } = asked(await auth.call('/auth/passkeys/sign-in/start', {}));
    auth.clock.nowMs += ATTEMPT_MS;
    const response = authenticator.get(options, ORIGIN);
    expect(await auth.call('/auth/passkeys/sign-in', { attempt, response })).toMatchObject(refused);
  });

  test('a sign-in is refused when the signature is from another key or the challenge had another purpose', async () => {
    const stranger = new SoftAuthenticator();
    const first = asked(await auth.call('/auth/passkeys/sign-in/start', {}));
    const forged = { ...stranger.get(first.options, ORIGIN), id: authenticator.id.toString('base64url') };
    const given = { attempt: first.attempt, response: { ...forged, rawId: forged.id } };
    expect(await auth.call('/auth/passkeys/sign-in', given)).toMatchObject(refused);
    const cookie = await verifiedCookie();
    const { attempt, options } = asked(await auth.call('/auth/verify/passkey/start', {}, { cookie }));
    const response = authenticator.get(options, ORIGIN);
    expect(await auth.call('/auth/passkeys/sign-in', { attempt, response })).toMatchObject(refused);
  });
});

describe('adding a passkey', () => {
  test('a passkey is refused for the challenge of another session, for another origin, or with a bad name', async () => {
    await auth.addUser('eve@example.com');
    const [ann, eve] = [await verifiedCookie(), await verifiedCookie('eve@example.com')];
    const add = async (as: string, origin: string, name = 'Mine'): Promise<AuthResult> => {
      const { attempt, options } = asked(await auth.call('/auth/passkeys/add/start', {}, { cookie: ann }));
      const response = new SoftAuthenticator().create(options, origin);
      return auth.call('/auth/passkeys/add', { attempt, name, response }, { cookie: as });
    };
    expect(await add(eve, ORIGIN)).toMatchObject({ status: 400, body: { fields: [{ path: 'response' }] } });
    expect(await add(ann, 'https://evil.example')).toMatchObject({
      status: 400,
      body: { fields: [{ path: 'response' }] },
    });
    expect(await add(ann, ORIGIN, '  ')).toMatchObject({ status: 400, body: { fields: [{ path: 'name' }] } });
    expect((await auth.call('/auth/passkeys', undefined, { cookie: eve })).body['passkeys']).toEqual([]);
  });

  test.each([
    ['{}', {}],
    ['a response without members', { attempt: 'a', name: 'n', response: {} }],
    ['no base64', { attempt: 'a', name: 'n', response: { id: '%', rawId: '%', type: 'public-key', response: {} } }],
  ])('a request with %s gets a response that names the wrong fields', async (_title, body) => {
    const cookie = await verifiedCookie();
    expect(await auth.call('/auth/passkeys/add', body, { cookie })).toMatchObject({
      status: 400,
      body: { error: 'validation_failed' },
    });
  });
});

test('passkeys are reported as unavailable when the public address is an IP address', async () => {
  const other = await startAuthServer({ publicUrl: 'https://192.0.2.7:8443' });
  expect(await other.call('/auth/passkeys/sign-in/start', {})).toMatchObject({
    status: 503,
    body: { error: 'unavailable', message: expect.stringContaining('PLACARD_CORE_PUBLIC_URL') },
  });
  await other.close();
});
