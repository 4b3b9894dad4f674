import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { newApiKeyValue } from './keys/api-key.ts';

const page = readFileSync(new URL('../../docs/secret-scanning.md', import.meta.url), 'utf8');
const block = (language: string): string =>
  new RegExp(`\`\`\`${language}\\n([^\`]+)\`\`\``).exec(page)?.[1]?.trim() ?? '';
const pattern = new RegExp(block('regex'), 'g');
const { isPlacardKey } = (await import(`data:text/javascript,${encodeURIComponent(block('js'))}`)) as {
  isPlacardKey(text: string): boolean;
};

const keys = Array.from({ length: 500 }, (_none, index) => newApiKeyValue(index % 2 === 0 ? 'production' : 'staging'));

test('the documented pattern finds every key at any position', () => {
  const text = keys.map((key, index) => [`key: "${key}"`, `Bearer ${key}\n`, `?k=${key}&x=1`][index % 3]).join(' ');
  expect(text.match(pattern)).toEqual(keys);
});

test('the documented checksum accepts every key', () => {
  expect(keys.filter((key) => !isPlacardKey(key))).toEqual([]);
});

test('the documented checksum refuses a key with one character altered', () => {
  const altered = keys.flatMap((key) =>
    [9, 20, 44, 45, 50].map((at) => `${key.slice(0, at)}${key[at] === 'x' ? 'y' : 'x'}${key.slice(at + 1)}`),
  );
  expect(altered.filter((key) => isPlacardKey(key))).toEqual([]);
  expect(isPlacardKey(keys[0]?.replace('plc_live_', 'plc_test_') ?? '')).toBe(false);
});

test('the pattern leaves out texts that are too short, too long or of another kind', () => {
  const key = keys[0] ?? '';
  expect([key.slice(0, -1), `${key}x`, `x${key}`, key.replace('plc_', 'plx_')].join(' ').match(pattern)).toBeNull();
});
