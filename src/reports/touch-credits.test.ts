import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestOlapDatabase, silentLog, type TestOlapDatabase } from '../../test/support/stores.ts';
import { migrateOlap } from '../storage/olap/migrate-olap.ts';
import { compileQuery } from './compile/compile-query.olap.ts';
import { EVENTS_TABLE, makeEvent } from './fixtures/events-table.ts';
import type { MemberIndex } from './model/member-index.ts';
import { CREDIT_NAMES } from './model/credit-measures.ts';
import { networkIndex } from './model/own-members.olap.ts';
import { normalizeQuery } from './query/normalize.ts';
import { REPORT_OLAP_MIGRATIONS } from './rollups/rollups.olap.ts';
import { runsOf } from '../../test/support/longer-runs.ts';

const NOW_MS = Date.parse('2026-07-15T13:00:00Z');
const index: MemberIndex = networkIndex({
  keys: [{ id: '17', code: 'k17', name: 'Key 17', isArchived: false }],
  activities: [{ id: '41', code: 'buy', name: 'Buy', isArchived: false }],
});
const member = (name: string): string => `campaign_overview.${name}`;
const range = ['2026-03-01', '2026-03-31'];

let analytics: TestOlapDatabase;
let inserts = 0;

beforeAll(async () => {
  analytics = await createTestOlapDatabase();
  await analytics.olap.command(EVENTS_TABLE);
  await migrateOlap({ olap: analytics.olap, migrations: REPORT_OLAP_MIGRATIONS, log: silentLog });
});
afterAll(() => analytics.close());

async function insert(events: readonly object[]): Promise<void> {
  inserts += 1;
  const body = Buffer.from(events.map((event) => JSON.stringify(event)).join('\n'));
  await analytics.olap.insertRaw({ table: 'events', body, token: `t${inserts}` });
}

/** A conversion of a workspace with its path over these line items. */
function conversion(workspaceId: number, lineItems: readonly string[]): object[] {
  const base = { workspace_id: workspaceId, time: '2026-03-05 12:00:00.000', activity_id: '41' };
  const { length } = lineItems;
  const positionIn = (at: number): string =>
    length === 1 ? 'only' : at === 0 ? 'first' : at === length - 1 ? 'last' : 'middle';
  return [
    makeEvent({ ...base, kind: 'activity', attribution: 'click', line_item_id: lineItems.at(-1) }),
    ...lineItems.map((id, at) =>
      makeEvent({ ...base, kind: 'touch', line_item_id: id, attribution: positionIn(at), item_count: length }),
    ),
  ];
}

function compile(workspaceId: number, query: object) {
  const normalized = normalizeQuery(
    { timeDimensions: [{ dimension: member('time'), dateRange: range }], ...query },
    { nowMs: NOW_MS, timezoneDefault: 'UTC' },
  );
  return compileQuery(index, normalized, { workspaceId, networkId: '1' }, NOW_MS);
}

/** Each row as its values in the order of the query's members. */
async function load(workspaceId: number, dimensions: readonly string[], measures: readonly string[]) {
  const { sql, params, columns } = compile(workspaceId, {
    dimensions: dimensions.map(member),
    measures: measures.map(member),
    order: Object.fromEntries(dimensions.map((name) => [member(name), 'asc'])),
  });
  const rows = await analytics.olap.query<Record<string, unknown>>({ sql, params, timeoutMs: 60_000 });
  return rows.map((row) => columns.map(({ alias }) => String(row[alias])));
}

test('each model credits the touches of a path in its way', async () => {
  await insert([
    ...conversion(11, ['20', '21', '22', '21']),
    ...conversion(11, ['22', '20']),
    ...conversion(11, ['20']),
  ]);
  expect(await load(11, ['line_item_id'], CREDIT_NAMES)).toEqual([
    ['20', '2', '2', '1.75', '1.9'],
    ['21', '0', '1', '0.5', '0.5'],
    ['22', '1', '0', '0.75', '0.6'],
  ]);
  expect(await load(11, ['line_item_id'], ['activities', 'linear_conversions'])).toEqual([
    ['20', '2', '1.75'],
    ['21', '1', '0.5'],
    ['22', '0', '0.75'],
  ]);
});

test('the credits of every conversion add up to one conversion in each model', async () => {
  const paths = fc.array(fc.array(fc.constantFrom('20', '21', '22'), { minLength: 1, maxLength: 16 }), {
    minLength: 1,
    maxLength: 30,
  });
  let workspaceId = 100;
  await fc.assert(
    fc.asyncProperty(paths, async (given) => {
      workspaceId += 1;
      await insert(given.flatMap((path) => conversion(workspaceId, path)));
      const whole = String(given.length);
      expect(await load(workspaceId, [], CREDIT_NAMES)).toEqual([CREDIT_NAMES.map(() => whole)]);
      expect(await load(workspaceId, ['activity_id'], ['activities', ...CREDIT_NAMES])).toEqual([
        ['41', whole, ...CREDIT_NAMES.map(() => whole)],
      ]);
    }),
    { numRuns: runsOf(12) },
  );
});

test('a touch changes no other measure, in no table', async () => {
  const path = conversion(12, ['20', '21', '22']);
  await insert(path);
  const others = [
    'impressions',
    'clicks',
    'requests',
    'activities',
    'post_click_activities',
    'revenue',
    'unique_users',
  ];
  const expected = [['0', '0', '0', '1', '1', '0', '0']];
  expect(compile(12, { measures: others.map(member) }).relation).toBe('delivery_line_item_daily');
  expect(await load(12, [], others)).toEqual(expected);
  expect((await load(12, [], [...others, 'linear_conversions'])).map((row) => row.slice(0, -1))).toEqual(expected);
});

interface AskedMembers {
  readonly measures?: string[];
  readonly dimensions?: string[];
  readonly filters?: { member: string; operator: string; values: string[] }[];
}

test.each([
  ['touches', { measures: ['linear_conversions', 'last_touch_conversions'] }],
  ['touches', { measures: ['linear_conversions'], dimensions: ['ad_unit_name', 'kv_k17'] }],
  ['events', { measures: ['linear_conversions', 'impressions'] }],
  ['events', { measures: ['linear_conversions', 'activity_buy_count'] }],
  ['events', { measures: ['impressions'], filters: [{ member: 'linear_conversions', operator: 'gt', values: ['1'] }] }],
  ['delivery_line_item_daily', { measures: ['impressions', 'activities'] }],
  ['delivery_line_item_daily', { dimensions: ['line_item_id'] }],
] as [string, AskedMembers][])(
  'the table %s serves %o',
  (relation, { measures = [], dimensions = [], filters = [] }) => {
    const query = {
      measures: measures.map(member),
      dimensions: dimensions.map(member),
      filters: filters.map((filter) => ({ ...filter, member: member(filter.member) })),
    };
    expect(compile(1, query).relation).toBe(relation);
  },
);
