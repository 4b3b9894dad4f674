import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestManagement, seedMembers, type TestManagement } from '../../fixtures/test-management.ts';

let api: TestManagement;
let campaignId = '';

beforeAll(async () => {
  api = await createTestManagement();
  await seedMembers(api.database);
  const { createAdvertiser } = await api.data<{ createAdvertiser: { advertiser: { id: string } } }>(
    `mutation { createAdvertiser(input: { name: "Alder" }) { advertiser { id } } }`,
  );
  const { createCampaign } = await api.data<{ createCampaign: { campaign: { id: string } } }>(
    `mutation ($id: ID!) { createCampaign(input: { advertiserId: $id, name: "Autumn", status: ACTIVE }) { campaign { id } } }`,
    { id: createAdvertiser.advertiser.id },
  );
  campaignId = createCampaign.campaign.id;
  await api.data('mutation { updateNetwork(input: { approvalRequired: true }) { approvalRequired } }');
});
afterAll(() => api.close());

interface LineItem {
  readonly id: string;
  readonly version: number;
  readonly status: string;
  readonly approval: { readonly state: string; readonly approvedBy: string | null };
}

const FIELDS = 'id version status approval { state approvedBy }';
const TERMS = `type: STANDARD, goal: { kind: IMPRESSIONS, amount: 1000, period: DAY }, price: "10"`;

async function book(as: string, more = ''): Promise<LineItem> {
  const { createLineItem } = await api.data<{ createLineItem: { lineItem: LineItem } }>(
    `mutation ($id: ID!) { createLineItem(input: { campaignId: $id, name: "Sidebar", ${TERMS} ${more} }) { lineItem { ${FIELDS} } } }`,
    { id: campaignId },
    { as },
  );
  return createLineItem.lineItem;
}

async function change(as: string, id: string, input: string) {
  return api.ask(`mutation ($id: ID!) { updateLineItem(id: $id, input: { ${input} }) { lineItem { ${FIELDS} } } }`, {
    as,
    variables: { id },
  });
}

const fieldsOf = (response: Awaited<ReturnType<TestManagement['ask']>>) =>
  response.body.errors?.[0]?.extensions['fields'];

const approve = (as: string, { id, version }: Pick<LineItem, 'id' | 'version'>) =>
  api.ask(
    `mutation ($id: ID!, $version: Int!) { approveBooking(id: $id, version: $version) { lineItem { ${FIELDS} } } }`,
    {
      as,
      variables: { id, version },
    },
  );

const codeOf = (response: Awaited<ReturnType<TestManagement['ask']>>): string | undefined =>
  response.body.errors?.[0]?.extensions.code;

test('a guaranteed booking goes live only after another member approved it', async () => {
  const lineItem = await book('eve');
  expect(lineItem.approval.state).toBe('MISSING');
  const refused = await change('eve', lineItem.id, 'status: ACTIVE');
  expect(fieldsOf(refused)).toMatchObject([{ path: 'input.status', code: 'approval_required' }]);
  await api.data(
    `mutation ($id: ID!) { requestBookingApproval(id: $id) { lineItem { id } } }`,
    { id: lineItem.id },
    { as: 'eve' },
  );
  const { bookingsToApprove } = await api.data<{ bookingsToApprove: LineItem[] }>(
    `{ bookingsToApprove { ${FIELDS} } }`,
    {},
    { as: 'ann' },
  );
  expect(bookingsToApprove).toMatchObject([{ id: lineItem.id, approval: { state: 'REQUESTED' } }]);
  const { notifications } = await api.data<{ notifications: { event: string; objectId: string }[] }>(
    '{ notifications { event objectId actor } }',
    {},
    { as: 'ann' },
  );
  expect(notifications).toMatchObject([{ event: 'APPROVAL_REQUESTED', objectId: lineItem.id, actor: 'eve' }]);

  const approved = await approve('ann', lineItem);
  expect(approved.body.data).toMatchObject({
    approveBooking: { lineItem: { approval: { state: 'APPROVED', approvedBy: 'ann' } } },
  });
  const live = await change('eve', lineItem.id, 'status: ACTIVE');
  expect(live.body.data).toMatchObject({ updateLineItem: { lineItem: { status: 'ACTIVE' } } });
});

test('new terms of a live booking are refused until they are approved, and a new name is not', async () => {
  const lineItem = await book('eve');
  await approve('ann', lineItem);
  await change('eve', lineItem.id, 'status: ACTIVE');
  const renamed = await change('eve', lineItem.id, 'name: "Sidebar 2"');
  expect(renamed.body.errors).toBeUndefined();
  for (const terms of [
    'price: "1"',
    'goal: { kind: IMPRESSIONS, amount: 999000, period: DAY }',
    'type: SPONSORSHIP, sharePercent: 90, goal: null',
  ])
    expect(fieldsOf(await change('eve', lineItem.id, terms))).toMatchObject([{ code: 'approval_required' }]);
  const paused = await change('eve', lineItem.id, 'status: PAUSED, price: "1"');
  expect(paused.body.data).toMatchObject({ updateLineItem: { lineItem: { approval: { state: 'MISSING' } } } });
  expect(fieldsOf(await change('eve', lineItem.id, 'status: ACTIVE'))).toMatchObject([{ code: 'approval_required' }]);
});

