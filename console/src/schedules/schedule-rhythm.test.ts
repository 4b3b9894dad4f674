import { expect, test } from 'vitest';
import { cronOf, hourText, readAddresses, withPeriod } from './schedule-rhythm.ts';

test('a rhythm in words is a rule of five fields', () => {
  expect([cronOf('daily', 6), cronOf('weekly', 0), cronOf('monthly', 23)]).toEqual([
    '0 6 * * *',
    '0 0 * * 1',
    '0 23 1 * *',
  ]);
  expect(hourText(6)).toBe('06:00');
});

test('addresses are read with any separator, each once', () => {
  expect(readAddresses(' a@x.example, b@x.example;a@x.example ')).toEqual(['a@x.example', 'b@x.example']);
  expect(readAddresses('')).toEqual([]);
});

test('a scheduled query asks for the days before each run, and keeps everything else', () => {
  const query = { measures: ['m'], timeDimensions: [{ dimension: 't', granularity: 'day', dateRange: ['a', 'b'] }] };
  expect(withPeriod(query, 'last 7 days')).toEqual({
    measures: ['m'],
    timeDimensions: [{ dimension: 't', granularity: 'day', dateRange: 'last 7 days' }],
  });
});
