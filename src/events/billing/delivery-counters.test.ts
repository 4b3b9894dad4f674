import { describe, expect, test } from 'vitest';
import { earnedNanos } from '../../domain/money/earning.ts';
import type { CountedKind, PricingModel } from '../../domain/pricing/pricing-models.ts';
import { NO_CAPS } from '../../domain/booking/line-item.ts';
import { COUNTED_KINDS, PRICING_MODELS } from '../../domain/pricing/pricing-models.ts';
import type { FrequencyCap } from '../../domain/frequency/frequency-cap.ts';
import { ALL_LIMITS, limitBits } from '../../domain/money/reservation.ts';
import type { Catalog } from '../../domain/booking/snapshot.ts';
import { deliveryIncrements, limitsOf, releaseReservations } from './delivery-counters.ts';
import { createTestCatalog, creative, lineItem, makeServedAd } from '../fixtures/catalog.ts';
import { frequencyIncrements } from './frequency-counters.ts';

const catalog = createTestCatalog();
// 03:00 in Warsaw on the 20th is still the 19th in New York.
const timeMs = Date.parse('2026-11-20T02:00:00Z');

function keysOf(kind: CountedKind, change = {}): Record<string, string> {
  const ad = makeServedAd(timeMs, change);
  const at = { catalog, workspaceId: 1, timeMs };
  const increments = deliveryIncrements(kind, ad, at, earnedNanos(kind, ad));
  return Object.fromEntries(increments.map((one) => [one.key, one.by.toString()]));
}

describe('what an event adds to counters', () => {
  test('an event counts for its line item, campaign and advertiser, each in the day of its own time zone', () => {
    expect(keysOf('click')).toEqual({
      'd/1/li/21/clk/all': '1',
      'd/1/li/21/clk/2026-11-19': '1',
      'd/1/ca/11/clk/all': '1',
      'd/1/ca/11/clk/2026-11-20': '1',
      'd/1/ad/7/clk/all': '1',
      'd/1/ad/7/clk/2026-11-20': '1',
    });
  });

  test('the event that the pricing model names adds its spend', () => {
    expect(keysOf('impression')).toMatchObject({
      'd/1/li/21/imp/all': '1',
      'd/1/li/21/spend/all': '12500000',
      'd/1/ca/11/spend/2026-11-20': '12500000',
    });
  });

  test.each(PRICING_MODELS.flatMap((model) => COUNTED_KINDS.map((kind) => [model, kind] as const)))(
    '%s line item earns on a %s only when the model names it',
    (pricingModel, kind) => {
      const earning: Record<PricingModel, CountedKind | null> = {
        CPM: 'impression',
        VCPM: 'viewable',
        CPC: 'click',
        CPA: 'activity',
        FLAT: null,
        CPCV: 'video_complete',
      };
      const perAction = ['CPC', 'CPA', 'CPCV'].includes(pricingModel);
      const expected = earning[pricingModel] === kind ? (perAction ? 2_000n : 2n) : 0n;
      expect(earnedNanos(kind, { pricingModel, priceMicros: 2 })).toBe(expected);
    },
  );

  test('an impression opens the window of each frequency cap of impressions', () => {
    const [increment, ...others] = frequencyIncrements('impression', makeServedAd(timeMs), catalog);
    expect(others).toEqual([]);
    expect(increment).toMatchObject({ by: 1n, ttlMs: 86_400_000 });
    expect(frequencyIncrements('click', makeServedAd(timeMs), catalog)).toEqual([]);
  });

  test.each([
    ['npa', { npa: true }],
    ['no user', { userHash: '' }],
  ])('an impression touches no user state under %s', (_title, change) => {
    expect(lineItem.frequencyCaps).toHaveLength(1);
    expect(frequencyIncrements('impression', makeServedAd(timeMs, change), catalog)).toEqual([]);
  });
});

