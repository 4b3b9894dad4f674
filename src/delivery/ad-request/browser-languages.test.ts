import { expect, test } from 'vitest';
import { readBrowserLanguages } from './browser-languages.ts';

test.each([
  ['pl', ['pl']],
  ['pl-PL,pl;q=0.9,en-GB;q=0.8', ['pl-pl', 'pl', 'en-gb', 'en']],
  ['pl, de;q=0, *;q=0.5', ['pl']],
  ['zh-Hant-TW', ['zh-hant-tw', 'zh']],
  ['en_GB', ['en-gb', 'en']],
  ['', []],
  ['; , <script>,0-1', []],
  ['x'.repeat(5_000), []],
])('a browser with Accept-Language %j asks for %j', (header, expected) => {
  expect(readBrowserLanguages({}, { 'accept-language': header })).toEqual(expected);
});

test('a header is read up to its tenth language', () => {
  const header = Array.from({ length: 26 }, (_none, at) => String.fromCodePoint(97 + at).repeat(2)).join(',');
  expect(readBrowserLanguages({}, { 'accept-language': header })).toHaveLength(10);
});

test('the statements of a bid request stand before the header, and langb before language', () => {
  const headers = { 'accept-language': 'en' };
  expect(readBrowserLanguages({ language: 'pl' }, headers)).toEqual(['pl']);
  expect(readBrowserLanguages({ language: 'de', langb: 'pl-PL' }, headers)).toEqual(['pl-pl', 'pl']);
  expect(readBrowserLanguages({ language: null, langb: {} }, headers)).toEqual(['en']);
});

test('a server that asks for ads says nothing of the browser by its own header', () => {
  expect(readBrowserLanguages({}, null)).toEqual([]);
  expect(readBrowserLanguages({ langb: 'fr-CA' }, null)).toEqual(['fr-ca', 'fr']);
});
