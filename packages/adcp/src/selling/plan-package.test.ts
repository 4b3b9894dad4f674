import { expect, test } from 'vitest';
import { AdcpError } from '../protocol/adcp-error.ts';
import { decimalOf } from './money.ts';
import { type PackageRequest, planPackage } from './plan-package.ts';
import type { PriceOption, Product } from './products.ts';

const DAY_MS = 86_400_000;
const NOW_MS = Date.parse('2030-01-01T00:00:00Z');

const FIXED: PriceOption = {
  id: 'cpm',
  pricingModel: 'CPM',
  price: '8',
  floor: null,
  sharePercent: null,
  minimumSpend: '100',
  advertiserIds: [],
};
const PRODUCT: Product = {
  id: '7',
  name: 'Banner',
  description: '',
  delivery: 'NON_GUARANTEED',
  channels: ['DISPLAY'],
  targeting: null,
  formats: [{ format: 'IMAGE', sizes: [{ width: 300, height: 250 }] }],
  buyerDimensions: ['COUNTRY', 'DAY_PART'],
  priceOptions: [FIXED, { ...FIXED, id: 'bid', price: null, floor: '2' }],
  minimumSpend: null,
  minimumDays: 3,
  maximumDays: 30,
  leadTimeHours: 24,
  cancellationNoticeDays: 0,
  measurement: null,
  creativePolicy: null,
  offeredToBuyers: true,
  offeredAdvertiserIds: [],
};
const REQUEST: PackageRequest = { product_id: '7', pricing_option_id: 'cpm', budget: 1_000 };

function plan(change: Partial<PackageRequest> = {}, days = 10) {
  const startsAtMs = NOW_MS + 2 * DAY_MS;
  return planPackage({ ...REQUEST, ...change } as PackageRequest, {
    products: [PRODUCT],
    agentUrl: 'https://seller.example/mcp',
    flight: { startsAtMs, endsAtMs: startsAtMs + days * DAY_MS },
    nowMs: NOW_MS,
    field: 'packages[0]',
  }).booking;
}

/** Code and field of the refusal of a package. */
function refusal(change: Partial<PackageRequest>, days?: number): string {
  try {
    plan(change, days);
  } catch (error) {
    if (error instanceof AdcpError) return `${error.code} ${error.parts.field}`;
    throw error;
  }
  return 'none';
}

test('a package becomes a booking of its product, with the budget as it was sent', () => {
  expect(plan()).toMatchObject({ productId: '7', priceOptionId: 'cpm', budget: '1000', pacing: 'EVEN' });
});

test('fewer impressions than the budget buys are booked as a quantity, and more are not', () => {
  expect(plan({ impressions: 5_000 })).toMatchObject({ quantity: 5_000 });
  expect(plan({ impressions: 999_999_999 })).toMatchObject({ budget: '1000' });
});

test('a package without a bid bids the floor, and a bid below it is refused', () => {
  expect(plan({ pricing_option_id: 'bid' })).toMatchObject({ bid: '2' });
  expect(plan({ pricing_option_id: 'bid', bid_price: 3.5 })).toMatchObject({ bid: '3.5' });
  expect(refusal({ pricing_option_id: 'bid', bid_price: 1.99 })).toBe('INVALID_REQUEST packages[0].bid_price');
  expect(refusal({ bid_price: 9 })).toBe('INVALID_REQUEST packages[0].bid_price');
});

test.each<[string, Partial<PackageRequest>]>([
  ['PRODUCT_NOT_FOUND packages[0].product_id', { product_id: '8' }],
  ['INVALID_REQUEST packages[0].pricing_option_id', { pricing_option_id: 'other' }],
  ['BUDGET_TOO_LOW packages[0].budget', { budget: 99.99 }],
  ['UNSUPPORTED_FEATURE packages[0].creatives', { creatives: [] }],
  [
    'UNSUPPORTED_FEATURE packages[0].creative_assignments[0].placement_ids',
    { creative_assignments: [{ creative_id: 'c', placement_ids: ['top'] }] },
  ],
  ['UNSUPPORTED_FEATURE packages[0].optimization_goals', { optimization_goals: [] }],
  ['TERMS_REJECTED packages[0].measurement_terms', { measurement_terms: {} }],
  ['UNSUPPORTED_FEATURE packages[0].targeting_overlay.geo_metros', { targeting_overlay: { geo_metros: [] } }],
  ['UNSUPPORTED_FEATURE packages[0].targeting_overlay.language', { targeting_overlay: { language: ['pl'] } }],
  ['INVALID_REQUEST packages[0].start_time', { start_time: '2030-01-01T00:00:00Z' }],
])('the seller refuses a package with %s', (expected, change) => {
  expect(refusal(change)).toBe(expected);
});

test('a flight that is too short, too long or too early for the product is refused', () => {
  expect(refusal({}, 2)).toBe('INVALID_REQUEST packages[0].end_time');
  expect(refusal({}, 31)).toBe('INVALID_REQUEST packages[0].end_time');
});

test('an overlay becomes targeting: regions with their country, parts of the week by day', () => {
  const { targeting } = plan({
    targeting_overlay: {
      geo_countries: ['PL', 'DE'],
      daypart_targets: [{ days: ['monday', 'sunday'], start_hour: 8, end_hour: 18 }],
    },
  }) as { targeting: unknown };
  expect(targeting).toEqual({
    all: [
      { test: { dimension: 'COUNTRY', operator: 'IS', values: ['PL', 'DE'] } },
      { test: { dimension: 'DAY_PART', operator: 'IS', values: ['1 08:00-18:00', '7 08:00-18:00'] } },
    ],
  });
});

test('an amount keeps six digits, and one with more is refused', () => {
  expect([decimalOf(10, 'x'), decimalOf(0.1, 'x'), decimalOf(1234.567891, 'x')]).toEqual(['10', '0.1', '1234.567891']);
  expect(() => decimalOf(0.1234567, 'x')).toThrow('six digits');
});
