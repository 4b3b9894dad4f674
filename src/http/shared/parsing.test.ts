import type { IncomingMessage } from 'node:http';
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { compileTrustedProxies, resolveClient } from './client-address.ts';
import { hasMorePartsThan, isDeeperThan } from '../../domain/text/json-shape.ts';
import { parseJsonBody, parseJsonParameter } from './json.ts';
import { chooseEncoding } from './response-encoding.ts';
import { patternParameters, RouteTree } from './route-match.ts';

describe('parseJsonBody', () => {
  test('the parser agrees with JSON.parse on any value within the depth', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 8 }), (value) => {
        const text = JSON.stringify(value);
        fc.pre(!text.includes('__proto__'));
        expect(parseJsonBody(Buffer.from(text))).toEqual(JSON.parse(text));
      }),
    );
  });

  test('the depth is that of the value; brackets in strings do not count', () => {
    const depthOf = (value: unknown): number =>
      typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0;
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), fc.integer({ min: 1, max: 6 }), (value, depthMax) => {
        const padded = `${' '.repeat(20)}${JSON.stringify(value)}`;
        expect(isDeeperThan(Buffer.from(padded), depthMax)).toBe(depthOf(value) > depthMax);
      }),
    );
  });

  test.each([
    ['64 levels pass', '['.repeat(64) + ']'.repeat(64), null],
    ['65 levels do not', '['.repeat(65) + ']'.repeat(65), /64 levels/],
    ['brackets in strings do not count', JSON.stringify(['['.repeat(500), '\\"[['.repeat(100)]), null],
    ['a byte order mark is skipped', '\ufeff{"a":1}', null],
    ['an unfinished string is refused', `["${'x'.repeat(100)}`, /not valid JSON/],
    ['nothing is refused', '', /empty/],
  ])('%s', (_name, text, message) => {
    if (message === null) expect(() => parseJsonBody(Buffer.from(text))).not.toThrow();
    else expect(() => parseJsonBody(Buffer.from(text))).toThrow(message);
  });

  test('drops __proto__ keys, however written and however deep, and keeps strings of that text', () => {
    const text = '{"a":[{"__proto__":{"x":1}}],"\\u005F\\u005fproto_\\u005f":1,"b":"\\"__proto__\\": 1"}';
    const value = parseJsonBody(Buffer.from(text)) as { a: object[]; b: string };
    expect(Object.keys(value)).toEqual(['a', 'b']);
    expect(Object.keys(value.a[0] ?? {})).toEqual([]);
    expect(value.b).toBe('"__proto__": 1');
  });

  test('the parser replaces lone surrogates on request, in texts and names, and keeps whole characters', () => {
    const text = '{"a":["\\ud800","x\\uDC00y","\\ud83d\\ude00"],"\\ud800":{"b":"\\udfff"},"c":"é\\u00e9"}';
    const whole = { a: ['\ufffd', 'x\ufffdy', '😀'], '\ufffd': { b: '\ufffd' }, c: 'éé' };
    expect(parseJsonBody(Buffer.from(text), { mendsText: true })).toEqual(whole);
    expect(parseJsonParameter(text, 'data', { mendsText: true })).toEqual(whole);
    expect(parseJsonBody(Buffer.from(text))).toEqual(JSON.parse(text));
  });

  const partsOf = (value: unknown): number => {
    if (typeof value !== 'object' || value === null) return 0;
    const members = Array.isArray(value) ? 0 : Object.keys(value).length;
    return 1 + members + Object.values(value).reduce((sum: number, one) => sum + partsOf(one), 0);
  };
  test('counts objects, lists and members, those in strings left out', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), fc.integer({ min: 1, max: 12 }), (value, partsMax) => {
        const padded = `${' '.repeat(20)}${JSON.stringify(value)}`;
        expect(hasMorePartsThan(Buffer.from(padded), partsMax)).toBe(partsOf(value) > partsMax);
      }),
    );
  });

  test.each([
    ['objects', `[${'{},'.repeat(2_600_000)}{}]`],
    ['lists', `[${'[],'.repeat(2_600_000)}[]]`],
    ['members', `{${Array.from({ length: 700_000 }, (_one, at) => `"${at}z":1`).join(',')}}`],
  ])('8 MiB of %s are refused without being parsed', (_name, text) => {
    const parse = vi.spyOn(JSON, 'parse');
    try {
      expect(() => parseJsonBody(Buffer.from(text))).toThrow(/at most 200000 objects, lists and members/);
      expect(parse).not.toHaveBeenCalled();
    } finally {
      parse.mockRestore();
    }
  });

  test('8 MiB of text in a few members are taken', () => {
    const html = '<style>a{b:c}[]</style>'.repeat(300_000);
    expect(parseJsonBody(Buffer.from(JSON.stringify({ html })))).toEqual({ html });
  });

  test('a parameter is named in its errors', () => {
    expect(() => parseJsonParameter('{', 'data')).toThrow('The parameter data is not valid JSON');
    expect(() => parseJsonParameter('['.repeat(99), 'data')).toThrow(/data is nested/);
  });
});

