import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AuthServer, startAuthServer } from '../fixtures/auth-server.ts';
import { createApiKey } from '../keys/api-keys.sql.ts';
import { requireWorkspaceId } from '../permissions/workspaces.sql.ts';
import { closeNetwork, reopenNetwork } from './closing.sql.ts';

const BY = { actor: 'operator:test', remoteAddress: '', networkId: '0', workspaceId: null };
const CLOSED = {
  status: 403,
  body: { error: 'network_suspended', message: expect.stringContaining('only its admins') },
};
let auth: AuthServer;

beforeAll(async () => {
  auth = await startAuthServer();
  await auth.addUser('admin@example.com', [{ networkId: '1000', role: 'admin' }]);
  await auth.addUser('editor@example.com', [{ networkId: '1000', role: 'editor' }]);
  await auth.addUser('both@example.com', [
    { networkId: '1000', role: 'viewer' },
    { networkId: '2000', role: 'viewer' },
  ]);
});
afterAll(() => auth.close());

async function makeKey(permission: 'admin' | 'read-only'): Promise<string> {
  const { db } = auth.database;
  const workspaceId = await requireWorkspaceId(db, '1000', 'production');
  const secrets = { pepper: auth.pepper } as never;
  const by = { ...BY, networkId: '1000', workspaceId };
  return (await createApiKey(db, secrets, { workspaceId, name: permission, permission, modules: null, by })).value;
}

const read = (headers: Record<string, string>, network = '1000') =>
  auth.call('/graphql', {}, { ...headers, 'x-placard-network': network });
const withKey = (value: string) => ({ authorization: `Bearer ${value}` });

test('only admins and admin keys read a closed network, and all do again when it is reopened', async () => {
  const cookie = await auth.signIn('admin@example.com');
  const editor = await auth.signIn('editor@example.com');
  const both = await auth.signIn('both@example.com');
  const [adminKey, readKey] = [await makeKey('admin'), await makeKey('read-only')];
  await closeNetwork(auth.database.db, { id: '1000', by: BY });
  await auth.service.directory.refresh();
  expect(await read({ cookie })).toMatchObject({ status: 200, body: { permission: 'admin' } });
  expect(await read(withKey(adminKey))).toMatchObject({ status: 200 });
  expect(await read({ cookie: editor })).toMatchObject(CLOSED);
  expect(await read({ cookie: both })).toMatchObject(CLOSED);
  expect(await read({ cookie: both }, '2000')).toMatchObject({ status: 200 });
  expect(await read(withKey(readKey))).toMatchObject(CLOSED);
  await reopenNetwork(auth.database.db, { id: '1000', by: BY });
  await auth.service.directory.refresh();
  expect(await read({ cookie: editor })).toMatchObject({ status: 200 });
  expect(await read(withKey(readKey))).toMatchObject({ status: 200 });
});

test('a member sees a closed network among their networks only as its admin', async () => {
  const cookies = await Promise.all(['admin@example.com', 'both@example.com'].map((email) => auth.signIn(email)));
  await closeNetwork(auth.database.db, { id: '1000', by: BY });
  const lists = await Promise.all(cookies.map((cookie) => auth.call('/auth/me', undefined, { cookie })));
  const ids = lists.map(({ body }) => (body['networks'] as { id: string }[]).map(({ id }) => id));
  expect(ids).toEqual([['1000'], ['2000']]);
});
