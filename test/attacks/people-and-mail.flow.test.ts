/** Attacks by a network's admin, a former member and a stranger with invitations, links and mail (issue 12, points 6 and 7). */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runCli } from '../conformance/support/run-cli.ts';
import { type HttpResponse, type Client, createClient } from '../support/http-client.ts';
import { type LeanPlacard, startLeanPlacard } from '../support/lean-placard.ts';
import { openSmtpInbox, type SmtpInbox, tokenIn } from '../support/smtp-inbox.ts';

const PASSWORD = 'seven calm otters play';
let inbox: SmtpInbox;
let server: LeanPlacard;
let dataDir: string;
let client: Client;
let owner: string;

beforeAll(async () => {
  inbox = await openSmtpInbox();
  const mail = {
    PLACARD_SMTP_URL: `smtp://127.0.0.1:${inbox.port}`,
    PLACARD_MAIL_FROM: 'Placard <ads@placard.example>',
  };
  server = await startLeanPlacard(mail);
  ({ dataDir } = server);
  client = createClient(server.ca);
  const passwordFile = join(dataDir, 'owner-password');
  writeFileSync(passwordFile, PASSWORD);
  await runCli(dataDir, ['networks', 'create', '--id', '1000', '--name', 'First']);
  const wish = ['--email', 'owner@example.com', '--name', 'Owner', '-n', '1000', '--role', 'admin'];
  await runCli(dataDir, ['users', 'create', ...wish, '--password-file', passwordFile]);
  owner = await signIn('owner@example.com');
}, 300_000);

afterAll(async () => {
  client?.close();
  await server?.remove();
  await inbox?.close();
});

const post = (path: string, json: unknown, cookie?: string): Promise<HttpResponse> =>
  client.send(`${server.coreUrl}${path}`, { json, headers: cookie === undefined ? {} : { cookie } });

async function signIn(email: string, password = PASSWORD): Promise<string> {
  const response = await post('/auth/sign-in', { email, password });
  expect([email, response.status]).toEqual([email, 200]);
  return cookieOf(response);
}

function cookieOf(response: HttpResponse): string {
  const cookies = [response.headers['set-cookie'] ?? []].flat();
  return cookies.map((cookie) => cookie.split(';', 1)[0]).join('; ');
}

const graphql = (query: string, cookie = owner): Promise<HttpResponse> =>
  client.send(`${server.coreUrl}/graphql`, { json: { query }, headers: { cookie, 'x-placard-network': '1000' } });

const invite = (email: string, role = 'VIEWER', cookie = owner): Promise<HttpResponse> =>
  graphql(`mutation { inviteUser(email: ${JSON.stringify(email)}, role: ${role}) { id delivery } }`, cookie);

const show = (token: string): Promise<HttpResponse> => post('/auth/invitations/show', { token });

/** Invites a member by mail and accepts; returns the session of the new member. */
async function joinAs(email: string, role: string): Promise<string> {
  expect((await invite(email, role)).json()).toMatchObject({ data: { inviteUser: { delivery: 'QUEUED' } } });
  const token = tokenIn(await inbox.next(email));
  const accepted = await post('/auth/invitations/accept', { token, name: 'New', password: PASSWORD });
  expect(accepted.status).toBe(200);
  return cookieOf(accepted);
}

async function idOf(email: string): Promise<string> {
  const { data } = (await graphql('{ users { id email } }')).json<{
    data: { users: { id: string; email: string }[] };
  }>();
  return data.users.find((user) => user.email === email)?.id ?? '';
}

