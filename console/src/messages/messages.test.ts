import { parse, type MessageFormatElement, TYPE } from '@formatjs/icu-messageformat-parser';
import { describe, expect, test } from 'vitest';
import { readTexts } from './all-texts.ts';
import { languageFor, loadAreas, localeOf, speakIn } from './language.ts';
import { isMessageKey, say } from './say.ts';

const LANGUAGES = ['de', 'pl'] as const;
const EN = await readTexts('en');
const TEXTS = { en: EN, de: await readTexts('de'), pl: await readTexts('pl') } as const;
const texts = (language: 'en' | 'de' | 'pl'): readonly (readonly [string, string])[] => [...TEXTS[language]];

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
    expect([...EN.keys()].filter((key) => !TEXTS[language].has(key))).toEqual([]);
  });

  test('every text fills in the same values as the English one', () => {
    const differing = texts(language).filter(
      ([key, text]) => JSON.stringify(argumentsOf(text)) !== JSON.stringify(argumentsOf(EN.get(key) ?? '')),
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

test('the areas of a page are loaded in the language of the person, and the English ones beside them', async () => {
  await speakIn('pl');
  await loadAreas(['integrate']);
  expect(say('action.cancel')).toBe('Anuluj');
  expect(isMessageKey('integrate.try_note')).toBe(true);
  expect(say('integrate.try_note')).toBe(TEXTS.pl.get('integrate.try_note'));
  await speakIn('en');
  expect(say('integrate.try_note')).toBe(EN.get('integrate.try_note'));
  expect(isMessageKey('integrate.no_such_text')).toBe(false);
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
