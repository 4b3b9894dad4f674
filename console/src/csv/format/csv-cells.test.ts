import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type CellKind, readCell, writeCell } from './csv-cells.ts';

const polish = { hasDecimalComma: true, timezone: 'Europe/Warsaw' };
const english = { hasDecimalComma: false, timezone: 'Europe/Warsaw' };
const value = (kind: CellKind, text: string, context = english): unknown => {
  const reading = readCell(kind, text, context);
  return 'value' in reading ? reading.value : reading.fault;
};

describe('numbers', () => {
  test.each([
    ['12,5', '12.5'],
    ['12.50', '12.5'],
    ['1.234,50', '1234.5'],
    ['1 234 567,5', '1234567.5'],
    ['1\u00A0234', '1234'],
    ['1.234.567', '1234567'],
    ['0.125', '0.125'],
    ['-3', '-3'],
    ['1.234', 'cell_ambiguous'],
    ['1,2,3', 'cell_decimal'],
    ['abc', 'cell_decimal'],
    ['12 PLN', 'cell_decimal'],
  ])('in a file with semicolons, %s is %s', (text, expected) => {
    expect(value('decimal', text, polish)).toBe(expected);
  });

  test.each([
    ['12.50', '12.5'],
    ['12,50', '12.5'],
    ['1,234.50', '1234.5'],
    ['1,234', 'cell_ambiguous'],
    ['1.2.3', 'cell_decimal'],
  ])('in a file with commas, %s is %s', (text, expected) => {
    expect(value('decimal', text)).toBe(expected);
  });

  test('a whole number has no decimals, so that its separators are of thousands', () => {
    expect(value('integer', '100.000', polish)).toBe(100_000);
    expect(value('integer', '100,000')).toBe(100_000);
    expect(value('integer', '1,5', polish)).toBe('cell_integer');
    expect(value('integer', '2147483648')).toBe('cell_integer');
    expect(value('long', '2147483648')).toBe(2_147_483_648);
    expect(value('long', '9007199254740993')).toBe('cell_integer');
  });
});

test('dates are read as spreadsheets write them, in the time zone of the object', () => {
  expect(value('instant', '2030-03-01T08:00:00+01:00')).toBe('2030-03-01T07:00:00.000Z');
  expect(value('instant', '2030-03-01')).toBe('2030-02-28T23:00:00.000Z');
  expect(value('instant', '01.07.2030 8:30')).toBe('2030-07-01T06:30:00.000Z');
  expect(value('instant', '2030-03-01 08:30:00')).toBe('2030-03-01T07:30:00.000Z');
  expect(value('instant', '2030-03-01 23:59:59')).toBe('2030-03-01T22:59:59.000Z');
  expect(value('instant', '1.3.2030, 23:59:59')).toBe('2030-03-01T22:59:59.000Z');
  for (const wrong of [
    '03/01/2030',
    '2030-02-30',
    '31.02.2030',
    'soon',
    '2030-13-01T00:00:00Z',
    '2030-02-30T00:00:00Z',
  ])
    expect(value('instant', wrong)).toBe('cell_instant');
});

test('flags, choices and sizes are read in any case, and anything else is refused', () => {
  expect(['TRUE', 'nein', 'prawda', '0'].map((text) => value('flag', text))).toEqual([true, false, true, false]);
  expect(value('flag', 'maybe')).toBe('cell_flag');
  const choices = ['FRONT_LOADED'];
  expect(readCell('choice', 'front-loaded', { ...english, choices })).toEqual({ value: 'FRONT_LOADED' });
  expect(readCell('list', 'front loaded|EVEN', { ...english, choices })).toEqual({ fault: 'cell_choice' });
  expect(value('sizes', '300x250 | 728 × 90')).toEqual([
    { width: 300, height: 250 },
    { width: 728, height: 90 },
  ]);
  expect(value('sizes', '300')).toBe('cell_sizes');
});

test('lists with bars and backslashes in their values are read as they were written', () => {
  const part = fc.stringMatching(/^[\\|a-c ]{1,6}$/).map((text) => text.trim());
  fc.assert(
    fc.property(
      fc.array(
        part.filter((text) => text !== ''),
        { maxLength: 4 },
      ),
      (parts) => {
        expect(value('list', writeCell('list', parts))).toEqual(parts);
      },
    ),
  );
  expect(value('list', String.raw`C:\temp| b |`)).toEqual([String.raw`C:\temp`, 'b']);
});
