import { Registry } from 'prom-client';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createTestDatabase, createTestOlapDatabase, silentLog } from '../../../test/support/stores.ts';
import type { TestDatabase, TestOlapDatabase } from '../../../test/support/stores.ts';
import { seedLineItem, seedNetwork } from '../../../test/worlds/seed.sql.ts';
import type { AskedOutcomes, ReadContextOutcomes } from '../../domain/events/context-outcome.ts';
import { EVENT_OLAP_MIGRATIONS } from '../../events/shipping/events.olap.ts';
import { readContextOutcomes } from '../../events/shipping/context-outcomes.olap.ts';
import type { ReadConversionAges } from '../../domain/events/conversion-ages.ts';
import { encodeTime } from '../../domain/ids/ids.ts';
import { maturityOfAdvertiser, maturityOfLineItem } from '../value/conversion-delays.ts';
import { readConversionAges } from '../../reports/rollups/conversion-ages.olap.ts';
import { REPORT_OLAP_MIGRATIONS } from '../../reports/rollups/rollups.olap.ts';
import { migrateOlap } from '../../storage/olap/migrate-olap.ts';
import { ContextFeed, MODEL_KEPT_MS } from './context-feed.ts';
import { ContextModelJob } from './context-job.ts';
import { readTraining, writeModel } from './context-models.sql.ts';

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
const content = { format: 'IMAGE', imageUrl: 'https://cdn.example/1.png', alt: '' };
const realMs = Date.now();
let nowMs = realMs;
let database: TestDatabase;
let analytics: TestOlapDatabase;

beforeAll(async () => {
  [database, analytics] = await Promise.all([createTestDatabase(), createTestOlapDatabase()]);
  const migrations = [...EVENT_OLAP_MIGRATIONS, ...REPORT_OLAP_MIGRATIONS];
  await migrateOlap({ olap: analytics.olap, migrations, log: silentLog });
  await seedNetwork(database.db);
  for (const id of [11n, 12n]) await seedLineItem(database.db, { id, cpm: 1n, content });
  await database.db
    .updateTable('line_items')
    .set({ creative_rotation: 'OPTIMISED', status: 'ACTIVE' })
    .where('id', '=', 11n)
    .execute();
  // Creative 31 is clicked on mobiles, creative 32 on desktops.
  for (const [creative, device, clicks] of [
    ['31', 'mobile', 300],
    ['31', 'desktop', 50],
    ['32', 'mobile', 50],
    ['32', 'desktop', 300],
  ] as const) {
    await insert({ lineItem: '11', creative, device, kind: 'impression', count: 10_000 });
    await insert({ lineItem: '11', creative, device, kind: 'click', count: clicks });
  }
  await insert({ lineItem: '12', creative: '41', device: 'mobile', kind: 'impression', count: 10 });
  await insert({ lineItem: '11', creative: '31', device: 'tv', kind: 'impression', count: 7, reason: 'robot' });
});
afterAll(async () => {
  await analytics?.close();
  await database?.close();
});
beforeEach(async () => {
  nowMs = realMs + 10 * MINUTE_MS;
  await database.db.deleteFrom('context_models').execute();
});

async function insert(of: {
  lineItem: string;
  creative: string;
  device: string;
  kind: string;
  count: number;
  reason?: string;
}): Promise<void> {
  await analytics.olap.command(
    `INSERT INTO events (event_id, workspace_id, kind, time, line_item_id, creative_id, site_id, device_type, country, invalid_reason, quantity)
      SELECT concat({kind: String}, {creative: String}, {device: String}, toString(number)), 1, {kind: String},
        fromUnixTimestamp64Milli({time: Int64}, 'UTC'), {lineItem: String}, {creative: String}, '5', {device: String}, 'PL', {reason: String}, 1
      FROM numbers({count: UInt32})`,
    { reason: '', ...of, time: realMs - DAY_MS },
  );
}

