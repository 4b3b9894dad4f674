import { expect, test } from 'vitest';
import { formatPretty, writeLogTo } from './log.ts';

test('a log line has time, level, part, pid, code, sentence and fields', () => {
  const lines: string[] = [];
  const log = writeLogTo({ write: (line: string) => void lines.push(line) }, 'info', 'core');
  log.event('process.restarted', { child: 'delivery 1', how: 'SIGKILL', delayMs: 500 });
  log.event('http.core_route', { route: 'GET /readyz' });
  expect(lines.map((line) => JSON.parse(line) as object)).toEqual([
    {
      level: 50,
      time: expect.any(Number) as number,
      part: 'core',
      pid: process.pid,
      event: 'process.restarted',
      child: 'delivery 1',
      how: 'SIGKILL',
      delayMs: 500,
      msg: 'A process died and is started again',
    },
  ]);
});

test('a line for a person has time, level, part, code, sentence and the other members', () => {
  const line = JSON.stringify({
    level: 40,
    time: 0,
    part: 'core',
    pid: 1,
    event: 'a.b',
    msg: 'Late',
    child: 'x',
    n: 2,
  });
  expect(formatPretty(line)).toBe('00:00:00.000 WARN  core: [a.b] Late child=x n=2');
});

test('a line for a person shows an error with its code, and frames below', () => {
  const err = { name: 'error', code: '57P01', message: 'gone', stack: ['run (src/a.ts:1:2)'] };
  const line = JSON.stringify({ level: 50, time: 0, part: 'core', event: 'a.b', msg: 'Bad', err });
  expect(formatPretty(line)).toBe('00:00:00.000 ERROR core: [a.b] Bad; error 57P01: gone\n    at run (src/a.ts:1:2)');
});

test('text other than a JSON object stays unchanged', () => {
  expect(formatPretty('plain\n')).toBe('plain');
});
