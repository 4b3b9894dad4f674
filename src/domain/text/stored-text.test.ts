import { expect, test } from 'vitest';
import { findUnstorableText, isStorableText } from './stored-text.ts';

test.each([
  ['', true],
  ['Łódź 😀 \n', true],
  ['a\0b', false],
  ['\ud800', false],
  ['\udc00\ud800', false],
])('%j is storable: %s', (text, isStorable) => {
  expect(isStorableText(text)).toBe(isStorable);
});

test('the first bad text of a value is named by its path, a bad name by its object', () => {
  expect(findUnstorableText({ a: ['x', { b: 1 }], c: null }, '')).toBeNull();
  expect(findUnstorableText({ a: ['x', { b: '\0' }] }, '')).toBe('a.1.b');
  expect(findUnstorableText({ a: { '\ud800': 1 } }, 'input')).toBe('input.a');
});
