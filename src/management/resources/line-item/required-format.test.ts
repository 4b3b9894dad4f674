import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestManagement, type TestManagement } from '../../fixtures/test-management.ts';

let api: TestManagement;
let campaignId: string;

const clickUrl = 'https://acme.example/';
const BANNER = { clickUrl, width: 300, height: 250, content: { html: { html: '<b>Acme</b>' } } };
const file = { url: 'https://cdn.example/a.mp4', mimeType: 'video/mp4', width: 640, height: 360 };
const VIDEO = { clickUrl, content: { video: { title: 'Film', durationMs: 15_000, mediaFiles: [file] } } };

async function make(type: string, input: object): Promise<string> {
  const field = `${type[0]?.toLowerCase()}${type.slice(1)}`;
  const query = `mutation ($input: Create${type}Input!) { made: create${type}(input: $input) { ${field} { id } } }`;
  const { made } = await api.data<{ made: Record<string, { id: string }> }>(query, { input });
  return made[field]?.id ?? '';
}

async function problemsOf(mutation: string, variables: object): Promise<unknown> {
  const { errors } = (await api.ask(mutation, { variables })).body;
  return errors?.[0]?.extensions['fields'] ?? [];
}

const makeLineItem = (pricingModel: string) =>
  make('LineItem', { campaignId, name: 'L', type: 'PRICE', price: '0.04', pricingModel });
const refusalOf = (lineItemId: string, more: object) =>
  problemsOf('mutation ($input: CreateCreativeInput!) { createCreative(input: $input) { creative { id } } }', {
    input: { lineItemId, name: 'C', ...more },
  });
const refusalOfModel = (id: string, pricingModel: string) =>
  problemsOf(
    'mutation ($id: ID!, $input: UpdateLineItemInput!) { updateLineItem(id: $id, input: $input) { lineItem { id } } }',
    { id, input: { pricingModel } },
  );

beforeAll(async () => {
  api = await createTestManagement();
  campaignId = await make('Campaign', { advertiserId: await make('Advertiser', { name: 'Acme' }), name: 'Films' });
});
afterAll(() => api.close());

test('a CPCV line item takes videos with their companions, and no other creative', async () => {
  const lineItem = await makeLineItem('CPCV');
  const masterCreativeId = await make('Creative', { lineItemId: lineItem, name: 'Film', ...VIDEO });
  expect(await refusalOf(lineItem, BANNER)).toMatchObject([{ path: 'input.content', code: 'not_allowed' }]);
  expect(await refusalOf(lineItem, { ...BANNER, masterCreativeId })).toEqual([]);
  expect(await refusalOfModel(lineItem, 'CPM')).toEqual([]);
  expect(await refusalOfModel(lineItem, 'CPCV')).toEqual([]);
});

test('a line item with a banner cannot be paid by completed views before the banner is archived', async () => {
  const lineItem = await makeLineItem('CPM');
  const banner = await make('Creative', { lineItemId: lineItem, name: 'Banner', ...BANNER });
  expect(await refusalOfModel(lineItem, 'CPCV')).toMatchObject([{ path: 'input.pricingModel', code: 'not_allowed' }]);
  await api.data('mutation ($id: ID!) { archiveCreative(id: $id) { creative { id } } }', { id: banner });
  expect(await refusalOfModel(lineItem, 'CPCV')).toEqual([]);
});
