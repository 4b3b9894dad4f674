import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../test/support/stores.ts';
import type { Principal } from '../domain/tenancy/principal.ts';
import { findPresentPrincipal } from './present-principal.sql.ts';

const NOW = new Date('2026-11-20T10:00:00Z');
const KEY: Principal = {
  kind: 'apiKey',
  actor: 'key:7 "CI"',
  id: '7',
  workspaceId: 1,
  networkId: '1000',
  environment: 'production',
  permission: 'admin',
  modules: null,
  remoteAddress: '192.0.2.1',
};
const MEMBER: Principal = { ...KEY, kind: 'session', actor: 'user:5 ann@example.com', id: '5' };

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  for (const statement of [
    sql`INSERT INTO networks (id, name) VALUES (1000, 'N'), (2000, 'M')`,
    sql`INSERT INTO workspaces (id, network_id, environment) VALUES (1, 1000, 'production'), (3, 2000, 'production')`,
    sql`INSERT INTO api_keys (workspace_id, id, name, permission, modules, digest, prefix, last_four, created_by)
      VALUES (1, 7, 'CI', 'read-write', '{DELIVERY}', 'x', '', '', '')`,
    sql`INSERT INTO users (id, email, name) VALUES (5, 'ann@example.com', 'Ann')`,
    sql`INSERT INTO memberships (user_id, network_id, role) VALUES (5, 1000, 'editor')`,
  ])
    await statement.execute(database.db);
});
afterAll(() => database.close());

const present = (earlier: Principal) => findPresentPrincipal(database.db, earlier, NOW);

test('a caller has the permissions of its key or role now', async () => {
  expect(await present(KEY)).toEqual({ ...KEY, permission: 'read-write', modules: ['DELIVERY'] });
  expect(await present(MEMBER)).toEqual({ ...MEMBER, permission: 'read-write' });
});

test('a key of another network and a pair of header credentials are not found', async () => {
  expect(await present({ ...KEY, workspaceId: 3, networkId: '2000' })).toBeNull();
  expect(await present({ ...MEMBER, networkId: '2000' })).toBeNull();
  expect(await present({ ...KEY, kind: 'headerCredential' })).toBeNull();
});

test.each([
  [
    'has expired',
    sql`UPDATE api_keys SET expires_at = '2026-11-20T10:00:00Z'`,
    sql`UPDATE api_keys SET expires_at = NULL`,
  ],
  ['is revoked', sql`UPDATE api_keys SET revoked_at = now()`, sql`UPDATE api_keys SET revoked_at = NULL`],
  [
    'admits other addresses',
    sql`UPDATE api_keys SET ip_allowlist = '{198.51.100.0/24}'`,
    sql`UPDATE api_keys SET ip_allowlist = '{}'`,
  ],
])('a key that %s gives no caller', async (_how, change, undo) => {
  await change.execute(database.db);
  expect(await present(KEY)).toBeNull();
  await undo.execute(database.db);
  expect(await present(KEY)).not.toBeNull();
});

test('a user who is disabled or has left the network gives no caller', async () => {
  await sql`UPDATE users SET disabled_at = now()`.execute(database.db);
  expect(await present(MEMBER)).toBeNull();
  await sql`UPDATE users SET disabled_at = NULL`.execute(database.db);
  await sql`DELETE FROM memberships`.execute(database.db);
  expect(await present(MEMBER)).toBeNull();
  await sql`UPDATE users SET operator = true`.execute(database.db);
  expect(await present(MEMBER)).toEqual(MEMBER);
});
