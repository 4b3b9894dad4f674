import { parseAcceptLanguage } from './accept-language.ts';

/** Languages of the pages that people see; the first is the fallback. */
export const PAGE_LANGUAGES = ['en', 'pl', 'de', 'fr', 'es'] as const;
export type PageLanguage = (typeof PAGE_LANGUAGES)[number];

/**
 * The best language for an `Accept-Language` header: the highest quality that is offered, the first of equals; else the first offered.
 * @param offered what the network wants, in the order of its liking; names that we do not speak are passed over, none = all
 */
export function choosePageLanguage(acceptLanguage: string, offered: readonly string[] = PAGE_LANGUAGES): PageLanguage {
  const wanted = offered.flatMap((name) => PAGE_LANGUAGES.find((known) => known === name) ?? []);
  const spoken = wanted.length === 0 ? PAGE_LANGUAGES : wanted;
  let best: PageLanguage = spoken[0] ?? 'en';
  let bestQuality = 0;
  for (const { tag, quality } of parseAcceptLanguage(acceptLanguage)) {
    const language = spoken.find((known) => tag === known || tag.startsWith(`${known}-`));
    if (language !== undefined && quality > bestQuality) {
      best = language;
      bestQuality = quality;
    }
  }
  return best;
}
