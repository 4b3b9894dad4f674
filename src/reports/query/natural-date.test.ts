import { describe, expect, test } from 'vitest';
import { findNaturalDate } from './natural-date.ts';

/** A Sunday, the last day of a month. */
const NOW = Temporal.PlainDateTime.from('2026-05-31T12:00:00');

describe('natural dates', () => {
  test.each([
    ['may 2026', '2026-05-01', null],
    ['15 may 2026', '2026-05-15', null],
    ['15th of may, 2025', '2025-05-15', null],
    ['sept. 3rd 2026', '2026-09-03', null],
    ['jan', '2026-01-01', null],
    ['05/13/2026', '2026-05-13', null],
    ['2026/5/1', '2026-05-01', null],
    ['2 weeks ago', '2026-05-17', null],
    ['1 month ago', '2026-04-30', null],
    ['last three months', '2026-02-28', null],
    ['2 yrs ago', '2024-05-31', null],
    ['10 days from today', '2026-06-10', null],
    ['in 2 quarters', '2026-11-30', null],
    ['last monday', '2026-05-25', null],
    ['next tues', '2026-06-02', null],
    ['may 1 2026 - may 10 2026', '2026-05-01', '2026-05-10'],
    ['may 1 ~ may 3', '2026-05-01', '2026-05-03'],
    ['2026-05-01 until 2026-05-03', '2026-05-01', '2026-05-03'],
    ['2026-05-01 10:00 to 2026-05-02 11:00', '2026-05-01', '2026-05-02'],
    ['2 weeks ago to yesterday', '2026-05-17', '2026-05-30'],
  ])('findNaturalDate reads "%s" as %s to %s', (text, start, end) => {
    const found = findNaturalDate(text, NOW);
    const day = (local: Temporal.PlainDateTime | null | undefined) => local?.toPlainDate().toString() ?? null;
    expect([day(found?.start), day(found?.end)]).toEqual([start, end]);
  });

  test('findNaturalDate reads times to the second', () => {
    expect(findNaturalDate('45 secs ago', NOW)?.start.toString()).toBe('2026-05-31T11:59:15');
    expect(findNaturalDate('2026-05-01t10:30:15', NOW)?.start.toString()).toBe('2026-05-01T10:30:15');
  });

  test.each(['', 'hello', '2026', 'all time', 'february 30', 'last fortnight'])(
    'findNaturalDate finds no date in "%s"',
    (text) => {
      expect(findNaturalDate(text, NOW)).toBeNull();
    },
  );
});

test('findNaturalDate reads a hostile text in milliseconds', () => {
  const parts = ['1 ', 'to ', 'may ', '- ', '2026-05-01 ', 'a', '9', ', '];
  const startedAt = process.cpuUsage();
  for (const part of parts) findNaturalDate(part.repeat(1000), NOW);
  const { user, system } = process.cpuUsage(startedAt);
  expect((user + system) / parts.length / 1000).toBeLessThan(250);
});
