import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ClearedFigures, ClearedQuestion } from '../../../domain/pricing/price-guidance.ts';
import { createTestManagement, type TestManagement } from '../../fixtures/test-management.ts';

let api: TestManagement;
let product = '';
let figures: readonly ClearedFigures[] = [];
const questions: ClearedQuestion[] = [];
const items: string[] = [];

async function make(type: string, input: object): Promise<string> {
  const field = `${type[0]?.toLowerCase()}${type.slice(1)}`;
  const query = `mutation ($input: Create${type}Input!) { made: create${type}(input: $input) { object: ${field} { id: databaseId } } }`;
  const { made } = await api.data<{ made: { object: { id: string } } }>(query, { input });
  return made.object.id;
}

const startsAt = () => new Date(api.clock.nowMs + 60_000).toISOString();
const BOOK =
  'mutation ($input: BookProductInput!) { bookProduct(input: $input) { lineItem { id: databaseId } userErrors { message } } }';

async function book(advertiser: string, priceOptionId: string, bid?: string): Promise<string> {
  const campaignId = await make('Campaign', { name: advertiser, advertiserId: advertiser });
  const input = { campaignId, productId: product, priceOptionId, ...(bid === undefined ? {} : { bid }), budget: '10' };
  const { bookProduct } = await api.data<{ bookProduct: { lineItem: { id: string } } }>(BOOK, {
    input: { ...input, startsAt: startsAt(), endsAt: '2026-12-20T10:00:00Z' },
  });
  return bookProduct.lineItem.id;
}

const shown = async (as?: string) =>
  (
    await api.data<{ advertisingProduct: { priceGuidance: unknown } }>(
      'query ($id: ID!) { advertisingProduct(id: $id) { priceGuidance { priceOptionId p25 p50 p75 p90 } } }',
      { id: product },
      as === undefined ? {} : { as },
    )
  ).advertisingProduct.priceGuidance;

const paid = (cpm: number, at: number): ClearedFigures => ({
  lineItemId: items[at] ?? '',
  counts: { impressions: 1_000 },
  revenueNanos: BigInt(cpm * 1e9),
});

beforeAll(async () => {
  const readCleared = async (question: ClearedQuestion) => {
    questions.push(question);
    return figures.filter(({ lineItemId }) => question.lineItemIds.includes(lineItemId));
  };
  api = await createTestManagement({ clearedPrices: { readCleared } });
  const advertisers: string[] = [];
  for (const name of ['A', 'B', 'C', 'D']) advertisers.push(await make('Advertiser', { name }));
  product = await make('AdvertisingProduct', {
    name: 'Run of network',
    offeredToBuyers: true,
    priceOptions: [
      { id: 'bid', pricingModel: 'CPM', floor: '2' },
      { id: 'fixed', pricingModel: 'CPM', price: '9' },
    ],
  });
  for (const [at, advertiser] of advertisers.entries()) items.push(await book(advertiser, 'bid', `${2 + at}`));
  items.push(await book(advertisers[0] ?? '', 'fixed'));
});
afterAll(() => api.close());

test('percentiles are of the bookings by an option with a floor, of all advertisers, also for a buyer', async () => {
  figures = [paid(2, 0), paid(3, 1), paid(4, 2), paid(5, 3), paid(9, 4)];
  const expected = [{ priceOptionId: 'bid', p25: '2', p50: '3', p75: '4', p90: '5' }];
  expect(await shown()).toEqual(expected);
  expect(await shown('buyer')).toEqual(expected);
  expect(questions[0]).toMatchObject({ workspaceId: 1, fromMs: api.clock.nowMs - 30 * 86_400_000 });
});

test('a buyer sees nothing of fewer than three other advertisers', async () => {
  figures = [paid(2, 0), paid(3, 1), paid(4, 2)];
  expect(await shown()).toHaveLength(1);
  expect(await shown('buyer')).toEqual([]);
});
