import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createTestOlapDatabase, silentLog, type TestOlapDatabase } from '../../../test/support/stores.ts';
import { migrateOlap } from '../../storage/olap/migrate-olap.ts';
import { compileQuery } from '../compile/compile-query.olap.ts';
import { EVENTS_TABLE, makeEvent } from '../fixtures/events-table.ts';
import { CAMPAIGN_OVERVIEW } from '../model/campaign-overview.olap.ts';
import { MemberIndex } from '../model/member-index.ts';
import { networkIndex } from '../model/own-members.olap.ts';
import { normalizeQuery } from '../query/normalize.ts';
import { REPORT_OLAP_MIGRATIONS } from './rollups.olap.ts';

const NOW_MS = Date.parse('2026-07-15T13:00:00Z');
const TABLES = [
  'delivery_hourly',
  'delivery_daily',
  'delivery_line_item_hourly',
  'delivery_line_item_daily',
  'delivery_key_values_hourly',
  'delivery_key_values_daily',
] as const;
let analytics: TestOlapDatabase;

beforeAll(async () => {
  analytics = await createTestOlapDatabase();
  await analytics.olap.command(EVENTS_TABLE);
});
afterAll(() => analytics.close());

const insert = async (token: string, events: readonly Record<string, unknown>[]): Promise<void> => {
  const body = Buffer.from(events.map((event) => JSON.stringify(makeEvent(event))).join('\n'));
  await analytics.olap.insertRaw({ table: 'events', body, token });
};

/** The figures of a line item in a table, day by day. */
async function countsOf(table: string): Promise<unknown> {
  return analytics.olap.query({
    sql: `SELECT workspace_id, line_item_id, toDate(time) AS day, sum(impressions) AS impressions, sum(revenue_nanos) AS revenue,
      uniqCombined64Merge(users) AS users FROM ${table} GROUP BY workspace_id, line_item_id, day ORDER BY ALL`,
  });
}

const migrate = (migrations = REPORT_OLAP_MIGRATIONS) =>
  migrateOlap({ olap: analytics.olap, migrations, log: silentLog });

/** The state after an interrupted start: all migrations but the first run again. */
async function migrateAgain(): Promise<void> {
  await analytics.olap.command(
    "ALTER TABLE placard_migrations DELETE WHERE id LIKE 'reports%' AND id != 'reports-0001-rollups'",
    {},
    { mutations_sync: 2 },
  );
  await migrate();
}

describe('the roll-ups that came later', () => {
  const [first] = REPORT_OLAP_MIGRATIONS;
  const events = ['2026-03-01', '2026-03-02', '2026-04-01'].flatMap((day) =>
    ['3', '30', ''].flatMap((lineItemId) =>
      ['1', '2', '3'].map((user) => ({
        time: `${day} 23:10:00.000`,
        line_item_id: lineItemId,
        creative_id: user,
        user_hash: user,
        revenue_nanos: '7',
        key_values: user === '1' ? {} : { '17': `section ${user}`, '18': 'list' },
      })),
    ),
  );

  test('later roll-ups begin with the earlier counts after any number of restarted migrations', async () => {
    await migrate(first === undefined ? [] : [first]);
    await insert('before', events);
    await migrate();
    await migrateAgain();
    const expected = await countsOf('delivery_hourly');
    expect(expected).toHaveLength(9);
    for (const table of TABLES) expect(await countsOf(table), table).toEqual(expected);
  }, 120_000);

  test('later roll-ups do not count rows twice that an interrupted migration still inserts', async () => {
    const { olap } = analytics;
    const late = olap.command(`INSERT INTO delivery_line_item_hourly (workspace_id, time, line_item_id, impressions)
      SELECT 1, toDateTime('2026-03-01 23:00:00', 'UTC'), 3, 1 FROM numbers(30) WHERE sleepEachRow(0.1) = 0
      SETTINGS max_block_size = 1, max_threads = 1, min_insert_block_size_rows = 1, min_insert_block_size_bytes = 1`);
    const ended = Promise.allSettled([late]);
    const expected = await countsOf('delivery_hourly');
    await vi.waitFor(async () => expect(await countsOf('delivery_line_item_hourly')).not.toEqual(expected), 30_000);
    await migrateAgain();
    await ended;
    for (const table of TABLES) expect(await countsOf(table), table).toEqual(expected);
  }, 120_000);

  test('later roll-ups include new events', async () => {
    await insert('after', events);
    const expected = await countsOf('delivery_hourly');
    expect(expected).toMatchObject([{ impressions: '6', users: '3' }, ...Array.from({ length: 8 }, () => ({}))]);
    for (const table of TABLES) expect(await countsOf(table), table).toEqual(expected);
  });
});

