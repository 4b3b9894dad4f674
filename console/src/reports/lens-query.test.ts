import { describe, expect, test } from 'vitest';
import { buildLensQueries } from './lens-query.ts';
import { DEFAULT_LENS, type LensState, TIME_MEMBER } from './lens-state.ts';

const overview = (name: string): string => `campaign_overview.${name}`;
const MOMENT = { today: '2026-11-20', timezone: 'Europe/Warsaw' };
const state = (over: Partial<LensState>): LensState => ({
  ...DEFAULT_LENS,
  measures: [overview('clicks'), overview('ctr')],
  ...over,
});

describe('the queries of a view', () => {
  test('rows are asked with dates of the time zone, the highest limit and a stable order', () => {
    expect(buildLensQueries(state({ dimensions: [overview('country')], range: 'last_7_days' }), MOMENT).rows).toEqual({
      measures: [overview('clicks'), overview('ctr')],
      dimensions: [overview('country')],
      timeDimensions: [{ dimension: TIME_MEMBER, dateRange: ['2026-11-13', '2026-11-19'], granularity: 'day' }],
      filters: [],
      order: [
        [TIME_MEMBER, 'asc'],
        [overview('country'), 'asc'],
      ],
      timezone: 'Europe/Warsaw',
      limit: 50_000,
      total: true,
    });
  });

  test('the largest rows come first without time, and every dimension breaks ties', () => {
    const { rows } = buildLensQueries(
      state({ granularity: null, dimensions: [overview('country'), overview('os')] }),
      MOMENT,
    );
    expect(rows.order).toEqual([
      [overview('clicks'), 'desc'],
      [overview('country'), 'asc'],
      [overview('os'), 'asc'],
    ]);
  });

  test('totals are a question of their own, without groups', () => {
    const { totals } = buildLensQueries(state({ dimensions: [overview('country')] }), MOMENT);
    expect(totals.dimensions).toEqual([]);
    expect(totals.timeDimensions[0]).not.toHaveProperty('granularity');
    expect(totals.order).toEqual([]);
  });

  test('a comparison asks the same of the other range', () => {
    const { comparison } = buildLensQueries(
      state({ range: 'last_week', comparison: 'previous_year_weekdays' }),
      MOMENT,
    );
    expect(comparison?.rows.timeDimensions[0]?.dateRange).toEqual(['2025-11-10', '2025-11-16']);
    expect(comparison?.totals.timeDimensions[0]).toEqual({
      dimension: TIME_MEMBER,
      dateRange: ['2025-11-10', '2025-11-16'],
    });
  });

  test('a pivot asks the totals of its rows and of its columns', () => {
    const asked = buildLensQueries(
      state({ dimensions: [overview('country'), overview('os')], pivot: overview('os') }),
      MOMENT,
    );
    expect(asked.rowTotals?.dimensions).toEqual([overview('country')]);
    expect(asked.columnTotals?.dimensions).toEqual([overview('os')]);
    expect(asked.columnTotals?.timeDimensions[0]).not.toHaveProperty('granularity');
  });

  test('a pivot that is compared asks the same totals of the other dates', () => {
    const asked = buildLensQueries(
      state({
        dimensions: [overview('country'), overview('os')],
        pivot: overview('os'),
        range: 'last_week',
        comparison: 'previous_year_weekdays',
      }),
      MOMENT,
    );
    expect(asked.comparison?.rowTotals?.dimensions).toEqual([overview('country')]);
    expect(asked.comparison?.columnTotals?.dimensions).toEqual([overview('os')]);
    expect(asked.comparison?.columnTotals?.timeDimensions[0]?.dateRange).toEqual(['2025-11-10', '2025-11-16']);
  });

  test('a pivot by time keeps the dimensions in its rows', () => {
    const asked = buildLensQueries(state({ dimensions: [overview('country')], pivot: TIME_MEMBER }), MOMENT);
    expect(asked.rowTotals?.timeDimensions[0]).not.toHaveProperty('granularity');
    expect(asked.columnTotals?.dimensions).toEqual([]);
    expect(asked.columnTotals?.timeDimensions[0]?.granularity).toBe('day');
  });

  test('an unfinished filter is not sent; set and notSet need no values', () => {
    const { rows } = buildLensQueries(
      state({
        filters: [
          { member: overview('country'), operator: 'equals', values: [] },
          { member: overview('deal_id'), operator: 'set', values: [] },
          { member: overview('os'), operator: 'equals', values: ['iOS', ''] },
        ],
      }),
      MOMENT,
    );
    expect(rows.filters).toEqual([
      { member: overview('deal_id'), operator: 'set' },
      { member: overview('os'), operator: 'equals', values: ['iOS'] },
    ]);
  });
});
