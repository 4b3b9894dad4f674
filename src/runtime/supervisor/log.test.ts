import { expect, test } from 'vitest';
import { formatPretty } from './log.ts';

test('a line for a person has time, level, part, message and the other members', () => {
  const line = JSON.stringify({ level: 40, time: 0, part: 'core', pid: 1, msg: 'late', child: 'x', n: 2 });
  expect(formatPretty(line)).toBe('00:00:00.000 WARN  core: late child=x n=2');
});

test('an error shows its stack below the line', () => {
  const line = JSON.stringify({ level: 50, time: 0, part: 'core', msg: 'bad', err: { stack: 'Error: a\n    at b' } });
  expect(formatPretty(line)).toBe('00:00:00.000 ERROR core: bad\n  Error: a\n      at b');
});

test('what is no JSON stays as it is', () => {
  expect(formatPretty('plain\n')).toBe('plain');
});