describe('an invitation', () => {
  test('an invitation shows its link only to the invited person, and no response of the API has the token', async () => {
    const email = 'ann@example.com';
    const made = await invite(email);
    const token = tokenIn(await inbox.next(email));
    expect(made.text).not.toContain(token);
    const asked = await graphql(`mutation { inviteUser(email: "${email}", role: VIEWER) { token } }`);
    expect(asked.json()).toHaveProperty('errors');
    const listed = await graphql(
      '{ invitations { id email delivery deliveryError createdBy } auditLog(first: 50) { nodes { details } } }',
    );
    expect(listed.text).toContain(email);
    expect(listed.text).not.toContain(token);
  });

  test('an invitation replaces an earlier one for the same address', async () => {
    const email = 'twice@example.com';
    await invite(email, 'ADMIN');
    const first = tokenIn(await inbox.next(email));
    await invite(email, 'VIEWER');
    const second = tokenIn(await inbox.next(email, (mail) => tokenIn(mail) !== first));
    expect((await show(first)).status).toBe(410);
    expect((await show(second)).json()).toMatchObject({ email, role: 'viewer' });
  });

  test.each([
    ['demoted', (id: string) => `mutation { updateMembership(userId: ${id}, role: VIEWER) { id } }`],
    ['removed', (id: string) => `mutation { removeMembership(userId: ${id}) }`],
  ])('old and new invitations of an admin who was %s later are refused', async (what, mutation) => {
    const email = `former-${what}@example.com`;
    const friend = `friend-${what}@example.com`;
    const former = await joinAs(email, 'ADMIN');
    expect((await invite(friend, 'ADMIN', former)).json()).toMatchObject({
      data: { inviteUser: { delivery: 'QUEUED' } },
    });
    const token = tokenIn(await inbox.next(friend));
    expect((await show(token)).status).toBe(200);
    expect((await graphql(mutation(await idOf(email)))).json()).not.toHaveProperty('errors');
    expect((await show(token)).status).toBe(410);
    const accepted = await post('/auth/invitations/accept', { token, name: 'Friend', password: PASSWORD });
    expect([accepted.status, accepted.json<{ error: string }>().error]).toEqual([410, 'gone']);
    expect((await invite(`again-${what}@example.com`, 'ADMIN', former)).status).toBeGreaterThanOrEqual(400);
    expect((await graphql('{ invitations { email } }')).text).not.toContain(friend);
  });

  test('an invitation never opens an existing account: its owner signs in first', async () => {
    await runCli(dataDir, ['networks', 'create', '--id', '2000', '--name', 'Second']);
    await joinAs('victim@example.com', 'VIEWER');
    // The operator of another network holds a link for the same address.
    const wish = ['users', 'invite', '--email', 'victim@example.com', '-n', '2000', '--role', 'admin'];
    const { link } = await runCli<{ link: string }>(dataDir, wish);
    const token = link.split('#')[1] ?? '';
    expect((await show(token)).json()).toEqual({
      purpose: 'join',
      email: 'victim@example.com',
      networkName: 'Second',
      role: 'admin',
    });
    const taken = await post('/auth/invitations/accept', { token, name: 'Me', password: 'my own long password' });
    expect([taken.status, taken.headers['set-cookie']]).toEqual([401, undefined]);
    const stranger = await post('/auth/invitations/accept', { token, name: 'Me', password: PASSWORD }, owner);
    expect(stranger.status).toBe(401);
    const own = await signIn('victim@example.com');
    expect((await post('/auth/invitations/accept', { token }, own)).status).toBe(200);
  });
});

describe('a forgotten password', () => {
  test('a password reset gets the same response for addresses with and without an account', async () => {
    const known = await post('/auth/password/forgot', { email: 'owner@example.com' });
    const unknown = await post('/auth/password/forgot', { email: 'nobody@example.com' });
    const nonsense = await post('/auth/password/forgot', { email: 'no address at all' });
    expect([known.status, known.text]).toEqual([200, '{"isMailed":true}']);
    expect([unknown.status, unknown.text]).toEqual([known.status, known.text]);
    expect([nonsense.status, nonsense.text]).toEqual([known.status, known.text]);
    await inbox.next('owner@example.com', (mail) => mail.parsed.subject?.includes('new password') === true);
    expect((await inbox.all()).some(({ to }) => to.includes('nobody@example.com'))).toBe(false);
  });

  test('a reset link sets the password once, ends other sessions, and tells the owner', async () => {
    const email = 'reset@example.com';
    const session = await joinAs(email, 'VIEWER');
    await post('/auth/password/forgot', { email });
    const mail = await inbox.next(email, ({ parsed }) => parsed.subject?.startsWith('Choose a new password') === true);
    const token = tokenIn(mail);
    const use = (): Promise<HttpResponse> =>
      post('/auth/invitations/accept', { token, password: 'eleven brave herons sing' });
    const responses = await Promise.all([use(), use(), use()]);
    expect(responses.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 410, 410]);
    expect((await use()).status).toBe(410);
    expect((await client.send(`${server.coreUrl}/auth/me`, { headers: { cookie: session } })).status).toBe(401);
    await inbox.next(email, ({ parsed }) => parsed.subject?.includes('was changed') === true);
    await inbox.next(email, ({ parsed }) => parsed.subject?.startsWith('New sign-in') === true);
  });
});

