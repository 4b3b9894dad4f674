import { type Area, AREAS } from './areas.ts';
import { EN_FRAME } from './en/frame.ts';
import { isLanguage, type Language } from './languages.ts';

const STORED_AS = 'placard-language';
const LOADS_WITHIN_MS = 5_000;

/** The texts that are loaded, by language. */
const loaded: Readonly<Record<Language, Record<string, string>>> = { en: { ...EN_FRAME }, pl: {}, de: {} };
/** The areas that were asked for. */
const asked = new Set<Area>(['frame', 'faults']);

let language: Language = 'en';
let locale: string | undefined;

/** The language in which texts are said now. */
export function currentLanguage(): Language {
  return language;
}

/** The locale for numbers, dates and lists: the browser's own of this language, such as `de-AT`. */
export function currentLocale(): string {
  return (locale ??= localeOf(language, browserLanguages()));
}

/** The English text of a key; undefined while its area is not loaded. */
export function englishOf(key: string): string | undefined {
  return ownText(loaded.en, key);
}

/** The translated text of a key; undefined where there is none. */
export function translationOf(key: string): string | undefined {
  return language === 'en' ? undefined : ownText(loaded[language], key);
}

function ownText(texts: Readonly<Record<string, string>>, key: string): string | undefined {
  return Object.hasOwn(texts, key) ? texts[key] : undefined;
}

/** The language for a browser: the one that a person chose, else the first of the browser's that we have, else English. */
export function languageFor(chosen: string | null, browser: readonly string[]): Language {
  return [chosen ?? '', ...browser].map((tag) => tag.split('-')[0] ?? '').find(isLanguage) ?? 'en';
}

/** The browser's own locale of a language; the language itself where the browser names none. */
export function localeOf(of: Language, browser: readonly string[]): string {
  return browser.find((tag) => tag.split('-')[0] === of) ?? of;
}

/**
 * Loads the texts of areas in the person's language and in English, all at once. What is not translated in time is said in English.
 *
 * @throws what the browser throws when an English file cannot be loaded.
 */
export async function loadAreas(areas: readonly Area[]): Promise<void> {
  for (const area of areas) asked.add(area);
  const english = Promise.all(areas.map(async (area) => Object.assign(loaded.en, await AREAS[area].en())));
  await Promise.all([english, within(LOADS_WITHIN_MS, translate(language, areas))]);
}

/** Loads the texts of areas in one language beside English. */
async function translate(to: Language, areas: readonly Area[]): Promise<true> {
  if (to === 'en') return true;
  await Promise.all(areas.map(async (area) => Object.assign(loaded[to], await AREAS[area][to]())));
  return true;
}

/** Says everything in a language from now on, once the texts are loaded that pages have asked for. What cannot be loaded in time stays English. */
export async function speakIn(next: Language): Promise<void> {
  language = next;
  locale = undefined;
  if ((await within(LOADS_WITHIN_MS, translate(next, [...asked]))) === null) language = 'en';
  locale = undefined;
}

/** Chooses the language of this browser and of its person, before anything is drawn. */
export async function startLanguage(): Promise<void> {
  await speakIn(languageFor(storedLanguage(), browserLanguages()));
  document.documentElement.lang = language;
}

/** Remembers a language in this browser, and draws everything again in it. The address holds what the page shows. */
export function switchLanguage(next: Language): void {
  try {
    window.localStorage.setItem(STORED_AS, next);
  } catch {
    // A browser that keeps nothing follows its own languages.
  }
  window.location.reload();
}

function storedLanguage(): string | null {
  try {
    return window.localStorage.getItem(STORED_AS);
  } catch {
    return null;
  }
}

function browserLanguages(): readonly string[] {
  return typeof navigator === 'undefined' ? [] : (navigator.languages ?? []);
}

/** What a promise brings; null when it fails or takes longer. */
async function within<T>(ms: number, promise: Promise<T>): Promise<T | null> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), ms);
  });
  try {
    return await Promise.race([promise, late]);
  } catch {
    return null;
  } finally {
    clearTimeout(timer);
  }
}
