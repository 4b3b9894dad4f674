import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { TOTP } from 'otpauth';
import { type AuthServer, PASSWORD, startAuthServer } from '../fixtures/auth-server.ts';
import { START_LINK_MS, StartLink } from './start-link.ts';

let nowMs = Date.now();
const links = new StartLink(() => nowMs);
let server: AuthServer;
beforeAll(async () => {
  server = await startAuthServer({ startLink: links });
  await server.addUser('demo@placard.example', [{ networkId: '1000', role: 'admin' }]);
});
afterAll(() => server?.close());
beforeEach(() => {
  nowMs = Date.now();
});

const make = (): string => links.make('https://core.example', 'demo@placard.example').split('#')[1] ?? '';
const use = (token: string) => server.call('/auth/sign-in-by-link', { token });

test('the link of a start signs its account in, once, and the audit log names the way', async () => {
  const token = make();
  expect(token).toMatch(/^[0-9A-Za-z]{43}$/);
  const first = await use(token);
  expect(first.status).toBe(200);
  const me = await server.call('/auth/me', undefined, { cookie: first.cookie });
  expect(me.body['user']).toMatchObject({ email: 'demo@placard.example' });
  const again = await use(token);
  expect([again.status, again.body['error'], again.cookie]).toEqual([401, 'invalid_credentials', '']);
  const records = await server.database.db
    .selectFrom('audit_log')
    .selectAll()
    .where('action', '=', 'auth.success')
    .execute();
  expect(
    JSON.stringify(records.at(-1), (_key, value) => (typeof value === 'bigint' ? String(value) : value)),
  ).toContain('link');
});

test('a wrong token, an older link and a link of more than an hour sign nobody in', async () => {
  expect((await use('x'.repeat(43))).status).toBe(401);
  const older = make();
  const newest = make();
  expect((await use(older)).status).toBe(401);
  nowMs += START_LINK_MS;
  expect((await use(newest)).status).toBe(401);
});

test('a link signs nobody in to a disabled account or past a second factor', async () => {
  const { db } = server.database;
  await db.updateTable('users').set({ disabled_at: new Date() }).execute();
  expect((await use(make())).status).toBe(401);
  await db.updateTable('users').set({ disabled_at: null }).execute();
  const { cookie } = await use(make());
  const { body } = await server.call('/auth/second-factor/start', { password: PASSWORD }, { cookie });
  const code = new TOTP({ secret: String(body['secret']) }).generate({ timestamp: server.clock.nowMs });
  const confirmed = await server.call('/auth/second-factor/confirm', { code }, { cookie });
  expect(confirmed.status).toBe(200);
  expect((await use(make())).status).toBe(401);
});
