import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestManagement, type TestManagement } from '../../fixtures/test-management.ts';

const ids = new Map<string, string>();
let api: TestManagement;
const BANNER = {
  width: 300,
  height: 250,
  clickUrl: 'https://alder.example/',
  content: { html: { html: '<b>Coffee</b>' } },
};

async function create(type: string, input: object & { readonly name: string }): Promise<string> {
  const one = type.charAt(0).toLowerCase() + type.slice(1);
  const data = await api.data<Record<string, Record<string, { id: string }>>>(
    `mutation ($input: Create${type}Input!) { create${type}(input: $input) { ${one} { id } } }`,
    { input },
  );
  const id = data[`create${type}`]?.[one]?.id ?? '';
  ids.set(input.name, id);
  return id;
}

interface Hit {
  readonly kind: string;
  readonly id: string;
  readonly name: string;
  readonly status: string;
  readonly code: string | null;
  readonly parentName: string | null;
}

async function search(text: string, args = '', as = 'admin'): Promise<readonly Hit[]> {
  const query = `query ($text: String!) { search(text: $text ${args}) { kind id name status code parentName } }`;
  return (await api.data<{ search: Hit[] }>(query, { text }, { as })).search;
}
const found = async (...args: Parameters<typeof search>) =>
  (await search(...args)).map(({ kind, name }) => `${kind} ${name}`);

beforeAll(async () => {
  api = await createTestManagement();
  await create('CustomField', { name: 'Order number', key: 'order', type: 'TEXT', kinds: ['campaign'] } as never);
  await create('Segment', { name: 'Coffee lovers' });
  const advertiserId = await create('Advertiser', { name: 'Alder Coffee', externalId: 'crm-77' } as never);
  await create('LibraryCreative', { advertiserId, name: 'Kettle banner', ...BANNER } as never);
  await create('TargetingPreset', {
    name: 'Kettle buyers',
    targeting: { test: { dimension: 'COUNTRY', values: ['PL'] } },
  } as never);
  await create('Team', { name: 'Kettle team' });
  const campaignId = await create('Campaign', {
    advertiserId,
    name: 'Autumn roast',
    customFields: { order: 'PO-2026/118' },
  } as never);
  await create('LineItem', { campaignId, type: 'PRICE', price: '1', name: 'Sidebar 100%' } as never);
  await create('LineItem', { campaignId, type: 'PRICE', price: '1', name: 'Roast of the year' } as never);
  await create('Site', { name: 'Roaster news', domain: 'roast.example', code: 'roaster' } as never);
  await create('LineItem', { campaignId, type: 'PRICE', price: '1', name: 'Roast, archived' } as never);
  await api.data('mutation ($id: ID!) { archiveLineItem(id: $id) { __typename } }', { id: ids.get('Roast, archived') });
});
afterAll(() => api.close());

test('objects of all kinds are found, those whose name begins with the text first, archived ones last', async () => {
  expect(await found('roast')).toEqual([
    'LINE_ITEM Roast of the year',
    'SITE Roaster news',
    'CAMPAIGN Autumn roast',
    'LINE_ITEM Sidebar 100%',
    'LINE_ITEM Roast, archived',
  ]);
});

test('creatives of the library, presets and teams are found', async () => {
  expect(await found('kettle')).toEqual([
    'LIBRARY_CREATIVE Kettle banner',
    'TARGETING_PRESET Kettle buyers',
    'TEAM Kettle team',
  ]);
  expect(await found('kettle alder')).toEqual(['LIBRARY_CREATIVE Kettle banner']);
});

test('all words must be there, in the object or its parent, and wildcards are characters', async () => {
  expect(await found('autumn 100%')).toEqual(['LINE_ITEM Sidebar 100%']);
  expect(await found('a_tumn')).toEqual([]);
});

test('an id, an external id, a code and an order number in a custom field find their object first', async () => {
  expect((await found(ids.get('Sidebar 100%') ?? ''))[0]).toBe('LINE_ITEM Sidebar 100%');
  expect(await found('CRM-77')).toEqual(['ADVERTISER Alder Coffee']);
  expect((await found('roaster'))[0]).toBe('SITE Roaster news');
  expect(await found('po-2026/118')).toEqual(['CAMPAIGN Autumn roast']);
});

test('a find says what it belongs to, and kinds narrow it', async () => {
  expect(await search('sidebar', ', kinds: [LINE_ITEM]')).toEqual([
    {
      kind: 'LINE_ITEM',
      id: ids.get('Sidebar 100%'),
      name: 'Sidebar 100%',
      status: 'DRAFT',
      code: null,
      parentName: 'Autumn roast',
    },
  ]);
  expect(await found('sidebar', ', kinds: [SITE]')).toEqual([]);
});

test('an empty text finds the objects that changed last', async () => {
  expect(await found('', ', first: 2')).toEqual(['SITE Roaster news', 'LINE_ITEM Roast of the year']);
});

test('another network finds nothing, and a key finds what its modules open', async () => {
  expect(await found('roast', '', 'stranger')).toEqual([]);
  expect(await found('coffee', ', kinds: [SEGMENT, ADVERTISER]', 'audience')).toEqual(['SEGMENT Coffee lovers']);
});

test.each([
  ['first: 51', 'roast', 'first'],
  ['first: 0', 'roast', 'first'],
  ['', 'x'.repeat(201), 'text'],
])('%s of %s is refused by name', async (args, text, name) => {
  const query = `query ($text: String!) { search(text: $text ${args === '' ? '' : `, ${args}`}) { id } }`;
  const { body } = await api.ask(query, { variables: { text } });
  expect(body.errors?.[0]?.extensions.code).toBe('invalid_request');
  expect(body.errors?.[0]?.message).toContain(name);
});