test('an impression counts for the frequency caps of the advertiser too', () => {
  const cap: FrequencyCap = { event: 'CLICKS', count: 1, window: 'HOUR', every: 2 };
  const capped = createTestCatalog({ advertiser: { frequencyCaps: [cap] } });
  expect(frequencyIncrements('click', makeServedAd(timeMs), capped)).toEqual([
    { key: 'f/1/00000000000000ff/ad/7/clk/2HOUR', by: 1n, ttlMs: 7_200_000 },
  ]);
});

test('an impression counts once for each window of the caps of its labels, at any level', () => {
  const cap = (window: 'HOUR' | 'DAY', count: number): FrequencyCap => ({
    event: 'IMPRESSIONS',
    count,
    window,
    every: 1,
  });
  const base = createTestCatalog({
    lineItem: { frequencyCaps: [], labels: ['bets'] },
    advertiser: { labels: ['bets', 'a/b'] },
  });
  const labelCaps = [
    { label: 'bets', frequencyCaps: [cap('HOUR', 1), cap('DAY', 3), cap('DAY', 5)] },
    { label: 'a/b', frequencyCaps: [cap('DAY', 2)] },
    { label: 'others', frequencyCaps: [cap('DAY', 2)] },
  ];
  const capped: Catalog = {
    ...base,
    findWorkspaceById: (id) => ({
      ...(base.findWorkspaceById(id) as NonNullable<ReturnType<Catalog['findWorkspaceById']>>),
      labelCaps,
    }),
  };
  const keys = (kind: 'impression' | 'click', change = {}) =>
    frequencyIncrements(kind, makeServedAd(timeMs, change), capped).map(({ key }) => key);
  expect(keys('impression')).toEqual([
    'f/1/00000000000000ff/la/bets/imp/1HOUR',
    'f/1/00000000000000ff/la/bets/imp/1DAY',
    'f/1/00000000000000ff/la/a%2Fb/imp/1DAY',
  ]);
  expect(keys('click')).toEqual([]);
  expect(keys('impression', { companion: true })).toEqual([]);
  expect(keys('impression', { npa: true })).toEqual([]);
});

test.each([
  ['the household where it is known', { householdHash: '00000000000000aa' }, ['aa/li/21', 'ff/li/21']],
  ['the household alone where the user is unknown', { householdHash: '00000000000000aa', userHash: '' }, ['aa/li/21']],
  ['the user, once, where the household is unknown', {}, ['ff/li/21']],
  ['nobody where both are unknown', { userHash: '' }, []],
  ['nobody when consent is refused', { householdHash: '00000000000000aa', npa: true }, []],
])('an impression counts for the caps per household and per user of %s', (_title, change, expected) => {
  const cap: FrequencyCap = { event: 'IMPRESSIONS', count: 1, window: 'DAY', every: 1 };
  const capped = createTestCatalog({ lineItem: { frequencyCaps: [{ ...cap, count: 2, per: 'HOUSEHOLD' }, cap] } });
  const keys = frequencyIncrements('impression', makeServedAd(timeMs, change), capped).map(({ key }) => key);
  expect(keys.toSorted()).toEqual(expected.map((one) => `f/1/00000000000000${one}/imp/1DAY`));
});

test('a companion impression counts only for the frequency caps of its creative', () => {
  const cap: FrequencyCap = { event: 'IMPRESSIONS', count: 1, window: 'HOUR', every: 2 };
  const capped: Catalog = {
    ...createTestCatalog({ advertiser: { frequencyCaps: [cap] } }),
    findCreative: () => ({ ...creative, frequencyCaps: [cap] }),
  };
  expect(frequencyIncrements('impression', makeServedAd(timeMs, { companion: true }), capped)).toEqual([
    { key: 'f/1/00000000000000ff/cr/31/imp/2HOUR', by: 1n, ttlMs: 7_200_000 },
  ]);
});

