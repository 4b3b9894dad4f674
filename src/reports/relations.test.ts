import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { partUnlessAll } from '../../test/support/longer-runs.ts';
import { createTestOlapDatabase, silentLog, type TestOlapDatabase } from '../../test/support/stores.ts';
import { migrateOlap } from '../storage/olap/migrate-olap.ts';
import { compileQuery } from './compile/compile-query.olap.ts';
import { EVENTS_TABLE, makeEvent } from './fixtures/events-table.ts';
import { randomEvent, seeded } from './fixtures/random-events.ts';
import { type LoadEngine, type PreparedQuery, prepareLoad, readRows } from './load/load-query.ts';
import { QuerySlots } from './load/query-slots.ts';
import { CAMPAIGN_OVERVIEW } from './model/campaign-overview.olap.ts';
import { MemberIndex } from './model/member-index.ts';
import { networkIndex } from './model/own-members.olap.ts';
import { normalizeQuery } from './query/normalize.ts';
import { REPORT_OLAP_MIGRATIONS } from './rollups/rollups.olap.ts';

const NOW_MS = Date.parse('2026-07-15T13:00:00Z');
const EVENTS_ONLY = {
  ...CAMPAIGN_OVERVIEW,
  relations: CAMPAIGN_OVERVIEW.relations.filter(({ name }) => name === 'events'),
};
const index = new MemberIndex({ cubes: [CAMPAIGN_OVERVIEW] });
/** A network that reports two keys. */
const withKeys = networkIndex({
  keys: ['17', '18'].map((id) => ({ id, code: `k${id}`, name: `Key ${id}`, isArchived: false })),
  activities: [],
});
const member = (name: string): string => `campaign_overview.${name}`;

const BY_LINE_ITEM = [[], ['line_item_id'], ['campaign_id', 'activity_id', 'line_item_type']];
const BY_KEY_VALUE = [['kv_k17'], ['kv_k18', 'line_item_id'], ['kv_k17', 'kv_k18', 'site_id', 'activity_id']];
const byLineItem = (operator: string, values: readonly (string | null)[]): object => ({
  member: 'campaign_overview.line_item_id',
  operator,
  values,
});
const SECTION = { member: 'campaign_overview.kv_k17', operator: 'equals', values: ['news', 'no such'] };
const KEY_VALUE_FILTERS = [
  [],
  [SECTION],
  [{ member: 'campaign_overview.kv_k18', operator: 'notSet' }],
  [{ member: 'campaign_overview.kv_k17', operator: 'notContains', values: ['SPORT'] }],
];

interface Asked {
  readonly dimensions?: readonly string[];
  readonly range: readonly [string, string];
  readonly granularity?: string;
  readonly timezone?: string;
  readonly ungrouped?: boolean;
  readonly filters?: readonly object[];
}

function queryOf({ dimensions = [], range, granularity, timezone = 'UTC', ungrouped, filters = [] }: Asked): object {
  return {
    measures: [
      'impressions',
      'gross_impressions',
      'clicks',
      'revenue',
      'unique_users',
      'activity_value',
      'requests',
    ].map(member),
    dimensions: dimensions.map(member),
    timeDimensions: [
      { dimension: member('time'), dateRange: range, ...(granularity === undefined ? {} : { granularity }) },
    ],
    timezone,
    filters,
    ...(ungrouped === undefined ? {} : { ungrouped }),
  };
}

function relationOf(members: MemberIndex, asked: Asked): string {
  const query = normalizeQuery(queryOf(asked), { nowMs: NOW_MS, timezoneDefault: 'UTC' });
  return compileQuery(members, query, { workspaceId: 1, networkId: '1' }, NOW_MS).relation;
}

