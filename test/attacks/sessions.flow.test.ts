/** Attacks on sessions and second factors of members, on a separate server that the tests restart. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runCli } from '../conformance/support/run-cli.ts';
import { type HttpResponse, type Client, createClient } from '../support/http-client.ts';
import { type LeanPlacard, startLeanPlacard } from '../support/lean-placard.ts';

const PASSWORD = 'correct horse battery';
const folder = mkdtempSync(join(tmpdir(), 'placard-attack-'));
let server: LeanPlacard;
let dataDir: string;
let client: Client;
let key: string;

beforeAll(async () => {
  server = await startLeanPlacard({ PLACARD_TLS: 'loopback' });
  ({ dataDir } = server);
  client = createClient(null);
  writeFileSync(join(folder, 'password'), `${PASSWORD}\n`);
  for (const id of ['2000', '3000']) await runCli(dataDir, ['networks', 'create', '--id', id, '--name', `N${id}`]);
  const wish = ['keys', 'create', '-n', '3000', '--name', 'admin', '--permission', 'admin'];
  key = (await runCli<{ value: string }>(dataDir, wish)).value;
}, 300_000);

afterAll(async () => {
  client.close();
  await server.remove();
  rmSync(folder, { recursive: true });
});

const post = (path: string, json: unknown, headers: Record<string, string> = {}): Promise<HttpResponse> =>
  client.send(`${server.coreUrl}${path}`, { json, headers });

async function addPerson(email: string): Promise<string> {
  const passwordFile = join(folder, 'password');
  const wish = ['users', 'create', '--email', email, '--name', 'Ann', '--password-file', passwordFile];
  return (await runCli<{ id: string }>(dataDir, [...wish, '-n', '2000', '--role', 'admin'])).id;
}

async function signIn(email: string): Promise<string> {
  const response = await post('/auth/sign-in', { email, password: PASSWORD });
  expect(response.status).toBe(200);
  return (response.headers['set-cookie'] ?? []).map((one) => one.split(';', 1)[0]).join('; ');
}

const isSignedIn = async (cookie: string): Promise<boolean> =>
  (await client.send(`${server.coreUrl}/auth/me`, { headers: { cookie } })).status === 200;

test('the admin of a network cannot see or end sessions that a shared member has in other networks', async () => {
  const id = await addPerson('shared@example.com');
  await runCli(dataDir, ['users', 'role', id, '-n', '3000', '--role', 'viewer']);
  const cookie = await signIn('shared@example.com');
  const listed = await client.send(`${server.coreUrl}/auth/sessions`, { headers: { cookie } });
  const [session] = listed.json<{ sessions: { id: string }[] }>().sessions;
  const headers = { authorization: `Bearer ${key}` };
  const seen = await post(
    '/graphql',
    { query: '{ users { email sessions { id remoteAddress userAgent } } }' },
    headers,
  );
  expect(seen.json()).toMatchObject({ data: { users: [{ email: 'shared@example.com', sessions: [] }] } });
  const query = 'mutation ($user: ID!, $id: ID!) { endSession(userId: $user, id: $id) }';
  const ended = await post('/graphql', { query, variables: { user: id, id: session?.id } }, headers);
  expect(ended.text).toContain('not_found');
  expect(await isSignedIn(cookie)).toBe(true);
});

test('a stolen session cannot remove the second factor, and ten guesses at the password end it', async () => {
  await addPerson('stolen@example.com');
  const cookie = await signIn('stolen@example.com');
  const remove = (body: object) => post('/auth/second-factor/remove', body, { cookie });
  expect((await remove({})).json()).toMatchObject({ error: 'verification_required' });
  for (let tries = 0; tries < 10; tries += 1)
    expect((await remove({ password: `guess number ${tries}` })).status).toBe(401);
  await remove({ password: 'one guess too many' });
  expect(await isSignedIn(cookie)).toBe(false);
});

test('an attacker gets at most ten guesses at codes of a second factor, over all browsers and a restart', async () => {
  const email = 'guessed@example.com';
  await addPerson(email);
  const devices: string[] = [];
  for (let browser = 0; browser < 3; browser += 1) devices.push(await signIn(email));
  const headers = { cookie: devices[0] ?? '' };
  const started = await post('/auth/second-factor/start', { password: PASSWORD }, headers);
  const totp = new TOTP({ secret: Secret.fromBase32(started.json<{ secret: string }>().secret) });
  const confirmed = await post('/auth/second-factor/confirm', { code: totp.generate() }, headers);
  expect(confirmed.status).toBe(200);
  const guess = async (tries: number): Promise<number> => {
    // A code of an hour ago: wrong, but well-formed.
    const code = totp.generate({ timestamp: Date.now() - 3_600_000 - tries * 60_000 });
    const cookie = devices[tries % devices.length] ?? '';
    return (await post('/auth/sign-in', { email, password: PASSWORD, code }, { cookie })).status;
  };
  const statuses: number[] = [];
  for (let tries = 0; tries < 12; tries += 1) statuses.push(await guess(tries));
  expect(statuses).toEqual([...Array.from({ length: 10 }, () => 401), 429, 429]);
  server = await server.restart();
  expect(await guess(13)).toBe(429);
}, 300_000);
