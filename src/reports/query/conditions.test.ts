import { describe, expect, test } from 'vitest';
import { normalizeRequest } from './normalize.ts';
import { CONDITIONS_MAX } from './query-shape.ts';

const context = { nowMs: Date.parse('2026-11-20T10:00:00Z'), timezoneDefault: 'UTC' };
const condition = { member: 'campaign_overview.time', operator: 'inDateRange', values: ['last 7 days'] };
const conditions = (count: number): object[] => Array.from({ length: count }, () => condition);
const query = (filters: object[], time: object = { dateRange: 'last 7 days' }): object => ({
  measures: ['campaign_overview.clicks'],
  timeDimensions: [{ dimension: 'campaign_overview.time', granularity: 'day', ...time }],
  filters,
});

describe('The conditions of a report request are bounded in all', () => {
  test.each([
    ['in one tree', query([{ or: conditions(600) }, { and: conditions(600) }])],
    [
      'over all compared ranges',
      query(conditions(100), { compareDateRange: Array.from({ length: 11 }, () => 'last week') }),
    ],
    ['over all blended queries', [query(conditions(600)), query(conditions(600))]],
  ])('%s', (_where, input) => {
    expect(() => normalizeRequest(input, context)).toThrow(/at most 1000 conditions/);
  });

  test('the allowed number of conditions passes', () => {
    expect(normalizeRequest(query(conditions(CONDITIONS_MAX)), context).queries).toHaveLength(1);
  });
});
