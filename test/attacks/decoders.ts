import type { IncomingMessage } from 'node:http';
import { makeZip } from '../../src/storage/bundles/fixtures/make-zip.ts';
import { parseBidRequest } from '../../src/delivery/openrtb/bid-request.ts';
import { readBrowserLanguages } from '../../src/delivery/ad-request/browser-languages.ts';
import { readDevice } from '../../src/delivery/ad-request/device.ts';
import { resolvePrivacy } from '../../src/delivery/ad-request/privacy.ts';
import { recogniseUser } from '../../src/delivery/ad-request/user-cookie.ts';
import { readPrivacySignals } from '../../src/delivery/openrtb/privacy-signals.ts';
import { scanCode } from '../../src/domain/booking/creative-scan.ts';
import { openPreview } from '../../src/domain/booking/preview-link.ts';
import { openServedAd } from '../../src/domain/events/link-token.ts';
import { decodeGlobalId } from '../../src/domain/ids/global-ids.ts';
import { parseAcceptLanguage } from '../../src/domain/text/accept-language.ts';
import { createTrafficFilter } from '../../src/events/tracking/traffic-filter.ts';
import { compileTrustedProxies, resolveClient } from '../../src/http/shared/client-address.ts';
import { isAllowedOutbound } from '../../src/http/shared/outbound-fetch.ts';
import { chooseEncoding } from '../../src/http/shared/response-encoding.ts';
import { isSecureContent } from '../../src/management/resources/creative/creative-content.ts';
import { readFacts } from '../../src/management/resources/upload/read-facts.ts';
import { sniffFile } from '../../src/management/resources/upload/sniff-file.ts';
import { readVideoFacts } from '../../src/management/resources/upload/video-facts.ts';
import { oneLine, tameName } from '../../src/mail/tame-text.ts';
import { readByteRange } from '../../src/reports/legacy/byte-range.ts';
import { parseRelativeRange } from '../../src/reports/query/date-range.ts';
import { oneLine as oneLineOfPdf } from '../../src/reports/shared/pdf-text.ts';
import { checkCatalogQuery } from '../../src/sql-endpoint/catalog/allowed-functions.ts';
import { withPresentNames } from '../../src/sql-endpoint/catalog/renamed-columns.ts';
import { asKind } from '../../src/sql-endpoint/parse/nodes.ts';
import { parseSql, SQL_BYTES_MAX } from '../../src/sql-endpoint/parse/parse-sql.ts';
import { sourceOf } from '../../src/sql-endpoint/session/statement-kinds.ts';
import { readArray } from '../../src/sql-endpoint/translate/arrays.ts';
import { readInterval } from '../../src/sql-endpoint/translate/intervals.ts';

/** What reads bytes of strangers. */
export interface Decoder {
  readonly name: string;
  /** Characters that the decoder gets at most: bounds before the decoder count. */
  readonly charsMax: number;
  /** Words that the decoder knows; texts of attacks are made of them. */
  readonly words: readonly string[];
  /** Whole texts of known attacks. */
  readonly attacks?: readonly string[];
  readonly decode: (text: string) => unknown;
}

/** Headers of a request have at most as many characters together. */
const HEADER_CHARS = 16_384;
const KEY = { keyId: '1', secret: Buffer.alloc(32, 1) };
const trusts = compileTrustedProxies(['0.0.0.0/0', '::/0']);
const filter = createTrafficFilter();
const USER_AGENT_WORDS = [
  'Mozilla/5.0 (',
  'Windows NT 10.0; ',
  'Linux; Android 14; ',
  'CPU iPhone OS 17_0 like Mac OS X',
  ') ',
  'Version/1.0 ',
  'Chrome/120.0.0.0 ',
  'Safari/537.36',
  'SamsungBrowser/',
  'Mobile',
  'bot',
  'crawl',
  '+http://',
  'like Gecko',
  'SmartTV',
  'SM-',
];

/** A TCF string whose publisher restrictions hold a range of all vendors, as many times as fit. */
function restrictions(ranges: number): string {
  const entry = `1${(1).toString(2).padStart(16, '0')}${(65_535).toString(2).padStart(16, '0')}`;
  const head = `${(2).toString(2).padStart(6, '0')}${'0'.repeat(207)}${'0'.repeat(17)}${'0'.repeat(17)}`;
  const restriction = `${'0'.repeat(8)}${ranges.toString(2).padStart(12, '0')}${entry.repeat(ranges)}`;
  return base64(`${head}${(1).toString(2).padStart(12, '0')}${restriction}`);
}

