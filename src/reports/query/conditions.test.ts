import { describe, expect, test } from 'vitest';
import { DATE_TEXTS_CHARS_MAX, DateTexts } from './date-texts.ts';
import { normalizeQuery, normalizeRequest } from './normalize.ts';
import { CONDITIONS_MAX, DATE_CHARS_MAX, FILTER_VALUES_MAX, TIME_DIMENSIONS_MAX } from './query-shape.ts';

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

describe('The filter values of a report request are bounded in all', () => {
  const valued = (count: number): object => ({
    member: 'campaign_overview.impressions',
    operator: 'equals',
    values: Array.from({ length: count }, (_none, at) => at),
  });
  test.each([
    ['in one tree', query([{ or: Array.from({ length: 6 }, () => valued(1_000)) }])],
    [
      'over all compared ranges',
      query([valued(1_000)], { compareDateRange: Array.from({ length: 6 }, () => 'today') }),
    ],
    ['over all blended queries', Array.from({ length: 6 }, () => query([valued(1_000)]))],
  ])('%s', (_where, input) => {
    expect(() => normalizeRequest(input, context)).toThrow(
      /at most 5000 .*values in all, not 6000: send several requests/,
    );
  });

  test('the allowed number of values passes', () => {
    const filters = Array.from({ length: FILTER_VALUES_MAX / 1_000 }, () => valued(1_000));
    expect(normalizeRequest(query(filters), context).queries).toHaveLength(1);
  });
});

describe('The date texts of a report request are bounded', () => {
  const long = 'last monday '.padEnd(DATE_CHARS_MAX + 1, 'x');

  test.each([
    ['dateRange', { dateRange: long }, '"timeDimensions[0].dateRange"'],
    ['start of a dateRange', { dateRange: [long, '2026-11-02'] }, '"timeDimensions[0].dateRange[0]"'],
    ['compareDateRange', { compareDateRange: ['today', long] }, '"timeDimensions[0].compareDateRange[1]"'],
  ])('a %s of over 200 characters is refused with its name', (_what, time, named) => {
    expect(() => normalizeRequest(query([], time), context)).toThrow(
      `${named} length must be less than or equal to 200 characters long`,
    );
  });

  test.each(['inDateRange', 'notInDateRange', 'onTheDate', 'beforeDate', 'afterDate'])(
    'a date of over 200 characters in a filter with %s is refused with its member',
    (operator) => {
      const filters = [{ member: 'campaign_overview.time', operator, values: [long] }];
      expect(() => normalizeRequest(query(filters), context)).toThrow(
        /filter on campaign_overview.time is over 200 characters/,
      );
    },
  );

  test('a query has at most ten time dimensions', () => {
    const time = { dimension: 'campaign_overview.time', dateRange: 'last monday' };
    const many = (count: number): object => ({
      measures: ['campaign_overview.clicks'],
      timeDimensions: Array.from({ length: count }, () => time),
    });
    expect(normalizeRequest(many(TIME_DIMENSIONS_MAX), context).queries).toHaveLength(1);
    expect(() => normalizeRequest(many(TIME_DIMENSIONS_MAX + 1), context)).toThrow(/"timeDimensions" must contain/);
  });

  /** Twenty conditions of different texts: too many characters if they counted once for each range or query. */
  const dated = Array.from({ length: 20 }, (_none, at) => ({ ...condition, values: [`${at + 1} weeks ago`] }));
  const compareDateRange = Array.from({ length: 20 }, (_none, at) => `${at + 1} days ago`);

  test.each([
    ['over all compared ranges', query(dated, { compareDateRange })],
    ['over all blended queries', Array.from({ length: 20 }, () => query(dated))],
  ])('a text is read once %s', (_where, input) => {
    expect(normalizeRequest(input, context).queries).toHaveLength(20);
  });

  test('a request reads each text once for each zone', () => {
    const dates = new DateTexts();
    for (const timezone of ['UTC', 'UTC', 'Europe/Warsaw'])
      normalizeQuery({ ...query([...dated, ...dated]), timezone }, context, dates);
    expect(dates.readCount).toBe(2 * (dated.length + 1));
  });

  const texts = Array.from({ length: 20 }, (_none, at) => `${at} weeks ago `.padEnd(DATE_CHARS_MAX / 2, 'x'));
  test.each([
    ['of compared ranges', query([condition], { compareDateRange: texts })],
    ['of conditions', query(texts.map((text) => ({ ...condition, values: [text] })))],
    ['of blended queries', texts.map((dateRange) => query([condition], { dateRange }))],
  ])('different texts %s hold a bounded number of characters', (_where, input) => {
    expect(() => normalizeRequest(input, context)).toThrow(`at most ${DATE_TEXTS_CHARS_MAX} characters in all`);
  });
});