/** Ads of so many days ago, and their conversions after a time. */
async function insertConversions(of: { lineItem: string; shownDays: number; afterDays: number; count: number }) {
  const shownMs = realMs - of.shownDays * DAY_MS;
  await analytics.olap.command(
    `INSERT INTO events (event_id, workspace_id, kind, time, line_item_id, impression_id, quantity)
      SELECT concat('shown/', {ulid: String}, toString(number)), 1, 'impression', fromUnixTimestamp64Milli({time: Int64}, 'UTC'), {lineItem: String}, {ulid: String}, 1
      FROM numbers({count: UInt32} * 100)
      UNION ALL SELECT concat('converted/', {ulid: String}, toString(number)), 1, 'activity',
        fromUnixTimestamp64Milli({time: Int64} + {after: Int64}, 'UTC'), {lineItem: String}, {ulid: String}, 1
      FROM numbers({count: UInt32})`,
    {
      lineItem: of.lineItem,
      count: of.count,
      time: shownMs,
      after: of.afterDays * DAY_MS,
      ulid: `${encodeTime(shownMs)}0123456789ABCDEF`,
    },
  );
}

const fromStore: ReadContextOutcomes = (asked) => readContextOutcomes(analytics.olap, asked);
const readConversions: ReadConversionAges = (asked) => readConversionAges(analytics.olap, asked);
const openFeed = (): ContextFeed => new ContextFeed({ sql: database.db, nowMs: () => nowMs, log: silentLog });

async function train(readOutcomes = fromStore): Promise<Record<string, number>> {
  const registry = new Registry();
  await new ContextModelJob({
    sql: database.db,
    readOutcomes,
    readConversions,
    nowMs: () => nowMs,
    registry,
    log: silentLog,
  }).run();
  const { values } = (await registry.getSingleMetric('placard_context_trainings_total')?.get()) ?? { values: [] };
  return Object.fromEntries(values.map(({ labels, value }) => [String(labels['outcome']), value]));
}

test('the outcomes of a creative are its impressions and clicks by context, without invalid ones and other line items', async () => {
  const asked = { workspaceId: 1, events: new Map([['11', ['click' as const]]]), fromMs: 0, toMs: realMs + DAY_MS };
  const outcomes = await fromStore(asked);
  const shown = outcomes.map(({ creativeId, context, trials, hits }) => [
    creativeId,
    context.deviceType,
    context.siteId,
    trials,
    hits,
  ]);
  expect(shown.toSorted((one, other) => String(one).localeCompare(String(other)))).toEqual([
    ['31', 'desktop', '5', 10_000, 50],
    ['31', 'mobile', '5', 10_000, 300],
    ['32', 'desktop', '5', 10_000, 300],
    ['32', 'mobile', '5', 10_000, 50],
  ]);
  expect(await fromStore({ ...asked, workspaceId: 2 })).toEqual([]);
});

test('a worker knows by which device the click rates of creatives differ, once the job has trained', async () => {
  const feed = openFeed();
  await feed.reload();
  expect(feed.find(1, nowMs)).toBeNull();
  expect(await train()).toEqual({ made: 1 });
  await feed.reload();
  const model = feed.find(1, nowMs);
  const lift = (creativeId: string, deviceType: string): number =>
    model?.lift(
      { kind: 'click', lineItemId: '11', creativeId },
      { siteId: '5', adUnitId: '', deviceType, country: 'PL', timeMs: realMs - DAY_MS },
    ) ?? 0;
  expect(lift('31', 'mobile') / lift('32', 'mobile')).toBeGreaterThan(2.5);
  expect(lift('31', 'desktop') / lift('32', 'desktop')).toBeLessThan(0.4);
  expect(lift('31', 'tv')).toBe(lift('31', 'console'));
  expect(feed.find(1, nowMs + MODEL_KEPT_MS), 'a day later, without a core').toBeNull();
  expect(feed.find(2, nowMs)).toBeNull();
});

