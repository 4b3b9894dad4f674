import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { buildAdLinks } from './ad-links.ts';
import { CREATIVE_FORMATS } from '../creative-format.ts';
import { newUlid } from '../ids/ids.ts';
import { ARM_KEY_ID } from '../experiments/experiment.ts';
import { NO_KEY_VALUES, REPORT_KEYS_MAX, REPORT_VALUE_BYTES_MAX } from '../targeting/key-value.ts';
import { LINE_ITEM_TYPES } from '../booking/line-item.ts';
import { PRICING_MODELS } from '../pricing/pricing-models.ts';
import { LINK_TOKEN_CHARS_MAX, openServedAd, sealServedAd } from './link-token.ts';
import { ALL_LIMITS } from '../money/reservation.ts';
import type { LinkKey, ServedAd } from './served-ad.ts';

const key: LinkKey = { keyId: 'a', secret: Buffer.alloc(32, 1) };
const otherKey: LinkKey = { keyId: 'b', secret: Buffer.alloc(32, 2) };

const id = fc.oneof(fc.constant(''), fc.bigInt({ min: 1n, max: 999_999_999_999_999_999n }).map(String));
const realId = fc.bigInt({ min: 1n, max: 999_999_999_999_999_999n }).map(String);
const word = fc.string({ maxLength: 16, unit: 'grapheme-ascii' });
/** As long as a token holds it whole. */
const keyValue = fc
  .string({ minLength: 1, maxLength: 12, unit: 'grapheme' })
  .filter((value) => Buffer.byteLength(value) <= REPORT_VALUE_BYTES_MAX);
const hex = (digits: number): fc.Arbitrary<string> =>
  fc.string({ minLength: digits, maxLength: digits, unit: fc.constantFrom(...Array.from('0123456789abcdef')) });
const servedAd: fc.Arbitrary<ServedAd> = fc.record({
  impressionId: fc.integer({ min: 1_600_000_000_000, max: 4_000_000_000_000 }).map(newUlid),
  workspaceId: fc.integer({ min: 1, max: 2_147_483_647 }),
  advertiserId: id,
  campaignId: id,
  lineItemId: id,
  creativeId: id,
  dealId: id,
  advertisingProductId: id,
  siteId: id,
  areaId: id,
  adUnitId: id,
  lineItemType: fc.constantFrom(...LINE_ITEM_TYPES),
  creativeFormat: fc.constantFrom(...CREATIVE_FORMATS),
  companion: fc.boolean(),
  width: fc.nat(10_000),
  height: fc.nat(10_000),
  country: word,
  region: word,
  deviceType: word,
  os: word,
  browser: word,
  keyValues: fc.oneof(
    fc.constant(NO_KEY_VALUES),
    fc.dictionary(realId, keyValue, {
      minKeys: 1,
      maxKeys: REPORT_KEYS_MAX,
    }),
    fc.dictionary(realId, keyValue, { maxKeys: REPORT_KEYS_MAX }).map((own) => ({ ...own, [ARM_KEY_ID]: '12:RULE' })),
  ),
  npa: fc.boolean(),
  test: fc.boolean(),
  userHash: fc.oneof(fc.constant(''), hex(16)),
  householdHash: fc.oneof(fc.constant(''), hex(16)),
  pricingModel: fc.constantFrom(...PRICING_MODELS),
  priceMicros: fc.maxSafeNat(),
  decidedAtMs: fc.maxSafeNat(),
  heldLimits: fc.nat(ALL_LIMITS),
  chosenBy: fc.array(word, { maxLength: 32 }),
});
const [sample] = fc.sample(servedAd, { numRuns: 1, seed: 7 }) as [ServedAd];

