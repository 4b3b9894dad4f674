import { afterEach, describe, expect, test, vi } from 'vitest';
import { adUnitOf, listSizes, mappingText, mediaOf, sizesText } from './src/gpt/ad-unit-path.ts';
import { headerBidsOf } from './src/gpt/prebid-bids.ts';
import type { GptSlot } from './src/gpt/slot.ts';
import { Targeting } from './src/gpt/targeting.ts';

describe('the ad unit of a GPT path', () => {
  test.each([
    ['/1234/news/top', 'news/top'],
    ['/1234,5678/news/top', 'news/top'],
    ['/19968336/header-bid-tag-0', 'header-bid-tag-0'],
    ['/news/top', 'news/top'],
    ['news/top', 'news/top'],
    ['/1234/2024/top', '2024/top'],
  ])('%s is %s', (path, adUnit) => {
    expect(adUnitOf(path)).toBe(adUnit);
  });
});

describe('the sizes of GPT', () => {
  test.each([
    [[300, 250], '300x250', 'banner'],
    [
      [
        [300, 250],
        [300, 600],
      ],
      '300x250,300x600',
      'banner',
    ],
    ['fluid', '', 'native'],
    [['fluid', [300, 250]], '300x250', 'banner,native'],
    [[], '', 'banner'],
    [undefined, '', 'banner'],
  ] as const)('sizes %j of a slot become %j for media %s', (sizes, text, media) => {
    expect([sizesText(sizes), mediaOf(sizes)]).toEqual([text, media]);
  });

  test('one pair of numbers is one size', () => {
    expect(listSizes([300, 250])).toEqual([[300, 250]]);
  });

  test('a size mapping keeps the rows whose viewport is not too high, the empty ones too', () => {
    const mapping = [
      [
        [1024, 0],
        [
          [970, 250],
          [728, 90],
        ],
      ],
      [
        [640, 1200],
        [468, 60],
      ],
      [[0, 0], []],
    ] as const;
    expect(mappingText(mapping, 800)).toBe('1024:970x250,728x90;0:');
  });
});

describe('the targeting of GPT', () => {
  test('values are lists of texts, null removes one, and each change is told', () => {
    const changed = vi.fn();
    const targeting = new Targeting(changed);
    targeting.set('topic', 'rye');
    targeting.setAll({ ages: [18, 25], topic: ['rye', 'oven'], gone: 'x' });
    targeting.set('gone', null);
    expect(targeting.map()).toEqual({ topic: ['rye', 'oven'], ages: ['18', '25'] });
    targeting.clear('ages');
    expect(targeting.keys()).toEqual(['topic']);
    targeting.clear();
    expect([targeting.get('topic'), changed.mock.calls.length]).toEqual([[], 7]);
  });

  test('keys of Prebid.js are read back and not sent', () => {
    const targeting = new Targeting(() => undefined);
    targeting.setAll({ hb_pb: '1.20', hb_adid: 'ad-1', topic: 'rye' });
    expect([targeting.get('hb_pb'), targeting.keyValues()]).toEqual([['1.20'], { topic: ['rye'] }]);
  });
});

describe('the header bid that a page chose', () => {
  afterEach(() => vi.unstubAllGlobals());
  const slotWith = (values: Record<string, string>): GptSlot => {
    const targeting = new Targeting(() => undefined);
    targeting.setAll(values);
    return { getTargeting: (key: string) => targeting.get(key) } as never;
  };

  test('its exact price comes from Prebid.js, not the rounded one', () => {
    const bid = { adId: 'ad-1', bidder: 'bidco', cpm: 1.27, currency: 'PLN' };
    const getBidResponses = () => ({ side: { bids: [{ ...bid, adId: 'other' }, bid] } });
    vi.stubGlobal('window', { pbjs: { getBidResponses } });
    expect(headerBidsOf(slotWith({ hb_adid: 'ad-1', hb_pb: '1.20' }))).toEqual([bid]);
  });

  test.each([
    [
      'a rounded price counts where nothing else is known',
      { hb_adid: 'a', hb_pb: '1.20', hb_bidder: 'b', hb_size: '300x250' },
      [{ adId: 'a', bidder: 'b', cpm: 1.2, size: '300x250' }],
    ],
    ['a price that cannot be read makes no bid', { hb_adid: 'a', hb_pb: 'much' }, []],
    ['a bid without a price is none', { hb_adid: 'a' }, []],
    ['a slot without a header bid has none', { topic: 'rye' }, []],
  ])('%s', (_name, values, bids) => {
    vi.stubGlobal('window', {});
    expect(headerBidsOf(slotWith(values as never))).toEqual(bids);
  });
});