test('a worker knows by which device a PRICE line item that is paid by clicks is clicked, whatever its rotation', async () => {
  const paid = { type: 'PRICE', pricing_model: 'CPC', creative_rotation: 'EVEN', status: 'ACTIVE' } as const;
  await database.db.updateTable('line_items').set(paid).where('id', '=', 12n).execute();
  for (const [device, clicks] of [
    ['mobile', 300],
    ['desktop', 50],
  ] as const) {
    await insert({ lineItem: '12', creative: '42', device, kind: 'impression', count: 10_000 });
    await insert({ lineItem: '12', creative: '42', device, kind: 'click', count: clicks });
  }
  expect(await train()).toEqual({ made: 1 });
  const feed = openFeed();
  await feed.reload();
  const model = feed.find(1, nowMs);
  expect(model?.knowsLineItems).toBe(true);
  const lift = (deviceType: string): number =>
    model?.lift(
      { kind: 'click', lineItemId: '12', creativeId: '' },
      { siteId: '5', adUnitId: '', deviceType, country: 'PL', timeMs: realMs - DAY_MS },
    ) ?? 0;
  expect(lift('mobile') / lift('desktop')).toBeGreaterThan(2);
});

test('a worker knows which part of the conversions has come, by line item and advertiser', async () => {
  await database.db.updateTable('line_items').set({ pricing_model: 'CPA' }).where('id', '=', 11n).execute();
  // Line item 11 was shown for four days and converts after a day: half of the ads of the last day have not converted yet.
  for (let day = 1; day <= 4; day += 1)
    await insertConversions({ lineItem: '11', shownDays: day, afterDays: 1, count: 400 });
  await train();
  const feed = openFeed();
  await feed.reload();
  const model = feed.find(1, nowMs);
  const part = model?.maturity(maturityOfLineItem('11')) ?? 0;
  expect(part).toBeGreaterThan(0.5);
  expect(part).toBeLessThan(0.95);
  expect(model?.maturity(maturityOfAdvertiser('0'))).toBe(part);
  expect(model?.maturity(maturityOfLineItem('12')), 'its conversions do not matter').toBeNull();
  await database.db.updateTable('line_items').set({ pricing_model: 'CPM' }).where('id', '=', 11n).execute();
});

test('each event is learned from once: the next training reads what came since, a failed one reads it again', async () => {
  const asked: AskedOutcomes[] = [];
  const record: ReadContextOutcomes = async (one) => {
    asked.push(one);
    return [];
  };
  await train(record);
  const first = asked.splice(0);
  expect(first).toHaveLength(28);
  expect(first.at(-1)?.toMs).toBe(nowMs - MINUTE_MS);
  for (const [at, one] of first.slice(1).entries()) expect(one.fromMs).toBe(first[at]?.toMs);
  nowMs += 10 * MINUTE_MS;
  expect(await train(() => Promise.reject(new Error('away')))).toEqual({ failed: 1 });
  await train(record);
  expect(asked.map(({ fromMs, toMs }) => [fromMs, toMs])).toEqual([[first.at(-1)?.toMs, nowMs - MINUTE_MS]]);
});

test('the second of two jobs that train on the same events writes nothing', async () => {
  await train();
  const before = await readTraining(database.db, 1);
  nowMs += 10 * MINUTE_MS;
  const slow = async (asked: AskedOutcomes) => {
    const found = await fromStore(asked);
    // Another job ends first.
    if ((await readTraining(database.db, 1))?.trainedToMs === before?.trainedToMs) await train();
    return found;
  };
  expect(await train(slow)).toEqual({ superseded: 1 });
  const model = { madeAtMs: nowMs, weights: [] };
  const trained = { model, trainedToMs: nowMs, state: new Uint8Array([1]) };
  expect(await writeModel(database.db, 1, trained, null), 'a first model beside another first one').toBe(false);
});

test('a model that cannot be used leaves the last one in use', async () => {
  await train();
  const feed = openFeed();
  await feed.reload();
  const model = feed.find(1, nowMs);
  expect(model).not.toBeNull();
  nowMs += 10 * MINUTE_MS;
  const weights = JSON.stringify([['x', 1]]);
  await database.db
    .updateTable('context_models')
    .set({ weights, made_at: new Date(nowMs) })
    .execute();
  await feed.reload();
  expect(feed.find(1, nowMs)).toBe(model);
});
