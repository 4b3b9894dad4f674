/** The texts of one language by key. What a translation lacks is said in English; a test lists what it lacks. */
export type Translation = Readonly<Partial<Record<string, string>>>;

/** A language of the console. */
export type Language = 'en' | 'pl' | 'de';

interface LanguageFacts {
  /** The language's name in the language itself. */
  readonly name: string;
  /** Loads its texts; null for the language that is built in. */
  readonly load: (() => Promise<Translation>) | null;
}

/** The languages, in the order in which they are offered. */
export const LANGUAGES: Readonly<Record<Language, LanguageFacts>> = {
  en: { name: 'English', load: null },
  pl: { name: 'Polski', load: async () => (await import('./pl.ts')).PL },
  de: { name: 'Deutsch', load: async () => (await import('./de.ts')).DE },
};

/** The codes of the languages, in the order in which they are offered. */
export const LANGUAGE_CODES = Object.keys(LANGUAGES) as readonly Language[];

const STORED_AS = 'placard-language';
const LOADS_WITHIN_MS = 5_000;

let language: Language = 'en';
let translation: Translation = {};
let locale: string | undefined;

/** The language in which texts are said now. */
export function currentLanguage(): Language {
  return language;
}

/** The locale for numbers, dates and lists: the browser's own of this language, such as `de-AT`. */
export function currentLocale(): string {
  return (locale ??= localeOf(language, browserLanguages()));
}

/** The translated text of a key; undefined where there is none. */
export function translationOf(key: string): string | undefined {
  return translation[key];
}

/** The language for a browser: the one that a person chose, else the first of the browser's that we have, else English. */
export function languageFor(chosen: string | null, browser: readonly string[]): Language {
  return [chosen ?? '', ...browser].map((tag) => tag.split('-')[0] ?? '').find(isLanguage) ?? 'en';
}

/** The browser's own locale of a language; the language itself where the browser names none. */
export function localeOf(of: Language, browser: readonly string[]): string {
  return browser.find((tag) => tag.split('-')[0] === of) ?? of;
}

/** Whether a text is the code of a language that we have. */
export function isLanguage(text: string): text is Language {
  return Object.hasOwn(LANGUAGES, text);
}

/** Loads the texts of a language and says everything in it from now on. What cannot be loaded in time stays English. */
export async function speakIn(next: Language): Promise<void> {
  const load = LANGUAGES[next].load;
  const texts = load === null ? {} : await within(LOADS_WITHIN_MS, load());
  language = texts === null ? 'en' : next;
  translation = texts ?? {};
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
