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
  for (const item of acceptLanguage.slice(0, 1_000).split(',')) {
    const [tag = '', ...parameters] = item.trim().toLowerCase().split(';');
    const language = spoken.find((known) => tag === known || tag.startsWith(`${known}-`));
    const stated = parameters
      .map((text) => /^\s*q=([01](?:\.\d{0,3})?)\s*$/.exec(text)?.[1])
      .find((text) => text !== undefined);
    const quality = stated === undefined ? 1 : Number(stated);
    if (language !== undefined && quality > bestQuality) {
      best = language;
      bestQuality = quality;
    }
  }
  return best;
}
