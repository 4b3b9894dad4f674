import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { LogFile, logFilePath } from './log-file.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'log-file-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

test('processes that share a full file move it once, and all go on in the new one', () => {
  const path = logFilePath(dir);
  const line = `${'x'.repeat(99)}\n`;
  const [one, other] = [new LogFile(path, 1_000), new LogFile(path, 1_000)];
  for (let at = 0; at < 256; at += 1) {
    one.write(line);
    other.write(line);
  }
  one.write('moves it\n');
  other.write('follows\n');
  expect(readFileSync(`${path}.1`, 'utf8')).toBe(line.repeat(512));
  expect(readFileSync(path, 'utf8')).toBe('moves it\nfollows\n');
});

test('a file that somebody deletes is made again', () => {
  const file = new LogFile(logFilePath(dir));
  for (let at = 0; at < 256; at += 1) file.write('line\n');
  rmSync(logFilePath(dir));
  file.write('after\n');
  expect(readFileSync(logFilePath(dir), 'utf8')).toBe('after\n');
});

test('a path that cannot be written to loses lines and nothing else', () => {
  writeFileSync(join(dir, 'log'), 'a file where the folder should be');
  expect(() => new LogFile(logFilePath(dir)).write('line\n')).not.toThrow();
});
