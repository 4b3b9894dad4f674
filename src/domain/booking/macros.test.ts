import { describe, expect, test } from 'vitest';
import { fillAddress, fillText, hasVaryingMacro, type MacroFacts, unknownMacros } from './macros.ts';

const facts: MacroFacts = {
  creativeId: '907',
  clickUrl: 'https://ads.example/1000/click/T?a=1',
  landingUrl: 'https://acme.example/',
  width: 300,
  height: 250,
  cacheBuster: 'abc123',
  timeMs: 1_764_000_000_123,
  privacy: { gdpr: 1, consent: 'CONSENT', gpp: 'DBAA~B"<', usPrivacy: '1YNN' },
  ids: { lineItemId: '11', campaignId: '12', advertiserId: '13', siteId: '14', adUnitId: '' },
};

describe('macros of addresses', () => {
  test.each([
    ['${CREATIVE_ID}', '907'],
    ['${CACHEBUSTER}', 'abc123'],
    ['%%CACHEBUSTER%%', 'abc123'],
    ['[CACHEBUSTING]', 'abc123'],
    ['[cachebuster]', 'abc123'],
    ['[timestamp]', '1764000000'],
    ['${TIMESTAMP}', '1764000000'],
    ['[TIMESTAMP]', encodeURIComponent('2025-11-24T16:00:00.123Z')],
    ['${WIDTH}x${HEIGHT}', '300x250'],
    ['${CLICK_URL}', encodeURIComponent(facts.clickUrl)],
    ['${CLICK_URL_ENC}', encodeURIComponent(facts.clickUrl)],
    ['%%CLICK_URL_UNESC%%', encodeURIComponent(facts.clickUrl)],
    ['${GDPR}', '1'],
    ['${GDPR_CONSENT}', 'CONSENT'],
    ['${GDPR_CONSENT_755}', 'CONSENT'],
    ['${GPP_STRING_755}', encodeURIComponent('DBAA~B"<')],
    ['${US_PRIVACY}', '1YNN'],
    ['${LINE_ITEM_ID}-${CAMPAIGN_ID}-%%ADVERTISER_ID%%', '11-12-13'],
    ['${SITE_ID}-${AD_UNIT_ID}', '14-'],
    ['${AUCTION_PRICE}', '${AUCTION_PRICE}'],
    ['[ERRORCODE]', '[ERRORCODE]'],
    ['${UNKNOWN}', '${UNKNOWN}'],
  ])('%s becomes %s', (macro, value) => {
    expect(fillAddress(`https://t.example/?x=${macro}`, facts)).toBe(`https://t.example/?x=${value}`);
  });

  test('macros of consent are empty where the request said nothing', () => {
    expect(fillAddress('https://t.example/?g=${GDPR}&c=${GDPR_CONSENT_7}', { ...facts, privacy: null })).toBe(
      'https://t.example/?g=&c=',
    );
  });
});

describe('macros of HTML', () => {
  test('forms in brackets are filled in addresses, and not in code', () => {
    const html =
      '<script src="https://t.example/a;ord=[timestamp]?"></script><script>x=[timestamp];y=z[random]</script>';
    expect(fillText(html, facts)).toBe(
      '<script src="https://t.example/a;ord=1764000000?"></script><script>x=[timestamp];y=z[random]</script>',
    );
  });

  test('click macros stay readable, and strings of a request stay inside of their attribute', () => {
    expect(fillText('<a href="${CLICK_URL}" data-g="${GPP_STRING_1}">', facts)).toBe(
      `<a href="${facts.clickUrl}" data-g="${encodeURIComponent('DBAA~B"<')}">`,
    );
  });
});

test('macros of consent and time vary between requests, and those of the ad do not', () => {
  expect(['${GDPR_CONSENT_1}', '[timestamp]', '%%US_PRIVACY%%', '${SITE_ID}'].map(hasVaryingMacro)).toEqual([
    true,
    true,
    true,
    true,
  ]);
  expect(['${CACHEBUSTER}', '${LINE_ITEM_ID}', 'a[0]', ''].map(hasVaryingMacro)).toEqual([false, false, false, false]);
});

test('macros that nothing fills are found once each', () => {
  expect(unknownMacros(['${CREATIVE_ID}${CAMPAIGN}', '%%SITE%%${CAMPAIGN}${AUCTION_PRICE}${GDPR_CONSENT_7}'])).toEqual([
    '${CAMPAIGN}',
    '%%SITE%%',
  ]);
});