/** A TCF string with ranges of all vendors in its vendor consents. */
function vendorRanges(ranges: number): string {
  const entry = `1${(1).toString(2).padStart(16, '0')}${(65_535).toString(2).padStart(16, '0')}`;
  const vendors = `${(65_535).toString(2)}1${ranges.toString(2).padStart(12, '0')}${entry.repeat(ranges)}`;
  return base64(`${(2).toString(2).padStart(6, '0')}${'0'.repeat(207)}${vendors}`);
}

function base64(bits: string): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  const whole = bits.padEnd(Math.ceil(bits.length / 6) * 6, '0');
  return whole.replaceAll(/[01]{6}/g, (sextet) => alphabet.charAt(Number.parseInt(sextet, 2)));
}

const CONSENTS = [restrictions(1), restrictions(600), vendorRanges(600)];
const CONSENT_WORDS = ['C', 'CPXxRfAPXxRfAAfKABENB-CgAAAAAAAAAAYgAAAAAAAA', 'A', '_', '.', ...CONSENTS];
const privacyOf = (root: object): unknown => resolvePrivacy(readPrivacySignals(root as Record<string, unknown>));
const siteOf = (site: object): unknown =>
  parseBidRequest({ id: 'r', imp: [{ id: 'i', banner: {} }], site: { id: 's', domain: 'd.example', ...site } });

/** Decoders on the way of an ad or an event: 5 ms. */
export const AD_PATH_DECODERS: readonly Decoder[] = [
  {
    name: 'TCF consent',
    charsMax: 4_096,
    words: CONSENT_WORDS,
    attacks: CONSENTS,
    decode: (consent) => privacyOf({ regs: { gdpr: 1 }, user: { consent } }),
  },
  {
    name: 'GPP',
    charsMax: 4_096,
    words: [
      'DBABLA~',
      'DBACMMA~',
      'DBABsAAAAAG',
      'DBABMA~',
      '~',
      'BVQqAAAAAAJY',
      '1YNN',
      '.QA',
      'DB',
      'DBAP',
      'G',
      ...CONSENTS,
    ],
    attacks: CONSENTS.flatMap((text) => [text, `DBABMA~${text}`]),
    decode: (gpp) => privacyOf({ regs: { gdpr: 1, gpp } }),
  },
  { name: 'user agent', charsMax: HEADER_CHARS, words: USER_AGENT_WORDS, decode: (ua) => readDevice({ ua }, null) },
  {
    name: 'user agent of a browser',
    charsMax: HEADER_CHARS,
    words: USER_AGENT_WORDS,
    decode: (text) => readDevice({}, { 'user-agent': text, 'sec-ch-ua-platform': text, 'sec-ch-ua-mobile': text }),
  },
  {
    name: 'robots',
    charsMax: HEADER_CHARS,
    words: USER_AGENT_WORDS,
    decode: (userAgent) =>
      filter({ userAgent, remoteAddress: '192.0.2.1', kind: 'other', creativeId: '1', nowMs: 0 } as Parameters<
        typeof filter
      >[0]),
  },
  {
    name: 'languages of a browser',
    charsMax: HEADER_CHARS,
    words: ['de', '-DE', ',', ';q=', '0.5', '*', '_', 'x-'],
    decode: (text) => readBrowserLanguages({}, { 'accept-language': text }),
  },
  {
    name: 'accepted languages',
    charsMax: HEADER_CHARS,
    words: ['de', ',', ';q=', '0.5', ';', 'q='],
    decode: parseAcceptLanguage,
  },
  {
    name: 'accepted encodings',
    charsMax: HEADER_CHARS,
    words: ['gzip', ',', ';q=', '0.5', '*', 'br'],
    decode: chooseEncoding,
  },
  {
    name: 'forwarded addresses',
    charsMax: HEADER_CHARS,
    words: ['192.0.2.1', ',', '::', '[', ']', ':', '0x', 'ffff:', '%', '1.', '::ffff:'],
    decode: (text) =>
      resolveClient(
        {
          socket: { remoteAddress: '127.0.0.1' },
          headers: { 'x-forwarded-for': text, 'x-forwarded-proto': text },
        } as unknown as IncomingMessage,
        false,
        trusts,
      ),
  },
  {
    name: 'link token',
    charsMax: HEADER_CHARS,
    words: ['1.', 'AAAA', '.', '_', '=', '1'],
    decode: (token) => openServedAd(token, [KEY]),
  },
  {
    name: 'preview token',
    charsMax: HEADER_CHARS,
    words: ['1.', 'AAAA', '.', '-'],
    decode: (token) => openPreview(token, KEY.secret, 0),
  },
  {
    name: 'cookies',
    charsMax: HEADER_CHARS,
    words: ['__Host-placard-user-7=', '; ', 'a=b', '=', ';'],
    decode: (cookie) =>
      recogniseUser({
        userIds: { lu: '', aid: '', hh: '' },
        signals: { gdpr: 0 },
        verdict: { npa: false },
        headers: { cookie, origin: 'https://a.example' },
        workspaceId: 7,
      }),
  },
  {
    name: 'page address',
    charsMax: HEADER_CHARS,
    words: ['https://', 'www.', 'xn--', '?a=b&', '%41', '../', '@', ':80', '#', 'ß'],
    decode: (page) => siteOf({ page, ref: page, domain: page }),
  },
  {
    name: 'keywords',
    charsMax: HEADER_CHARS,
    words: ['a,', '+', ' ', 'sport', ','],
    decode: (text) => siteOf({ keywords: text, ext: { kwrd: text } }),
  },
  {
    name: 'native request',
    charsMax: 65_536,
    words: ['{"native":', '{"assets":[', '{"id":1,"title":{"len":9}},', '[', '{"a":', '"', '\\u0041', '1,'],
    decode: (request) =>
      parseBidRequest({ id: 'r', imp: [{ id: 'i', native: { request } }], site: { id: 's', domain: 'd.example' } }),
  },
];