describe('what an event releases of reservations', () => {
  const bucket = Math.floor(timeMs / 600_000);
  const released = (kind: CountedKind, change: Parameters<typeof createTestCatalog>[0], ad = {}, afterMs = 0) =>
    releaseReservations(kind, makeServedAd(timeMs, ad), {
      catalog: createTestCatalog(change),
      workspaceId: 1,
      timeMs: timeMs + afterMs,
    }).map(({ key, by }) => [key, by]);

  test('an event of a line item without limits releases nothing', () => {
    expect(released('impression', {})).toEqual([]);
  });

  test.each([
    ['an impression of a cap by day', { lineItem: { caps: { ...NO_CAPS, impressionsPerDay: 5 } } }, 'li/21/imp', -1n],
    [
      'an impression of a goal to stop at',
      { lineItem: { goal: { kind: 'IMPRESSIONS', amount: 9, period: 'LIFETIME' }, pauseAfterGoal: true } },
      'li/21/imp',
      -1n,
    ],
    [
      'the price of a budget',
      { lineItem: { caps: { ...NO_CAPS, spendMicrosLifetime: 5 } } },
      'li/21/spend',
      -12_500_000n,
    ],
    ["the price of the advertiser's credit", { advertiser: { creditMicros: 5 } }, 'ad/7/spend', -12_500_000n],
  ] as const)('an event releases %s, in the bucket of the decision', (_title, change, subject, by) => {
    expect(released('impression', change)).toEqual([[`r/1/${subject}/${bucket}`, by]]);
    expect(released('click', change)).toEqual([]);
  });

  test('the event that earns the price releases it: the impression, the viewable impression or the click', () => {
    const budget = { lineItem: { caps: { ...NO_CAPS, spendMicrosLifetime: 5 } } };
    expect(released('impression', budget, { pricingModel: 'VCPM' })).toEqual([]);
    expect(released('viewable', budget, { pricingModel: 'VCPM' })).toEqual([
      [`r/1/li/21/spend/${bucket}`, -12_500_000n],
    ]);
    for (const kind of ['impression', 'viewable'] as const)
      expect(released(kind, budget, { pricingModel: 'CPC' })).toEqual([]);
    expect(released('click', budget, { pricingModel: 'CPC' })).toEqual([
      [`x/1/li/21/spend/${bucket}`, -12_500_000_000n],
    ]);
    expect(released('impression', budget, { pricingModel: 'FLAT' })).toEqual([]);
  });

  test('a click releases a million millionths of the expected clicks', () => {
    const clicks = { lineItem: { caps: { ...NO_CAPS, clicksPerDay: 5, clicksLifetime: 9 } } };
    expect(released('click', clicks)).toEqual([[`x/1/li/21/clk/${bucket}`, -1_000_000n]]);
    expect(released('impression', clicks)).toEqual([]);
  });

  test('an event releases nothing of a limit that was added after the decision', () => {
    const limits = {
      lineItem: { caps: { ...NO_CAPS, impressionsPerDay: 5, spendMicrosLifetime: 5 } },
      advertiser: { creditMicros: 5 },
    };
    const former = createTestCatalog({ lineItem: { caps: { ...NO_CAPS, impressionsLifetime: 9 } } });
    const before = limitBits(limitsOf(makeServedAd(timeMs), { catalog: former, workspaceId: 1 }) ?? []);
    expect(released('impression', limits, { heldLimits: 0 })).toEqual([]);
    expect(released('impression', limits, { heldLimits: before })).toEqual([[`r/1/li/21/imp/${bucket}`, -1n]]);
    expect(released('impression', limits, { heldLimits: ALL_LIMITS })).toHaveLength(3);
  });

  test('a click that comes weeks later, after its reservation has expired, releases nothing', () => {
    const clicks = { lineItem: { caps: { ...NO_CAPS, clicksPerDay: 5 } } };
    expect(released('click', clicks, {}, 2 * 3_600_000)).toEqual([]);
  });
});