describe('RouteTree', () => {
  const tree = new RouteTree<string>();
  for (const pattern of [
    '/',
    '/api/v1/ads',
    '/:network/bid',
    '/:network/imp/:token',
    '/:network/click/*rest',
    '/api/:x',
    '/assets/*',
  ]) {
    tree.add('GET', pattern, pattern);
  }
  test.each([
    ['/', '/', []],
    ['/api/v1/ads', '/api/v1/ads', []],
    ['/api/bid', '/api/:x', ['bid']],
    ['/1000/bid', '/:network/bid', ['1000']],
    ['/1/imp/t', '/:network/imp/:token', ['1', 't']],
    ['/api/imp/t', '/:network/imp/:token', ['api', 't']],
    ['/1/click/', '/:network/click/*rest', ['1', '']],
    ['/1/click/a//b/', '/:network/click/*rest', ['1', 'a//b/']],
    ['/assets/x.js', '/assets/*', ['x.js']],
    ['/1/bid/', null, []],
    ['/1/click', null, []],
    ['//bid', null, []],
    ['/api/v1', '/api/:x', ['v1']],
    ['/api/v1/ads/x', null, []],
    ['bid', null, []],
  ] as const)('%s finds %s', (path, pattern, captures) => {
    const found = tree.find(path);
    expect(found?.byMethod.get('GET') ?? null).toBe(pattern);
    expect(found?.captures ?? []).toEqual(captures);
  });

  test('a clash or a malformed pattern is refused when declared', () => {
    expect(() => tree.add('GET', '/:other/bid', 'x')).toThrow(/declared twice/);
    expect(() => tree.add('GET', '/a/*b/c', 'x')).toThrow(/before its end/);
    expect(() => tree.add('GET', 'a', 'x')).toThrow(/start with a slash/);
    expect(patternParameters('/:a/b/*c')).toEqual([
      { name: 'a', isRest: false },
      { name: 'c', isRest: true },
    ]);
  });
});

describe('resolveClient', () => {
  const request = (peer: string, headers: Record<string, string>): IncomingMessage =>
    ({ socket: { remoteAddress: peer }, headers }) as unknown as IncomingMessage;
  const trusts = compileTrustedProxies(['10.0.0.0/8', '::1', '::ffff:192.0.2.0/120', '2001:db8::/32']);
  test.each([
    [
      'an untrusted peer is the client, whatever it says',
      '198.51.100.1',
      { 'x-forwarded-for': '1.2.3.4', 'x-forwarded-proto': 'https' },
      '198.51.100.1',
      false,
    ],
    [
      'a trusted peer is believed',
      '10.1.1.1',
      { 'x-forwarded-for': '1.2.3.4', 'x-forwarded-proto': 'https' },
      '1.2.3.4',
      true,
    ],
    ['an IPv4-mapped peer counts as IPv4', '::ffff:10.1.1.1', { 'x-forwarded-for': '1.2.3.4' }, '1.2.3.4', false],
    ['a mapped range covers plain IPv4', '192.0.2.9', { 'x-forwarded-for': '1.2.3.4' }, '1.2.3.4', false],
    [
      'the last untrusted hop counts, not the first',
      '10.1.1.1',
      { 'x-forwarded-for': '6.6.6.6, 1.2.3.4, 10.2.2.2' },
      '1.2.3.4',
      false,
    ],
    [
      'the last protocol counts',
      '10.1.1.1',
      { 'x-forwarded-for': '1.2.3.4', 'x-forwarded-proto': 'https, http' },
      '1.2.3.4',
      false,
    ],
    ['ports and brackets are cut', '10.1.1.1', { 'x-forwarded-for': '[2001:DB9::1]:443' }, '2001:db9::1', false],
    ['IPv4 ports are cut', '10.1.1.1', { 'x-forwarded-for': '1.2.3.4:5678' }, '1.2.3.4', false],
    ['junk ends the walk', '10.1.1.1', { 'x-forwarded-for': '6.6.6.6, unknown, 10.2.2.2' }, '10.2.2.2', false],
    ['no header: the proxy itself', '::1', {}, '::1', false],
    [
      'a mapped address in hexadecimal is IPv4',
      '10.1.1.1',
      { 'x-forwarded-for': '::ffff:c633:6407' },
      '198.51.100.7',
      false,
    ],
    [
      'a hexadecimal address has one form',
      '10.1.1.1',
      { 'x-forwarded-for': '0xc6.0x33.0x64.7' },
      '198.51.100.7',
      false,
    ],
    ['an expanded address has one form', '10.1.1.1', { 'x-forwarded-for': '2001:DB9:0:0::0:1' }, '2001:db9::1', false],
    [
      'other forwarding headers are not read',
      '10.1.1.1',
      { forwarded: 'for=6.6.6.6;proto=https', 'x-real-ip': '6.6.6.6' },
      '10.1.1.1',
      false,
    ],
  ] as [string, string, Record<string, string>, string, boolean][])('%s', (_name, peer, headers, address, secure) => {
    expect(resolveClient(request(peer, headers), false, trusts)).toEqual({ address, secure });
  });

  test('a malformed entry is refused', () => {
    for (const entry of ['10.0.0.0/33', 'example.org', '']) expect(() => compileTrustedProxies([entry])).toThrow();
  });
});

test.each([
  ['gzip, deflate, br', 'gzip'],
  ['deflate', 'deflate'],
  ['GZIP;q=0.5, deflate;q=0.8', 'deflate'],
  ['*', 'gzip'],
  ['gzip;q=0, *', 'deflate'],
  ['*;q=0', null],
  ['br, zstd', null],
  ['identity', null],
  ['', null],
])('Accept-Encoding %j gets %s', (header, encoding) => {
  expect(chooseEncoding(header)).toBe(encoding);
  expect(chooseEncoding(header)).toBe(encoding);
});