const HTML_WORDS = [
  '<a href="',
  '">',
  '<!--',
  '-->',
  '<script>',
  '</script>',
  '<img src=',
  "'",
  '"',
  'document',
  '.write(',
  'https://',
  '//a.',
  'window.open(',
  'clickTag',
  'url(',
  '<head',
  '<meta name="ad.size" content="width=1,height=1">',
  'localStorage',
  '\\',
];
const SQL_WORDS = [
  'select ',
  'not ',
  '1+',
  '(',
  ')',
  'case when ',
  ' then ',
  ' end',
  'array[',
  ']',
  ',',
  ' union ',
  ' from a',
  ' join b on ',
  '::int',
  "'",
  '"',
  "E'",
  '$$',
  '$a$',
  '/*',
  '*/',
  '--',
  '\n',
  ';',
  '- ',
  'x',
  '.',
  ' and ',
  ' or ',
  ' between 1',
  ' collate "C"',
  "\\'",
];
const zipOf = (page: string): Buffer => makeZip([{ path: 'index.html', content: `${page}\nclickTag` }]);
const bytesOf = (text: string): Buffer => Buffer.from(text, 'latin1');
const PNG = '\u0089PNG\r\n\u001a\n\0\0\0\rIHDR\0\0\0\u0001\0\0\0\u0001\u0008\u0006\0\0\0';

const COMMENTS = ['/**/'.repeat(4_096), '/**/'.repeat(1_000)];

/** Lists of as many items as a text may have words. */
const SQL_LISTS = [
  'select a,' + 'a,'.repeat(4_490) + 'a',
  'select a b' + ',a b'.repeat(2_990),
  'select a from c order by a' + ',a'.repeat(4_490),
  'select 1 from c where a=1' + ' or a=1'.repeat(2_240),
  'select daticulocale' + ',daticulocale'.repeat(4_490),
];

/** What a text passes before PostgreSQL or a report sees it. */
async function readStatements(text: string): Promise<void> {
  for (const parsed of await parseSql(text)) {
    const select = asKind(parsed.node, 'SelectStmt');
    if (select === undefined) continue;
    sourceOf(select);
    withPresentNames(parsed);
    checkCatalogQuery(select);
  }
}

