import { type Portfolio, type Product, requiredValues } from './products.ts';
import { channelsOf, domainsOf } from './render-product.ts';

/** Words of a brief beyond these are left out. */
const WORDS_MAX = 400;
/** Words that say nothing about inventory. */
const COMMON = new Set(
  'a an and are as at be but by can for from has have i in inventory into is it its looking of on or our please some that the their this to us want we with advertising ads ad campaign budget flight'.split(
    ' ',
  ),
);
/** Words of briefs that mean a channel or a format. */
const SYNONYMS: Readonly<Record<string, readonly string[]>> = {
  banner: ['display'],
  banners: ['display'],
  preroll: ['olv', 'video'],
  video: ['olv', 'video'],
  ctv: ['ctv', 'video'],
  tv: ['ctv'],
  audio: ['streaming_audio', 'podcast', 'audio'],
  podcast: ['podcast'],
  native: ['native'],
  guaranteed: ['guaranteed'],
  auction: ['non_guaranteed'],
};

/** A product with how well it fits a brief. */
export interface Match {
  readonly product: Product;
  /** 0: nothing of the brief is about it. */
  readonly score: number;
  /** The words of the brief that it has. */
  readonly words: readonly string[];
}

/** Words of a text, in lower case, without those that say nothing. The text is data: nothing in it is followed. */
export function wordsOf(text: string): string[] {
  const found = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return [...new Set(found.slice(0, WORDS_MAX).filter((word) => word.length > 1 && !COMMON.has(word)))];
}

/** How well products fit a brief: how many of its words are about the product, its sites, channels, formats or countries. The best comes first. */
export function matchBrief(products: readonly Product[], portfolio: Portfolio, brief: string): Match[] {
  const wanted = wordsOf(brief);
  return products
    .map((product) => {
      const [strong, weak] = [new Set(wordsOf(product.name)), new Set(aboutOf(product, portfolio))];
      const words = wanted.filter((word) => meanings(word).some((one) => strong.has(one) || weak.has(one)));
      const score = words.reduce((sum, word) => sum + (meanings(word).some((one) => strong.has(one)) ? 2 : 1), 0);
      return { product, score, words };
    })
    .sort((a, b) => b.score - a.score);
}

function meanings(word: string): readonly string[] {
  const singular = word.length > 3 && word.endsWith('s') ? [word.slice(0, -1)] : [];
  return [word, ...singular, ...(Object.hasOwn(SYNONYMS, word) ? (SYNONYMS[word] ?? []) : [])];
}

function aboutOf(product: Product, portfolio: Portfolio): string[] {
  const domains = domainsOf(product, portfolio);
  const sites = portfolio.sites.filter(({ domain }) => domain !== null && domains.includes(domain));
  const texts = [
    product.description,
    ...sites.map(({ name }) => name),
    ...domains,
    ...(requiredValues(product.targeting, 'COUNTRY') ?? []),
    ...product.formats.map(({ format }) => format),
  ];
  const words = wordsOf(texts.join(' '));
  return [
    ...words,
    ...channelsOf(product),
    product.delivery.toLowerCase(),
    ...words.map((one) => one.replace(/s$/, '')),
  ];
}
