import { describe, expect, test } from 'vitest';
import { changePercent, comparePivot, type ComparisonPlan, matchComparison } from './compare-rows.ts';
import { columnKey, PIVOT_COLUMNS_MAX, pivotRows } from './pivot-rows.ts';

const plan: ComparisonPlan = {
  dimensions: ['site'],
  timeKey: 'time.day',
  granularity: 'day',
  current: { from: '2030-03-01', to: '2030-03-03' },
  other: { from: '2030-02-26', to: '2030-02-28' },
};
const day = (date: string, site: string | null, count: string) => ({ 'time.day': `${date}T00:00:00.000`, site, count });

describe('rows of two ranges', () => {
  test('a bucket is compared with the bucket of the same position', () => {
    const others = [day('2030-02-26', 'a', '1'), day('2030-02-28', 'a', '3'), day('2030-02-28', 'b', '4')];
    const rows = [day('2030-03-01', 'a', '10'), day('2030-03-02', 'a', '20'), day('2030-03-03', 'b', '30')];
    expect(matchComparison(rows, others, plan).map((one) => one?.['count'] ?? null)).toEqual(['1', null, '4']);
  });

  test('cells and totals of a pivot are compared, each with those of its own grouping', () => {
    const [cell, total] = [day('2030-03-01', 'a', '10'), { site: 'a', count: '30' }];
    const compared = comparePivot(
      [
        { rows: [cell], others: [day('2030-02-26', 'a', '1')], dimensions: ['site'], timeKey: 'time.day' },
        { rows: [total], others: [{ site: 'a', count: '3' }], dimensions: ['site'], timeKey: null },
        { rows: [{ site: 'new', count: '5' }], others: [], dimensions: ['site'], timeKey: null },
      ],
      plan,
    );
    expect(compared.get(cell)?.['count']).toBe('1');
    expect(compared.get(total)?.['count']).toBe('3');
    expect(compared.size).toBe(2);
  });

  test('rows without time are compared by their group alone', () => {
    const untimed: ComparisonPlan = { ...plan, timeKey: null, granularity: null };
    const others = [
      { site: null, count: '1' },
      { site: 'null', count: '2' },
    ];
    expect(matchComparison([{ site: 'null' }, { site: null }, { site: 'c' }], others, untimed)).toEqual([
      others[1],
      others[0],
      null,
    ]);
  });

  test('the last day of a longer month has nothing to compare with', () => {
    const months: ComparisonPlan = {
      ...plan,
      current: { from: '2030-03-01', to: '2030-03-31' },
      other: { from: '2030-02-01', to: '2030-02-28' },
    };
    const rows = [day('2030-03-28', 'a', '1'), day('2030-03-29', 'a', '2')];
    expect(matchComparison(rows, [day('2030-02-28', 'a', '5')], months)).toEqual([day('2030-02-28', 'a', '5'), null]);
  });

  test('weeks that ranges cut are compared from their Mondays', () => {
    const weeks: ComparisonPlan = {
      ...plan,
      granularity: 'week',
      timeKey: 'time.week',
      current: { from: '2030-03-06', to: '2030-03-12' },
      other: { from: '2030-02-27', to: '2030-03-05' },
    };
    const week = (date: string) => ({ 'time.week': `${date}T00:00:00.000`, site: 'a' });
    const others = [week('2030-02-25'), week('2030-03-04')];
    expect(matchComparison([week('2030-03-04'), week('2030-03-11')], others, weeks)).toEqual(others);
  });

  test.each([
    ['a count that grows has a positive change', '150', '100', 50],
    ['a count that falls has a negative change', '50', '100', -50],
    ['a loss that shrinks has a positive change', '-50', '-100', 50],
    ['a change from zero has no percentage', '5', '0', null],
    ['a missing value has no percentage', null, '5', null],
    ['a value that was missing has no percentage', '5', undefined, null],
    ['a text has no percentage', 'n/a', '5', null],
  ])('%s', (_title, now, then, percent) => {
    expect(changePercent(now, then)).toBe(percent);
  });
});

describe('a pivot', () => {
  const rows = [
    { site: 'a', device: 'phone', count: '1' },
    { site: 'a', device: null, count: '2' },
    { site: 'b', device: 'phone', count: '3' },
  ];
  const input = {
    rows,
    rowTotals: [
      { site: 'b', count: '3' },
      { site: 'a', count: '3' },
      { site: 'c', count: '0' },
    ],
    columnTotals: [
      { device: 'phone', count: '4' },
      { device: null, count: '2' },
    ],
    pivotKey: 'device',
    groupKeys: ['site'],
  };

  test('a pivot has rows and columns in the order of their totals', () => {
    const table = pivotRows(input);
    expect(table.columns).toEqual(['phone', null]);
    expect(table.rows.map(({ group }) => group['site'])).toEqual(['b', 'a', 'c']);
    const counts = table.rows.map(({ cells }) => table.columns.map((one) => cells.get(columnKey(one))?.['count']));
    expect(counts).toEqual([
      ['3', undefined],
      ['1', '2'],
      [undefined, undefined],
    ]);
    expect(table.columnTotals.get(columnKey(null))?.['count']).toBe('2');
  });

  test('the text "null" is a column of its own', () => {
    expect(columnKey('null')).not.toBe(columnKey(null));
    expect(columnKey('true')).not.toBe(columnKey(true));
  });

  test('a pivot says how many columns it leaves out', () => {
    const columnTotals = Array.from({ length: PIVOT_COLUMNS_MAX + 3 }, (_one, at) => ({ device: `d${at}` }));
    const table = pivotRows({ ...input, columnTotals });
    expect([table.columns.length, table.columnsLeftOut]).toEqual([PIVOT_COLUMNS_MAX, 3]);
  });
});
