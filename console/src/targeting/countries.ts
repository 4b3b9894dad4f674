import { currentLocale } from '../messages/language.ts';

/** A country to choose: its code, and its name with the code. */
export interface Country {
  readonly value: string;
  readonly label: string;
}

const known = new Map<string, readonly Country[]>();

/** All countries, by their names in the person's language. */
export function countries(): readonly Country[] {
  const locale = currentLocale();
  const listed = known.get(locale) ?? listCountries(locale);
  known.set(locale, listed);
  return listed;
}

function listCountries(locale: string): readonly Country[] {
  const names = new Intl.DisplayNames(locale, { type: 'region', fallback: 'none' });
  const letters = Array.from({ length: 26 }, (_none, at) => String.fromCharCode(65 + at));
  return letters
    .flatMap((first) => letters.map((second) => `${first}${second}`))
    .filter((code) => !/^(X|Q[M-Z]|Z[Z]|EU|EZ|UN|AA)/.test(code))
    .flatMap((code) => {
      const label = names.of(code);
      return label === undefined ? [] : [{ value: code, label: `${label} (${code})` }];
    })
    .toSorted((one, other) => one.label.localeCompare(other.label, locale));
}
