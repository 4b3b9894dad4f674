import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  createTestDatabase,
  createTestOlapDatabase,
  silentLog,
  type TestDatabase,
  type TestOlapDatabase,
} from '../../test/support/stores.ts';
import { CurveFeed } from '../delivery/pacing-curve-feed.ts';
import { CurveJob } from '../delivery/pacing-curve-job.ts';
import { EMPTY_EVENT_ROW } from '../events/event-rows.ts';
import { EVENT_OLAP_MIGRATIONS } from '../events/events.olap.ts';
import { formatEventTime } from '../domain/event.ts';
import { REPORT_OLAP_MIGRATIONS } from '../reports/rollups.olap.ts';
import { readRequestHours } from '../reports/traffic-history.olap.ts';
import { migrateOlap } from '../storage/olap/migrate-olap.ts';

const HOUR_MS = 3_600_000;
const nowMs = Date.parse('2026-11-23T10:20:00Z');
let database: TestDatabase;
let analytics: TestOlapDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
  analytics = await createTestOlapDatabase();
  const migrations = [...EVENT_OLAP_MIGRATIONS, ...REPORT_OLAP_MIGRATIONS];
  await migrateOlap({ olap: analytics.olap, migrations, log: silentLog });
  await database.db
    .insertInto('networks')
    .values({ id: 1000n, name: 'Demo', timezone: 'Europe/Warsaw', currency: 'PLN' })
    .execute();
  await database.db
    .insertInto('workspaces')
    .values([
      { id: 1, network_id: 1000n, environment: 'production' },
      { id: 2, network_id: 1000n, environment: 'staging' },
    ])
    .execute();
});
afterAll(async () => {
  await analytics.close();
  await database.close();
});

test('workers plan by the traffic of the last 28 days: eight in the evening is busiest, the small hours quiet', async () => {
  const lines: string[] = [];
  for (let back = 0; back < 30 * 24; back += 1) {
    const timeMs = nowMs - back * HOUR_MS;
    // Warsaw is an hour ahead of UTC in November; two hours before 25 October.
    const hour = (new Date(timeMs).getUTCHours() + (timeMs < Date.parse('2026-10-25T01:00:00Z') ? 2 : 1)) % 24;
    const quantity = hour === 20 ? 5_000 : hour < 6 ? 100 : 1_000;
    const row = {
      ...EMPTY_EVENT_ROW,
      event_id: `q:${back}`,
      workspace_id: 1,
      kind: 'request',
      time: formatEventTime(timeMs),
      quantity,
    };
    lines.push(JSON.stringify(row));
  }
  await analytics.olap.insertRaw({ table: 'events', body: Buffer.from(lines.join('\n')), token: 'history' });
  const job = new CurveJob({
    sql: database.db,
    readRequestHours: (fromMs, toMs) => readRequestHours(analytics.olap, fromMs, toMs),
    nowMs: () => nowMs,
    log: silentLog,
  });
  await job.run();
  const feed = new CurveFeed(database.db, silentLog);
  await feed.reload();
  const { timezone, weights } = feed.find(1, 'UTC');
  expect(timezone).toBe('Europe/Warsaw');
  for (let day = 0; day < 7; day += 1) {
    const ofDay = weights.slice(day * 24, (day + 1) * 24);
    expect(ofDay.indexOf(Math.max(...ofDay))).toBe(20);
    expect(ofDay[3] ?? 1).toBeLessThan(0.3);
  }
  // Staging had no traffic: flat.
  expect(new Set(feed.find(2, 'Europe/Warsaw').weights)).toEqual(new Set([1]));
  const before = feed.find(1, 'UTC');
  await job.run();
  await feed.reload();
  expect(feed.find(1, 'UTC')).toBe(before);
});
