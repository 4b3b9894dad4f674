import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createTestManagement, seedMembers, type TestManagement } from '../../fixtures/test-management.ts';

let api: TestManagement;
let lineItemId = '';
let advertiserId = '';

beforeAll(async () => {
  api = await createTestManagement();
  await seedMembers(api.database);
  const { createAdvertiser } = await api.data<{ createAdvertiser: { advertiser: { id: string } } }>(
    'mutation { createAdvertiser(input: { name: "Alder" }) { advertiser { id } } }',
  );
  advertiserId = createAdvertiser.advertiser.id;
  const { saveCampaign } = await api.data<{ saveCampaign: { campaign: { lineItems: { nodes: { id: string }[] } } } }>(
    `mutation ($input: SaveCampaignInput!) { saveCampaign(input: $input) { campaign { lineItems(first: 1) { nodes { id } } } } }`,
    { input: { advertiserId, name: 'Autumn', status: 'ACTIVE', lineItems: [{ name: 'Sidebar', type: 'HOUSE' }] } },
  );
  lineItemId = saveCampaign.campaign.lineItems.nodes[0]?.id ?? '';
  await api.data('mutation { updateNetwork(input: { creativeReview: REQUIRED }) { creativeReview } }');
});
afterAll(() => api.close());

beforeEach(async () => {
  await api.database.db.deleteFrom('notifications').execute();
});

interface Told {
  readonly event: string;
  readonly objectKind: string;
  readonly objectId: string;
  readonly objectName: string;
  readonly actor: string;
  readonly details: Readonly<Record<string, unknown>>;
}

async function toldTo(as: string): Promise<readonly Told[]> {
  const { notifications } = await api.data<{ notifications: Told[] }>(
    '{ notifications { event objectKind objectId objectName actor details } }',
    {},
    { as },
  );
  return notifications;
}

const content = { html: { html: '<a href="${CLICK_URL}">Alder</a>' } };
const creative = (name: string) => ({ name, width: 300, height: 250, clickUrl: 'https://a.example/', content });

async function create(as: string, names: readonly string[]): Promise<string[]> {
  const { createCreatives } = await api.data<{ createCreatives: { results: { creative: { id: string } }[] } }>(
    'mutation ($inputs: [CreateCreativeInput!]!) { createCreatives(inputs: $inputs) { results { creative { id } } } }',
    { inputs: names.map((name) => ({ lineItemId, ...creative(name) })) },
    { as },
  );
  return createCreatives.results.map(({ creative: { id } }) => id);
}

const review = (
  as: string,
  ids: readonly string[],
  input: object,
  given: { validateOnly?: boolean; key?: string } = {},
) =>
  api.ask(
    `mutation ($updates: [UpdateCreativeEntry!]!, $validateOnly: Boolean) {
      updateCreatives(updates: $updates, validateOnly: $validateOnly) { changedCount } }`,
    {
      as,
      variables: { updates: ids.map((id) => ({ id, input })), validateOnly: given.validateOnly ?? false },
      ...(given.key === undefined ? {} : { headers: { 'idempotency-key': given.key } }),
    },
  );

test('creatives that wait for their review are told once for one change, to everybody else who may review them', async () => {
  const [first] = await create('eve', ['Box', 'Board', 'Tower']);
  expect(await toldTo('ann')).toMatchObject([
    {
      event: 'REVIEW_REQUESTED',
      objectKind: 'creative',
      objectId: first,
      objectName: 'Box',
      actor: 'eve',
      details: { count: 3 },
    },
  ]);
  expect(await toldTo('eve')).toEqual([]);
  await create('eve', ['Later']);
  expect(await toldTo('ann')).toHaveLength(1);
  api.clock.nowMs += 11 * 60_000;
  await create('eve', ['Much later']);
  expect(await toldTo('ann')).toHaveLength(2);
});

test('a rejection is told with its reason, an approval is not, and a rejection that is only validated tells nobody', async () => {
  const ids = await create('eve', ['Box', 'Board']);
  await api.database.db.deleteFrom('notifications').execute();
  const rejected = { reviewState: 'REJECTED', reviewReason: 'The text is cut.' };
  await review('ann', ids, rejected, { validateOnly: true });
  await review('ann', ids.slice(0, 1), { reviewState: 'APPROVED' });
  expect(await toldTo('eve')).toEqual([]);
  const response = await review('ann', ids, rejected);
  expect(response.body.errors).toBeUndefined();
  expect(await toldTo('eve')).toMatchObject([
    {
      event: 'CREATIVE_REJECTED',
      objectId: ids[0],
      objectName: 'Box',
      actor: 'ann',
      details: { count: 2, reason: 'The text is cut.' },
    },
  ]);
  const again = await review('ann', ids, { ...rejected, reviewReason: 'The text is cut off.' });
  expect(again.body.data).toEqual({ updateCreatives: { changedCount: 2 } });
  expect(await toldTo('eve')).toHaveLength(1);
});

test('a rejection under an idempotency key is told once, also when the request is repeated', async () => {
  const ids = await create('eve', ['Box']);
  await api.database.db.deleteFrom('notifications').execute();
  const rejected = { reviewState: 'REJECTED', reviewReason: 'No.' };
  for (const _try of [1, 2]) await review('ann', ids, rejected, { key: 'once' });
  expect((await toldTo('eve')).map(({ event }) => event)).toEqual(['CREATIVE_REJECTED']);
});

test('a rejected creative of the library is told by its name', async () => {
  const { createLibraryCreative } = await api.data<{ createLibraryCreative: { libraryCreative: { id: string } } }>(
    'mutation ($input: CreateLibraryCreativeInput!) { createLibraryCreative(input: $input) { libraryCreative { id } } }',
    { input: { advertiserId, ...creative('Shared') } },
    { as: 'eve' },
  );
  const { id } = createLibraryCreative.libraryCreative;
  await api.data(
    `mutation ($id: ID!) { updateLibraryCreative(id: $id, input: { reviewState: REJECTED, reviewReason: "No." }) { libraryCreative { id } } }`,
    { id },
    { as: 'ann' },
  );
  expect(await toldTo('eve')).toMatchObject([
    { event: 'CREATIVE_REJECTED', objectKind: 'libraryCreative', objectId: id, objectName: 'Shared' },
  ]);
});

test('nobody of another network is told', async () => {
  const ids = await create('eve', ['Box']);
  await review('ann', ids, { reviewState: 'REJECTED', reviewReason: 'No.' });
  const rows = await api.database.db.selectFrom('notifications').select('user_id').execute();
  const members = await api.database.db
    .selectFrom('memberships')
    .select('user_id')
    .where('network_id', '=', 1000n)
    .execute();
  expect(rows.length).toBeGreaterThan(0);
  expect(rows.every(({ user_id }) => members.some((member) => member.user_id === user_id))).toBe(true);
});
