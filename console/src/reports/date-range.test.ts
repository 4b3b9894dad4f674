import { describe, expect, test } from 'vitest';
import { addDays, addMonths, countDays, dateIn, isCalendarDate, listBuckets, startOfWeek } from './calendar.ts';
import { checkRange, comparisonRange, type Comparison, type RangePreset, resolveRange } from './date-range.ts';

// 2026-11-20 is a Friday.
const TODAY = '2026-11-20';

describe('presets', () => {
  test.each<[RangePreset, string, string]>([
    ['today', '2026-11-20', '2026-11-20'],
    ['yesterday', '2026-11-19', '2026-11-19'],
    ['last_7_days', '2026-11-13', '2026-11-19'],
    ['last_90_days', '2026-08-22', '2026-11-19'],
    ['this_week', '2026-11-16', '2026-11-20'],
    ['last_week', '2026-11-09', '2026-11-15'],
    ['this_month', '2026-11-01', '2026-11-20'],
    ['last_month', '2026-10-01', '2026-10-31'],
  ])('%s runs from %s to %s', (preset, from, to) => {
    expect(resolveRange(preset, TODAY)).toEqual({ from, to });
  });

  test('no preset is longer than the Reports API allows, on any day of four years', () => {
    for (let day = 0; day < 1461; day += 1) {
      for (const preset of ['last_90_days', 'this_month', 'last_month', 'last_week'] as const) {
        expect(checkRange(resolveRange(preset, addDays('2024-01-01', day)))).toBeNull();
      }
    }
  });
});

describe('ranges', () => {
  test.each([
    ['90 days are allowed', '2026-01-01', '2026-03-31', null],
    ['91 days are too long', '2026-01-01', '2026-04-01', { kind: 'too_long', days: 91 }],
    ['an end before the start is refused', '2026-01-02', '2026-01-01', { kind: 'reversed' }],
    ['a day that does not exist is refused', '2026-02-30', '2026-03-01', { kind: 'invalid' }],
  ])('%s', (_title, from, to, problem) => {
    expect(checkRange({ from, to })).toEqual(problem);
  });
});

describe('comparison', () => {
  const week = { from: '2026-11-09', to: '2026-11-15' };
  test.each<[string, { from: string; to: string }, Comparison, { from: string; to: string } | null]>([
    ['none has no range', week, 'none', null],
    ['the previous period ends the day before', week, 'previous_period', { from: '2026-11-02', to: '2026-11-08' }],
    [
      '10 days are matched by weekday 14 days back',
      { from: '2026-11-10', to: '2026-11-19' },
      'previous_period_weekdays',
      { from: '2026-10-27', to: '2026-11-05' },
    ],
    ['the previous year has the same dates', week, 'previous_year', { from: '2025-11-09', to: '2025-11-15' }],
    [
      'the previous year by weekday is 52 weeks back',
      week,
      'previous_year_weekdays',
      { from: '2025-11-10', to: '2025-11-16' },
    ],
    [
      'a range after a leap day keeps its length',
      { from: '2025-01-01', to: '2025-03-31' },
      'previous_year',
      { from: '2024-01-01', to: '2024-03-30' },
    ],
    [
      'a leap day meets the 28th',
      { from: '2024-02-29', to: '2024-02-29' },
      'previous_year',
      { from: '2023-02-28', to: '2023-02-28' },
    ],
  ])('%s', (_title, range, comparison, expected) => {
    expect(comparisonRange(range, comparison)).toEqual(expected);
  });

  test('weekday-matched ranges start on the same weekday and never overlap', () => {
    const weekday = (date: string): number => new Date(`${date}T00:00:00Z`).getUTCDay();
    for (let days = 1; days <= 90; days += 1) {
      const range = { from: TODAY, to: addDays(TODAY, days - 1) };
      const other = comparisonRange(range, 'previous_period_weekdays');
      expect(weekday(other?.from ?? '')).toBe(weekday(range.from));
      expect(countDays(other?.from ?? '', other?.to ?? '')).toBe(days);
      expect((other?.to ?? '') < range.from).toBe(true);
    }
  });
});

describe('calendar', () => {
  test('today is the day of the time zone, not of the browser', () => {
    const at = Date.parse('2026-11-20T23:30:00Z');
    expect(dateIn('Europe/Warsaw', at)).toBe('2026-11-21');
    expect(dateIn('America/New_York', at)).toBe('2026-11-20');
  });

  test('months end where they end', () => {
    expect(addMonths('2026-03-31', -1)).toBe('2026-02-28');
    expect(addMonths('2026-11-30', 12)).toBe('2027-11-30');
  });

  test('weeks start on Monday', () => {
    expect(startOfWeek('2026-11-22')).toBe('2026-11-16');
    expect(startOfWeek('2026-11-16')).toBe('2026-11-16');
  });

  test.each([
    ['2026-02-28', true],
    ['2026-02-29', false],
    ['2026-2-8', false],
    ['', false],
  ])('%s is a date: %s', (text, expected) => {
    expect(isCalendarDate(text)).toBe(expected);
  });

  test('buckets cover the range, from the start of the first one', () => {
    expect(listBuckets('2026-11-19', '2026-11-20', 'day')).toEqual([
      '2026-11-19T00:00:00.000',
      '2026-11-20T00:00:00.000',
    ]);
    expect(listBuckets('2026-11-19', '2026-11-24', 'week')).toEqual([
      '2026-11-16T00:00:00.000',
      '2026-11-23T00:00:00.000',
    ]);
    expect(listBuckets('2026-11-19', '2026-12-01', 'month')).toEqual([
      '2026-11-01T00:00:00.000',
      '2026-12-01T00:00:00.000',
    ]);
    expect(listBuckets('2026-11-19', '2026-11-19', 'hour')).toHaveLength(24);
  });
});