describe('what a report reads', () => {
  const shared = new MemberIndex({ cubes: [CAMPAIGN_OVERVIEW] });
  const withKeys = networkIndex({
    keys: [17, 18].map((id) => ({ id: String(id), code: `k${id}`, name: 'Key', isArchived: false })),
    activities: [],
  });
  const member = (name: string): string => `campaign_overview.${name}`;

  test.each<[string, readonly string[], readonly [string, string], string]>([
    ['delivery_line_item_daily', ['line_item_id'], ['2026-03-01', '2026-03-31'], 'day'],
    ['delivery_line_item_hourly', ['line_item_name'], ['2026-03-01', '2026-03-31'], 'hour'],
    ['delivery_daily', ['creative_id'], ['2026-03-01', '2026-03-31'], 'day'],
    ['delivery_hourly', ['site_domain'], ['2026-03-01', '2026-03-31'], 'hour'],
    ['delivery_quarter_hourly', ['country'], ['2026-03-01', '2026-03-31'], 'day'],
    ['delivery_key_values_daily', ['kv_k17', 'line_item_id'], ['2026-03-01', '2026-03-31'], 'day'],
    ['delivery_key_values_hourly', ['kv_k17', 'site_id'], ['2026-03-01', '2026-03-31'], 'hour'],
    ['events', [], ['2026-03-01', '2026-03-02'], 'minute'],
    ['events', ['kv_k17', 'country'], ['2026-03-01', '2026-03-02'], 'day'],
  ])(
    'a report over %s reads only its workspace and its days, by the key of the table',
    async (relation, dimensions, dateRange, granularity) => {
      const query = normalizeQuery(
        {
          measures: ['impressions', 'revenue', 'unique_users'].map(member),
          dimensions: dimensions.map(member),
          timeDimensions: [{ dimension: member('time'), dateRange, granularity }],
        },
        { nowMs: NOW_MS, timezoneDefault: 'UTC' },
      );
      const index = dimensions.includes('kv_k17') ? withKeys : shared;
      const compiled = compileQuery(index, query, { workspaceId: 1, networkId: '1' }, NOW_MS);
      expect(compiled.relation).toBe(relation);
      const plan = await analytics.olap.query<{ explain: string }>({
        sql: `EXPLAIN indexes = 1 ${compiled.sql}`,
        params: compiled.params,
      });
      const text = plan.map(({ explain }) => explain).join('\n');
      const [key = ''] =
        text.slice(text.lastIndexOf(`.${relation})`)).match(/PrimaryKey[\s\S]*?Condition: [^\n]*/) ?? [];
      expect(key).toMatch(/workspace_id in \[1, 1\]/);
      expect(key).toMatch(/\(to\w+\(time\) in /);
    },
  );

  test('a report of all line items by hour reads sums of hours, in any zone', async () => {
    const query = normalizeQuery(
      {
        measures: ['impressions', 'clicks', 'ctr', 'revenue', 'activity_value'].map(member),
        timeDimensions: [{ dimension: member('time'), dateRange: ['2026-03-01', '2026-04-30'], granularity: 'hour' }],
        timezone: 'Europe/Warsaw',
      },
      { nowMs: NOW_MS, timezoneDefault: 'UTC' },
    );
    const { sql, params } = compileQuery(shared, query, { workspaceId: 1, networkId: '1' }, NOW_MS);
    const read = async (settings: Record<string, number>): Promise<unknown> =>
      analytics.olap.query({ sql, params, settings });
    const plan = await analytics.olap.query<{ explain: string }>({ sql: `EXPLAIN ${sql}`, params });
    expect(plan.map(({ explain }) => explain).join('\n')).toContain('ReadFromMergeTree (by_hour)');
    const sums = await read({ optimize_use_projections: 1 });
    expect(sums).not.toEqual([]);
    expect(sums).toEqual(await read({ optimize_use_projections: 0 }));
  });
});
