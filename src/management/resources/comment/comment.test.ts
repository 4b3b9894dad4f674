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
    `mutation ($id: ID!) { createCampaign(input: { advertiserId: $id, name: "Autumn" }) { campaign { id } } }`,
    { id: createAdvertiser.advertiser.id },
  );
  campaignId = createCampaign.campaign.id;
});
afterAll(() => api.close());

const ADD = `mutation ($id: ID!, $body: String!, $mentioned: [ID!]) {
  addComment(objectKind: CAMPAIGN, objectId: $id, body: $body, mentionedIds: $mentioned) { comment { id body authorName mentionedIds } } }`;

const add = (as: string, body: string, mentioned: string[] = [], id = campaignId) =>
  api.ask(ADD, { as, variables: { id, body, mentioned } });

const listComments = async (as: string) =>
  api.ask(`query ($id: ID!) { comments(objectKind: CAMPAIGN, objectId: $id) { id body authorName } }`, {
    as,
    variables: { id: campaignId },
  });

const told = async (as: string) =>
  (
    await api.data<{ notifications: { id: string; event: string; actor: string; isRead: boolean }[] }>(
      '{ notifications { id event actor isRead } }',
      {},
      { as },
    )
  ).notifications;

test('a comment is read by members, and tells whom it mentions and who commented before', async () => {
  expect((await add('ann', 'Is the goal right?', ['103'])).body.data).toMatchObject({
    addComment: { comment: { body: 'Is the goal right?', authorName: 'ann', mentionedIds: ['103'] } },
  });
  expect((await add('eve', 'Yes, it is.\r\nLook.')).body.data).toMatchObject({
    addComment: { comment: { body: 'Yes, it is.\nLook.' } },
  });
  expect((await listComments('ben')).body.data).toMatchObject({
    comments: [{ authorName: 'eve' }, { authorName: 'ann' }],
  });
  expect(await told('eve')).toMatchObject([{ event: 'MENTIONED', actor: 'ann', isRead: false }]);
  expect(await told('ann')).toMatchObject([{ event: 'COMMENTED', actor: 'eve' }]);
  expect(await told('ben')).toEqual([]);
});

test('a member who wants no notifications of an event gets none', async () => {
  const choose = `mutation { chooseNotifications(choices: [{ event: MENTIONED, inApp: false, mail: false }]) { choices { event inApp mail } } }`;
  const { chooseNotifications } = await api.data<{ chooseNotifications: { choices: unknown[] } }>(
    choose,
    {},
    { as: 'ben' },
  );
  expect(chooseNotifications.choices).toContainEqual({ event: 'MENTIONED', inApp: false, mail: false });
  await add('ann', 'Look here', ['102']);
  expect(await told('ben')).toEqual([]);
});

test('notifications that were seen are read', async () => {
  const [newest] = await told('eve');
  const mark = `mutation ($upTo: ID!) { markNotificationsRead(upTo: $upTo) { readCount } }`;
  expect(await api.data(mark, { upTo: newest?.id }, { as: 'eve' })).toEqual({
    markNotificationsRead: { readCount: 2 },
  });
  expect(await api.data('{ unreadNotifications }', {}, { as: 'eve' })).toEqual({ unreadNotifications: 0 });
});

test('a member of another network can neither read nor write comments, nor be mentioned', async () => {
  expect((await add('otto', 'hello')).body.errors?.[0]?.extensions.code).toBe('not_found');
  expect((await listComments('otto')).body.errors?.[0]?.extensions.code).toBe('not_found');
  const mentioned = await add('ann', 'hello', ['104']);
  expect(mentioned.body.errors?.[0]?.extensions['fields']).toMatchObject([{ path: 'mentionedIds', code: 'unknown' }]);
});

test('a key says nothing, an empty comment is refused, and somebody else’s comment is not deleted', async () => {
  expect((await add('admin', 'hello')).body.errors).toBeDefined();
  expect((await add('ann', '   ')).body.errors?.[0]?.extensions.code).toBe('validation_failed');
  const comments = (await listComments('ann')).body.data as unknown as {
    comments: { id: string; authorName: string }[];
  };
  const ofAnn = comments.comments.find(({ authorName }) => authorName === 'ann');
  const remove = (as: string) =>
    api.ask('mutation ($id: ID!) { deleteComment(id: $id) { comment { id } } }', { as, variables: { id: ofAnn?.id } });
  expect((await remove('eve')).body.errors?.[0]?.extensions.code).toBe('insufficient_permissions');
  expect((await remove('otto')).body.errors?.[0]?.extensions.code).toBe('not_found');
  expect((await remove('ben')).body.data).toMatchObject({ deleteComment: { comment: { id: ofAnn?.id } } });
});

test('the feed of changes has comments on request, without their texts', async () => {
  const feed = async (as: string, kinds: readonly string[] | null) =>
    api.ask(
      'query ($kinds: [String!]) { changes(first: 100, kinds: $kinds) { nodes { type kind actor before after } } }',
      { as, variables: { kinds } },
    );
  await add('ann', 'They pay late.');
  const all = (await feed('eve', null)).body.data as unknown as { changes: { nodes: { kind: string }[] } };
  expect(new Set(all.changes.nodes.map(({ kind }) => kind))).toEqual(new Set(['ADVERTISER', 'CAMPAIGN']));
  const asked = await feed('eve', ['comment']);
  expect(JSON.stringify(asked.body)).not.toContain('body');
  const { nodes } = (asked.body.data as unknown as { changes: { nodes: { type: string; actor: string }[] } }).changes;
  expect(nodes.filter(({ type }) => type === 'comment.delete')).toMatchObject([
    { before: { objectKind: 'campaign', objectId: campaignId }, after: null },
  ]);
  expect(nodes.at(-1)).toEqual({
    type: 'comment.create',
    kind: 'COMMENT',
    actor: 'user:101 ann@example.com',
    before: null,
    after: { objectKind: 'campaign', objectId: campaignId },
  });
  expect((await feed('otto', ['comment'])).body.data).toMatchObject({ changes: { nodes: [] } });
  // A key that reads no bookings reads nothing of the talk about them.
  for (const kind of ['comment', 'bookingApproval'])
    expect((await feed('audience', [kind])).body.errors?.[0]?.extensions.code).toBe('insufficient_permissions');
});

test('the text of a comment is not in the audit log, neither before nor after its deletion', async () => {
  const made = await add('ann', 'A sentence that somebody regrets.');
  const { id } = (made.body.data as unknown as { addComment: { comment: { id: string } } }).addComment.comment;
  await api.ask('mutation ($id: ID!) { deleteComment(id: $id) { comment { id } } }', { as: 'ann', variables: { id } });
  const rows = await api.database.db
    .selectFrom('audit_log')
    .select(['action', 'details'])
    .where('object_kind', '=', 'comment')
    .where('object_id', '=', id)
    .orderBy('sequence')
    .execute();
  expect(rows.map(({ action }) => action)).toEqual(['comment.create', 'comment.delete']);
  expect(JSON.stringify(rows)).not.toContain('regrets');
});
