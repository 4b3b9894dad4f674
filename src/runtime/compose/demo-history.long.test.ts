import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  createTestFolder,
  createTestOlapDatabase,
  silentLog,
  type TestOlapDatabase,
} from '../../../test/support/stores.ts';
import { completeHistory, DemoHistory, describeProgress } from '../../demo/demo-history.ts';
import { readDemoProgress, writeDemoProgress } from '../../demo/demo-progress.ts';
import type { HistoryPlan, HistoryStream } from '../../demo/history.olap.ts';
import { EVENT_OLAP_MIGRATIONS } from '../../events/shipping/events.olap.ts';
import { COUNTED_TABLES, REPORT_OLAP_MIGRATIONS } from '../../reports/rollups/rollups.olap.ts';
import { migrateOlap } from '../../storage/olap/migrate-olap.ts';
import type { Olap } from '../../storage/olap/olap.ts';

const UNTIL_MS = Date.parse('2026-07-15T13:20:00Z');
const folder = createTestFolder();
let store: TestOlapDatabase;

beforeAll(async () => {
  store = await createTestOlapDatabase();
  const migrations = [...EVENT_OLAP_MIGRATIONS, ...REPORT_OLAP_MIGRATIONS];
  await migrateOlap({ olap: store.olap, migrations, log: silentLog });
});
afterAll(async () => {
  await store.close();
  folder.remove();
});

function stream(creativeFormat: string, at: number): HistoryStream {
  return {
    advertiserId: '1',
    campaignId: '2',
    lineItemId: `${10 + at}`,
    lineItemType: 'STANDARD',
    creativeId: `${20 + at}`,
    creativeFormat,
    dealId: '',
    advertisingProductId: '',
    siteId: '30',
    areaId: '',
    adUnitId: '31',
    size: '300x250',
    country: '',
    hourly: 12,
    isPaced: 0,
    startsAt: 0,
    endsAt: Date.UTC(2100) / 1000,
    clickRate: 0.01,
    viewability: 0.6,
    nanosPerImpression: 7,
    nanosPerViewable: 0,
    nanosPerClick: 0,
    nanosPerActivity: 0,
    nanosPerDay: 0,
  };
}

function plan(workspaceId: number, environment: 'production' | 'staging', days: number): HistoryPlan {
  const streams = ['IMAGE', 'VIDEO'].map(stream);
  const [hours, timezone] = [days * 24, 'Europe/Warsaw'];
  return { workspaceId, environment, activityId: '40', streams, untilMs: UNTIL_MS, hours, timezone };
}

/** A making of 25 days of production and 4 of staging, in workspaces of its own. */
function begin(id: string, workspaceId: number): void {
  const plans = [plan(workspaceId, 'production', 25), plan(workspaceId + 1, 'staging', 4)];
  writeDemoProgress(folder.dir, { step: 'history', id, plans, done: 0 });
}

/** The store as a process meets it that is killed before an insert, after it but before it could note it, or never. */
function cutOff(steps: ('before' | 'after' | 'never')[]): Olap {
  return {
    ...store.olap,
    command: async (sql, params, settings) => {
      const step = steps.shift();
      if (step === 'before') throw new Error('killed before');
      await store.olap.command(sql, params, settings);
      if (step === 'after') throw new Error('killed after');
    },
  };
}

/** The counts of each table for the two workspaces from this one on. */
async function countsFrom(workspaceId: number): Promise<unknown> {
  return Promise.all(
    COUNTED_TABLES.filter((table) => table !== 'delivery_versions').map(async (table) => {
      const events = table === 'events' ? 'uniqExact(event_id)' : 'sum(impressions)';
      const rows = await store.olap.query<{ events: string; money: string }>({
        sql: `SELECT workspace_id - {first: UInt32} AS workspace, ${table === 'events' ? 'count()' : '0'} AS n, ${events} AS events, sum(revenue_nanos) AS money
          FROM ${table} WHERE workspace_id IN ({first: UInt32}, {first: UInt32} + 1) GROUP BY workspace ORDER BY workspace`,
        params: { first: workspaceId },
      });
      return [table, rows];
    }),
  );
}

test('the history of the demo is the same after any number of interruptions', async () => {
  begin('whole', 1);
  const told: string[] = [];
  await completeHistory({
    olap: store.olap,
    dataDir: folder.dir,
    count: async () => undefined,
    onProgress: (text) => told.push(text),
  });
  const whole = await countsFrom(1);
  expect(told.slice(0, 3)).toEqual([10, 20, 25].map((days) => `Demo history: ${days} of 25 days`));
  expect(Object.fromEntries(whole as [string, unknown][])['events']).toMatchObject([
    { workspace: '0', events: expect.stringMatching(/^\d{4,}$/) },
    { workspace: '1' },
  ]);

  begin('cut off', 3);
  const olap = cutOff(['after', 'before', 'never', 'after', 'after', 'never', 'after']);
  for (let starts = 0; readDemoProgress(folder.dir) !== null; starts += 1) {
    if (starts > 20) throw new Error('The history is never whole');
    await completeHistory({
      olap,
      dataDir: folder.dir,
      count: async () => undefined,
      onProgress: () => undefined,
    }).catch(() => undefined);
  }
  expect(await countsFrom(3)).toEqual(whole);
});

test('the service retries the history and what follows from it while a store fails, and shows that in its readiness', async () => {
  begin('failing', 5);
  const told: string[] = [];
  const followed: string[] = [];
  const history = new DemoHistory({
    olap: cutOff(['before']),
    dataDir: folder.dir,
    count: async () => undefined,
    follow: async ({ id, plans }) => {
      followed.push(`${id} ${plans.length} ${history.state.text}`);
      if (followed.length === 1) throw new Error('killed while following');
    },
    onProgress: (text) => told.push(text),
    log: silentLog,
  });
  const progress = { done: 0, of: 25 };
  expect(history.state).toEqual({ isFailing: false, text: 'Demo history: 0 of 25 days', progress });
  history.start();
  await expect.poll(() => history.state.isFailing).toBe(true);
  expect(history.state.text).toBe('Demo history: 0 of 25 days (Error: killed before)');
  await expect.poll(() => history.state).toEqual({ isFailing: false, text: 'Demo history: complete' });
  expect(followed).toEqual([
    'failing 2 Demo history: 25 of 25 days (Error: killed before)',
    'failing 2 Demo history: 25 of 25 days (Error: killed while following)',
  ]);
  expect(told.at(-1)).toBe('Demo history: complete');
  await history.stop();
});

test('a stopping service leaves the rest of the history for the next start', async () => {
  begin('stopped', 7);
  const history = new DemoHistory({
    olap: store.olap,
    dataDir: folder.dir,
    count: async () => undefined,
    onProgress: () => void history.stop(),
    log: silentLog,
  });
  history.start();
  await expect.poll(() => describeProgress(readDemoProgress(folder.dir))).toBe('Demo history: 10 of 25 days');
  await history.stop();
  expect(describeProgress(readDemoProgress(folder.dir))).toBe('Demo history: 10 of 25 days');
});
