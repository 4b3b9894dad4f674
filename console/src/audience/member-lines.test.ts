import { expect, test } from 'vitest';
import { readColumns, readMemberLines, toUploadBody } from './member-lines.ts';

test('the header tells which column holds the ids', () => {
  expect(readColumns('email;"user_id";city\na;b;c')).toEqual({
    names: ['email', 'user_id', 'city'],
    hasHeader: true,
    likely: 1,
  });
  expect(readColumns('u-1\nu-2')).toEqual({ names: ['1'], hasHeader: false, likely: 0 });
});

test('ids are read from the column, quoted or not, and lines without one are named', () => {
  const text = `city,id\nParis,u-1\n\nRome,"u,2"\nOslo,\nBonn\nKyiv,${'x'.repeat(201)}\n`;
  expect(readMemberLines(text, 1, true)).toEqual({
    ids: ['u-1', 'u,2'],
    refused: [
      { line: 5, reason: 'empty' },
      { line: 6, reason: 'no_column' },
      { line: 7, reason: 'too_long' },
    ],
    refusedCount: 3,
  });
});

test('the first refused lines are named and all are counted', () => {
  const { refused, refusedCount } = readMemberLines('a,\n'.repeat(50), 1, false);
  expect([refused.length, refusedCount]).toEqual([20, 50]);
});

test('an upload has an object a line, whatever the id holds', () => {
  expect(toUploadBody(['a"b', 'c,d'])).toBe('{"id":"a\\"b"}\n{"id":"c,d"}');
});
