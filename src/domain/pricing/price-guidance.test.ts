import { expect, test } from 'vitest';
import { type ClearedFigures, guidanceOf } from './price-guidance.ts';

const NOBODY: ReadonlySet<string> = new Set();

/** Line items that paid a CPM for so many impressions, each of an advertiser of its own unless a name is given. */
function paid(...rows: readonly (readonly [cpm: number, impressions: number, advertiser?: string])[]) {
  const bidders = rows.map(([, , advertiser], at) => ({ lineItemId: `${at}`, advertiserId: advertiser ?? `a${at}` }));
  const figures = new Map<string, ClearedFigures>(
    rows.map(([cpm, impressions], at) => [
      `${at}`,
      {
        lineItemId: `${at}`,
        counts: { impressions, clicks: impressions / 10 },
        revenueNanos: BigInt(cpm * 1e6 * impressions),
      },
    ]),
  );
  return { pricingModel: 'CPM', floorMicros: 1_000_000, bidders, figures, own: NOBODY } as const;
}

test('percentiles count each impression once, in two significant digits', () => {
  expect(guidanceOf(paid([2, 100], [4.44, 100], [6, 100], [8, 100]))).toEqual({
    p25: 2_000_000,
    p50: 4_400_000,
    p75: 6_000_000,
    p90: 8_000_000,
  });
  expect(guidanceOf(paid([2, 10_000], [4, 1], [6, 1]))).toMatchObject({ p25: 2_000_000, p90: 2_000_000 });
});

test('a price by event is that of a single event', () => {
  const asked = paid([2, 1_000], [2, 1_000], [2, 1_000]);
  expect(guidanceOf({ ...asked, pricingModel: 'CPC', floorMicros: 0 })?.p50).toBe(20_000);
});

test('nothing is shown of too few advertisers, impressions, or of the prices of one other advertiser', () => {
  expect(guidanceOf(paid([2, 1_000], [4, 1_000]))).toBeNull();
  expect(guidanceOf(paid([2, 1_000, 'a'], [4, 1_000, 'a'], [5, 1_000, 'b']))).toBeNull();
  expect(guidanceOf(paid([2, 33], [4, 33], [6, 33]))).toBeNull();
  const asked = paid([2, 1_000], [4, 1_000], [6, 1_000]);
  expect(guidanceOf({ ...asked, own: new Set(['a0']) })).toBeNull();
  expect(guidanceOf({ ...asked, own: new Set(['another']) })).not.toBeNull();
});

test('no percentile is below the floor, and a booking by day has none', () => {
  const asked = paid([2, 1_000], [4, 1_000], [6, 1_000]);
  expect(guidanceOf({ ...asked, floorMicros: 3_000_000 })).toMatchObject({ p25: 3_000_000, p50: 4_000_000 });
  expect(guidanceOf({ ...asked, pricingModel: 'FLAT' })).toBeNull();
});