test('who booked or asked, or made the key that booked, cannot approve, and neither can an editor or a key', async () => {
  const own = await book('ann');
  expect(codeOf(await approve('ann', own))).toBe('insufficient_permissions');
  expect(codeOf(await approve('eve', own))).toBe('insufficient_permissions');
  expect((await approve('admin', own)).body.errors).toBeDefined();
  expect((await approve('ben', own)).body.errors).toBeUndefined();

  await sql`INSERT INTO api_keys (id, workspace_id, name, permission, digest, prefix, last_four, created_by)
    OVERRIDING SYSTEM VALUE VALUES (7, 1, 'k', 'admin', '\\x07', 'p', 'last', 'user:101 ann@example.com')`.execute(
    api.database.db,
  );
  const byKey = await book('admin');
  expect(codeOf(await approve('ann', byKey))).toBe('insufficient_permissions');
  const asked = await book('eve');
  await api.data(
    `mutation ($id: ID!) { requestBookingApproval(id: $id) { lineItem { id } } }`,
    { id: asked.id },
    { as: 'ben' },
  );
  expect(codeOf(await approve('ben', asked))).toBe('insufficient_permissions');
});

test('an approval of an older version is a conflict, and one of another network finds nothing', async () => {
  const lineItem = await book('eve');
  await change('eve', lineItem.id, 'price: "11"');
  expect(codeOf(await approve('ann', lineItem))).toBe('conflict');
  expect(codeOf(await approve('otto', { ...lineItem, version: 2 }))).toBe('not_found');
});

test('an approval of an older version of the campaign is a conflict, and changes nothing', async () => {
  const lineItem = await book('eve');
  const { campaign } = await api.data<{ campaign: { version: number } }>(
    `query ($id: ID!) { campaign(id: $id) { version } }`,
    { id: campaignId },
  );
  await api.data(
    `mutation ($id: ID!) { updateCampaign(id: $id, input: { endsAt: "2027-03-01T00:00:00Z" }) { __typename } }`,
    {
      id: campaignId,
    },
  );
  const approveSeen = (campaignVersion: number | null) =>
    api.ask(
      `mutation ($id: ID!, $version: Int!, $campaignVersion: Int) {
        approveBooking(id: $id, version: $version, campaignVersion: $campaignVersion) { lineItem { ${FIELDS} } } }`,
      { as: 'ann', variables: { id: lineItem.id, version: lineItem.version, campaignVersion } },
    );
  const refused = await approveSeen(campaign.version);
  expect(refused.body.errors?.[0]?.extensions).toMatchObject({
    code: 'conflict',
    currentCampaignVersion: campaign.version + 1,
  });
  const { lineItem: unapproved } = await api.data<{ lineItem: LineItem }>(
    `query ($id: ID!) { lineItem(id: $id) { ${FIELDS} } }`,
    { id: lineItem.id },
  );
  expect(unapproved.approval.state).toBe('MISSING');
  expect((await approveSeen(campaign.version + 1)).body.data).toMatchObject({
    approveBooking: { lineItem: { approval: { state: 'APPROVED' } } },
  });
});

test('no other way makes a guaranteed booking live: creation, bulk update and upsert', async () => {
  const created = await api.ask(
    `mutation ($id: ID!) { createLineItem(input: { campaignId: $id, name: "x", status: ACTIVE, ${TERMS} }) { __typename } }`,
    { as: 'ann', variables: { id: campaignId } },
  );
  expect(JSON.stringify(created.body)).toContain('approval_required');
  const lineItem = await book('eve');
  const bulk = await api.ask(
    `mutation ($id: ID!) { updateLineItems(updates: [{ id: $id, input: { status: ACTIVE } }]) { __typename } }`,
    { as: 'ann', variables: { id: lineItem.id } },
  );
  expect(JSON.stringify(bulk.body)).toMatch(/approval_required|__typename/);
  const upserted = await api.ask(
    `mutation ($id: ID!) { upsertLineItems(inputs: [{ externalId: "e1", campaignId: $id, name: "x", status: ACTIVE, ${TERMS} }]) { __typename } }`,
    { as: 'ann', variables: { id: campaignId } },
  );
  expect(JSON.stringify(upserted.body)).toMatch(/approval_required|__typename/);
  const rows = await api.database.db
    .selectFrom('line_items')
    .select(['id', 'status'])
    .where('status', '=', 'ACTIVE')
    .where('id', '=', BigInt(lineItem.id))
    .execute();
  expect(rows).toEqual([]);
  const byExternalId = await api.database.db
    .selectFrom('line_items')
    .select('status')
    .where('external_id', '=', 'e1')
    .execute();
  expect(byExternalId).toEqual([]);
});

test('line items that are not guaranteed need no approval', async () => {
  const { createLineItem } = await api.data<{ createLineItem: { lineItem: LineItem } }>(
    `mutation ($id: ID!) { createLineItem(input: { campaignId: $id, name: "p", type: PRICE, price: "2", status: ACTIVE }) { lineItem { ${FIELDS} } } }`,
    { id: campaignId },
    { as: 'eve' },
  );
  expect(createLineItem.lineItem).toMatchObject({ status: 'ACTIVE', approval: { state: 'NOT_NEEDED' } });
});
