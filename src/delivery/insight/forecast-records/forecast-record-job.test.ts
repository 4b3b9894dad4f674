import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  createTestDatabase,
  createTestOlapDatabase,
  silentLog,
  type TestDatabase,
  type TestOlapDatabase,
} from '../../../../test/support/stores.ts';
import { storeSampledWeek } from '../../../../test/worlds/sample-week.ts';
import { seedLineItem, seedNetwork } from '../../../../test/worlds/seed.sql.ts';
import { FORECAST_RECORD_DAYS } from '../../../domain/booking/forecast-record.ts';
import { migrateOlap } from '../../../storage/olap/migrate-olap.ts';
import { DELIVERY_OLAP_MIGRATIONS } from '../diagnosis/decision-reasons.olap.ts';
import { ForecastRecordJob } from './forecast-record-job.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const startMs = Math.floor(Date.now() / HOUR_MS) * HOUR_MS;
const content = { format: 'IMAGE', imageUrl: 'https://cdn.example/1.png', alt: '' };
const IMPRESSIONS = 'd/1/li/11/imp/all';

let nowMs = startMs;
let database: TestDatabase;
let analytics: TestOlapDatabase;
/** An analytics store without a sample. */
let quiet: TestOlapDatabase;
/** Its thread stays warm from test to test. */
let job: ForecastRecordJob;
/** What the hot store has counted. */
let counted: Record<string, number> = {};

beforeAll(async () => {
  [database, analytics, quiet] = await Promise.all([
    createTestDatabase(),
    createTestOlapDatabase(),
    createTestOlapDatabase(),
  ]);
  const migrations = DELIVERY_OLAP_MIGRATIONS;
  await migrateOlap({ olap: analytics.olap, migrations, log: silentLog });
  await migrateOlap({ olap: quiet.olap, migrations, log: silentLog });
  await seedNetwork(database.db);
  await database.db.updateTable('networks').set({ timezone: 'UTC' }).execute();
  // 1,680 requests from Poland and 840 from Germany a week.
  await storeSampledWeek(analytics.olap, startMs, () => [...Array(10).fill('pl'), ...Array(5).fill('de')] as string[]);
  await seedLineItem(database.db, { id: 11n, cpm: 1n, content });
  await database.db.updateTable('creatives').set({ review_state: 'APPROVED' }).execute();
  job = openJob(analytics.olap);
});
afterAll(async () => {
  await job?.stop();
  await analytics?.close();
  await quiet?.close();
  await database?.close();
});

/** A goal of a third of the traffic of a week, booked half a day before it began. */
beforeEach(async () => {
  nowMs = startMs + 3 * MINUTE_MS;
  counted = {};
  await database.db.deleteFrom('forecast_records').execute();
  await database.db
    .updateTable('campaigns')
    .set({ status: 'ACTIVE', ends_at: null, updated_at: new Date(startMs - 60 * DAY_MS) })
    .execute();
  await reserve({
    status: 'ACTIVE',
    type: 'STANDARD',
    starts_at: new Date(startMs),
    ends_at: new Date(startMs + 7 * DAY_MS),
    goal: goalOf(840),
    pacing: 'EVEN',
    targeting: null,
    price_micros: 1_000_000n,
    updated_at: new Date(startMs - DAY_MS / 2),
  });
});

const goalOf = (amount: number): string => JSON.stringify({ kind: 'IMPRESSIONS', amount, period: 'LIFETIME' });

/** Changes the line item at this moment. */
async function reserve(change: object): Promise<void> {
  await database.db
    .updateTable('line_items')
    .set({ updated_at: new Date(nowMs), ...change })
    .where('id', '=', 11n)
    .execute();
}

function openJob(olap: Pick<TestOlapDatabase['olap'], 'query' | 'stream'>): ForecastRecordJob {
  return new ForecastRecordJob({
    sql: database.db,
    hot: { readCounters: async (keys) => keys.map((key) => BigInt(counted[key] ?? 0)) },
    olap,
    readNetworkHours: async () => [],
    nowMs: () => nowMs,
    random: () => 0.5,
    log: silentLog,
  });
}

/** The records, the earliest first. */
const records = () => database.db.selectFrom('forecast_records').selectAll().orderBy('made_at').execute();
const states = async () =>
  (await records()).map(({ state, reason }) => (reason === null ? state : `${state} ${reason}`));

