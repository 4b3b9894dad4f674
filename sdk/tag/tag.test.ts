import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { buildTag, TAG_SCRIPTS } from './build.ts';
import { gatherHeaderBids } from './src/header-bids.ts';
import { randomId } from './src/random-id.ts';
import { numberOr, sizesFor } from './src/settings.ts';
import { gppAllows, uspAllows } from './src/us-privacy.ts';

const GZIP_BYTES_MAX = { 'tag.min.js': 7_700, 'gpt.min.js': 11_000 };

describe.each(TAG_SCRIPTS)('the file %s of the page tag', (script) => {
  const built = readFileSync(new URL(script, import.meta.url), 'utf8');

  test('the built script is what its source makes (else: node sdk/tag/build.ts)', async () => {
    expect(built).toBe(await buildTag(script));
  });

  test(`the script weighs less than ${GZIP_BYTES_MAX[script]} bytes as it is sent`, () => {
    expect(gzipSync(built).length).toBeLessThan(GZIP_BYTES_MAX[script]);
  });

  test('the script needs no policy that lets texts become code', () => {
    expect(built).not.toMatch(
      /\beval\b|new Function|document\.write|innerHTML|insertAdjacentHTML|setAttribute\(.style/,
    );
  });
});

describe('sizes by breakpoint', () => {
  test.each([
    [
      'a plain list counts everywhere',
      '970x250,728x90',
      320,
      [
        [970, 250],
        [728, 90],
      ],
    ],
    ['the widest breakpoint that fits counts', '0:320x50;768:728x90;1024:970x250', 1000, [[728, 90]]],
    ['the order of rules does not matter', '1024:970x250;0:320x50;768:728x90', 1000, [[728, 90]]],
    ['a breakpoint counts from its very width', '0:320x50;1024:970x250', 1024, [[970, 250]]],
    ['a breakpoint without sizes asks for nothing', '0:;768:728x90', 700, []],
    ['a viewport below all breakpoints asks for nothing', '768:728x90', 700, []],
    [
      'spaces are let through',
      ' 1024 : 970x250 , 728x90 ; 0 : 320x50 ',
      1200,
      [
        [970, 250],
        [728, 90],
      ],
    ],
    ['an empty text has no sizes', '', 1000, []],
  ] as const)('%s', (_name, text, width, sizes) => {
    expect(sizesFor(text, width)).toEqual(sizes);
  });

  test.each([
    ['7', 7],
    ['0', 0],
    ['', 5],
    [undefined, 5],
    ['-1', 5],
    ['soon', 5],
  ])('a number written as %j reads as %d', (text, expected) => {
    expect(numberOr(text, 5)).toBe(expected);
  });
});

describe('the header bids of a page', () => {
  const element = {} as Element;
  const gather = (find: (() => unknown) | undefined, timeoutMs = 60_000) =>
    gatherHeaderBids(find, { adUnit: 'top', element, timeoutMs });
  const bid = { bidder: 'bidco', adId: 'ad-1', cpm: 2, currency: 'PLN', size: '300x250' };

  test('the tag sends the members that the ad server reads, of at most 50 bids', async () => {
    expect(await gather(() => [{ ...bid, ad: '<b>', meta: {} }])).toEqual([bid]);
    expect(await gather(() => Promise.resolve(Array.from({ length: 60 }, () => bid)))).toHaveLength(50);
  });

  test.each<[string, (() => unknown) | undefined]>([
    ['has no function for them', undefined],
    ['returns no list', () => ({ bids: [bid] })],
    ['fails', () => Promise.reject(new Error('no auction'))],
    ['throws', () => JSON.parse('{') as unknown],
  ])('the tag sends none where the page %s', async (_name, find) => {
    expect(await gather(find)).toEqual([]);
  });

  test('the tag does not wait for late ones', async () => {
    expect(await gather(() => new Promise(() => undefined), 1)).toEqual([]);
  });
});

test('a random id is a UUID of version 4', () => {
  expect(randomId()).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
});

describe('signals of GPP and US Privacy', () => {
  const us = (section: unknown, id = 7) => ({ applicableSections: [id], parsedSections: { usnat: section } });
  test.each<[string, Parameters<typeof gppAllows>[0], boolean]>([
    ['no section', {}, true],
    ['no section that applies', { applicableSections: [-1] }, true],
    ['nothing opted out', us([{ SaleOptOut: 2, SharingOptOut: 0 }, { Gpc: false }]), true],
    ['sale opted out', us({ SaleOptOut: 1 }), false],
    ['sharing opted out', us({ SharingOptOut: 1 }), false],
    ['targeted advertising opted out', us({ TargetedAdvertisingOptOut: 1 }), false],
    ['Global Privacy Control', us([{ SaleOptOut: 2 }, { Gpc: true }]), false],
    ['a US Privacy section with an opt-out', us({ OptOutSale: 'Y' }, 6), false],
    ['a US Privacy section as text', us('1YYN', 6), false],
    ['a section that is not parsed', { applicableSections: [9] }, false],
    ['TCF of Canada', { applicableSections: [5] }, false],
    ['TCF of Europe without its tool', { applicableSections: [2] }, false],
  ])('a GPP signal with %s allows ids only where its sections do', (_what, ping, allowed) => {
    expect(gppAllows(ping, false)).toBe(allowed);
  });

  test('TCF of Europe is left to its tool', () => {
    expect(gppAllows({ applicableSections: [2] }, true)).toBe(true);
  });

  test.each([
    ['1YNN', true],
    ['1---', true],
    ['1YYN', false],
  ])('the US Privacy string %s allows an id: %s', (text, allowed) => {
    expect(uspAllows(text)).toBe(allowed);
  });
});
