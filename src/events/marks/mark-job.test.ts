import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  createTestDatabase,
  createTestOlapDatabase,
  silentLog,
  type TestDatabase,
  type TestOlapDatabase,
} from '../../../test/support/stores.ts';
import { readMark, whileDeleting } from '../../storage/marks/analytics-marks.sql.ts';
import { migrateOlap } from '../../storage/olap/migrate-olap.ts';
import { EVENT_OLAP_MIGRATIONS, EVENTS_TABLE, STORE_MARKS_TABLE } from '../shipping/events.olap.ts';
import { readStore } from './analytics-marks.olap.ts';
import { AnalyticsLostError, compareAnalytics, requireWholeAnalytics } from './compare-marks.ts';
import { LostWatch } from './lost-watch.ts';
import { AnalyticsMarkJob, markStore } from './mark-job.ts';

let database: TestDatabase;
let store: TestOlapDatabase;
let job: AnalyticsMarkJob;

beforeAll(async () => {
  [database, store] = await Promise.all([createTestDatabase(), createTestOlapDatabase()]);
  await makeTables();
});
afterAll(async () => {
  await database.close();
  await store.close();
});
beforeEach(async () => {
  await database.db.deleteFrom('analytics_marks').execute();
  await empty();
  await makeTables();
  job = new AnalyticsMarkJob({ sql: database.db, olap: store.olap, log: silentLog });
});

async function makeTables(): Promise<void> {
  await migrateOlap({ olap: store.olap, migrations: EVENT_OLAP_MIGRATIONS, log: silentLog });
}

/** As a new store is. */
async function empty(): Promise<void> {
  const tables = await store.olap.query<{ name: string }>({
    sql: 'SELECT name FROM system.tables WHERE database = currentDatabase()',
  });
  for (const { name } of tables) await store.olap.command(`DROP TABLE IF EXISTS ${name} SYNC`);
}

async function ship(events: number): Promise<void> {
  await store.olap.command(
    `INSERT INTO ${EVENTS_TABLE} (event_id, workspace_id, time) SELECT toString(number), 1, now64(3) FROM numbers(${events})`,
    undefined,
    { insert_deduplicate: 0 },
  );
}

const lostReason = async (): Promise<string | null> => (await readMark(database.db))?.lostReason ?? null;

test('a store is marked as it grows, and a comparison finds nothing missing', async () => {
  await job.run();
  expect(await readMark(database.db)).toMatchObject({ number: 1, rows: 0, lostReason: null });
  await ship(251);
  await job.run();
  await job.run();
  const mark = await readMark(database.db);
  expect(mark).toMatchObject({ number: 2, rows: 251 });
  expect(await readStore(store.olap)).toEqual({ storeId: mark?.storeId, number: 2, rows: 251 });
  await requireWholeAnalytics(database.db, store.olap);
});

test('a store that came back empty is lost until an operator accepts it, with and without its tables', async () => {
  await ship(251);
  await job.run();
  await empty();
  expect((await compareAnalytics(database.db, store.olap)).lost).toBe('it is new, and it holds 0 of 251 events');
  await makeTables();
  await job.run();
  expect(await lostReason()).toBe('it is new, and it holds 0 of 251 events');
  await expect(requireWholeAnalytics(database.db, store.olap)).rejects.toThrow(AnalyticsLostError);
  // It is no less lost when events come into it.
  await ship(300);
  await job.run();
  expect(await lostReason()).toBe('it is new, and it holds 300 of 251 events');

  await markStore({ sql: database.db, olap: store.olap }, await compareAnalytics(database.db, store.olap));
  expect(await readMark(database.db)).toMatchObject({ rows: 300, lostReason: null });
  await requireWholeAnalytics(database.db, store.olap);
  expect((await job.run()).lost).toBeNull();
});

test('an older copy of a store is lost, and the right one is found again', async () => {
  await job.run();
  await ship(10);
  await job.run();
  const { storeId = '' } = (await readMark(database.db)) ?? {};
  await store.olap.command(`TRUNCATE TABLE ${STORE_MARKS_TABLE}`);
  await store.olap.command(`INSERT INTO ${STORE_MARKS_TABLE} VALUES ({storeId: String}, 1)`, { storeId });
  await job.run();
  expect(await lostReason()).toBe('it is an older copy (mark 1 of 2), and it holds 10 of 10 events');
  await store.olap.command(`INSERT INTO ${STORE_MARKS_TABLE} VALUES ({storeId: String}, 2)`, { storeId });
  await job.run();
  expect(await lostReason()).toBeNull();
});

test('a part of the events that is gone is a loss, and events that are deleted are none', async () => {
  await ship(100);
  await job.run();
  await whileDeleting(database.db, async () => {
    await store.olap.command(`ALTER TABLE ${EVENTS_TABLE} DELETE WHERE event_id < '5'`, undefined, {
      mutations_sync: 2,
    });
    await job.run();
    expect(await lostReason()).toBeNull();
  });
  await job.run();
  const { rows } = (await readMark(database.db)) ?? {};
  expect(rows).toBeLessThan(100);
  await store.olap.command(`TRUNCATE TABLE ${EVENTS_TABLE}`);
  await job.run();
  expect(await lostReason()).toBe(`it holds 0 of ${rows} events`);
});

test('a process that compares nothing learns through PostgreSQL that events are lost', async () => {
  const watch = new LostWatch({ sql: database.db, log: silentLog });
  await watch.run();
  expect(watch.reason).toBeNull();
  await ship(5);
  await job.run();
  await store.olap.command(`TRUNCATE TABLE ${EVENTS_TABLE}`);
  await job.run();
  await watch.run();
  expect(watch.reason).toBe('it holds 0 of 5 events');
});
