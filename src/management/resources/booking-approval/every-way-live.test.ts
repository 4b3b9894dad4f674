import { afterAll, beforeAll, expect, test } from 'vitest';
import { changeAll } from '../../kernel/transactions.sql.ts';
import { upsertRows } from '../../kernel/upsert.ts';
import { LINE_ITEM } from '../line-item/line-item.ts';
import {
  type ApprovalWorld,
  createApprovalWorld,
  GOAL,
  problemOf,
  type Response,
  STANDARD,
} from './fixtures/approval-world.ts';

let world: ApprovalWorld;

beforeAll(async () => {
  world = await createApprovalWorld();
});
afterAll(() => world.api.close());

/** What is promised and live, as delivery reads it. */
async function readLive(): Promise<readonly unknown[]> {
  return world.api.database.db
    .selectFrom('line_items')
    .innerJoin('campaigns', 'campaigns.id', 'line_items.campaign_id')
    .select(['line_items.id', 'line_items.type', 'goal', 'price_micros', 'share_percent', 'line_items.starts_at'])
    .select(['line_items.ends_at', 'campaigns.starts_at as from', 'campaigns.ends_at as until'])
    .where('line_items.status', '=', 'ACTIVE')
    .where('line_items.type', 'in', ['STANDARD', 'SPONSORSHIP'])
    .orderBy('line_items.id')
    .execute();
}

/** A campaign with a flight, a live approved booking, a draft that nobody approved, and a live line item that is not guaranteed. */
interface Given {
  readonly campaignId: string;
  readonly live: string;
  readonly draft: string;
  readonly price: string;
}

async function prepare(): Promise<Given> {
  const campaignId = await world.createCampaign({ startsAt: '2026-11-01T00:00:00Z', endsAt: '2026-12-01T00:00:00Z' });
  const { id: live } = await world.bookLive(campaignId);
  const { id: draft } = await world.book(campaignId);
  const { id: price } = await world.book(campaignId, { type: 'PRICE', goal: null, status: 'ACTIVE' });
  return { campaignId, live, draft, price };
}

/** Sends an operation that the schema has: it is refused for what it does. */
async function send(query: string, variables: object): Promise<Response> {
  const response = await world.api.ask(query, { variables, as: 'eve' });
  expect(problemOf(response)).not.toBe('invalid_request');
  return response;
}

const SPLIT = `mutation ($id: ID!, $change: LineItemChangesInput!, $part: LineItemChangesInput!) {
  splitLineItem(id: $id, change: $change, part: $part) { part { id } } }`;
const COPY = `mutation ($ids: [ID!]!, $changes: LineItemChangesInput) {
  copyLineItems(ids: $ids, changes: $changes) { lineItems { id } } }`;
const BULK = `mutation ($updates: [UpdateLineItemEntry!]!) { updateLineItems(updates: $updates, mode: ROW_BY_ROW) { failedCount } }`;
const ACTIVE = { status: 'ACTIVE' };
let made = 0;
const keyed = (campaignId: string) => ({ campaignId, externalId: `key-${(made += 1)}`, ...STANDARD, ...ACTIVE });

