import { WHOLE_LIST } from '../../domain/ids/list-page.ts';
import type { KyselyPlugin } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { silentLog } from '../../../test/support/stores.ts';
import { openReportStores, type ReportStores } from '../legacy/fixtures/report-stores.ts';
import { createLegacyReports } from '../legacy-reports.ts';

const START = Date.parse('2026-07-01T10:00:00Z');
const clock = { nowMs: START };
let stores: ReportStores;

beforeAll(async () => {
  stores = await openReportStores();
});
afterAll(() => stores?.close());

/** The test database, with what its transactions do. */
function recordTransactions(inside: string[]): ReportStores['sql']['db'] {
  const recorder: KyselyPlugin = {
    transformQuery: ({ node }) => {
      inside.push(JSON.stringify(node, (_key, value: unknown) => (typeof value === 'bigint' ? String(value) : value)));
      return node;
    },
    transformResult: ({ result }) => Promise.resolve(result),
  };
  return new Proxy(stores.sql.db, {
    get: (target, name) => {
      const value = Reflect.get(target, name, target) as unknown;
      if (name !== 'transaction') return typeof value === 'function' ? (value.bind(target) as unknown) : value;
      return () => ({
        execute: (work: (db: typeof target) => Promise<unknown>) =>
          target.transaction().execute((transaction) => work(transaction.withPlugin(recorder))),
      });
    },
  });
}

test('a stored query with a date text that is too long makes a run that names it, and is read outside of the transaction', async () => {
  const inside: string[] = [];
  const reports = createLegacyReports({
    sql: recordTransactions(inside),
    olap: stores.analytics.olap,
    dataDir: stores.dataDir,
    bytesMax: 1e9,
    publicUrl: 'https://core.example',
    pepper: Buffer.alloc(32, 1),
    log: silentLog,
    nowMs: () => clock.nowMs,
    limits: { pollMs: 20 },
    webhooks: { allowedRanges: [] },
    scheduling: { pollMs: 20, retryWaitsMs: [] },
  });
  const query = {
    measures: ['campaign_overview.impressions'],
    timeDimensions: [{ dimension: 'campaign_overview.time', dateRange: 'yesterday' }],
  };
  const { db } = stores.sql;
  const { after } = await reports.schedules.create(db, stores.caller, { name: 'Daily', query, cron: '0 6 * * *' });
  const stored = {
    ...query,
    timeDimensions: [{ dimension: 'campaign_overview.time', dateRange: `from ${'1 to '.repeat(15_000)}` }],
  };
  await db
    .updateTable('report_schedules')
    .set({ query: JSON.stringify(stored) })
    .execute();
  clock.nowMs = Date.parse('2026-07-02T04:00:01Z');
  reports.start();
  try {
    const failed = await vi.waitFor(
      async () => {
        const [run] = await reports.schedules.runs(db, stores.caller, { scheduleId: after.id, page: WHOLE_LIST });
        expect(run?.status).toBe('FAILED');
        return run;
      },
      { timeout: 30_000, interval: 20 },
    );
    expect(failed?.errorMessage).toMatch(/"timeDimensions\[0\]\.dateRange" length must be less than or equal to 200/);
    expect(inside.join()).toContain('report_runs');
    // The network's members are read right before its query.
    expect(inside.join()).not.toContain('"activities"');
  } finally {
    await reports.stop();
  }
});
