import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestOlapDatabase, silentLog, type TestOlapDatabase } from '../../test/support/stores.ts';
import { migrateOlap } from '../storage/olap/migrate-olap.ts';
import { compileQuery } from './compile/compile-query.olap.ts';
import { EVENTS_TABLE, makeEvent } from './fixtures/events-table.ts';
import { loadQuery, type LoadResult, type QueryEngine } from './load/load-query.ts';
import { QuerySlots } from './load/query-slots.ts';
import { CAMPAIGN_OVERVIEW } from './model/campaign-overview.olap.ts';
import { MemberIndex } from './model/member-index.ts';
import { normalizeQuery } from './query/normalize.ts';
import { REPORT_OLAP_MIGRATIONS } from './rollups.olap.ts';

const NOW_MS = Date.parse('2026-07-15T13:00:00Z');
const EVENTS_ONLY = {
  ...CAMPAIGN_OVERVIEW,
  relations: CAMPAIGN_OVERVIEW.relations.filter(({ name }) => name === 'events'),
};
const index = new MemberIndex({ cubes: [CAMPAIGN_OVERVIEW] });
const member = (name: string): string => `campaign_overview.${name}`;

interface Asked {
  readonly dimensions?: readonly string[];
  readonly range: readonly [string, string];
  readonly granularity?: string;
  readonly timezone?: string;
  readonly ungrouped?: boolean;
}

function queryOf({ dimensions = [], range, granularity, timezone = 'UTC', ungrouped }: Asked): object {
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
    ...(ungrouped === undefined ? {} : { ungrouped }),
  };
}

describe('which table answers', () => {
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
    const query = normalizeQuery(queryOf(asked), { nowMs: NOW_MS, timezoneDefault: 'UTC' });
    expect(compileQuery(index, query, { workspaceId: 1, networkId: '1' }, NOW_MS).relation).toBe(relation);
  });
});

describe('roll-ups give what the events give', () => {
  let analytics: TestOlapDatabase;
  let engine: QueryEngine;

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

  const load = async (asked: Asked, over: QueryEngine): Promise<unknown> => {
    const signal = new AbortController().signal;
    const tenant = { workspaceId: 1, networkId: '1' };
    const request = {
      query: queryOf(asked),
      isMulti: false,
      tenant,
      timezoneDefault: 'UTC',
      nowMs: NOW_MS,
      timeoutMs: 20_000,
      signal,
    };
    return ((await loadQuery(over, request)) as LoadResult).data;
  };

  test.each<[string]>([
    ['UTC'],
    ['Europe/Warsaw'],
    ['America/New_York'],
    ['Asia/Kolkata'],
    ['Asia/Kathmandu'],
    ['Australia/Lord_Howe'],
    ['America/St_Johns'],
  ])('in %s, for every granularity from hours up', async (timezone) => {
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
  });

  test.each<[string, string]>([
    [
      'UTC',
      'events, delivery_quarter_hourly, delivery_hourly, delivery_daily, delivery_line_item_hourly, delivery_line_item_daily',
    ],
    ['Europe/Warsaw', 'events, delivery_quarter_hourly, delivery_hourly, delivery_line_item_hourly'],
  ])('days of %s are the same by each table that can answer them', async (timezone, tables) => {
    for (const dimensions of [[], ['line_item_id'], ['campaign_id', 'activity_id', 'line_item_type']]) {
      const asked: Asked = { dimensions, range: ['2026-03-27', '2026-04-06'], granularity: 'day', timezone };
      const answers = new Map<string, unknown>();
      for (const relation of CAMPAIGN_OVERVIEW.relations.toReversed()) {
        const alone = new MemberIndex({ cubes: [{ ...EVENTS_ONLY, relations: [relation, ...EVENTS_ONLY.relations] }] });
        const query = normalizeQuery(queryOf(asked), { nowMs: NOW_MS, timezoneDefault: 'UTC' });
        const used = compileQuery(alone, query, { workspaceId: 1, networkId: '1' }, NOW_MS).relation;
        if (!answers.has(used)) answers.set(used, await load(asked, { ...engine, index: alone }));
      }
      expect([...answers.keys()].join(', ')).toBe(tables);
      for (const [table, rows] of answers) expect(rows, table).toEqual(answers.get('events'));
    }
  });

  test('days that begin between two UTC hours are cut where they begin, though the range is not', async () => {
    const events = { ...engine, index: new MemberIndex({ cubes: [EVENTS_ONLY] }) };
    const asked: Asked = {
      range: ['2026-03-27T05:30:00', '2026-04-03T05:29:59.999'],
      granularity: 'day',
      timezone: 'Asia/Kolkata',
    };
    expect(await load(asked, engine)).toEqual(await load(asked, events));
  });

  test('a batch that is sent again is counted once, in the roll-ups as well', async () => {
    const asked: Asked = { range: ['2026-05-01', '2026-05-01'], granularity: 'day' };
    const body = Buffer.from(JSON.stringify(makeEvent({ time: '2026-05-01 10:00:00.000', revenue_nanos: '7' })));
    for (let time = 0; time < 3; time += 1) await analytics.olap.insertRaw({ table: 'events', body, token: 'again' });
    const [row] = (await load(asked, engine)) as Record<string, string>[];
    expect([row?.[member('impressions')], row?.[member('revenue')]]).toEqual(['1', '0.000000007']);
  });

  test('sums pass the end of 64 bits without losing a nano', async () => {
    const max = '9223372036854775807';
    const rows = [1, 2, 3].map(() =>
      JSON.stringify(makeEvent({ time: '2026-05-02 10:00:00.000', revenue_nanos: max })),
    );
    await analytics.olap.insertRaw({ table: 'events', body: Buffer.from(rows.join('\n')), token: 'huge' });
    const [row] = (await load({ range: ['2026-05-02', '2026-05-02'] }, engine)) as Record<string, string>[];
    expect(row?.[member('revenue')]).toBe('27670116110.564327421');
  });
});

/** mulberry32: the same numbers on every run. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

function randomEvent(random: () => number): Record<string, unknown> {
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T;
  const from = Date.parse('2026-03-25T00:00:00Z');
  const time = new Date(from + Math.floor(random() * 14 * 86_400_000)).toISOString().slice(0, 23).replace('T', ' ');
  const kind = pick(['impression', 'impression', 'impression', 'click', 'activity', 'request', 'viewable']);
  return makeEvent({
    time,
    kind,
    workspace_id: pick([1, 1, 1, 2]),
    site_id: pick(['5', '50']),
    line_item_id: pick(['3', '30', '']),
    line_item_type: pick(['STANDARD', 'HOUSE', '']),
    country: pick(['PL', 'DE', '']),
    npa: random() < 0.2,
    user_hash: String(Math.floor(random() * 300)),
    quantity: kind === 'request' ? 17 : 1,
    invalid_reason: pick(['', '', '', 'robot']),
    revenue_nanos: kind === 'impression' ? '1234567' : '0',
    value_micros: kind === 'activity' ? '19990000' : '0',
  });
}
