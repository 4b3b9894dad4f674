import { afterAll, beforeAll, expect, test } from 'vitest';
import { createUser } from '../../../access/users/users.sql.ts';
import { createTestManagement, type TestManagement } from '../../fixtures/test-management.ts';

const ORDER = 'orderNumber salesperson contacts';

let api: TestManagement;
let advertiserId: string;

interface Saved {
  readonly campaign: { readonly id: string } | null;
  readonly userErrors: readonly { readonly code: string; readonly field: string }[];
}

async function create(input: object): Promise<Saved> {
  const query = `mutation ($input: CreateCampaignInput!) { createCampaign(input: $input) {
    campaign { id ${ORDER} } userErrors { code field } } }`;
  const variables = { input: { advertiserId, name: 'Spring', ...input } };
  return (await api.data<{ createCampaign: Saved }>(query, variables)).createCampaign;
}

beforeAll(async () => {
  api = await createTestManagement();
  const by = { actor: 'test', remoteAddress: '', networkId: '0', workspaceId: null };
  const memberships = [{ networkId: '1000', role: 'viewer' as const }];
  await createUser(api.database.db, { email: 'sam@example.com', name: 'Sam', memberships, by });
  const made = await api.data<{ createAdvertiser: { advertiser: { id: string } } }>(
    'mutation { createAdvertiser(input: {name: "Alder"}) { advertiser { id } } }',
  );
  advertiserId = made.createAdvertiser.advertiser.id;
});
afterAll(() => api.close());

test('a campaign holds its order number, its salesperson and its contacts, and is found by them', async () => {
  const order = { orderNumber: 'PO-118', salesperson: 'sam@example.com', contacts: ['Ann Lee, ann@alder.example'] };
  const { campaign } = await create({ ...order, salesperson: 'Sam@Example.com' });
  expect(campaign).toMatchObject(order);
  for (const filter of ['search: "po-118"', 'orderNumbers: ["PO-118"]', 'salespeople: ["sam@example.com"]'])
    expect(await api.data(`{ campaigns(filter: {${filter}}) { nodes { id } } }`)).toEqual({
      campaigns: { nodes: [{ id: campaign?.id }] },
    });
  expect(await api.data('{ search(text: "po-118") { kind id code } }')).toEqual({
    search: [{ kind: 'CAMPAIGN', id: campaign?.id, code: 'PO-118' }],
  });
});

test.each([
  ['an unknown salesperson', { salesperson: 'eve@example.com' }, 'NOT_A_MEMBER', 'input.salesperson'],
  ['a contact of 301 characters', { contacts: ['x'.repeat(301)] }, 'TOO_LONG', 'input.contacts.0'],
  ['an order number with a line break', { orderNumber: 'PO\n1' }, 'CONTROL_CHARACTERS', 'input.orderNumber'],
])('%s is refused with its field', async (_what, input, code, field) => {
  expect(await create(input)).toEqual({ campaign: null, userErrors: [{ code, field }] });
});

test('a copy of an order keeps its people and has no order number', async () => {
  const { campaign } = await create({ orderNumber: 'PO-119', contacts: ['Ann Lee'] });
  const query = `mutation ($id: ID!) { copyCampaign(id: $id) { campaign { ${ORDER} } } }`;
  expect(await api.data(query, { id: campaign?.id })).toEqual({
    copyCampaign: { campaign: { orderNumber: null, salesperson: null, contacts: ['Ann Lee'] } },
  });
});
