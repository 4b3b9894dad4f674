/** The texts of one language by key. What a translation lacks is said in English; a test lists what it lacks. */
export type Translation = Readonly<Partial<Record<string, string>>>;

/** A language of the console. */
export type Language = 'en' | 'pl' | 'de';

/** The languages by their own names, in the order in which they are offered. */
export const LANGUAGES: Readonly<Record<Language, { readonly name: string }>> = {
  en: { name: 'English' },
  pl: { name: 'Polski' },
  de: { name: 'Deutsch' },
};

/** The codes of the languages, in the order in which they are offered. */
export const LANGUAGE_CODES = Object.keys(LANGUAGES) as readonly Language[];

/** Whether a text is the code of a language that we have. */
export function isLanguage(text: string): text is Language {
  return Object.hasOwn(LANGUAGES, text);
}
