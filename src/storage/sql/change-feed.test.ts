import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, silentLog, type TestDatabase } from '../../../test/support/stores.ts';
import { type ChangeFeed, type ChangeNotice, openChangeFeed } from './change-feed.ts';

let database: TestDatabase;
let feed: ChangeFeed | null = null;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterEach(() => feed?.close());
afterAll(() => database.close());

interface Heard {
  readonly batches: (readonly ChangeNotice[])[];
  rereads: number;
  losses: number;
}

async function listen(url = database.url): Promise<Heard> {
  const heard: Heard = { batches: [], rereads: 0, losses: 0 };
  feed = await openChangeFeed({
    url,
    channel: 'placard_change',
    onChange: (batch) => heard.batches.push(batch),
    onReconnect: () => {
      heard.rereads += 1;
    },
    onLost: () => {
      heard.losses += 1;
    },
    log: silentLog,
  });
  return heard;
}

const notify = (payload: string) => sql`SELECT pg_notify('placard_change', ${payload})`.execute(database.db);

test('change feed requests a full read on connecting, and then reports each change once, in order', async () => {
  const heard = await listen();
  await expect.poll(() => heard.rereads).toBe(1);
  for (const id of ['1', '2', '3']) await notify(JSON.stringify({ workspaceId: 4, kind: 'lineItem', id }));
  await expect.poll(() => heard.batches.flat()).toHaveLength(3);
  expect(heard.batches.flat()).toEqual(['1', '2', '3'].map((id) => ({ workspaceId: 4, kind: 'lineItem', id })));
  expect(heard.rereads).toBe(1);
});

test('hears what the triggers of the schema say', async () => {
  const heard = await listen();
  await expect.poll(() => heard.rereads).toBe(1);
  await database.db.insertInto('networks').values({ id: 4711, name: 'A network' }).execute();
  await expect.poll(() => heard.batches.flat()).toContainEqual({ workspaceId: 0, kind: 'network', id: '4711' });
});

test('change feed delivers the changes of one transaction as one batch', async () => {
  const heard = await listen();
  await expect.poll(() => heard.rereads).toBe(1);
  const statement = sql`SELECT pg_notify('placard_change', json_build_object('workspaceId', 1, 'kind', 'site', 'id', n)::text) FROM generate_series(1, 500) n`;
  await statement.execute(database.db);
  await expect.poll(() => heard.batches.flat()).toHaveLength(500);
  expect(heard.batches.length).toBeLessThan(20);
});

test.each([
  ['no JSON', '{'],
  ['no object', '7'],
  ['no workspace', '{"kind":"site","id":"1"}'],
])('change feed requests a full read when a notice has %s', async (_name, payload) => {
  const heard = await listen();
  await expect.poll(() => heard.rereads).toBe(1);
  await notify(payload);
  await expect.poll(() => heard.rereads).toBe(2);
  expect(heard.batches).toEqual([]);
});

test('change feed reconnects when the connection ends, says so, requests a full read, and listens on', async () => {
  const heard = await listen();
  await expect.poll(() => heard.rereads).toBe(1);
  await sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'placard change feed' AND datname = current_database()`.execute(
    database.db,
  );
  await expect.poll(() => heard.rereads).toBe(2);
  expect(heard.losses).toBe(1);
  await notify('{"workspaceId":1,"kind":"site","id":"9"}');
  await expect.poll(() => heard.batches.flat()).toEqual([{ workspaceId: 1, kind: 'site', id: '9' }]);
});

test('change feed opens without a server, keeps trying, and closes at once', async () => {
  const heard = await listen('postgresql://nobody:x@127.0.0.1:9/none');
  await sleep(300);
  expect(heard.rereads).toBe(0);
  await feed?.close();
});

test('closing ends the connection at once', async () => {
  const heard = await listen();
  await expect.poll(() => heard.rereads).toBe(1);
  await feed?.close();
});
