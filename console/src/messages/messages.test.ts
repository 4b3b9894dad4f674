import { parse, type MessageFormatElement, TYPE } from '@formatjs/icu-messageformat-parser';
import { describe, expect, test } from 'vitest';
import { DE } from './de.ts';
import { EN } from './en.ts';
import { languageFor, localeOf, speakIn } from './language.ts';
import { PL } from './pl.ts';
import { isMessageKey, say } from './say.ts';

const TRANSLATIONS = { de: DE, pl: PL } as const;
const LANGUAGES = ['de', 'pl'] as const;
const texts = (language: 'en' | 'de' | 'pl'): readonly (readonly [string, string])[] =>
  Object.entries(language === 'en' ? EN : TRANSLATIONS[language]);

/** The faults of a text as an ICU message. */
function faultOf(text: string): string | null {
  try {
    parse(text, { ignoreTag: true });
    return null;
  } catch (error) {
    return String(error);
  }
}

function walk(elements: readonly MessageFormatElement[], visit: (element: MessageFormatElement) => void): void {
  for (const element of elements) {
    visit(element);
    if (element.type === TYPE.plural || element.type === TYPE.select)
      for (const option of Object.values(element.options)) walk(option.value, visit);
  }
}

function argumentsOf(text: string): string[] {
  const names = new Set<string>();
  walk(parse(text, { ignoreTag: true }), (element) => {
    if (element.type !== TYPE.literal && element.type !== TYPE.pound) names.add(element.value);
  });
  return [...names].sort();
}

/** The plural forms that a text lacks in a language. */
function missingForms(text: string, language: string): string[] {
  const missing: string[] = [];
  const needed = new Intl.PluralRules(language).resolvedOptions().pluralCategories;
  walk(parse(text, { ignoreTag: true }), (element) => {
    if (element.type !== TYPE.plural) return;
    missing.push(...needed.filter((form) => !Object.hasOwn(element.options, form)));
  });
  return missing;
}

describe.each(['en', ...LANGUAGES] as const)('texts in %s', (language) => {
  test('every text is an ICU message', () => {
    expect(texts(language).flatMap(([key, text]) => (faultOf(text) === null ? [] : [[key, faultOf(text)]]))).toEqual(
      [],
    );
  });

  test('every text has each plural form of its language', () => {
    const incomplete = texts(language).map(([key, text]) => [key, missingForms(text, language)] as const);
    expect(incomplete.filter(([, missing]) => missing.length > 0)).toEqual([]);
  });
});

describe.each(LANGUAGES)('the translation %s', (language) => {
  test('every English text has a translation', () => {
    expect(Object.keys(EN).filter((key) => !Object.hasOwn(TRANSLATIONS[language], key))).toEqual([]);
  });

  test('every text fills in the same values as the English one', () => {
    const differing = texts(language).filter(
      ([key, text]) => isMessageKey(key) && JSON.stringify(argumentsOf(text)) !== JSON.stringify(argumentsOf(EN[key])),
    );
    expect(differing).toEqual([]);
  });
});

test('a person gets the language that they chose, else the first of their browser that we have, else English', () => {
  expect(languageFor(null, ['fr-FR', 'de-AT', 'pl'])).toBe('de');
  expect(languageFor('pl', ['de-AT'])).toBe('pl');
  expect(languageFor('xx', ['pl-PL', 'en'])).toBe('pl');
  expect(languageFor(null, ['fr'])).toBe('en');
  expect(languageFor('constructor', [])).toBe('en');
});

test('numbers and dates follow the browser’s own kind of the language', () => {
  expect(localeOf('de', ['fr', 'de-AT', 'de'])).toBe('de-AT');
  expect(localeOf('pl', ['de-AT'])).toBe('pl');
});

test('a count takes the plural form of each language', async () => {
  await speakIn('pl');
  expect([1, 2, 5, 22, 25].map((count) => say('days.count', { count }))).toEqual([
    '1 dzień',
    '2 dni',
    '5 dni',
    '22 dni',
    '25 dni',
  ]);
  await speakIn('de');
  expect([1, 2].map((count) => say('days.count', { count }))).toEqual(['1 Tag', '2 Tage']);
  await speakIn('en');
  expect([1, 2].map((count) => say('days.count', { count }))).toEqual(['1 day', '2 days']);
});