const WAYS: Readonly<Record<string, (given: Given) => Promise<unknown>>> = {
  'creation as ACTIVE': ({ campaignId }) =>
    send('mutation ($input: CreateLineItemInput!) { createLineItem(input: $input) { __typename } }', {
      input: { campaignId, ...STANDARD, ...ACTIVE },
    }),
  'creation of many': ({ campaignId }) =>
    send('mutation ($inputs: [CreateLineItemInput!]!) { createLineItems(inputs: $inputs) { failedCount } }', {
      inputs: [{ campaignId, ...STANDARD, ...ACTIVE }],
    }),
  'a new status': ({ draft }) => world.update(draft, ACTIVE),
  'an admin alone': ({ draft }) => world.update(draft, ACTIVE, 'ann'),
  'a status in two steps': async ({ draft }) => {
    for (const status of ['RESERVED', 'PAUSED', 'ACTIVE']) await world.update(draft, { status });
  },
  'archiving and restoring': async ({ draft }) => {
    for (const status of ['ARCHIVED', 'ACTIVE']) await world.update(draft, { status });
  },
  'a bulk update': ({ draft }) => send(BULK, { updates: [{ id: draft, input: ACTIVE }] }),
  'an upsert, as CSV files are uploaded': ({ campaignId }) =>
    send('mutation ($inputs: [UpsertLineItemInput!]!) { upsertLineItems(inputs: $inputs) { failedCount } }', {
      inputs: [keyed(campaignId)],
    }),
  'the rows of a bulk job': ({ campaignId }) =>
    changeAll(world.api.contextFor('eve'), false, (inner) =>
      upsertRows(inner, LINE_ITEM, [{ input: keyed(campaignId), path: 'rows.0', problems: [] }]),
    ),
  saveCampaign: ({ campaignId, draft }) =>
    send('mutation ($input: SaveCampaignInput!) { saveCampaign(input: $input) { archivedCount } }', {
      input: { id: campaignId, lineItems: [{ id: draft, ...ACTIVE }] },
    }),
  'a new line item in saveCampaign': ({ campaignId }) =>
    send('mutation ($input: SaveCampaignInput!) { saveCampaign(input: $input) { archivedCount } }', {
      input: { id: campaignId, lineItems: [{ ...STANDARD, ...ACTIVE }] },
    }),
  'a copy': ({ live }) => send(COPY, { ids: [live] }),
  'a copy with a status': ({ live }) => send(COPY, { ids: [live], changes: ACTIVE }),
  'a copy of the campaign': ({ campaignId }) =>
    send('mutation ($id: ID!) { copyCampaign(id: $id) { lineItemCount } }', { id: campaignId }),
  'a split that doubles the goal': ({ live }) => send(SPLIT, { id: live, change: { name: 'a' }, part: { name: 'b' } }),
  'a split with a status': ({ live }) => send(SPLIT, { id: live, change: { name: 'a' }, part: ACTIVE }),
  'a split of a draft with a status': ({ draft }) => send(SPLIT, { id: draft, change: {}, part: ACTIVE }),
  'a split with a larger goal': ({ live }) =>
    send(SPLIT, { id: live, change: { goal: { ...GOAL, amount: 5_000 } }, part: {} }),
  'a split of a line item that is not guaranteed': ({ price }) =>
    send(SPLIT, { id: price, change: {}, part: { type: 'STANDARD', goal: GOAL } }),
  'a change of the tier': ({ price }) => world.update(price, { type: 'STANDARD', goal: GOAL }),
  'other terms while it is live': ({ live }) => world.update(live, { price: '1' }),
  'dates of its own while it is live': ({ live }) => world.update(live, { endsAt: '2027-12-01T00:00:00Z' }),
  'a longer flight of the campaign': ({ campaignId }) =>
    world.updateCampaign(campaignId, { endsAt: '2027-12-01T00:00:00Z' }),
  'an earlier flight of the campaign': ({ campaignId }) =>
    world.updateCampaign(campaignId, { startsAt: '2026-10-01T00:00:00Z' }),
  'a campaign without an end': ({ campaignId }) => world.updateCampaign(campaignId, { endsAt: null }),
  'a longer flight in saveCampaign': ({ campaignId }) =>
    send('mutation ($input: SaveCampaignInput!) { saveCampaign(input: $input) { archivedCount } }', {
      input: { id: campaignId, endsAt: null },
    }),
};

test.each(Object.entries(WAYS))('no guaranteed booking goes live without approval by %s', async (_name, attempt) => {
  const given = await prepare();
  const before = await readLive();
  await attempt(given);
  expect(await readLive()).toEqual(before);
});

test('undoing a pause brings a booking back only with the terms that were approved', async () => {
  const { live } = await prepare();
  const before = await readLive();
  await world.update(live, { status: 'PAUSED', price: '1' });
  // "Undo this" of one of two changes.
  await world.update(live, ACTIVE);
  expect((await world.read(live)).status).toBe('PAUSED');
  await world.update(live, { ...ACTIVE, price: '10' });
  expect(await readLive()).toEqual(before);
});

test('a split of an approved booking goes on with the smaller goal, and its part waits as a draft', async () => {
  const { live } = await prepare();
  const goalOf = (amount: number) => ({ goal: { ...GOAL, amount } });
  const { body } = await send(SPLIT, { id: live, change: goalOf(400), part: { name: 'Part', ...goalOf(600) } });
  const { id: part } = (body.data as unknown as { splitLineItem: { part: { id: string } } }).splitLineItem.part;
  expect(await world.read(live)).toMatchObject({
    status: 'ACTIVE',
    goal: { amount: 400 },
    approval: { state: 'APPROVED' },
  });
  expect(await world.read(part)).toMatchObject({
    status: 'DRAFT',
    goal: { amount: 600 },
    approval: { state: 'REQUESTED' },
  });
  expect(await world.listWaiting()).toContain(part);
  await world.update(live, { status: 'PAUSED', ...goalOf(1_000) });
  await world.update(live, ACTIVE);
  expect((await world.read(live)).status).toBe('PAUSED');
  expect((await world.approve(part)).body.errors).toBeUndefined();
  await world.update(part, ACTIVE);
  expect((await world.read(part)).status).toBe('ACTIVE');
});

test('a split without approvalRequired is live at once', async () => {
  const { live } = await prepare();
  await world.setRequired(false);
  const { body } = await send(SPLIT, { id: live, change: { name: 'a' }, part: { name: 'b' } });
  await world.setRequired(true);
  const { id } = (body.data as unknown as { splitLineItem: { part: { id: string } } }).splitLineItem.part;
  expect((await world.read(id)).status).toBe('ACTIVE');
});
