import { describe, expect, test } from 'vitest';
import {
  flightOf,
  formatDay,
  formatFlight,
  formatGoal,
  formatMoney,
  formatPercent,
  formatPrice,
  formatRate,
  lastInstant,
} from './desk-format.ts';
import {
  formatBucket,
  formatChange,
  formatDimension,
  formatMeasure,
  formatShort,
  formatShortBucket,
} from './format-value.ts';

const NOW = Date.parse('2030-06-15T12:00:00Z');
const plain = (text: string): string => text.replaceAll(/[\u00a0\u202f\u2009]/g, ' ');
const campaign = { id: '1', name: 'Spring', status: 'ACTIVE', version: 1, advertiser: null } as const;

describe('flights', () => {
  test.each([
    ['the later start and the earlier end count', ['2030-01-01', '2030-03-01', '2030-02-01', '2030-02-20'], [2, 3]],
    [
      'the dates of the line item count inside of its campaign',
      ['2030-02-01', '2030-02-20', '2030-01-01', null],
      [0, 1],
    ],
    ['the dates of the campaign count where the line item has none', [null, null, '2030-01-01', '2030-02-01'], [2, 3]],
    ['a flight without dates is open', [null, null, null, null], [0, 1]],
  ] as const)('%s', (_title, dates, [from, to]) => {
    const [startsAt, endsAt, campaignStart, campaignEnd] = dates;
    const under = { ...campaign, startsAt: campaignStart, endsAt: campaignEnd };
    expect(flightOf({ startsAt, endsAt, campaign: under })).toEqual({ startsAt: dates[from], endsAt: dates[to] });
  });

  test('instants are compared as instants, whatever form they have', () => {
    const under = { ...campaign, startsAt: '2030-01-01T00:30:00+02:00', endsAt: null };
    const startsAt = '2029-12-31T23:00:00Z';
    expect(flightOf({ startsAt, endsAt: null, campaign: under }).startsAt).toBe(startsAt);
  });

  test.each([
    ['both ends', '2030-03-01T00:00:00Z', '2030-04-01T00:00:00Z', 'Mar 1 – Mar 31'],
    ['an end during a day', '2030-03-01T00:00:00Z', '2030-04-01T08:00:00Z', 'Mar 1 – Apr 1'],
    ['an end in another year', '2030-03-01T00:00:00Z', '2031-01-02T00:00:00Z', 'Mar 1 – Jan 1, 2031'],
    ['no end', '2030-03-01T00:00:00Z', null, 'from Mar 1'],
    ['no start', null, '2030-04-01T00:00:00Z', 'until Mar 31'],
    ['no dates', null, null, 'open'],
  ])('a flight with %s is said by its days', (_title, startsAt, endsAt, text) => {
    expect(formatFlight({ startsAt, endsAt }, 'UTC', NOW)).toBe(text);
  });

  test('the day and the year are those of the time zone', () => {
    expect(formatDay('2030-12-31T23:30:00Z', 'UTC', NOW)).toBe('Dec 31');
    expect(formatDay('2030-12-31T23:30:00Z', 'Europe/Warsaw', NOW)).toBe('Jan 1, 2031');
    expect(formatDay('2030-12-31T23:30:00Z', 'Europe/Warsaw', Date.parse('2030-12-31T23:10:00Z'))).toBe('Jan 1');
  });

  test('the last instant of a flight lies before its end', () => {
    expect(lastInstant('2030-04-01T00:00:00+02:00')).toBe('2030-03-31T21:59:59.999Z');
  });
});

describe('amounts', () => {
  test.each([
    ['a small percentage keeps one decimal', formatPercent(9.96), '10 %'],
    ['a percentage under ten keeps one decimal', formatPercent(0.25), '0.3 %'],
    ['a percentage over ten has none', formatPercent(10.4), '10 %'],
    ['a rate is a share, in percent with two decimals', formatRate(0.00123), '0.12 %'],
    ['money of any size is exact', formatMoney('90071992547409931.25', 'PLN'), 'PLN 90,071,992,547,409,931.25'],
    ['money without a currency has two decimals', formatMoney('18.5', undefined), '18.50'],
    ['money of yen has no decimals', formatMoney('1850', 'JPY'), '¥1,850'],
    ['a price has its unit', formatPrice({ price: '18.5', pricingModel: 'CPM' }, 'EUR'), '€18.50 CPM'],
    ['a goal of one is singular', formatGoal({ amount: 1, kind: 'CLICKS', period: 'LIFETIME' }), '1 click'],
    [
      'a goal of a day says so',
      formatGoal({ amount: 6_000, kind: 'IMPRESSIONS', period: 'DAY' }),
      '6,000 impressions a day',
    ],
    ['a change has its sign', formatChange(12.34), '+12.3 %'],
    ['no change has no sign', formatChange(0), '0.0 %'],
    ['an axis has short numbers', formatShort(1_234_567), '1.23M'],
  ])('%s', (_title, text, expected) => {
    expect(plain(text)).toBe(expected);
  });

  test.each([
    ['nothing', null],
    ['an empty text', ''],
    ['a boolean', true],
    ['a text', 'n/a'],
  ])('a measure with %s is a dash', (_title, value) => {
    expect(formatMeasure({ format: null, currency: null }, value)).toBe('–');
  });

  test('a measure in percent is given in percent', () => {
    expect(plain(formatMeasure({ format: 'percent', currency: null }, '12.3456'))).toBe('12.35 %');
  });
});

describe('values of dimensions and time', () => {
  test.each([
    ['a boolean as text', 'boolean', 'true', 'Yes'],
    ['a boolean', 'boolean', false, 'No'],
    ['nothing', 'string', null, '(none)'],
    ['the text "true"', 'string', 'true', 'true'],
  ] as const)('%s has its words', (_title, type, value, text) => {
    expect(formatDimension({ type }, value)).toBe(text);
  });

  test.each([
    ['hour', '2030-03-31T02:00:00.000', 'Sun, Mar 31, 02:00 AM', 'Mar 31, 02 AM'],
    ['day', '2030-03-31T00:00:00.000', 'Sun, Mar 31, 2030', 'Mar 31'],
    ['week', '2030-03-25T00:00:00.000', 'Week of Mar 25, 2030', 'Mar 25'],
    ['month', '2030-03-01T00:00:00.000', 'March 2030', 'Mar 30'],
  ] as const)('a bucket of one %s is read as a clock face', (granularity, bucket, long, short) => {
    expect(plain(formatBucket(bucket, granularity))).toBe(long);
    expect(plain(formatShortBucket(bucket, granularity))).toBe(short);
  });

  test('a bucket without a time stays as it is', () => {
    expect(formatBucket('(none)', 'day')).toBe('(none)');
    expect(formatBucket(null, 'day')).toBe('');
    expect(formatShortBucket('(none)', 'day')).toBe('');
  });
});
