import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestManagement, type TestManagement } from '../../fixtures/test-management.ts';

let api: TestManagement;
let campaignId: string;

const clickUrl = 'https://acme.example/';
const BANNER = { clickUrl, width: 300, height: 250, content: { html: { html: '<b>Acme</b>' } } };
const file = { url: 'https://cdn.example/a.mp4', mimeType: 'video/mp4', width: 640, height: 360 };
const VIDEO = { clickUrl, content: { video: { title: 'Film', durationMs: 15_000, mediaFiles: [file] } } };
const RESULT = '{ lineItem { id optimisationGoal } warnings { path code } }';

interface Saved {
  readonly lineItem: { readonly id: string; readonly optimisationGoal: string | null };
  readonly warnings: readonly { readonly path: string; readonly code: string }[];
}

async function make(type: string, input: object): Promise<string> {
  const field = `${type[0]?.toLowerCase()}${type.slice(1)}`;
  const query = `mutation ($input: Create${type}Input!) { made: create${type}(input: $input) { ${field} { id } } }`;
  const { made } = await api.data<{ made: Record<string, { id: string }> }>(query, { input });
  return made[field]?.id ?? '';
}

async function create(input: object): Promise<Saved> {
  const given = { campaignId, name: 'L', type: 'PRICE', price: '4', ...input };
  const query = `mutation ($input: CreateLineItemInput!) { saved: createLineItem(input: $input) ${RESULT} }`;
  return (await api.data<{ saved: Saved }>(query, { input: given })).saved;
}

const UPDATE = `mutation ($id: ID!, $input: UpdateLineItemInput!) { saved: updateLineItem(id: $id, input: $input) ${RESULT} }`;
const update = async (id: string, input: object): Promise<Saved> =>
  (await api.data<{ saved: Saved }>(UPDATE, { id, input })).saved;
const refusalOf = async (id: string, input: object): Promise<unknown> =>
  (await api.ask(UPDATE, { variables: { id, input } })).body.errors?.[0]?.extensions['fields'] ?? [];

beforeAll(async () => {
  api = await createTestManagement();
  campaignId = await make('Campaign', { advertiserId: await make('Advertiser', { name: 'Acme' }), name: 'Goals' });
});
afterAll(() => api.close());

test('a line item has no optimisation goal until one is set, and loses it by null', async () => {
  const { lineItem, warnings } = await create({ creativeRotation: 'OPTIMISED' });
  expect([lineItem.optimisationGoal, warnings]).toEqual([null, []]);
  expect((await update(lineItem.id, { optimisationGoal: 'CONVERSIONS' })).lineItem.optimisationGoal).toBe(
    'CONVERSIONS',
  );
  expect((await update(lineItem.id, { name: 'M' })).lineItem.optimisationGoal).toBe('CONVERSIONS');
  expect((await update(lineItem.id, { optimisationGoal: null })).lineItem.optimisationGoal).toBe(null);
});

test('an optimisation goal that nothing follows gives a warning', async () => {
  const { warnings } = await create({ optimisationGoal: 'CLICKS' });
  expect(warnings).toEqual([{ path: 'input.optimisationGoal', code: 'no_effect' }]);
});

test.each([
  ['EVEN', []],
  ['ASAP', [{ path: 'input.optimisationGoal', code: 'no_effect' }]],
])('an optimisation goal of a goal with pacing %s warns of %j: ad units follow it or not', async (pacing, expected) => {
  const goal = { kind: 'IMPRESSIONS', amount: 1_000 };
  const { warnings } = await create({ optimisationGoal: 'CLICKS', goal, pacing, endsAt: '2099-01-01T00:00:00Z' });
  expect(warnings.filter(({ path }) => path === 'input.optimisationGoal')).toEqual(expected);
});

test('completed views are refused for a line item that has only banners, and accepted with a video', async () => {
  const { lineItem, warnings } = await create({ creativeRotation: 'OPTIMISED', optimisationGoal: 'COMPLETED_VIEWS' });
  expect(warnings).toEqual([{ path: 'input.optimisationGoal', code: 'no_creative' }]);
  await make('Creative', { lineItemId: lineItem.id, name: 'Banner', ...BANNER });
  // What is set already is not refused: the video may have been archived.
  expect((await update(lineItem.id, { name: 'M' })).warnings).toMatchObject([{ code: 'no_creative' }]);
  await update(lineItem.id, { optimisationGoal: 'CLICKS' });
  expect(await refusalOf(lineItem.id, { optimisationGoal: 'COMPLETED_VIEWS' })).toMatchObject([
    { path: 'input.optimisationGoal', code: 'not_allowed' },
  ]);
  await make('Creative', { lineItemId: lineItem.id, name: 'Film', ...VIDEO });
  expect((await update(lineItem.id, { optimisationGoal: 'COMPLETED_VIEWS' })).warnings).toEqual([]);
});
