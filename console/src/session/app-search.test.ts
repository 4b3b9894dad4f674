import fc from 'fast-check';
import { expect, test } from 'vitest';
import { environmentOf, parseSearch, stringifySearch } from './app-search.ts';

test('an address reads as the parameters that were written into it', () => {
  const names = fc.stringMatching(/^[a-z]{1,6}$/);
  fc.assert(
    fc.property(fc.dictionary(names, fc.string({ minLength: 1, unit: 'grapheme' })), (search) => {
      expect(parseSearch(stringifySearch(search))).toEqual({ ...search });
    }),
  );
});

test('an address stays readable, and empty parameters are left out', () => {
  expect(stringifySearch({ f: 'country~equals~PL;site:a,b/c@d', q: '', env: undefined })).toBe(
    '?f=country~equals~PL;site:a,b/c@d',
  );
  expect(stringifySearch({ q: 'a&b=c d#e' })).toBe('?q=a%26b%3Dc%20d%23e');
  expect(stringifySearch({})).toBe('');
});

test('only the word staging leads to staging', () => {
  expect([{ env: 'staging' }, { env: 'STAGING' }, {}].map(environmentOf)).toEqual([
    'staging',
    'production',
    'production',
  ]);
});
