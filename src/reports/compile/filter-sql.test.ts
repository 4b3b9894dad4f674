import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestOlapDatabase, silentLog, type TestOlapDatabase } from '../../../test/support/stores.ts';
import { encodeGlobalId } from '../../domain/ids/global-ids.ts';
import { migrateOlap } from '../../storage/olap/migrate-olap.ts';
import { EVENTS_TABLE } from '../fixtures/events-table.ts';
import { randomEvent, seeded } from '../fixtures/random-events.ts';
import { REPORT_OLAP_MIGRATIONS } from '../rollups/rollups.olap.ts';
import { CAMPAIGN_OVERVIEW } from '../model/campaign-overview.olap.ts';
import { MemberIndex } from '../model/member-index.ts';
import { normalizeQuery } from '../query/normalize.ts';
import { type CompiledQuery, compileQuery } from './compile-query.olap.ts';

const NOW_MS = Date.parse('2026-07-15T13:00:00Z');
const index = new MemberIndex({ cubes: [CAMPAIGN_OVERVIEW] });
const member = (name: string): string => `campaign_overview.${name}`;

function compile(filters: readonly object[], over: object = {}): CompiledQuery {
  const query = normalizeQuery(
    {
      measures: [member('requests')],
      dimensions: [member('line_item_id')],
      timeDimensions: [{ dimension: member('time'), dateRange: ['2026-03-27', '2026-03-29'] }],
      filters,
      ...over,
    },
    { nowMs: NOW_MS, timezoneDefault: 'UTC' },
  );
  return compileQuery(index, query, { workspaceId: 1, networkId: '1' }, NOW_MS);
}

const times = (text: string, part: string): number => text.split(part).length - 1;

test.each(['equals', 'notEquals', 'contains', 'notStartsWith'])(
  'a statement holds the SQL of a measure once, however many values it is compared with by %s',
  (operator) => {
    const values = Array.from({ length: 1_000 }, (_none, at) => String(at));
    const filter = { member: member('impressions'), operator, values };
    const { sql } = compile([filter, { ...filter, values: ['5'] }]);
    expect([times(sql, 'facts.impressions'), times(sql, ':String}')]).toEqual([1, 1_001]);
  },
);

test.each([
  ['impressions', 'equals', ['1', '1', ' 1', '2'], 2],
  ['impressions', 'contains', ['1', '1'], 1],
  ['country', 'equals', ['PL', 'PL', 'DE'], 2],
  ['country', 'notContains', ['P', 'P'], 1],
])('equal values of %s (%s) are bound once', (name, operator, values, bound) => {
  expect(times(compile([{ member: member(name), operator, values }]).sql, ':String}')).toBe(bound);
});

const ID_MEMBERS = [
  ['line_item_id', 'LineItem'],
  ['creative_id', 'Creative'],
  ['campaign_id', 'Campaign'],
  ['advertiser_id', 'Advertiser'],
  ['deal_id', 'Deal'],
  ['advertising_product_id', 'AdvertisingProduct'],
  ['site_id', 'Site'],
  ['ad_unit_id', 'AdUnit'],
  ['activity_id', 'Activity'],
] as const;

test.each(ID_MEMBERS)('%s takes the global id of a %s as the decimal one', (name, type) => {
  const compared = (operator: string, values: readonly (string | null)[]) => {
    const { sql, params } = compile([{ member: member(name), operator, values }]);
    return { sql, params };
  };
  for (const operator of ['equals', 'notEquals', 'in', 'notIn'])
    expect(compared(operator, [encodeGlobalId(type, '12'), null, '7'])).toEqual(compared(operator, ['12', null, '7']));
});

test('every id member takes global ids', () => {
  const ids = Object.entries(CAMPAIGN_OVERVIEW.dimensions).filter(([, { nulls }]) => nulls === 'zeroId');
  expect(Object.fromEntries(ids.map(([name, { idOf }]) => [name, idOf]))).toEqual(Object.fromEntries(ID_MEMBERS));
});