/** Decoders of the core: 100 ms. */
export const CORE_DECODERS: readonly Decoder[] = [
  {
    name: 'SQL statement',
    charsMax: SQL_BYTES_MAX,
    words: SQL_WORDS,
    attacks: [...COMMENTS, ...SQL_LISTS],
    decode: readStatements,
  },
  {
    name: 'SQL interval',
    charsMax: 65_536,
    words: ['1 ', 'day ', '-', ':', '.5', 'P1', 'mon'],
    decode: (text) => readInterval(text, undefined),
  },
  {
    name: 'SQL array',
    charsMax: 65_536,
    words: ['"', '\\', ',', ' ', 'a', 'null', '{', '}'],
    decode: (text) => readArray(`{${text}}`),
  },
  {
    name: 'dates of a query',
    charsMax: 65_536,
    words: [
      'last ',
      '7 ',
      'days ',
      'from ',
      ' to ',
      'may ',
      '2026',
      'monday',
      ' ago',
      '-',
      ':',
      'th ',
      '1/',
      'at ',
      'noon ',
    ],
    decode: (text) => parseRelativeRange(text, { nowMs: 0, timezone: 'UTC' }),
  },
  {
    name: 'byte range',
    charsMax: HEADER_CHARS,
    words: ['bytes=', '-', '1', ',', ' ', '\t'],
    decode: (text) => readByteRange(text, 10),
  },
  { name: 'scan of HTML', charsMax: 200_000, words: HTML_WORDS, decode: scanCode },
  {
    name: 'addresses of HTML',
    charsMax: 200_000,
    words: HTML_WORDS,
    decode: (html) => isSecureContent({ format: 'HTML', html }),
  },
  {
    name: 'page of a bundle',
    charsMax: 200_000,
    words: HTML_WORDS,
    decode: (page) => readFacts(zipOf(page), { extension: 'zip', width: null, height: null }),
  },
  {
    name: 'bytes of a bundle',
    charsMax: 1_000_000,
    words: [
      'PK\u0003\u0004',
      'PK\u0001\u0002',
      'PK\u0005\u0006',
      '\0\0\0\0',
      '\u00ff\u00ff',
      zipOf('a').toString('latin1'),
    ],
    decode: (text) => readFacts(bytesOf(text), { extension: 'zip', width: null, height: null }),
  },
  {
    name: 'kind of a file',
    charsMax: 1_000_000,
    words: [
      '<svg ',
      '<?xml ',
      '?>',
      '<!--',
      '-->',
      'width="1"',
      PNG,
      'GIF89a',
      '\u00ff\u00d8\u00ff\u00e0',
      '\u00ff',
      'RIFF\0\0\0\0WEBPVP8 ',
      '\0\0\0\u0018ftypavif',
      '\0',
    ],
    decode: (text) => sniffFile(bytesOf(text)),
  },
  {
    name: 'facts of a video',
    charsMax: 1_000_000,
    words: ['\0\0\0\u0008moov', '\0\0\0\u0008free', '\0\0\0\0', '\0\0\0\u0001moov', 'tkhd', 'mvhd', '\u00ff'],
    decode: (text) => readVideoFacts(bytesOf(text)),
  },
  {
    name: 'letters of a PDF',
    charsMax: 10_000,
    words: ['\u0301', 'ﷺ', 'ł', '漢', '👩‍👩‍👧', '\u1e9b\u0323', '가'],
    decode: oneLineOfPdf,
  },
  {
    name: 'lines of a mail',
    charsMax: 65_536,
    words: ['a', ' ', '\n', '\r\n', '://', '.', '\u202e', '@'],
    decode: (text) => [oneLine(text), tameName(text, '')],
  },
  {
    name: 'global id',
    charsMax: 65_536,
    words: ['TGluZUl0ZW06MQ', '=', ':', 'LineItem', '1', '_'],
    decode: decodeGlobalId,
  },
  {
    name: 'address of a webhook',
    charsMax: 2_000,
    words: ['https://', '[', '::', ']', '0x7f', '.1', '@', '%', '1'],
    decode: (text) =>
      isAllowedOutbound(text, { allowedRanges: [] } as unknown as Parameters<typeof isAllowedOutbound>[1]),
  },
];
