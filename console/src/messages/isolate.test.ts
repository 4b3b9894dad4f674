import { expect, test } from 'vitest';
import { isolate } from './isolate.ts';
import { say } from './say.ts';

test('a name that is written from the right turns nothing around it', () => {
  expect(say('keys.actions', { name: 'מפתח' })).toBe('Actions for \u2068מפתח\u2069');
  expect(isolate('شركة 2026')).toBe('\u2068شركة 2026\u2069');
});

test('a name with signs that turn the direction cannot end its isolation', () => {
  expect(isolate('a\u2069\u202egnp.exe')).toBe('\u2068a\u202egnp.exe\u2069');
});

test('other names stay as they are', () => {
  expect(isolate('Zażółć Müller 東京 😀')).toBe('Zażółć Müller 東京 😀');
});
