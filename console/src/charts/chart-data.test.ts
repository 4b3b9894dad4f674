import { describe, expect, test } from 'vitest';
import { arrangeSeries, SERIES_MAX } from './chart-data.ts';
import { formatBucket, formatChange, formatMeasure } from '../format/format-value.ts';
import { TIME_MEMBER } from '../reports/lens-state.ts';

const TIME = `${TIME_MEMBER}.day`;
const day = (number: number): string => `2026-11-${String(number).padStart(2, '0')}T00:00:00.000`;

describe('what charts draw', () => {
  test('days without rows stay as gaps, and groups become lines, the largest first', () => {
    const data = arrangeSeries({
      state: { measures: ['n'], dimensions: ['c'], granularity: 'day' },
      rows: [
        { [TIME]: day(1), c: 'PL', n: '1' },
        { [TIME]: day(3), c: 'PL', n: '2' },
        { [TIME]: day(1), c: 'DE', n: '9' },
      ],
      before: null,
      buckets: [day(1), day(2), day(3)],
    });
    expect(data.series.map(({ group, values }) => [group?.['c'], values])).toEqual([
      ['DE', [9, null, null]],
      ['PL', [1, null, 2]],
    ]);
  });

  test('the first dimension is the axis without time, in the order of the rows', () => {
    const data = arrangeSeries({
      state: { measures: ['n', 'm'], dimensions: ['c'], granularity: null },
      rows: [
        { c: 'PL', n: '2', m: null },
        { c: null, n: '1', m: '5' },
      ],
      before: [{ c: 'PL', n: '4' }, null],
      buckets: null,
    });
    expect(data.positions.map((row) => row['c'])).toEqual(['PL', null]);
    expect(data.series.map(({ measure, values, before }) => [measure, values, before])).toEqual([
      ['n', [2, 1], [4, null]],
      ['m', [null, 5], [null, null]],
    ]);
  });

  test('series that do not fit are counted as left out', () => {
    const rows = Array.from({ length: 30 }, (_none, index) => ({ [TIME]: day(1), c: `c${index}`, n: String(index) }));
    const data = arrangeSeries({
      state: { measures: ['n'], dimensions: ['c'], granularity: 'day' },
      rows,
      before: null,
      buckets: [day(1)],
    });
    expect(data.series).toHaveLength(SERIES_MAX);
    expect(data.seriesLeftOut).toBe(30 - SERIES_MAX);
    expect(data.series[0]?.group?.['c']).toBe('c29');
  });
});

describe('groups that have no series of their own', () => {
  const rows = Array.from({ length: 30 }, (_none, index) => ({ [TIME]: day(1), c: `c${index}`, n: '1', rate: '0.5' }));
  const arrange = (measures: string[]) =>
    arrangeSeries({
      state: { measures, dimensions: ['c'], granularity: 'day' },
      rows,
      before: rows.map((row) => ({ ...row, n: '2' })),
      buckets: [day(1), day(2)],
      isAdditive: (measure) => measure === 'n',
    });

  test('the sum of the rest is a series, so that a stack shows the whole', () => {
    const data = arrange(['n']);
    expect(data.series).toHaveLength(SERIES_MAX);
    expect(data.series.at(-1)).toMatchObject({ isRest: true, values: [19, null], before: [38, null] });
    expect(data.series.reduce((sum, { values }) => sum + (values[0] ?? 0), 0)).toBe(30);
    expect(data.seriesLeftOut).toBe(0);
  });

  test('rates have no sum of the rest', () => {
    const data = arrange(['rate']);
    expect(data.series.filter(({ isRest }) => isRest)).toEqual([]);
    expect(data.seriesLeftOut).toBe(30 - SERIES_MAX);
    expect(arrange(['n', 'rate']).seriesLeftOut).toBeGreaterThan(0);
  });
});

describe('what is shown', () => {
  test('money keeps every digit, however large', () => {
    expect(formatMeasure({ format: 'currency', currency: 'EUR' }, '9007199254740993.129')).toBe(
      '€9,007,199,254,740,993.13',
    );
  });
  test('per cent are per hundred already', () => {
    expect(formatMeasure({ format: 'percent', currency: null }, '0.4312')).toBe('0.43\u00a0%');
  });
  test('nothing is a dash, not zero', () => {
    expect(formatMeasure({ format: null, currency: null }, null)).toBe('–');
    expect(formatMeasure({ format: null, currency: null }, '0')).toBe('0');
  });
  test('a bucket is named by its own clock, whatever the browser’s time zone', () => {
    expect(formatBucket('2026-11-20T00:00:00.000', 'day')).toBe('Fri, Nov 20, 2026');
    expect(formatBucket('2026-11-16T00:00:00.000', 'week')).toBe('Week of Nov 16, 2026');
  });
  test('changes carry their sign', () => {
    expect(formatChange(12.34)).toBe('+12.3\u00a0%');
    expect(formatChange(-5)).toBe('-5.0\u00a0%');
  });
});
