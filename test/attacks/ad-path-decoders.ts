import type { IncomingMessage } from 'node:http';
import { PIECE_CHARS, XmlReading } from '../../src/delivery/unwrap/xml-tree.ts';
import { parseBidRequest } from '../../src/delivery/openrtb/bid-request.ts';
import { readBrowserLanguages } from '../../src/delivery/ad-request/browser-languages.ts';
import { readDevice } from '../../src/delivery/ad-request/device.ts';
import { resolvePrivacy } from '../../src/delivery/ad-request/privacy.ts';
import { recogniseUser } from '../../src/delivery/ad-request/user-cookie.ts';
import { readPrivacySignals } from '../../src/delivery/openrtb/privacy-signals.ts';
import { openPreview } from '../../src/domain/booking/preview-link.ts';
import { openServedAd } from '../../src/domain/events/link-token.ts';
import { parseAcceptLanguage } from '../../src/domain/text/accept-language.ts';
import { createTrafficFilter } from '../../src/events/tracking/traffic-filter.ts';
import { compileTrustedProxies, resolveClient } from '../../src/http/shared/client-address.ts';
import { chooseEncoding } from '../../src/http/shared/response-encoding.ts';
import { type Decoder, HEADER_CHARS } from './decoder.ts';

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

/** Words of XML, and attacks on its parsers. */
export const XML_WORDS = [
  '<VAST version="4.2">',
  '<a>',
  '</a>',
  '<a b="1"/>',
  ' x1="',
  "='",
  '<![CDATA[',
  ']]>',
  '<!--',
  '-->',
  '<?p ',
  '<!DOCTYPE a [',
  '<!ENTITY b "&c;&c;">',
  '&amp;',
  '&#97;',
  '&c;',
  'p:q',
  '>',
];

/** The error of a document that is refused is a result. */
export function tryXml(text: string): unknown {
  const reading = new XmlReading();
  try {
    for (let at = 0; at < text.length; at += PIECE_CHARS) reading.write(text.slice(at, at + PIECE_CHARS));
    return reading.end();
  } catch (error) {
    return error;
  }
}

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
    // Other requests get their turn between the pieces of a document.
    name: 'a piece of a VAST document',
    charsMax: PIECE_CHARS,
    words: XML_WORDS,
    decode: (text) => tryXml(text),
  },
  {
    name: 'native request',
    charsMax: 65_536,
    words: ['{"native":', '{"assets":[', '{"id":1,"title":{"len":9}},', '[', '{"a":', '"', '\\u0041', '1,'],
    decode: (request) =>
      parseBidRequest({ id: 'r', imp: [{ id: 'i', native: { request } }], site: { id: 's', domain: 'd.example' } }),
  },
];
