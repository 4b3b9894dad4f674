import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestManagement, type TestManagement } from '../../fixtures/test-management.ts';

let api: TestManagement;
let campaignId: string;
let serial = 0;

const CREATE = {
  Deal: 'mutation ($input: CreateDealInput!) { made: createDeal(input: $input) { object: deal { id } } }',
  LineItem:
    'mutation ($input: CreateLineItemInput!) { made: createLineItem(input: $input) { object: lineItem { id } } }',
  Campaign:
    'mutation ($input: CreateCampaignInput!) { made: createCampaign(input: $input) { object: campaign { id } } }',
  Advertiser:
    'mutation ($input: CreateAdvertiserInput!) { made: createAdvertiser(input: $input) { object: advertiser { id } } }',
} as const;
const UPDATE_DEAL =
  'mutation ($id: ID!, $input: UpdateDealInput!) { updateDeal(id: $id, input: $input) { deal { kind } } }';
const UPDATE_LINE_ITEM =
  'mutation ($id: ID!, $input: UpdateLineItemInput!) { updateLineItem(id: $id, input: $input) { lineItem { id } } }';

async function make(type: keyof typeof CREATE, input: object): Promise<string> {
  const { made } = await api.data<{ made: { object: { id: string } } }>(CREATE[type], { input });
  return made.object.id;
}

/** Path and code of each problem. */
async function problemsOf(mutation: string, variables: object): Promise<string[]> {
  const { errors } = (await api.ask(mutation, { variables })).body;
  const fields = (errors?.[0]?.extensions['fields'] ?? []) as { path: string; code: string }[];
  return fields.map(({ path, code }) => `${path} ${code}`);
}

function dealInput(more: object = {}): object {
  serial += 1;
  const agreed = { kind: 'PROGRAMMATIC_GUARANTEED', fixedPrice: '5', seats: ['seat-7'] };
  return { code: `pg-${serial}`, name: 'PG', ...agreed, ...more };
}

function bookingInput(dealId: string, more: object = {}): object {
  const goal = { kind: 'IMPRESSIONS', amount: 1_000, period: 'DAY' };
  return { campaignId, dealId, name: 'L', type: 'STANDARD', goal, price: '5', ...more };
}

beforeAll(async () => {
  api = await createTestManagement();
  campaignId = await make('Campaign', { advertiserId: await make('Advertiser', { name: 'Acme' }), name: 'C' });
});
afterAll(() => api.close());

test('a deal is private unless it says otherwise', async () => {
  const id = await make('Deal', { code: 'plain', name: 'Plain' });
  expect(await api.data('query ($id: ID!) { deal(id: $id) { kind } }', { id })).toEqual({ deal: { kind: 'PRIVATE' } });
});

test('a guaranteed deal needs a fixed price and a buyer', async () => {
  const input = dealInput({ fixedPrice: null, seats: [] });
  expect(await problemsOf(CREATE.Deal, { input })).toEqual(['input.fixedPrice required', 'input.seats required']);
  expect(await problemsOf(CREATE.Deal, { input: dealInput({ fixedPrice: '0' }) })).toEqual([
    'input.fixedPrice required',
  ]);
  const id = await make('Deal', dealInput());
  expect(await problemsOf(UPDATE_DEAL, { id, input: { seats: [] } })).toEqual(['input.seats required']);
});

test('a guaranteed deal has line items of STANDARD with a goal of impressions at CPM alone', async () => {
  const dealId = await make('Deal', dealInput());
  const id = await make('LineItem', bookingInput(dealId));
  const clicks = { kind: 'CLICKS', amount: 10, period: 'DAY' };
  const other = bookingInput(dealId, { type: 'PRICE', goal: clicks, pricingModel: 'CPC' });
  expect(await problemsOf(CREATE.LineItem, { input: other })).toEqual([
    'input.type guaranteed_deal',
    'input.goal guaranteed_deal',
    'input.pricingModel guaranteed_deal',
  ]);
  expect(await problemsOf(UPDATE_LINE_ITEM, { id, input: { goal: clicks } })).toEqual(['input.goal guaranteed_deal']);
  expect(await problemsOf(UPDATE_LINE_ITEM, { id, input: { dealId: null, goal: clicks } })).toEqual([]);
});

test('a private deal becomes guaranteed once its line items fit', async () => {
  const dealId = await make('Deal', dealInput({ kind: 'PRIVATE' }));
  const id = await make('LineItem', bookingInput(dealId, { type: 'PRICE', goal: null }));
  const input = { kind: 'PROGRAMMATIC_GUARANTEED' };
  expect(await problemsOf(UPDATE_DEAL, { id: dealId, input })).toEqual(['input.kind line_items_differ']);
  await api.data('mutation ($id: ID!) { archiveLineItem(id: $id) { lineItem { id } } }', { id });
  expect(await problemsOf(UPDATE_DEAL, { id: dealId, input })).toEqual([]);
});
