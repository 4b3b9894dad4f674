import { describe, expect, test } from 'vitest';
import { checkHeaderCurrency, parseAdsRequest } from '../ad-request/ads-request.ts';
import { parseBidRequest } from './bid-request.ts';
import { dearestHeaderBid, isFault, readHeaderBid } from './header-bids.ts';

const sent = { bidder: 'bidco', adId: 'ad-1', cpm: 1.25, currency: 'pln', size: '300x250' };
const read = { bidder: 'bidco', adId: 'ad-1', cpmMicros: 1_250_000, currency: 'PLN', width: 300, height: 250 };
const site = { id: 'news', domain: 'news.example' };
const adsOf = (hb: unknown) => parseAdsRequest({ network: '1000', adUnit: 'a', hb }).headerBids;
const bidsOf = (hb: unknown) =>
  parseBidRequest({ id: 'r', site, imp: [{ id: 'i', banner: {}, ext: { hb } }] }).imps[0]?.headerBids;

describe('a header bid', () => {
  test('both requests read it as Prebid.js has it', () => {
    expect(adsOf([sent])).toEqual([read]);
    expect(bidsOf([sent])).toEqual([read]);
    expect(bidsOf([{ ...sent, size: undefined, width: 300, height: 250, mediaType: 'banner' }])).toEqual([read]);
  });

  test('the price is rounded down to a micro', () => {
    expect(adsOf([{ ...sent, cpm: 1.2500009 }])).toEqual([read]);
    expect(adsOf([{ ...sent, cpm: 0.29 }])?.[0]?.cpmMicros).toBe(290_000);
  });

  test.each([
    ['', 7],
    ['.bidder', { ...sent, bidder: '' }],
    ['.bidder', { ...sent, bidder: 'b'.repeat(101) }],
    ['.adId', { ...sent, adId: 7 }],
    ['.adId', { ...sent, adId: 'a'.repeat(201) }],
    ['.cpm', { ...sent, cpm: '1.25' }],
    ['.cpm', { ...sent, cpm: -1 }],
    ['.cpm', { ...sent, cpm: 100_001 }],
    ['.cpm', { ...sent, cpm: Number.NaN }],
    ['.currency', { ...sent, currency: 'zloty' }],
    ['.size', { ...sent, size: 'huge' }],
    ['.size', { ...sent, size: '1x2x3' }],
    ['.size', { ...sent, size: undefined, width: 300 }],
  ])('an ad request names the member%s that is wrong, and a bid request leaves out %o', (member, wrong) => {
    expect(() => adsOf([sent, wrong])).toThrow(`hb[1]${member} must be`);
    expect(bidsOf([sent, wrong])).toEqual([read]);
  });

  test('an ad request takes a bounded list, and a bid request reads no more of it', () => {
    const many = Array.from({ length: 51 }, () => sent);
    for (const hb of [many, 'all', {}]) expect(() => adsOf(hb)).toThrow('hb must be a list of at most 50');
    expect(bidsOf(many)).toHaveLength(50);
    expect(bidsOf('all')).toEqual([]);
    expect([adsOf(undefined), adsOf(null), adsOf([])]).toEqual([undefined, undefined, []]);
  });

  const network = { currency: 'PLN', timezone: 'Europe/Warsaw' };
  const exchangeRates = [{ currency: 'USD', rate: '3.9999999', from: '2026-11-02' }];
  const nowMs = Date.parse('2026-11-02T12:00:00Z');

  test('a header bid in another currency is converted, and rounded down to a micro', () => {
    const bids = [bidOf('a', 3.9), bidOf('b', 1, 'USD'), bidOf('c', 9, 'GBP')];
    expect(dearestHeaderBid(bids, { ...network, exchangeRates }, nowMs)).toMatchObject({
      bidder: 'b',
      cpmMicros: 3_999_999,
    });
    expect(dearestHeaderBid(bids, { ...network, exchangeRates }, nowMs - 86_400_000)?.bidder).toBe('a');
  });

  test('an ad request with a header bid in a currency without a rate is refused by its name', () => {
    const check = (currency: string, rated: object) => () =>
      checkHeaderCurrency(
        { headerBids: [bidOf('a', 1), bidOf('b', 1, currency)] } as never,
        { ...network, ...rated },
        nowMs,
      );
    expect(check('USD', {})).toThrow('hb[1].currency must be PLN or a currency with an exchange rate.');
    expect(check('GBP', { exchangeRates })).toThrow('hb[1].currency');
    expect(check('USD', { exchangeRates })).not.toThrow();
  });

  function bidOf(bidder: string, cpm: number, currency?: string) {
    const one = readHeaderBid({ ...sent, bidder, cpm, currency });
    if (isFault(one)) throw new Error(one.wants);
    return one;
  }

  test('the dearest competes, the first of equals, and none in a currency without a rate or of nothing', () => {
    const bid = bidOf;
    const dearest = (...bids: ReturnType<typeof bidOf>[]) => dearestHeaderBid(bids, network, 0)?.bidder;
    expect(dearest(bid('a', 1), bid('b', 2), bid('c', 2, 'PLN'))).toBe('b');
    expect(dearest(bid('a', 1), bid('b', 9, 'USD'))).toBe('a');
    expect(dearest(bid('a', 0), bid('b', 9, 'USD'))).toBeUndefined();
  });
});
