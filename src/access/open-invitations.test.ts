import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AuthServer, startAuthServer } from './fixtures/auth-server.ts';
import { inviteUser, listInvitations } from './users/invitations.sql.ts';
import { insertLink } from './users/links.sql.ts';
import { inTransaction } from './audit/transaction.sql.ts';

const BY = { actor: 'operator:test', remoteAddress: '', networkId: '0', workspaceId: null };
const DAY_MS = 86_400_000;
const OPEN_MAX = 500;
let auth: AuthServer;

beforeAll(async () => {
  auth = await startAuthServer();
});
afterAll(() => auth.close());

const invite = (email: string, networkId: string, atMs: number) =>
  inviteUser(
    { sql: auth.database.db, pepper: auth.pepper, mail: null },
    { email, networkId, role: 'viewer', by: BY },
    new Date(atMs),
  );

/** Open invitations, as if an admin had made them one by one. */
async function fill(networkId: string, count: number, atMs: number): Promise<void> {
  const rows = Array.from({ length: count }, (_, index) => ({
    digest: Buffer.from(`${networkId}/${atMs}/${index}`),
    purpose: 'join' as const,
    email: `filled${index}.${atMs}@example.com`,
    network_id: networkId,
    role: 'viewer' as const,
    created_by: BY.actor,
    created_at: new Date(atMs),
    expires_at: new Date(atMs + 7 * DAY_MS),
  }));
  await auth.database.db.insertInto('invitations').values(rows).execute();
}

test('a network has at most 500 open invitations, all of them in its listing, and other networks keep theirs', async () => {
  const nowMs = auth.clock.nowMs;
  await fill('1000', OPEN_MAX - 1, nowMs);
  await invite('last@example.com', '1000', nowMs);
  await expect(invite('over@example.com', '1000', nowMs)).rejects.toMatchObject({ code: 'conflict' });
  expect(await listInvitations(auth.database.db, '1000', new Date(nowMs))).toHaveLength(OPEN_MAX);
  // An invitation that replaces an open one does not count again.
  await invite('last@example.com', '1000', nowMs);
  await invite('other@example.com', '2000', nowMs);
});

test('invitations that expired more than a week ago are deleted as new ones are made', async () => {
  const nowMs = auth.clock.nowMs + 100 * DAY_MS;
  await fill('2000', 50, nowMs - 20 * DAY_MS);
  await fill('2000', 10, nowMs - 10 * DAY_MS);
  for (let index = 0; index < 10; index += 1) await invite(`new${index}@example.com`, '2000', nowMs);
  const rows = await auth.database.db
    .selectFrom('invitations')
    .select('expires_at')
    .where('network_id', '=', 2000n)
    .execute();
  expect(rows).toHaveLength(20);
});

test('two links for one address that are made together replace each other, and neither request fails', async () => {
  const by = BY;
  const wish = {
    purpose: 'password',
    email: 'twice@example.com',
    networkId: null,
    role: null,
    lifeMs: DAY_MS,
    by,
  } as const;
  const make = () =>
    inTransaction(auth.database.db, async (trx) => {
      const made = await insertLink({ sql: trx, pepper: auth.pepper }, wish, new Date(auth.clock.nowMs));
      await new Promise((resolve) => setTimeout(resolve, 30));
      return made;
    });
  await Promise.all([make(), make(), make()]);
  const rows = await auth.database.db
    .selectFrom('invitations')
    .select('id')
    .where('email', '=', 'twice@example.com')
    .execute();
  expect(rows).toHaveLength(1);
});
