import { describe, expect, test } from 'vitest';
import { changePercent, matchComparison } from './compare-rows.ts';
import { csvField, csvLine } from './csv.ts';
import { drillInto, filterByValue, nextDimension } from './drill.ts';
import { DEFAULT_LENS } from './lens-state.ts';
import { columnKey, pivotRows } from './pivot-rows.ts';
import { readRows } from './report-rows.ts';
import { writeCurl } from './share-code.ts';
import { buildLensQueries } from './lens-query.ts';

describe('CSV', () => {
  test.each([
    ['plain text stays', 'a b', 'a b'],
    ['a comma is quoted', 'a,b', '"a,b"'],
    ['a quote is doubled', 'a"b', '"a""b"'],
    ['a line break is quoted', 'a\nb', '"a\nb"'],
    ['a formula is disarmed', '=HYPERLINK("x")', '"\'=HYPERLINK(""x"")"'],
    ['an at sign is disarmed', '@SUM(A1)', "'@SUM(A1)"],
    ['a plus sign is disarmed', '+cmd', "'+cmd"],
    ['a full-width formula is disarmed', '＝1+1', "'＝1+1"],
    ['a formula behind a line break is disarmed', '\n=1+1', '"\'\n=1+1"'],
    ['a negative number stays a number', '-12.5', '-12.5'],
    ['null is an empty field', null, ''],
    ['a truth value is written', true, 'true'],
  ])('%s', (_title, value, expected) => {
    expect(csvField(value)).toBe(expected);
  });

  test('lines end as RFC 4180 says', () => {
    expect(csvLine(['a', null, '1'])).toBe('a,,1\r\n');
  });
});

test('readRows turns a compact response into rows', () => {
  expect(readRows({ members: ['a', 'b'], dataset: [['1', null]] })).toEqual([{ a: '1', b: null }]);
});

describe('comparison', () => {
  const plan = {
    dimensions: ['c'],
    timeKey: 't.day',
    granularity: 'day' as const,
    current: { from: '2026-11-09', to: '2026-11-10' },
    other: { from: '2025-11-10', to: '2025-11-11' },
  };
  const row = (day: string, country: string | null, clicks: string) => ({
    't.day': `${day}T00:00:00.000`,
    c: country,
    n: clicks,
  });

  test('rows meet by group and by the position of their bucket, with or without gaps', () => {
    const now = [row('2026-11-09', 'PL', '10'), row('2026-11-10', 'PL', '12'), row('2026-11-10', null, '3')];
    const then = [row('2025-11-11', 'PL', '6'), row('2025-11-11', null, '1')];
    expect(matchComparison(now, then, plan).map((other) => other?.n ?? null)).toEqual([null, '6', '1']);
  });

  test.each([
    ['10', '8', 25],
    ['8', '10', -20],
    ['5', '0', null],
    ['5', null, null],
    [null, '5', null],
  ])('the change is relative to the comparison, for %s after %s', (now, then, expected) => {
    expect(changePercent(now, then)).toBe(expected);
  });
});

test('a pivot has its cells by group and column, and its totals from the server', () => {
  const table = pivotRows({
    rows: [
      { c: 'PL', os: 'iOS', ctr: '2' },
      { c: 'PL', os: null, ctr: '4' },
      { c: 'DE', os: 'iOS', ctr: '1' },
    ],
    rowTotals: [
      { c: 'PL', ctr: '2.5' },
      { c: 'DE', ctr: '1' },
    ],
    columnTotals: [
      { os: 'iOS', ctr: '1.7' },
      { os: null, ctr: '4' },
    ],
    pivotKey: 'os',
    groupKeys: ['c'],
  });
  expect(table.columns).toEqual(['iOS', null]);
  expect(table.rows[0]?.cells.get(columnKey(null))?.['ctr']).toBe('4');
  expect(table.rows[1]?.cells.get(columnKey(null))).toBeUndefined();
  expect(table.rows[0]?.total?.['ctr']).toBe('2.5');
  expect(table.columnTotals.get(columnKey('iOS'))?.['ctr']).toBe('1.7');
});

describe('drilling', () => {
  const member = (name: string): string => `campaign_overview.${name}`;

  test('a drill goes from campaigns to their line items, by name where there is one', () => {
    expect(nextDimension(member('campaign_name'), new Set([member('line_item_name'), member('line_item_id')]))).toBe(
      member('line_item_name'),
    );
    expect(nextDimension(member('creative_name'), new Set([member('line_item_name')]))).toBeNull();
  });

  test('a drill keeps the value and replaces its dimension by the finer one', () => {
    const state = { ...DEFAULT_LENS, dimensions: [member('campaign_name'), member('country')] };
    const drilled = drillInto(state, { member: member('campaign_name'), value: 'Spring' }, member('line_item_name'));
    expect(drilled.dimensions).toEqual([member('line_item_name'), member('country')]);
    expect(drilled.filters).toEqual([{ member: member('campaign_name'), operator: 'equals', values: ['Spring'] }]);
  });

  test('excluding a second value adds it to the first', () => {
    const once = filterByValue(DEFAULT_LENS, member('country'), 'PL', false);
    expect(filterByValue(once, member('country'), 'DE', false).filters).toEqual([
      { member: member('country'), operator: 'notEquals', values: ['PL', 'DE'] },
    ]);
  });

  test('no value is kept as "not set"', () => {
    expect(filterByValue(DEFAULT_LENS, member('deal_name'), null, true).filters[0]).toMatchObject({
      operator: 'notSet',
      values: [],
    });
  });
});

test('a copied command survives quotes in values', () => {
  const state = {
    ...DEFAULT_LENS,
    filters: [{ member: 'campaign_overview.campaign_name', operator: 'equals' as const, values: ["O'Neil"] }],
  };
  const { rows } = buildLensQueries(state, { today: '2026-11-20', timezone: 'UTC' });
  expect(writeCurl({ apiUrl: 'https://h/reports/1/v1' }, rows)).toContain(String.raw`"O'\''Neil"`);
});
