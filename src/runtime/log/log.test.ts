import { expect, test } from 'vitest';
import { formatBrief, formatPretty, writeLogTo } from './log.ts';

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

test('the brief form shows milestones with their time, warnings and errors in full, and no other line', () => {
  const line = (level: number, event: string, more: object = {}): string =>
    JSON.stringify({ level, time: 0, part: 'core', pid: 1, event, msg: 'Sentence', ...more });
  expect(formatBrief(line(30, 'postgres.ready'))).toMatch(/^\d\d:\d\d:\d\d {2}Sentence$/);
  expect(formatBrief(line(30, 'demo.progress', { text: 'Demo: booking campaigns' }))).toMatch(
    / {2}Demo: booking campaigns$/,
  );
  expect(formatBrief(line(30, 'process.ready'))).toBeNull();
  expect(formatBrief(line(40, 'process.ready'))).toBe('00:00:00.000 WARN  core: [process.ready] Sentence');
});
