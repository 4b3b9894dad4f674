import { PlacardError } from '../../domain/errors.ts';
import { domainForm, foldText, inNfc } from '../../domain/text/one-form.ts';
import { RecentCache } from '../../storage/recent-cache.ts';
import { asObject, objectIn, textOf, textsOf } from './lenient-json.ts';
import type { JsonObject } from './lenient-json.ts';

const URL_MAX = 4_096;
/** Keywords of a request, values of a fact. */
const WORDS_MAX = 200;
const KEYWORDS_KEPT_CHARS_MAX = 512;

/** The words of `site.ext.kwrd`: a page sends the same ones with each request. */
const keywords = new RecentCache<string, readonly string[]>(5_000);

/** Where the ad is shown: a site, an app or a screen. */
export interface SiteObject {
  /** '' = unknown, which a site never is. */
  readonly siteCode: string;
  /** '' = unknown, which a site never is. */
  readonly domain: string;
  readonly pageUrl: string;
  readonly areaCode: string;
  readonly keywords: readonly string[];
  /** What the request says of the app, the screen and the content, as key-values: lower case, in NFC. */
  readonly facts: ReadonlyMap<string, readonly string[]>;
}

/**
 * Reads `site`, else `app`, else `dooh`. A site needs its id and domain. Apps and screens need neither: their ad unit says where they are.
 * @throws PlacardError `invalid_request` where none of them is there, or a site lacks its id or domain
 */
export function parseSite(root: JsonObject): SiteObject {
  const site = asObject(root['site']);
  const app = asObject(root['app']);
  const dooh = asObject(root['dooh']);
  if (site !== null) {
    const siteCode = inNfc(requireText(site['id'], 'site.id'));
    return { siteCode, domain: domainForm(requireText(site['domain'], 'site.domain')), ...parseShared(site, {}) };
  }
  if (app !== null) {
    const siteCode = inNfc(textOf(app['id']) || textOf(app['bundle']));
    return { siteCode, domain: domainForm(textOf(app['domain'])), ...parseShared(app, { app: APP_FACTS }) };
  }
  if (dooh !== null) {
    const siteCode = inNfc(textOf(dooh['id']));
    return { siteCode, domain: domainForm(textOf(dooh['domain'])), ...parseShared(dooh, { dooh: DOOH_FACTS }) };
  }
  throw invalid('site is missing; send an object with id and domain, or else app or dooh.');
}

/** A text that a request must have, unchanged and never cut: ids are returned. @throws PlacardError `invalid_request` */
export function requireText(value: unknown, name: string): string {
  const text = textOf(value, Number.POSITIVE_INFINITY);
  if (text === '') throw invalid(`${name} is missing; it must be a non-empty string.`);
  return text;
}

function invalid(message: string): PlacardError {
  return new PlacardError('invalid_request', message);
}

function parseShared(
  shown: JsonObject,
  own: Readonly<Record<string, readonly string[]>>,
): Pick<SiteObject, 'pageUrl' | 'areaCode' | 'keywords' | 'facts'> {
  const ext = objectIn(shown, 'ext');
  const content = asObject(shown['content']);
  const words = parseKeywords(shown, ext);
  return {
    pageUrl: textOf(shown['page'], URL_MAX),
    areaCode: inNfc(textOf(ext['area'])),
    keywords: content === null ? words : [...new Set([...words, ...parseKeywords(content, {})])],
    facts: parseFacts(shown, own, content),
  };
}

const APP_FACTS = ['bundle', 'name', 'ver', 'storeurl', 'cat'];
const DOOH_FACTS = ['name', 'venuetype'];
const CONTENT_FACTS = [
  'id',
  'title',
  'series',
  'season',
  'episode',
  'artist',
  'album',
  'genre',
  'genres',
  'cat',
  'contentrating',
  'userrating',
  'language',
  'langb',
  'livestream',
  'realtime',
  'firstbroadcast',
];
/** Objects of the content, of which `name` and `id` count. */
const CONTENT_PARTIES = ['network', 'channel', 'producer'];
const NO_FACTS: ReadonlyMap<string, readonly string[]> = new Map();

function parseFacts(
  shown: JsonObject,
  own: Readonly<Record<string, readonly string[]>>,
  content: JsonObject | null,
): SiteObject['facts'] {
  const named = Object.entries(own);
  if (named.length === 0 && content === null) return NO_FACTS;
  const facts = new Map<string, readonly string[]>();
  const read = (from: JsonObject, prefix: string, name: string): void => {
    const value = from[name];
    if (value === undefined || value === null) return;
    const texts = (Array.isArray(value) ? textsOf(value, WORDS_MAX) : [textOf(value)]).filter((text) => text !== '');
    if (texts.length > 0) facts.set(`${prefix}.${name}`, texts.map(foldText));
  };
  for (const [prefix, names] of named) for (const name of names) read(shown, prefix, name);
  if (content === null) return facts;
  for (const name of CONTENT_FACTS) read(content, 'content', name);
  for (const party of CONTENT_PARTIES)
    for (const name of ['name', 'id']) read(objectIn(content, party), `content.${party}`, name);
  return facts;
}

/** `ext.kwrd` is joined with `+` or white space, `keywords` with commas; `kwarray` is a list. Lower case, each once. */
function parseKeywords(shown: JsonObject, ext: JsonObject): readonly string[] {
  const joined = textOf(ext['kwrd'], URL_MAX);
  const listed = textOf(shown['keywords'], URL_MAX);
  const isOneText = listed === '' && !Array.isArray(shown['kwarray']);
  if (isOneText && joined === '') return [];
  const known = isOneText ? keywords.get(joined) : undefined;
  if (known !== undefined) return known;
  const words = new Set<string>();
  const pick = (texts: readonly string[]): void => {
    for (const text of texts) {
      const word = foldText(text.trim());
      if (word !== '' && words.size < WORDS_MAX) words.add(word);
    }
  };
  if (joined !== '') pick(joined.split(/[+\s]+/));
  if (listed !== '') pick(listed.split(','));
  pick(textsOf(shown['kwarray'], WORDS_MAX));
  const found = [...words];
  if (isOneText && joined.length <= KEYWORDS_KEPT_CHARS_MAX) keywords.set(joined, found);
  return found;
}