describe('the token of a served ad', () => {
  test('a token opens to exactly what was sealed, and needs no encoding in a path', () => {
    fc.assert(
      fc.property(servedAd, (ad) => {
        const token = sealServedAd(ad, key);
        expect(token).toMatch(/^[\w-]{1,4}\.[\w-]+$/);
        expect(openServedAd(token, [otherKey, key])).toEqual(ad);
      }),
    );
  });

  test('a token does not open when any one character is changed, dropped or added', () => {
    fc.assert(
      fc.property(servedAd, fc.nat(), fc.constantFrom(...Array.from('AQgwx9-_.=/ ')), (ad, at, char) => {
        const token = sealServedAd(ad, key);
        const index = at % token.length;
        const forged = [
          token.slice(0, index) + char + token.slice(index + 1),
          token.slice(0, index) + token.slice(index + 1),
          token.slice(0, index) + char + token.slice(index),
          token.slice(0, index),
        ].filter((text) => text !== token);
        for (const text of forged) expect(openServedAd(text, [key])).toBeNull();
      }),
    );
  });

  test('never throws on junk', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(openServedAd(`a.${text}`, [key])).toBeNull();
      }),
    );
    expect(openServedAd('', [key])).toBeNull();
    expect(openServedAd(`a.${'A'.repeat(LINK_TOKEN_CHARS_MAX)}`, [key])).toBeNull();
  });

  test('a token survives a rotation as long as its key is kept', () => {
    const token = sealServedAd(sample, key);
    expect(openServedAd(token, [otherKey, key])).toEqual(sample);
    expect(openServedAd(token, [otherKey])).toBeNull();
  });

  test('a token opens only under its own key, even when another has the same id', () => {
    expect(openServedAd(sealServedAd(sample, key), [{ keyId: 'a', secret: Buffer.alloc(32, 3) }])).toBeNull();
  });

  test('a token carries long free texts, cut to whole characters', () => {
    const opened = openServedAd(sealServedAd({ ...sample, region: 'ó'.repeat(40) }, key), [key]);
    expect(opened?.region).toBe('ó'.repeat(32));
  });

  test('a token with the most key-values is short enough, and one with none is no longer than before', () => {
    const value = 'ż'.repeat(REPORT_VALUE_BYTES_MAX / 2);
    const own = Array.from({ length: REPORT_KEYS_MAX }, (_one, index) => String(10 ** 12 + index));
    const ids = [ARM_KEY_ID, ...own];
    const full = sealServedAd({ ...sample, keyValues: Object.fromEntries(ids.map((id) => [id, value])) }, key);
    const bare = sealServedAd({ ...sample, keyValues: NO_KEY_VALUES }, key);
    expect(Object.values(openServedAd(full, [key])?.keyValues ?? {})).toEqual(ids.map(() => value));
    expect(full.length - bare.length).toBeLessThan(760);
    expect(sealServedAd({ ...sample, keyValues: { '5': 'news' } }, key).length - bare.length).toBeLessThan(12);
  });

  test.each([
    ['an impression id that is not a ULID', { impressionId: 'x' }],
    ['an id that is not decimal', { creativeId: '07' }],
    ['a price that is not a whole number', { priceMicros: 1.5 }],
    ['a negative time', { decidedAtMs: -1 }],
    ['a user hash of another length', { userHash: 'abc' }],
    ['a household hash of another length', { householdHash: 'abc' }],
    ['a key that is not an id', { keyValues: { section: 'news' } }],
  ])('sealing is refused for %s', (_title, change) => {
    expect(() => sealServedAd({ ...sample, ...change }, key)).toThrow(RangeError);
  });
});

test('links of an ad contain network and token, and those of staging have its prefix', () => {
  const links = buildAdLinks('https://d.example', 'production', '1000', 'a.T');
  expect(links.impressionUrl).toBe('https://d.example/1000/imp/a.T');
  expect(links.clickUrl).toBe('https://d.example/1000/click/a.T');
  expect(links.videoEventUrl('first_quartile')).toBe('https://d.example/1000/video/first_quartile/a.T');
  expect(buildAdLinks('https://d.example', 'staging', '1000', 'a.T').whyUrl).toBe(
    'https://d.example/staging/1000/why/a.T',
  );
});
