import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely';
import { Registry } from 'prom-client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  createTestFolder,
  createTestOlapDatabase,
  silentLog,
  type TestOlapDatabase,
} from '../../../test/support/stores.ts';
import { hashUser } from '../../domain/ids/user-hash.ts';
import { openLedger } from '../../storage/ledger/ledger-store.ts';
import { SegmentMemberships } from '../../storage/hot/segment-memberships.ts';
import { migrateOlap } from '../../storage/olap/migrate-olap.ts';
import { OlapError } from '../../storage/olap/olap.ts';
import type { Olap } from '../../storage/olap/olap.ts';
import type { Database } from '../../storage/sql/schema.ts';
import { createAdEvents } from '../tracking/ad-events.ts';
import { createEventMetrics } from '../recording/event-metrics.ts';
import { EVENT_OLAP_MIGRATIONS } from '../shipping/events.olap.ts';
import { buyers, createTestCatalog, makeServedAd, userHashSecret } from '../fixtures/catalog.ts';
import { createRecorder } from '../recording/recorder.ts';
import { openSpool } from '../spool/spool.ts';
import { openUncountedMarks } from '../spool/uncounted-marks.ts';
import { anonymiseEvents } from './user-erasure.olap.ts';
import { userTouchKey } from '../tracking/touch.ts';
import { eraseUser } from './user-erasure.ts';

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

test('an erasure removes the user from events, and the dimensions of reports stay as they were', async () => {
  expect(await anonymiseEvents(store.olap, 1, ANN)).toBe(2);
  expect(await stored()).toEqual([
    event('e0', '0', '', ''),
    event('e1', '0', '', ''),
    event('e2', BOB, 'order-2', 'shoes'),
    event('e3', CLEO, 'order-3', 'shoes'),
  ]);
  expect(await anonymiseEvents(store.olap, 1, ANN)).toBe(0);
});

/** A store whose statements outlast every timeout and run on. */
function slow(): Olap {
  return {
    dialect: store.olap.dialect,
    query: <T>(query: Parameters<Olap['query']>[0]) => store.olap.query<T>(query),
    command: async (sql: string, params: Parameters<Olap['command']>[1]) => {
      await store.olap.command(sql, params, { mutations_sync: 0 });
      throw new OlapError('timeout', 'The statement took too long', { retryable: true });
    },
  } as unknown as Olap;
}

test('the erasure waits for a rewriting that outlasts its statement', async () => {
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

test('the erasure does not wait for a statement that fails', async () => {
  const refused = { ...slow(), command: () => Promise.reject(new OlapError('failed', 'no', { retryable: false })) };
  await expect(anonymiseEvents(refused as unknown as Olap, 1, CLEO)).rejects.toMatchObject({ code: 'failed' });
});

/** A database with nothing in it. */
const emptySql = new Kysely<Database>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
});

test('no byte of the ledger on disk names an erased user, and other users keep theirs', async () => {
  const folder = createTestFolder();
  const dir = join(folder.dir, 'hot');
  const log = silentLog;
  const hot = openLedger({ dir, nowMs: Date.now, log });
  const spool = openSpool({ dir: join(folder.dir, 'w0'), workerIndex: 0, nowMs: Date.now, log });
  const nothing = { backlog: () => ({ segments: 0, bytes: 0 }), shipperStats: () => ({}), spoolStats: () => ({}) };
  const metrics = createEventMetrics(new Registry(), nothing as unknown as Parameters<typeof createEventMetrics>[1]);
  const uncounted = openUncountedMarks({ spoolDir: folder.dir, workerIndexes: [0], hot, log });
  const recorder = createRecorder({ spool, hot, log, metrics, uncounted });
  const events = createAdEvents({ recorder, hot, catalog: createTestCatalog(), nowMs: Date.now, log });
  const memberships = new SegmentMemberships({ hot, nowMs: Date.now, log });
  const [dora, emil] = ['dora', 'emil'].map((id) => hashUser(userHashSecret, 1, 'lu', id)) as [string, string];
  for (const userHash of [dora, emil]) {
    const ad = makeServedAd(Date.now(), { userHash });
    await events.impression(ad, '');
    await events.click(ad, '');
    memberships.record({ workspaceId: 1, userHash, segment: buyers, seenAtMs: Date.now() });
  }
  await memberships.stop();
  const erased = await eraseUser({ sql: emptySql, hot, olap: store.olap, exported: null }, 1, dora);
  expect(erased).toEqual({
    frequencyCounters: 1,
    segmentLists: 1,
    touchLists: 2,
    activityIntervals: 0,
    events: 0,
    exportedFiles: 0,
  });
  const listsOf = (userHash: string) =>
    Promise.all((['click', 'view'] as const).map((kind) => hot.readList(userTouchKey(kind, 1, userHash))));
  expect((await listsOf(dora)).map((list) => list.length)).toEqual([0, 0]);
  expect((await listsOf(emil)).map((list) => list.length)).toEqual([1, 1]);
  await spool.close();
  await hot.close();
  const files = readdirSync(dir).map((name) => readFileSync(join(dir, name), 'latin1'));
  folder.remove();
  expect(files.filter((content) => content.includes(dora))).toEqual([]);
  expect(files.filter((content) => content.includes(emil))).not.toEqual([]);
});
