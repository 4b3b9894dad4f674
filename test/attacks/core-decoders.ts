import { makeZip } from '../../src/storage/bundles/fixtures/make-zip.ts';
import { scanCode } from '../../src/domain/booking/creative-scan.ts';
import { decodeGlobalId } from '../../src/domain/ids/global-ids.ts';
import { isAllowedOutbound } from '../../src/http/shared/outbound-fetch.ts';
import { isSecureContent } from '../../src/management/resources/creative/content-checks.ts';
import { readAudioFacts } from '../../src/management/resources/upload/audio-facts.ts';
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
import { tryXml, XML_WORDS } from './ad-path-decoders.ts';
import { type Decoder, HEADER_CHARS } from './decoder.ts';

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
    // A quarter of the longest: what grows faster than the document shows.
    name: 'a VAST document',
    charsMax: 262_144,
    words: XML_WORDS,
    attacks: [`<a>${'<a>'.repeat(80_000)}`, `<a ${'b="1" '.repeat(40_000)}>`, `<a>${'&amp;'.repeat(50_000)}</a>`],
    decode: tryXml,
  },
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
    name: 'frames of a sound',
    charsMax: 1_000_000,
    words: [
      '\u00ff\u00fb\u0090\0',
      '\u00ff\u00f1\u0050\u0080\0\u00e0\0',
      'OggS',
      'RIFF',
      'WAVEdata\0\0\0\0',
      'ID3',
      'TAG',
      '\0',
      '\u00ff',
    ],
    decode: (text) => (['mp3', 'aac', 'ogg', 'wav'] as const).map((kind) => readAudioFacts(bytesOf(text), kind)),
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