describe('forecasts of booked line items', () => {
  test('a line item is forecast once when it becomes active, and scored a day after its flight by what was counted since', async () => {
    counted[IMPRESSIONS] = 100;
    await job.run();
    nowMs += 2 * HOUR_MS;
    await job.run();
    const [made, ...more] = await records();
    expect(more).toEqual([]);
    expect(made).toMatchObject({ state: 'OPEN', goal: { amount: 840 }, counted_before: 100n, reason: null });
    // It goes on from the 100 impressions that it has.
    expect(Number(made?.impressions)).toBeGreaterThan(700);
    expect(Number(made?.impressions)).toBeLessThan(780);
    expect(Number(made?.matched)).toBeGreaterThan(2_000);
    counted[IMPRESSIONS] = 100 + 740;
    nowMs = startMs + 8 * DAY_MS - MINUTE_MS;
    await job.run();
    expect(await states(), 'late impressions may still come').toEqual(['OPEN']);
    nowMs += MINUTE_MS;
    await job.run();
    const [scored] = await records();
    expect(scored).toMatchObject({ state: 'SCORED', delivered: 740n, inside_likely: true, inside_possible: true });
    expect(scored?.error).toBeCloseTo(Number(scored?.impressions) / 740 - 1, 9);
  });

  test.each<[string, object]>([
    ['its goal', { goal: goalOf(900) }],
    ['its end', { ends_at: new Date(startMs + 8 * DAY_MS) }],
    ['its targeting', { targeting: JSON.stringify({ dimension: 'country', operator: 'is', values: ['DE'] }) }],
    ['its price', { price_micros: 2_000_000n }],
  ])('a change of %s closes the forecast without a score, and asks for another', async (_what, change) => {
    await job.run();
    nowMs += 2 * HOUR_MS;
    await reserve(change);
    await job.run();
    expect(await states(), 'a booking rests for two minutes').toEqual(['NOT_SCORED CHANGED']);
    nowMs += 2 * MINUTE_MS;
    await job.run();
    expect(await states()).toEqual(['NOT_SCORED CHANGED', 'OPEN']);
  });

  test('a change of pacing, or of nothing, leaves the forecast as it is', async () => {
    await job.run();
    nowMs += 2 * HOUR_MS;
    await reserve({ pacing: 'ASAP', name: 'Another name' });
    nowMs += 2 * HOUR_MS;
    await job.run();
    expect(await states()).toEqual(['OPEN']);
  });

  test.each<[string, () => Promise<unknown>, string]>([
    ['paused', () => reserve({ status: 'PAUSED' }), 'NOT_SCORED PAUSED'],
    ['archived', () => reserve({ status: 'ARCHIVED' }), 'NOT_SCORED ARCHIVED'],
    ['completed by a person', () => reserve({ status: 'COMPLETED' }), 'NOT_SCORED PAUSED'],
    [
      'stopped with its campaign',
      () => database.db.updateTable('campaigns').set({ status: 'PAUSED' }).execute(),
      'NOT_SCORED PAUSED',
    ],
  ])('a line item that is %s within its flight is not scored', async (_what, stop, expected) => {
    await job.run();
    nowMs += HOUR_MS;
    await stop();
    await job.run();
    expect(await states()).toEqual([expected]);
  });

  test('a line item that its goal has completed is scored, and so is one that is archived after its end', async () => {
    await job.run();
    nowMs = startMs + 6 * DAY_MS;
    await reserve({ status: 'COMPLETED', pause_after_goal: true });
    counted[IMPRESSIONS] = 840;
    await job.run();
    expect(await states()).toEqual(['OPEN']);
    nowMs = startMs + 8 * DAY_MS;
    await reserve({ status: 'ARCHIVED' });
    await job.run();
    expect(await states()).toEqual(['SCORED']);
    await reserve({ status: 'ACTIVE', pause_after_goal: false });
  });

  test('a line item is skipped without a day of sampled traffic, says so, and is forecast once there is one', async () => {
    await openJob(quiet.olap).run();
    expect(await states()).toEqual(['SKIPPED SAMPLE_TOO_YOUNG']);
    nowMs += 30 * MINUTE_MS;
    await job.run();
    expect(await states(), 'it is tried once an hour').toEqual(['SKIPPED SAMPLE_TOO_YOUNG']);
    nowMs += HOUR_MS;
    await job.run();
    expect(await states()).toEqual(['OPEN']);
  });

  test.each<[string, object]>([
    [
      'under way for more than a day',
      { starts_at: new Date(startMs - 3 * DAY_MS), updated_at: new Date(startMs - 3 * DAY_MS) },
    ],
    ['without an end', { ends_at: null }],
    ['over', { starts_at: new Date(startMs - DAY_MS), ends_at: new Date(startMs - HOUR_MS) }],
    ['a draft', { status: 'DRAFT' }],
    ['almost over', { ends_at: new Date(startMs + HOUR_MS / 2) }],
  ])('a line item that is %s is not forecast', async (_what, change) => {
    await reserve(change);
    await job.run();
    nowMs += HOUR_MS;
    await job.run();
    expect(await states()).toEqual([]);
  });

  test('a line item keeps its latest ten forecasts, and none for longer than 400 days after the flight', async () => {
    const key = { workspace_id: 1, line_item_id: 11n, terms: 'former', model: 1, starts_at: new Date(startMs) };
    const closed = { ends_at: new Date(startMs + DAY_MS), goal: null, state: 'NOT_SCORED', reason: 'CHANGED' } as const;
    const former = Array.from({ length: 12 }, (_none, at) => ({
      ...key,
      ...closed,
      made_at: new Date(startMs - (2 + at) * HOUR_MS),
    }));
    await database.db.insertInto('forecast_records').values(former).execute();
    await job.run();
    expect(await states()).toEqual([...Array(9).fill('NOT_SCORED CHANGED'), 'OPEN']);
    nowMs = startMs + (8 + FORECAST_RECORD_DAYS) * DAY_MS;
    await job.run();
    expect(await states()).toEqual([]);
  });

  test('a network whose samples cannot be read keeps no score from being made', async () => {
    await job.run();
    nowMs = startMs + 8 * DAY_MS;
    await reserve({ ends_at: new Date(nowMs + DAY_MS), goal: goalOf(900) });
    await database.db.updateTable('forecast_records').set({ terms: 'x' }).execute();
    nowMs += 3 * MINUTE_MS;
    await openJob({ query: () => Promise.reject(new Error('unavailable')), stream: analytics.olap.stream }).run();
    expect(await states()).toEqual(['NOT_SCORED CHANGED']);
    await job.run();
    expect(await states()).toEqual(['NOT_SCORED CHANGED', 'OPEN']);
  });
});
