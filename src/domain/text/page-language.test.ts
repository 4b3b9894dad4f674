import { expect, test } from 'vitest';
import { choosePageLanguage } from './page-language.ts';

test.each<[string, readonly string[] | undefined, string]>([
  ['pl', undefined, 'pl'],
  ['pl-PL,pl;q=0.9,en;q=0.8', undefined, 'pl'],
  ['en;q=0.5,de;q=0.9', undefined, 'de'],
  ['tlh', undefined, 'en'],
  ['', undefined, 'en'],
  ['de', ['pl', 'de'], 'de'],
  ['fr,de;q=0.1', ['pl', 'de'], 'de'],
  ['fr', ['pl', 'de'], 'pl'],
  ['', ['pl'], 'pl'],
  ['en', ['pl'], 'pl'],
  ['fr', ['tlh'], 'fr'],
])('Accept-Language %j selects from %j: %s', (header, offered, expected) => {
  expect(choosePageLanguage(header, offered)).toBe(expected);
});
