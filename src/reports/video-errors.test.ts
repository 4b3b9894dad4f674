import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestOlapDatabase, silentLog, type TestOlapDatabase } from '../../test/support/stores.ts';
import { migrateOlap } from '../storage/olap/migrate-olap.ts';
import { compileQuery } from './compile/compile-query.olap.ts';
import { EVENTS_TABLE, makeEvent } from './fixtures/events-table.ts';
import { networkIndex } from './model/own-members.olap.ts';
import { normalizeQuery } from './query/normalize.ts';
import { REPORT_OLAP_MIGRATIONS } from './rollups/rollups.olap.ts';

const NOW_MS = Date.parse('2026-07-15T13:00:00Z');
const index = networkIndex({ keys: [], activities: [] });
const member = (name: string): string => `campaign_overview.${name}`;

let analytics: TestOlapDatabase;

beforeAll(async () => {
  analytics = await createTestOlapDatabase();
  await analytics.olap.command(EVENTS_TABLE);
  await migrateOlap({ olap: analytics.olap, migrations: REPORT_OLAP_MIGRATIONS, log: silentLog });
  const failed = { time: '2026-03-05 12:00:00.000', kind: 'video_error', item_count: 303, activity_event: 'a.example' };
  const events = [
    makeEvent({ time: failed.time, creative_id: '4' }),
    makeEvent(failed),
    makeEvent(failed),
    makeEvent({ ...failed, creative_id: '5', item_count: 402, activity_event: '' }),
    makeEvent({ ...failed, invalid_reason: 'robot' }),
    makeEvent({ ...failed, workspace_id: 2 }),
    makeEvent({ time: failed.time, kind: 'touch', item_count: 7, activity_event: 'paid', attribution: 'only' }),
  ];
  const body = Buffer.from(events.map((event) => JSON.stringify(event)).join('\n'));
  await analytics.olap.insertRaw({ table: 'events', body, token: 't1' });
});
afterAll(() => analytics?.close());

/** Each row as its values in the order of the query's members. */
async function load(dimensions: readonly string[], measures: readonly string[], filters: readonly object[] = []) {
  const query = {
    timeDimensions: [{ dimension: member('time'), dateRange: ['2026-03-01', '2026-03-31'] }],
    dimensions: dimensions.map(member),
    measures: measures.map(member),
    filters,
    order: Object.fromEntries(dimensions.map((name) => [member(name), 'asc'])),
  };
  const normalized = normalizeQuery(query, { nowMs: NOW_MS, timezoneDefault: 'UTC' });
  const { sql, params, columns } = compileQuery(index, normalized, { workspaceId: 1, networkId: '1' }, NOW_MS);
  const rows = await analytics.olap.query<Record<string, unknown>>({ sql, params, timeoutMs: 60_000 });
  return rows.map((row) => columns.map(({ alias }) => String(row[alias])));
}

test('errors of players are reported by creative, ad unit, code and vendor, without filtered ones', async () => {
  const dimensions = ['creative_id', 'ad_unit_id', 'video_error_code', 'video_vendor_domain'];
  expect(await load(dimensions, ['video_errors'])).toEqual([
    ['4', '7', '303', 'a.example', '2'],
    ['5', '7', '402', '', '1'],
  ]);
  const byVendor = { member: member('video_vendor_domain'), operator: 'equals', values: ['a.example'] };
  expect(await load([], ['video_errors'], [byVendor])).toEqual([['2']]);
});

test('errors stand beside other measures, and columns of other kinds name no code', async () => {
  expect(await load(['creative_id'], ['impressions', 'video_errors'])).toEqual([
    ['4', '1', '2'],
    ['5', '0', '1'],
  ]);
  expect(await load(['video_error_code'], ['impressions', 'video_errors'])).toEqual(
    expect.arrayContaining([['', '1', '0']]),
  );
});