test('a global id of another type, or as a part of a text, is refused with what to give', () => {
  const [campaign, lineItem] = [encodeGlobalId('Campaign', '12'), encodeGlobalId('LineItem', '12')];
  const given = (operator: string, value: string) => () =>
    compile([{ or: [{ member: member('line_item_id'), operator, values: [value] }] }]);
  for (const operator of ['equals', 'notIn', 'contains'])
    expect(given(operator, campaign)).toThrow(
      `campaign_overview.line_item_id ${operator} "${campaign}": this is the id of a Campaign; give the id of a LineItem.`,
    );
  expect(given('startsWith', lineItem)).toThrow('compares the text of decimal ids; give 12, or use equals.');
  expect(given('equals', 'no-id')).not.toThrow();
});

describe('groups that are compared with numbers', () => {
  const MEASURES = ['impressions', 'ctr', 'revenue', 'activity_value', 'requests'];
  const GROUPS = { measures: MEASURES.map(member), dimensions: ['line_item_id', 'country', 'site_id'].map(member) };
  let analytics: TestOlapDatabase;
  let all: Record<string, string | null>[];

  beforeAll(async () => {
    analytics = await createTestOlapDatabase();
    await analytics.olap.command(EVENTS_TABLE);
    await migrateOlap({ olap: analytics.olap, migrations: REPORT_OLAP_MIGRATIONS, log: silentLog });
    const random = seeded(20_262);
    const rows = Array.from({ length: 1_500 }, () => JSON.stringify(randomEvent(random)));
    await analytics.olap.insertRaw({ table: 'events', body: Buffer.from(rows.join('\n')), token: 'filters' });
    all = await load([]);
  });
  afterAll(() => analytics.close());

  /** Rows with each number as a text, by the alias of its column. */
  async function load(filters: readonly object[]): Promise<Record<string, string | null>[]> {
    const { sql, params } = compile(filters, { ...GROUPS, order: { [member('line_item_id')]: 'asc' } });
    const columns = ['d0', 'd1', 'd2', ...MEASURES.map((_name, at) => `m${at}`)];
    const texts = columns.map((name) => `toString(${name}) AS t_${name}`).join(', ');
    return analytics.olap.query({ sql: `SELECT ${texts} FROM (${sql}) ORDER BY ALL`, params, timeoutMs: 20_000 });
  }

  const cases = MEASURES.flatMap((name, at) =>
    (['equals', 'notEquals', 'contains'] as const).map((operator) => [name, operator, at] as const),
  );
  test.each(cases)('groups whose %s %s several values are found', async (name, operator, at) => {
    const valueOf = (row: Record<string, string | null>): string | null => row[`t_m${at}`] ?? null;
    const known = [...new Set(all.map(valueOf))].filter((value) => value !== null);
    const wanted = known.filter((_value, position) => position % 2 === 0);
    const values = [...wanted, ...wanted, ...wanted.map((value) => ` ${value}`), '-1', '0.123456789'];
    const isIn = (value: string): boolean =>
      operator === 'contains'
        ? values.some((one) => value.includes(one))
        : wanted.some((one) => Number(one) === Number(value));
    const expected = all.filter((row) => {
      const value = valueOf(row);
      return value === null ? operator === 'notEquals' : isIn(value) !== (operator === 'notEquals');
    });
    expect(wanted.length).toBeGreaterThan(2);
    expect(await load([{ member: member(name), operator, values }])).toEqual(expected);
  });

  test('a float, no value and a number in other notations find the groups that equal them', async () => {
    const [first, second] = [...new Set(all.map((row) => row['t_m0']))].filter((value) => Number(value) > 0);
    const values = [`${first}.0`, `${second}e0`, '1.5e1', null];
    const found = await load([{ member: member('impressions'), operator: 'equals', values }]);
    const isFound = (value: unknown): boolean =>
      value === null || [Number(first), Number(second), 15].includes(Number(value));
    expect(found).toEqual(all.filter((row) => isFound(row['t_m0'])));
  });

  test('as many values as a request may have are compared', async () => {
    const values = Array.from({ length: 1_000 }, (_none, at) => String(at));
    const filters = MEASURES.map((name) => ({ member: member(name), operator: 'notEquals', values }));
    const isKept = (row: Record<string, string | null>): boolean =>
      MEASURES.every((_name, at) => row[`t_m${at}`] === null || !values.includes(String(Number(row[`t_m${at}`]))));
    expect(await load(filters)).toEqual(all.filter(isKept));
  });
});
