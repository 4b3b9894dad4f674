import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestOlapDatabase, silentLog, type TestOlapDatabase } from '../../../test/support/stores.ts';
import { migrateOlap } from '../../storage/olap/migrate-olap.ts';
import { olapDialect } from '../../storage/olap/olap-dialect.ts';
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

const migrate = () => migrateOlap({ olap: analytics.olap, migrations: REPORT_OLAP_MIGRATIONS, log: silentLog });

test('every roll-up holds the counts of the events, and an insert that is sent again counts once', async () => {
  await migrate();
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
  for (const token of ['first', 'second', 'second']) await insert(token, events);
  const expected = await countsOf('delivery_quarter_hourly');
  expect(expected).toHaveLength(9);
  expect(expected).toMatchObject([{ impressions: '6', users: '3' }, ...Array.from({ length: 8 }, () => ({}))]);
  for (const table of TABLES) expect(await countsOf(table), table).toEqual(expected);
});

test('a view comes before the view that feeds it, so that a block between two statements is whole everywhere or nowhere', () => {
  const statements = REPORT_OLAP_MIGRATIONS.flatMap((migration) => migration.statements(olapDialect()));
  const views = statements.flatMap((statement) => {
    const [, target, source] =
      /^CREATE MATERIALIZED VIEW [\s\S]*? TO (\w+) AS[\s\S]*? FROM (\w+)/.exec(statement) ?? [];
    return target === undefined || source === undefined ? [] : [{ target, source }];
  });
  expect(views.length).toBeGreaterThan(TABLES.length);
  for (const [at, { target }] of views.entries())
    expect(
      views.slice(at).filter(({ source }) => source === target),
      target,
    ).toEqual([]);
});

test('a store that has run all replaced migrations keeps its tables; a store that has run a part of them is refused', async () => {
  const { olap, close } = await createTestOlapDatabase();
  const migrateHere = (migrations = REPORT_OLAP_MIGRATIONS): Promise<readonly string[]> =>
    migrateOlap({ olap, migrations, log: silentLog });
  const addKnown = (ids: readonly string[]): Promise<void> =>
    olap.command('INSERT INTO placard_migrations (id) SELECT arrayJoin({ids:Array(String)})', { ids });
  try {
    await migrateHere([]);
    const [first = '', ...others] = REPORT_OLAP_MIGRATIONS.flatMap(({ replaces = [] }) => replaces);
    await addKnown(others);
    await expect(migrateHere()).rejects.toThrow(`lacks ${first}`);
    await addKnown([first]);
    expect(await migrateHere()).toEqual(REPORT_OLAP_MIGRATIONS.map(({ id }) => id));
    expect(await migrateHere()).toEqual([]);
    expect(await olap.query({ sql: 'SELECT name FROM system.tables WHERE database = currentDatabase()' })).toEqual([
      { name: 'placard_migrations' },
    ]);
  } finally {
    await close();
  }
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
