import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestManagement, type TestManagement } from '../../fixtures/test-management.ts';

const ITEM = 'id name status version externalId startsAt goal { amount } creatives { nodes { name } }';
const GOAL = { kind: 'IMPRESSIONS', amount: 1_000, period: 'LIFETIME' };
let management: TestManagement;
let id: string;

interface Item {
  readonly id: string;
  readonly name: string;
  readonly status: string;
  readonly version: number;
  readonly externalId: string | null;
  readonly startsAt: string;
  readonly goal: { readonly amount: number };
  readonly creatives: { readonly nodes: readonly { readonly name: string }[] };
}

async function create(type: string, input: object): Promise<string> {
  const one = type.charAt(0).toLowerCase() + type.slice(1);
  const data = await management.data<Record<string, Record<string, { id: string }>>>(
    `mutation ($input: Create${type}Input!) { create${type}(input: $input) { ${one} { id } } }`,
    { input },
  );
  return data[`create${type}`]?.[one]?.id ?? '';
}

async function read(one: string): Promise<Item> {
  return (await management.data<{ lineItem: Item }>(`query ($id: ID!) { lineItem(id: $id) { ${ITEM} } }`, { id: one }))
    .lineItem;
}

beforeAll(async () => {
  management = await createTestManagement();
  const advertiserId = await create('Advertiser', { name: 'Shop' });
  const campaignId = await create('Campaign', { advertiserId, name: 'Autumn', status: 'ACTIVE' });
  const flight = { startsAt: '2026-11-21T00:00:00Z', endsAt: '2026-12-21T00:00:00Z' };
  id = await create('LineItem', {
    campaignId,
    name: 'Whole',
    type: 'STANDARD',
    status: 'ACTIVE',
    price: '2',
    goal: GOAL,
    externalId: 'crm-1',
    ...flight,
  });
  await create('Creative', {
    lineItemId: id,
    name: 'Banner',
    width: 300,
    height: 250,
    clickUrl: 'https://shop.example/',
    content: { html: { html: '<b>ad</b>' } },
  });
});
afterAll(() => management.close());

test('a copy is a draft with its creatives, its flight moved, and no external id', async () => {
  const { copyLineItems } = await management.data<{ copyLineItems: { lineItems: Item[]; creativeCount: number } }>(
    `mutation ($ids: [ID!]!) { copyLineItems(ids: $ids, shiftDays: 30) { lineItems { ${ITEM} } creativeCount } }`,
    { ids: [id] },
  );
  expect(copyLineItems.creativeCount).toBe(1);
  expect(copyLineItems.lineItems).toMatchObject([
    {
      name: 'Whole (copy)',
      status: 'DRAFT',
      externalId: null,
      startsAt: '2026-12-21T00:00:00.000Z',
      creatives: { nodes: [{ name: 'Banner' }] },
    },
  ]);
});

test('a copy begins at midnight as its source does, on the clocks of the line item, or of the network', async () => {
  // The network is in Europe/Warsaw, where clocks go back on 25 October, and in New York on 1 November.
  const copyOf = async (startsAt: string, timezone: string | null): Promise<string | undefined> => {
    const campaignId = await create('Campaign', {
      advertiserId: await create('Advertiser', { name: 'Clock' }),
      name: 'Clock',
    });
    const flight = { startsAt, endsAt: '2026-12-31T00:00:00Z', timezone };
    const source = await create('LineItem', { campaignId, name: 'Clock', type: 'HOUSE', ...flight });
    const copied = await management.data<{ copyLineItems: { lineItems: Item[] } }>(
      `mutation ($ids: [ID!]!) { copyLineItems(ids: $ids, shiftDays: 14) { lineItems { ${ITEM} } } }`,
      { ids: [source] },
    );
    return copied.copyLineItems.lineItems[0]?.startsAt;
  };
  expect(await copyOf('2026-10-19T22:00:00Z', null)).toBe('2026-11-02T23:00:00.000Z');
  expect(await copyOf('2026-10-20T04:00:00Z', 'America/New_York')).toBe('2026-11-03T05:00:00.000Z');
});

const SPLIT = `mutation ($id: ID!, $version: Int, $change: LineItemChangesInput!, $part: LineItemChangesInput!) {
  splitLineItem(id: $id, version: $version, change: $change, part: $part) { lineItem { ${ITEM} } part { ${ITEM} } } }`;

test('validateOnly finds what copying would, and stores nothing', async () => {
  const count = async () =>
    (await management.data<{ lineItems: { totalCount: number } }>('{ lineItems { totalCount } }')).lineItems.totalCount;
  const validate = async (ids: readonly string[], changes: object) =>
    (
      await management.data<{ copyLineItems: object }>(
        `mutation ($ids: [ID!]!, $changes: LineItemChangesInput) {
          copyLineItems(ids: $ids, changes: $changes, validateOnly: true) { lineItems { id } creativeCount userErrors { code field } } }`,
        { ids, changes },
      )
    ).copyLineItems;
  const before = await count();
  expect(await validate([id], {})).toEqual({ lineItems: [], creativeCount: 1, userErrors: [] });
  expect(await validate([id], { name: '' })).toMatchObject({ userErrors: [{ field: 'changes.name' }] });
  expect(await validate([id, '999999'], {})).toMatchObject({ userErrors: [{ code: 'NOT_FOUND' }] });
  expect(await count()).toBe(before);
});

test('a split that is refused in one part leaves the other as it was', async () => {
  const before = await read(id);
  const { body } = await management.ask(SPLIT, {
    variables: { id, change: { goal: { ...GOAL, amount: 400 } }, part: { name: '' } },
  });
  expect(body.errors?.[0]?.extensions).toMatchObject({ code: 'validation_failed', fields: [{ path: 'part.name' }] });
  expect(await read(id)).toEqual(before);
});

test('a split makes two of one, which together have its goal', async () => {
  const { version } = await read(id);
  const { splitLineItem } = await management.data<{ splitLineItem: { lineItem: Item; part: Item } }>(SPLIT, {
    id,
    version,
    change: { goal: { ...GOAL, amount: 400 } },
    part: { name: 'Part', goal: { ...GOAL, amount: 600 } },
  });
  expect(splitLineItem).toMatchObject({
    lineItem: { id, name: 'Whole', status: 'ACTIVE', goal: { amount: 400 }, externalId: 'crm-1' },
    part: { name: 'Part', status: 'ACTIVE', goal: { amount: 600 }, creatives: { nodes: [{ name: 'Banner' }] } },
  });
  const stale = await management.ask(SPLIT, { variables: { id, version, change: {}, part: {} } });
  expect(stale.body.errors?.[0]?.extensions.code).toBe('conflict');
});

test('a line item of another network cannot be copied or split', async () => {
  const copied = await management.ask('mutation ($ids: [ID!]!) { copyLineItems(ids: $ids) { creativeCount } }', {
    variables: { ids: [id] },
    as: 'stranger',
  });
  expect(copied.body.errors?.[0]?.extensions.code).toBe('not_found');
  const split = await management.ask(SPLIT, { variables: { id, change: {}, part: {} }, as: 'stranger' });
  expect(split.body.errors?.[0]?.extensions.code).toBe('not_found');
});
