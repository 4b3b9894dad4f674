import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestOlapDatabase, silentLog, type TestOlapDatabase } from '../../test/support/stores.ts';
import { migrateOlap } from '../storage/olap/migrate-olap.ts';
import { OlapError } from '../storage/olap/olap.ts';
import type { Olap } from '../storage/olap/olap.ts';
import { EVENT_OLAP_MIGRATIONS } from './events.olap.ts';
import { anonymiseEvents } from './user-erasure.olap.ts';

/** Users, as the column has them. */
const [ANN, BOB, CLEO] = ['11111111111111111111', '22222222', '33333333333'] as const;
let store: TestOlapDatabase;

beforeAll(async () => {
  store = await createTestOlapDatabase();
  await migrateOlap({ olap: store.olap, migrations: EVENT_OLAP_MIGRATIONS, log: silentLog });
  const rows = [ANN, ANN, BOB, CLEO].map((user, at) => ({
    event_id: `e${at}`,
    workspace_id: 1,
    kind: 'activity',
    time: '2026-11-20 10:00:00.000',
    npa: false,
    user_hash: user,
    order_reference: `order-${at}`,
    products: 'shoes',
  }));
  const body = Buffer.from(rows.map((row) => JSON.stringify(row)).join('\n'));
  await store.olap.insertRaw({ table: 'events', body, token: 'erasure' });
});
afterAll(() => store.close());

const stored = (): Promise<unknown> =>
  store.olap.query({
    sql: 'SELECT event_id, user_hash, npa, order_reference, products FROM events ORDER BY event_id',
  });
const event = (id: string, user: string, reference: string, products: string) => ({
  event_id: id,
  user_hash: user,
  npa: false,
  order_reference: reference,
  products,
});

test('a user is taken out of events, and nothing else changes of what reports are split by', async () => {
  expect(await anonymiseEvents(store.olap, 1, ANN)).toBe(2);
  expect(await stored()).toEqual([
    event('e0', '0', '', ''),
    event('e1', '0', '', ''),
    event('e2', BOB, 'order-2', 'shoes'),
    event('e3', CLEO, 'order-3', 'shoes'),
  ]);
  expect(await anonymiseEvents(store.olap, 1, ANN)).toBe(0);
});

/** A store whose statements take longer than anybody waits: they run on. */
function slow(): Olap {
  return {
    query: <T>(query: Parameters<Olap['query']>[0]) => store.olap.query<T>(query),
    command: async (sql: string, params: Parameters<Olap['command']>[1]) => {
      await store.olap.command(sql, params, { mutations_sync: 0 });
      throw new OlapError('timeout', 'The statement took too long', { retryable: true });
    },
  } as unknown as Olap;
}

test('a rewriting that outlasts its statement is waited for', async () => {
  await store.olap.command('SYSTEM STOP MERGES events');
  let isDone = false;
  const erasing = anonymiseEvents(slow(), 1, BOB, { askEveryMs: 20 }).finally(() => {
    isDone = true;
  });
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect([isDone, await stored()]).toMatchObject([
    false,
    expect.arrayContaining([event('e2', BOB, 'order-2', 'shoes')]),
  ]);
  await store.olap.command('SYSTEM START MERGES events');
  expect(await erasing).toBe(1);
  expect(await stored()).toEqual(expect.arrayContaining([event('e2', '0', '', '')]));
});

test('a statement that fails is not waited for', async () => {
  const refused = { ...slow(), command: () => Promise.reject(new OlapError('failed', 'no', { retryable: false })) };
  await expect(anonymiseEvents(refused as unknown as Olap, 1, CLEO)).rejects.toMatchObject({ code: 'failed' });
});
