import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  createTestDatabase,
  createTestOlapDatabase,
  silentLog,
  type TestDatabase,
  type TestOlapDatabase,
} from '../../../test/support/stores.ts';
import type { Targeting } from '../../domain/targeting/targeting.ts';
import { migrateOlap } from '../../storage/olap/migrate-olap.ts';
import { storeSampledWeek } from '../../../test/worlds/sample-week.ts';
import { seedLineItem, seedNetwork } from '../../../test/worlds/seed.sql.ts';
import { DELIVERY_OLAP_MIGRATIONS } from '../insight/diagnosis/decision-reasons.olap.ts';
import { readMetOpportunities } from './line-item-curves.ts';
import { CurveFeed } from './pacing-curve-feed.ts';
import { CurveJob } from './pacing-curve-job.ts';

const HOUR_MS = 3_600_000;
const DAYS = 7;
const nowMs = Math.floor(Date.now() / HOUR_MS) * HOUR_MS;
const content = { format: 'IMAGE', imageUrl: 'https://cdn.example/1.png', alt: '' };
let database: TestDatabase;
let analytics: TestOlapDatabase;

beforeAll(async () => {
  [database, analytics] = await Promise.all([createTestDatabase(), createTestOlapDatabase()]);
  await migrateOlap({ olap: analytics.olap, migrations: DELIVERY_OLAP_MIGRATIONS, log: silentLog });
  await seedNetwork(database.db);
  const { db } = database;
  await db.updateTable('networks').set({ timezone: 'UTC' }).execute();
});
afterAll(async () => {
  await analytics?.close();
  await database?.close();
});

const is = (dimension: 'country' | 'site', value: string): Targeting => ({
  dimension,
  operator: 'is',
  values: [value],
});

async function insertLineItem(
  id: bigint,
  targeting: Targeting,
  change: { pacing?: 'EVEN' | 'ASAP'; hasGoal?: boolean } = {},
) {
  await seedLineItem(database.db, { id, cpm: 1n, content, targeting });
  const { pacing = 'EVEN', hasGoal = true } = change;
  const goal = hasGoal ? JSON.stringify({ kind: 'IMPRESSIONS', amount: 1_000, period: 'LIFETIME' }) : null;
  await database.db.updateTable('line_items').set({ pacing, goal }).where('id', '=', id).execute();
}

/** A week of ten requests an hour from Poland, and of five from the US between 02:00 and 05:00 UTC. */
const sampleWeek = () =>
  storeSampledWeek(analytics.olap, nowMs, (ofDay) => [
    ...Array.from({ length: 10 }, () => 'pl'),
    ...Array.from({ length: ofDay >= 2 && ofDay < 5 ? 5 : 0 }, () => 'us'),
  ]);

const evenWeek = Array.from({ length: DAYS * 24 }, (_none, hour) => ({
  startMs: nowMs - (hour + 1) * HOUR_MS,
  requests: 100,
}));

test('line items follow the curve of their eligible traffic for as long as they are paced', async () => {
  await sampleWeek();
  await insertLineItem(11n, is('country', 'US'));
  await insertLineItem(12n, { all: [is('country', 'US'), is('site', '1')] });
  await insertLineItem(13n, is('country', 'FR'));
  await insertLineItem(14n, is('site', '1'));
  await insertLineItem(15n, is('country', 'US'), { pacing: 'ASAP' });
  await insertLineItem(16n, is('country', 'US'), { hasGoal: false });
  let samplesRead = 0;
  const job = new CurveJob({
    sql: database.db,
    readRequestHours: async (workspaceId) =>
      workspaceId === 1 ? [{ kind: 'site', inventoryId: '0', hours: evenWeek }] : [],
    readMet: (workspaceId, atMs) => {
      samplesRead += 1;
      return readMetOpportunities(analytics.olap, workspaceId, atMs);
    },
    nowMs: () => nowMs,
    log: silentLog,
  });
  await job.run();
  const feed = new CurveFeed(database.db, silentLog);
  await feed.reload();
  const ids = ['11', '12', '13', '14', '15', '16'];
  const withOwn = () => ids.filter((id) => feed.findOwn(1, id) !== null);
  expect(withOwn()).toEqual(['11', '12']);
  for (const id of ['11', '12']) {
    const weights = feed.findOwn(1, id)?.weights ?? [];
    const busy = weights.filter((_weight, hour) => hour % 24 >= 2 && hour % 24 < 5);
    const share = busy.reduce((sum, weight) => sum + weight, 0) / weights.reduce((sum, weight) => sum + weight, 0);
    // An eighth by the network's curve. In so small a sample, the neighbouring hours count as well.
    expect(share, id).toBeGreaterThan(0.5);
  }
  expect(feed.findOwn(2, '11')).toBeNull();
  // The network's own curve is unchanged.
  expect(feed.find(1, 'UTC', null).weights[3]).toBeCloseTo(1, 5);
  // A line item that is now eligible for all traffic uses the curve of its inventory again.
  await database.db
    .updateTable('line_items')
    .set({ targeting: JSON.stringify(is('site', '1')) })
    .where('id', '=', 12n)
    .execute();
  await job.run();
  await feed.reload();
  expect(withOwn()).toEqual(['11']);
  await database.db.updateTable('line_items').set({ status: 'PAUSED' }).execute();
  await job.run();
  await feed.reload();
  expect(withOwn()).toEqual([]);
  // Staging has no traffic, and without line items to learn about the sample is not read.
  expect(samplesRead).toBe(2);
});