describe('the table that a query reads', () => {
  test.each<[string, Asked, string]>([
    [
      'line items and what they hang on, by day',
      {
        dimensions: ['line_item_id', 'campaign_name', 'advertiser_id', 'deal_id', 'activity_id', 'line_item_type'],
        range: ['2026-03-01', '2026-03-31'],
        granularity: 'day',
      },
      'delivery_line_item_daily',
    ],
    [
      'what tells apart within a line item, by day',
      { dimensions: ['creative_name'], range: ['2026-03-01', '2026-03-31'], granularity: 'day' },
      'delivery_daily',
    ],
    [
      'sites by days of a zone',
      {
        dimensions: ['site_domain'],
        range: ['2026-03-01', '2026-03-31'],
        granularity: 'day',
        timezone: 'Europe/Warsaw',
      },
      'delivery_hourly',
    ],
    [
      'days of a zone that is not UTC',
      { range: ['2026-03-01', '2026-03-31'], granularity: 'day', timezone: 'Europe/Warsaw' },
      'delivery_line_item_hourly',
    ],
    [
      'a sum over days of a zone',
      { range: ['2026-03-01', '2026-03-31'], timezone: 'Europe/Warsaw' },
      'delivery_line_item_daily',
    ],
    [
      'a sum that begins and ends at some hour',
      { range: ['2026-03-01T05:00:00', '2026-03-09T16:59:59.999'] },
      'delivery_line_item_daily',
    ],
    [
      'a sum over little more than a day',
      { range: ['2026-03-01T05:00:00', '2026-03-03T16:59:59.999'] },
      'delivery_line_item_hourly',
    ],
    ['hours', { range: ['2026-03-01', '2026-03-31'], granularity: 'hour' }, 'delivery_line_item_hourly'],
    [
      'a whole-hour zone over its clock change',
      { range: ['2026-03-01', '2026-04-30'], granularity: 'hour', timezone: 'Europe/Warsaw' },
      'delivery_line_item_hourly',
    ],
    [
      'a context dimension',
      { dimensions: ['country'], range: ['2026-03-01', '2026-03-31'] },
      'delivery_quarter_hourly',
    ],
    [
      'a name that hangs on a context column',
      { dimensions: ['ad_unit_name'], range: ['2026-03-01', '2026-03-31'] },
      'delivery_quarter_hourly',
    ],
    [
      'a zone half an hour off',
      { range: ['2026-03-01', '2026-03-31'], granularity: 'day', timezone: 'Asia/Kolkata' },
      'delivery_quarter_hourly',
    ],
    [
      'a zone three quarters off',
      { range: ['2026-03-01', '2026-03-31'], timezone: 'Asia/Kathmandu' },
      'delivery_quarter_hourly',
    ],
    [
      'a zone that changes by half an hour',
      { range: ['2026-03-01', '2026-04-30'], granularity: 'day', timezone: 'Australia/Lord_Howe' },
      'delivery_quarter_hourly',
    ],
    [
      'bounds on full UTC hours in a zone whose days begin between them',
      {
        range: ['2026-03-01T05:30:00', '2026-03-03T05:29:59.999'],
        granularity: 'day',
        timezone: 'Asia/Kolkata',
      },
      'delivery_quarter_hourly',
    ],
    ['minutes', { range: ['2026-03-01', '2026-03-01'], granularity: 'minute' }, 'events'],
    ['a range that cuts a bucket', { range: ['2026-03-01T00:07:00', '2026-03-02'] }, 'events'],
    [
      'a range that cuts an hour at a quarter',
      { range: ['2026-03-01T00:15:00', '2026-03-02'] },
      'delivery_quarter_hourly',
    ],
    ['single events', { range: ['2026-03-01', '2026-03-01'], ungrouped: true }, 'events'],
    ['the exact time', { dimensions: ['time'], range: ['2026-03-01', '2026-03-01'] }, 'events'],
  ])('%s', (_name, asked, relation) => {
    for (const members of [index, withKeys]) expect(relationOf(members, asked)).toBe(relation);
  });

  test.each<[string, Asked, string]>([
    [
      'a key-value by line item and site, by day',
      {
        dimensions: ['kv_k17', 'line_item_name', 'site_domain', 'activity_id'],
        range: ['2026-03-01', '2026-03-31'],
        granularity: 'day',
      },
      'delivery_key_values_daily',
    ],
    [
      'a sum of key-values over days of a zone',
      { dimensions: ['kv_k18'], range: ['2026-03-01', '2026-03-31'], timezone: 'Europe/Warsaw' },
      'delivery_key_values_daily',
    ],
    [
      'two key-values by days of a zone',
      {
        dimensions: ['kv_k17', 'kv_k18'],
        range: ['2026-03-01', '2026-03-31'],
        granularity: 'day',
        timezone: 'Europe/Warsaw',
      },
      'delivery_key_values_hourly',
    ],
    [
      'a key-value by creative',
      { dimensions: ['kv_k17', 'creative_id'], range: ['2026-03-01', '2026-03-31'] },
      'events',
    ],
    [
      'a key-value in a zone half an hour off',
      { dimensions: ['kv_k17'], range: ['2026-03-01', '2026-03-31'], timezone: 'Asia/Kolkata', granularity: 'day' },
      'events',
    ],
  ])('%s', (_name, asked, relation) => {
    expect(relationOf(withKeys, asked)).toBe(relation);
  });
});

