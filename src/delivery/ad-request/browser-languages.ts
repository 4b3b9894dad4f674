import type { IncomingHttpHeaders } from 'node:http';
import { parseAcceptLanguage } from '../../domain/text/accept-language.ts';
import { RecentCache } from '../../storage/recent-cache.ts';
import { textOf } from '../openrtb/lenient-json.ts';
import type { JsonObject } from '../openrtb/lenient-json.ts';

const TAG = /^[a-z]{1,8}(?:-[a-z0-9]{1,8})*$/;
const LANGUAGES_MAX = 10;
const STATED_CHARS_MAX = 35;
const REMEMBERED_MAX = 10_000;
const HEADER_CHARS_MAX = 256;

const remembered = new RecentCache<string, readonly string[]>(REMEMBERED_MAX);

/**
 * The languages that the user's browser asks for: BCP 47, lower case, each with the language that it is a form of (pl-pl, pl). What
 * the request states (`device.langb`, else `device.language`) stands before `Accept-Language`. At most 10 are read.
 * @param headers of the user's browser; null where the HTTP client is a server
 */
export function readBrowserLanguages(device: JsonObject, headers: IncomingHttpHeaders | null): readonly string[] {
  const stated = textOf(device['langb'], STATED_CHARS_MAX) || textOf(device['language'], STATED_CHARS_MAX);
  const text = stated === '' ? (headers?.['accept-language'] ?? '').slice(0, HEADER_CHARS_MAX) : stated;
  const known = remembered.get(text);
  if (known !== undefined) return known;
  const languages = listLanguages(text);
  remembered.set(text, languages);
  return languages;
}

function listLanguages(text: string): readonly string[] {
  const tags = parseAcceptLanguage(text.replaceAll('_', '-'))
    .filter(({ tag, quality }) => quality > 0 && TAG.test(tag))
    .slice(0, LANGUAGES_MAX)
    .flatMap(({ tag }) => [tag, tag.split('-', 1)[0] ?? tag]);
  return [...new Set(tags)];
}
