import { describe, expect, test } from 'vitest';
import { NO_CAPS, PRICING_MODELS } from '../domain/line-item.ts';
import type { FrequencyCap } from '../domain/line-item.ts';
import { deliveryIncrements, earnedNanos, releaseReservations } from './delivery-counters.ts';
import type { CountedKind } from './delivery-counters.ts';
import { createTestCatalog, lineItem, makeServedAd } from './fixtures/catalog.ts';
import { frequencyIncrements } from './frequency-counters.ts';

const catalog = createTestCatalog();
// 03:00 in Warsaw on the 20th is still the 19th in New York.
const timeMs = Date.parse('2026-11-20T02:00:00Z');

function keysOf(kind: CountedKind, change = {}): Record<string, string> {
  const increments = deliveryIncrements(kind, makeServedAd(timeMs, change), { catalog, workspaceId: 1, timeMs });
  return Object.fromEntries(increments.map((one) => [one.key, one.by.toString()]));
}

describe('what an event adds', () => {
  test('is counted for line item, campaign and advertiser, each in the day of its own time zone', () => {
    expect(keysOf('click')).toEqual({
      'd/1/li/21/clk/all': '1',
      'd/1/li/21/clk/2026-11-19': '1',
      'd/1/ca/11/clk/all': '1',
      'd/1/ca/11/clk/2026-11-20': '1',
      'd/1/ad/7/clk/all': '1',
      'd/1/ad/7/clk/2026-11-20': '1',
    });
  });

  test('includes the spend of the event that the pricing model names', () => {
    expect(keysOf('impression')).toMatchObject({
      'd/1/li/21/imp/all': '1',
      'd/1/li/21/spend/all': '12500000',
      'd/1/ca/11/spend/2026-11-20': '12500000',
    });
  });

  test.each(
    PRICING_MODELS.flatMap((model) =>
      (['impression', 'viewable', 'click', 'activity'] as const).map((kind) => [model, kind] as const),
    ),
  )('%s: a %s earns only when the model names it', (pricingModel, kind) => {
    const earning: Record<string, string> = { CPM: 'impression', VCPM: 'viewable', CPC: 'click', CPA: 'activity' };
    const perAction = pricingModel === 'CPC' || pricingModel === 'CPA';
    const expected = earning[pricingModel] === kind ? (perAction ? 2_000n : 2n) : 0n;
    expect(earnedNanos(kind, { pricingModel, priceMicros: 2 })).toBe(expected);
  });

  test('opens the window of each frequency cap of that event', () => {
    const [increment, ...others] = frequencyIncrements('impression', makeServedAd(timeMs), catalog);
    expect(others).toEqual([]);
    expect(increment).toMatchObject({ by: 1n, ttlMs: 86_400_000 });
    expect(frequencyIncrements('click', makeServedAd(timeMs), catalog)).toEqual([]);
  });

  test.each([
    ['npa', { npa: true }],
    ['no user', { userHash: '' }],
  ])('touches no user state under %s', (_title, change) => {
    expect(lineItem.frequencyCaps).toHaveLength(1);
    expect(frequencyIncrements('impression', makeServedAd(timeMs, change), catalog)).toEqual([]);
  });
});

test("counts for the advertiser's frequency caps too", () => {
  const cap: FrequencyCap = { event: 'CLICKS', count: 1, window: 'HOUR', every: 2 };
  const capped = createTestCatalog({ advertiser: { frequencyCaps: [cap] } });
  expect(frequencyIncrements('click', makeServedAd(timeMs), capped)).toEqual([
    { key: 'f/1/00000000000000ff/ad/7/clk/2HOUR', by: 1n, ttlMs: 7_200_000 },
  ]);
});

describe('what an event takes off reservations', () => {
  const bucket = Math.floor(timeMs / 600_000);
  const released = (kind: CountedKind, change: Parameters<typeof createTestCatalog>[0], ad = {}) =>
    releaseReservations(kind, makeServedAd(timeMs, ad), createTestCatalog(change)).map(({ key, by }) => [key, by]);

  test('is nothing where nothing is limited', () => {
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
  ] as const)('is %s, in the bucket of the decision', (_title, change, subject, by) => {
    expect(released('impression', change)).toEqual([[`r/1/${subject}/${bucket}`, by]]);
    expect(released('click', change)).toEqual([]);
  });

  test('is the price at the viewable event under vCPM, and nothing where clicks earn', () => {
    const budget = { lineItem: { caps: { ...NO_CAPS, spendMicrosLifetime: 5 } } };
    expect(released('impression', budget, { pricingModel: 'VCPM' })).toEqual([]);
    expect(released('viewable', budget, { pricingModel: 'VCPM' })).toEqual([
      [`r/1/li/21/spend/${bucket}`, -12_500_000n],
    ]);
    for (const kind of ['impression', 'viewable', 'click'] as const) {
      expect(released(kind, budget, { pricingModel: 'CPC' })).toEqual([]);
    }
  });
});