describe('a new address of an account', () => {
  test('a new address is used once its owner opens the mail while signed in, and the old address gets a notice', async () => {
    const session = await joinAs('old@example.com', 'VIEWER');
    const start = (email: string, password: string) => post('/auth/email/start', { email, password }, session);
    expect((await start('new@example.com', 'wrong password')).status).toBe(401);
    expect((await start('new@example.com', PASSWORD)).status).toBe(200);
    const token = tokenIn(await inbox.next('new@example.com'));
    expect((await post('/auth/email/confirm', { token })).status).toBe(401);
    expect((await post('/auth/email/confirm', { token }, owner)).status).toBe(410);
    expect((await show(token)).status).toBe(410);
    expect((await post('/auth/sign-in', { email: 'new@example.com', password: PASSWORD })).status).toBe(401);
    expect((await post('/auth/email/confirm', { token }, session)).json()).toEqual({ email: 'new@example.com' });
    expect((await post('/auth/email/confirm', { token }, session)).status).toBe(410);
    await inbox.next('old@example.com', ({ parsed }) => parsed.subject?.includes('address of your Placard') === true);
    await signIn('new@example.com');
  });

  test('only those who can read the mail of an address learn that it belongs to another account', async () => {
    const session = await signIn('new@example.com');
    const responses = [];
    for (const email of ['owner@example.com', 'unused@example.com']) {
      responses.push((await post('/auth/email/start', { email, password: PASSWORD }, session)).text);
    }
    expect(responses[0]).toBe(responses[1]);
  });
});

describe('mail', () => {
  test.each([
    'x@example.com\r\nBcc: victim@example.com',
    'x@example.com, victim@example.com',
    '<victim@example.com>x@example.com',
    'x@example.com;victim@example.com',
    '"a b"@example.com',
    'x@[127.0.0.1]',
    'x\u202e@example.com',
  ])('mail to an address such as %j is refused', async (email) => {
    const response = await invite(email);
    expect(response.text).toContain('validation_failed');
  });

  test('mail leaves out headers and links in a network name', async () => {
    const rename = (name: string) =>
      graphql(`mutation { updateNetwork(input: {name: ${JSON.stringify(name)}}) { id } }`);
    const hostile = 'Win https://evil.example <b>now</b>';
    const renamed = await rename(hostile);
    expect(renamed.json()).not.toHaveProperty('errors');
    await invite('hostile@example.com');
    const mail = await inbox.next('hostile@example.com');
    expect(mail.parsed.subject).toBe('Invitation to network 1000 on Placard');
    expect(mail.raw).not.toContain('evil');
    tokenIn(mail);
    await rename('First');
  });

  test('mail to one address stops at its limit', async () => {
    const responses = [];
    for (let count = 0; count < 6; count += 1) responses.push((await invite('flooded@example.com')).text);
    expect(responses.filter((text) => text.includes('QUEUED'))).toHaveLength(3);
    expect(responses.at(-1)).toContain('rate_limit_exceeded');
    for (let count = 0; count < 6; count += 1) await post('/auth/password/forgot', { email: 'flooded@example.com' });
    await inbox.next('flooded@example.com');
    const metrics = await client.send(`${server.coreUrl}/metrics`);
    expect(metrics.text).toContain('placard_mail_dead_letters 0');
    expect((await inbox.all()).filter(({ to }) => to.includes('flooded@example.com')).length).toBeLessThanOrEqual(3);
  });
});
