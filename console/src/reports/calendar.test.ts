import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  addDays,
  addMonths,
  clockIn,
  countDays,
  dateIn,
  findUnfinished,
  isCalendarDate,
  listBuckets,
  startOfMonth,
  startOfWeek,
} from './calendar.ts';

const date = fc
  .date({ min: new Date('1970-01-01'), max: new Date('2199-12-31'), noInvalidDate: true })
  .map((one) => one.toISOString().slice(0, 10));

describe('dates', () => {
  test.each([
    ['2028-02-29', true],
    ['2030-02-29', false],
    ['2030-04-31', false],
    ['2030-13-01', false],
    ['2030-1-01', false],
    ['2030-01-01T00:00:00Z', false],
    ['', false],
  ])('%j is a date: %s', (text, isDate) => {
    expect(isCalendarDate(text)).toBe(isDate);
  });

  test.each([
    ['2030-01-31', 1, '2030-02-28'],
    ['2028-01-31', 1, '2028-02-29'],
    ['2030-03-31', -1, '2030-02-28'],
    ['2030-12-15', 1, '2031-01-15'],
    ['2030-01-15', -13, '2028-12-15'],
  ])('%s and %i months are %s', (from, months, to) => {
    expect(addMonths(from, months)).toBe(to);
  });

  test('days that are added can be taken away again, and counted', () => {
    fc.assert(
      fc.property(date, fc.integer({ min: 0, max: 5_000 }), (from, days) => {
        const to = addDays(from, days);
        expect(addDays(to, -days)).toBe(from);
        expect(countDays(from, to)).toBe(days + 1);
      }),
    );
  });

  test('a week begins on its Monday, at most six days before', () => {
    fc.assert(
      fc.property(date, (one) => {
        const monday = startOfWeek(one);
        expect(new Date(`${monday}T00:00:00Z`).getUTCDay()).toBe(1);
        expect(countDays(monday, one)).toBeGreaterThanOrEqual(1);
        expect(countDays(monday, one)).toBeLessThanOrEqual(7);
      }),
    );
    expect(startOfMonth('2030-03-31')).toBe('2030-03-01');
  });

  test('a date is that of the clocks of a time zone', () => {
    const at = Date.parse('2030-03-10T23:30:00Z');
    expect(dateIn('UTC', at)).toBe('2030-03-10');
    expect(dateIn('Europe/Warsaw', at)).toBe('2030-03-11');
    expect(clockIn('Europe/Warsaw', at)).toBe('2030-03-11T00:30:00.000');
    expect(clockIn('America/New_York', at)).toBe('2030-03-10T19:30:00.000');
  });
});

describe('buckets', () => {
  test.each([
    ['day', '2030-02-28', '2030-03-01', ['2030-02-28', '2030-03-01']],
    ['week', '2030-03-06', '2030-03-11', ['2030-03-04', '2030-03-11']],
    ['month', '2030-01-31', '2030-03-01', ['2030-01-01', '2030-02-01', '2030-03-01']],
  ] as const)('a range has each %s that it touches', (granularity, from, to, starts) => {
    expect(listBuckets(from, to, granularity)).toEqual(starts.map((start) => `${start}T00:00:00.000`));
  });

  test('a day has 24 hours', () => {
    const hours = listBuckets('2030-03-31', '2030-03-31', 'hour');
    expect([hours.length, hours[0], hours.at(-1)]).toEqual([24, '2030-03-31T00:00:00.000', '2030-03-31T23:00:00.000']);
  });

  test('a range has at most 2,400 buckets, and one that ends before it begins has none', () => {
    expect(listBuckets('1970-01-01', '2030-01-01', 'hour')).toHaveLength(2_400);
    expect(listBuckets('2030-01-02', '2030-01-01', 'day')).toEqual([]);
  });

  test.each([
    ['hour', '2030-03-10T12:59:59.000', 1],
    ['hour', '2030-03-10T13:00:00.000', null],
    ['hour', '2030-03-10T10:59:59.000', null],
  ] as const)('the unfinished bucket of one %s at %s has the position %s', (granularity, clock, at) => {
    expect(findUnfinished(['2030-03-10T11:00:00.000', '2030-03-10T12:00:00.000'], granularity, clock)).toBe(at);
  });

  test.each([
    ['day', '2030-03-31', '2030-03-31T23:59:59.000', '2030-04-01T00:00:00.000'],
    ['week', '2030-03-25', '2030-03-31T23:59:59.000', '2030-04-01T00:00:00.000'],
    ['month', '2030-02-01', '2030-02-28T23:59:59.000', '2030-03-01T00:00:00.000'],
  ] as const)('one %s is unfinished until its end', (granularity, start, last, end) => {
    const buckets = [`${start}T00:00:00.000`];
    expect(findUnfinished(buckets, granularity, last)).toBe(0);
    expect(findUnfinished(buckets, granularity, end)).toBeNull();
    expect(findUnfinished([], granularity, last)).toBeNull();
  });
});
