import { RecentCache } from '../../storage/recent-cache.ts';

const KEPT_CHARS_MAX = 2_048;

const HTML_ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text without anything to escape or to drop: most addresses and names. */
const PLAIN = /^[ !#-%(-;=?-~]*$/;

/** Text for HTML and XML, in content and in quoted attributes. Characters that XML forbids are dropped. */
export function escapeMarkup(text: string): string {
  if (PLAIN.test(text)) return text;
  return stripControls(text).replace(/[&<>"']/g, (char) => HTML_ESCAPES[char] ?? char);
}

/** An XML CDATA section; a `]]>` in the text is split over two. */
export function cdata(text: string): string {
  return `<![CDATA[${stripControls(text).replaceAll(']]>', ']]]]><![CDATA[>')}]]>`;
}

/** An XML comment; two hyphens in a row would end it, so that a space comes between them. */
export function xmlComment(text: string): string {
  return `<!-- ${stripControls(text)
    .replaceAll('-', '- ')
    .replace(/- (?!-|$)/g, '-')} -->`;
}

/** The characters that XML 1.0 allows: no controls but tab, line feed and carriage return, no lone surrogates. */
function stripControls(text: string): string {
  // eslint-disable-next-line no-control-regex -- these are the characters to drop
  return text.toWellFormed().replace(/[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g, '');
}

/** Addresses of creatives, which repeat in every response; the value is '' for an invalid address. */
const known = new RecentCache<string, string>(20_000);

/** The address when it is absolute http or https, written as URL parsers read it; else null. */
export function webAddress(text: string): string | null {
  const before = known.get(text);
  if (before !== undefined) return before === '' ? null : before;
  const read = readWebAddress(text);
  if (text.length <= KEPT_CHARS_MAX) known.set(text, read ?? '');
  return read;
}

function readWebAddress(text: string): string | null {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return null;
  // A plain address stays as written: third parties sign their addresses byte by byte.
  return /^[\u0021-\u007E]+$/.test(text) ? text : new URL(text).href;
}

/** The addresses that are web addresses. */
export function webAddresses(texts: readonly string[]): string[] {
  if (texts.length === 0) return [];
  return texts.map(webAddress).filter((address) => address !== null);
}