type Engine = LoadEngine & { readonly index: MemberIndex };

describe('roll-ups give what the events give', () => {
  let analytics: TestOlapDatabase;
  let engine: Engine;

  beforeAll(async () => {
    analytics = await createTestOlapDatabase();
    await analytics.olap.command(EVENTS_TABLE);
    await migrateOlap({ olap: analytics.olap, migrations: REPORT_OLAP_MIGRATIONS, log: silentLog });
    engine = { index, olap: analytics.olap, slots: new QuerySlots() };
    const random = seeded(20_261);
    for (const batch of [0, 1, 2]) {
      const rows = Array.from({ length: 1500 }, () => JSON.stringify(randomEvent(random)));
      await analytics.olap.insertRaw({ table: 'events', body: Buffer.from(rows.join('\n')), token: `batch-${batch}` });
    }
  });
  afterAll(() => analytics.close());

  const load = async (asked: Asked, over: Engine): Promise<unknown> => {
    const signal = new AbortController().signal;
    const tenant = { workspaceId: 1, networkId: '1' };
    const request = { query: queryOf(asked), isMulti: false };
    const prepared = prepareLoad(over.index, request, { tenant, timezoneDefault: 'UTC', nowMs: NOW_MS });
    const limits = { workspaceId: 1, timeoutMs: 20_000, signal };
    return (await readRows(over, prepared.queries[0] as PreparedQuery, limits)).data;
  };

  const zones = [
    'Europe/Warsaw',
    'Australia/Lord_Howe',
    'UTC',
    'America/New_York',
    'Asia/Kolkata',
    'Asia/Kathmandu',
    'America/St_Johns',
  ];
  test.each(partUnlessAll(zones, zones.length))(
    'roll-ups equal the events in %s, for every granularity from hours up',
    async (timezone) => {
      const events = { ...engine, index: new MemberIndex({ cubes: [EVENTS_ONLY] }) };
      for (const granularity of ['hour', 'day', 'week', 'month', 'quarter', 'year', undefined]) {
        for (const dimensions of [[], ['line_item_id'], ['site_id'], ['line_item_type', 'country', 'npa']]) {
          const asked: Asked = {
            dimensions,
            range: ['2026-03-27', '2026-04-06'],
            timezone,
            ...(granularity === undefined ? {} : { granularity }),
          };
          const rows = await load(asked, engine);
          expect(rows, `${granularity} ${dimensions.join()}`).toEqual(await load(asked, events));
          expect(rows).not.toEqual([]);
        }
      }
    },
  );

  test.each<[string, string, readonly (readonly string[])[]]>([
    [
      'UTC',
      'events, delivery_key_values_hourly, delivery_key_values_daily, delivery_quarter_hourly, delivery_hourly, delivery_daily, delivery_line_item_hourly, delivery_line_item_daily',
      BY_LINE_ITEM,
    ],
    [
      'Europe/Warsaw',
      'events, delivery_key_values_hourly, delivery_quarter_hourly, delivery_hourly, delivery_line_item_hourly',
      BY_LINE_ITEM,
    ],
    ['UTC', 'events, delivery_key_values_hourly, delivery_key_values_daily', BY_KEY_VALUE],
    ['Europe/Warsaw', 'events, delivery_key_values_hourly', BY_KEY_VALUE],
  ])('days of %s are the same by each of %s', async (timezone, tables, splits) => {
    for (const dimensions of splits) {
      for (const filters of dimensions.includes('kv_k17') ? KEY_VALUE_FILTERS : [[]]) {
        const asked: Asked = { dimensions, range: ['2026-03-27', '2026-04-06'], granularity: 'day', timezone, filters };
        const results = new Map<string, unknown>();
        for (const alone of oneByOne()) {
          const used = relationOf(alone, asked);
          if (!results.has(used)) results.set(used, await load(asked, { ...engine, index: alone }));
        }
        expect([...results.keys()].join(', ')).toBe(tables);
        expect(results.get('events')).not.toEqual([]);
        for (const [table, rows] of results) expect(rows, table).toEqual(results.get('events'));
      }
    }
  });

  /** Members over each table alone, with single events for queries that it cannot serve; finest first. */
  function oneByOne(): MemberIndex[] {
    const [cube] = withKeys.model.cubes;
    if (cube === undefined) throw new Error('The model has no cube');
    const events = cube.relations.filter(({ name }) => name === 'events');
    return cube.relations
      .toReversed()
      .map((relation) => new MemberIndex({ cubes: [{ ...cube, relations: [relation, ...events] }] }));
  }

  test.each<[string, readonly (string | null)[], readonly (string | null)[]]>([
    ['an id', ['30'], ['30']],
    ['several', ['3', '30'], ['3', '30']],
    ['0, which means no value,', ['0'], []],
    ['no value', [null], [null]],
    ['an id or no value', ['3', null], ['3', null]],
    ['a text that is not an id', ['3 '], []],
  ])('%s finds its rows', async (_what, values, found) => {
    const asked: Asked = {
      dimensions: ['line_item_id'],
      range: ['2026-03-27', '2026-04-06'],
      filters: [byLineItem('equals', values)],
    };
    const rows = (await load(asked, engine)) as Record<string, string | null>[];
    const ids = rows.map((row) => row[member('line_item_id')]);
    expect(new Set(ids)).toEqual(new Set(found));
    expect(ids).toHaveLength(found.length);
  });

  test('roll-ups distinguish values of any text as events do', async () => {
    const values = [
      `"18":"x"`,
      `\\`,
      `"`,
      `}`,
      `{"17":"a"}`,
      `a\u0001b\n\t`,
      `ż 漢 🎈`,
      `\u2028/`,
      `x17`,
      `17":"`,
      `\\u0041`,
    ];
    const rows = values.map((value, at) =>
      JSON.stringify(
        makeEvent({
          time: '2026-06-01 10:00:00.000',
          key_values: at % 2 === 0 ? { '18': value, '17': value } : { '17': value },
          quantity: at + 1,
        }),
      ),
    );
    await analytics.olap.insertRaw({ table: 'events', body: Buffer.from(rows.join('\n')), token: 'texts' });
    const asked: Asked = { dimensions: ['kv_k17', 'kv_k18'], range: ['2026-06-01', '2026-06-01'] };
    const found = (await load(asked, { ...engine, index: withKeys })) as Record<string, string | null>[];
    const told = found.map((row) => [row[member('kv_k17')], row[member('kv_k18')], row[member('impressions')]]);
    expect(told.toSorted((a, b) => Number(a[2]) - Number(b[2]))).toEqual(
      values.map((value, at) => [value, at % 2 === 0 ? value : null, String(at + 1)]),
    );
  });

  test('days that begin between two UTC hours are cut at their start, even when the range is not', async () => {
    const events = { ...engine, index: new MemberIndex({ cubes: [EVENTS_ONLY] }) };
    const asked: Asked = {
      range: ['2026-03-27T05:30:00', '2026-04-03T05:29:59.999'],
      granularity: 'day',
      timezone: 'Asia/Kolkata',
    };
    expect(await load(asked, engine)).toEqual(await load(asked, events));
  });

  test('a repeated batch is counted once, also in the roll-ups', async () => {
    const asked: Asked = { range: ['2026-05-01', '2026-05-01'], granularity: 'day' };
    const body = Buffer.from(JSON.stringify(makeEvent({ time: '2026-05-01 10:00:00.000', revenue_nanos: '7' })));
    for (let time = 0; time < 3; time += 1) await analytics.olap.insertRaw({ table: 'events', body, token: 'again' });
    const [row] = (await load(asked, engine)) as Record<string, string>[];
    expect([row?.[member('impressions')], row?.[member('revenue')]]).toEqual(['1', '0.000000007']);
  });

  test('sums beyond 64 bits are exact to the nano', async () => {
    const max = '9223372036854775807';
    const rows = [1, 2, 3].map(() =>
      JSON.stringify(makeEvent({ time: '2026-05-02 10:00:00.000', revenue_nanos: max })),
    );
    await analytics.olap.insertRaw({ table: 'events', body: Buffer.from(rows.join('\n')), token: 'huge' });
    const [row] = (await load({ range: ['2026-05-02', '2026-05-02'] }, engine)) as Record<string, string>[];
    expect(row?.[member('revenue')]).toBe('27670116110.564327421');
  });
});
