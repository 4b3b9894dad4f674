import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createUser } from '../../../access/users/users.sql.ts';
import { createTestManagement, type TestManagement } from '../../fixtures/test-management.ts';
import { RESOURCES } from '../../schema/schema.ts';

let api: TestManagement;
let teamId: string;
let advertiserId: string;

interface Made {
  readonly advertiser: Record<string, unknown> | null;
  readonly userErrors: readonly { readonly code: string; readonly field: string; readonly message: string }[];
}

beforeAll(async () => {
  api = await createTestManagement();
  const by = { actor: 'test', remoteAddress: '', networkId: '0', workspaceId: null };
  const memberships = [{ networkId: '1000', role: 'viewer' as const }];
  await createUser(api.database.db, { email: 'ann@example.com', name: 'Ann', memberships, by });
  const stranger = [{ networkId: '2000', role: 'viewer' as const }];
  await createUser(api.database.db, { email: 'bob@example.com', name: 'Bob', memberships: stranger, by });
  const made = await api.data<{ createTeam: { team: { id: string } } }>(
    `mutation {
      createTeam(input: {name: "North", members: ["ann@example.com"]}) { team { id } }
      a: createCustomField(input: {key: "region", name: "Region", type: CHOICE, choices: ["North", "South"]}) { customField { id } }
      b: createCustomField(input: {key: "score", name: "Score", type: NUMBER, kinds: ["advertiser"]}) { customField { id } }
      c: createCustomField(input: {key: "due", name: "Due", type: DATE, kinds: ["campaign"]}) { customField { id } }
    }`,
  );
  teamId = made.createTeam.team.id;
  const created = await create({
    name: 'Acme',
    notes: 'Pays late.\nAsk Ann.',
    owner: 'Ann@example.com',
    teamId,
    labels: ['key account'],
    customFields: { region: 'North', score: 7 },
  });
  advertiserId = String(created.advertiser?.['id']);
}, 120_000);

afterAll(() => api.close());

async function create(input: Record<string, unknown>): Promise<Made> {
  const { createAdvertiser } = await api.data<{ createAdvertiser: Made }>(
    `mutation ($input: CreateAdvertiserInput!) { createAdvertiser(input: $input) {
      advertiser { id notes owner labels customFields team { name } } userErrors { code field message } } }`,
    { input },
  );
  return createAdvertiser;
}

describe('what people write on objects', () => {
  test('an object shows its notes, owner, team, labels and custom fields as they were written', async () => {
    const found = await api.data(
      'query ($id: ID!) { advertiser(id: $id) { notes owner labels customFields team { name members } } }',
      { id: advertiserId },
    );
    expect(found).toEqual({
      advertiser: {
        notes: 'Pays late.\nAsk Ann.',
        owner: 'ann@example.com',
        labels: ['key account'],
        customFields: { region: 'North', score: 7 },
        team: { name: 'North', members: ['ann@example.com'] },
      },
    });
  });

  test('every kind of booked object has these fields, and they are in its inputs', () => {
    const lacking = RESOURCES.filter(({ fields }) => {
      const names = fields.filter(({ input }) => input !== null).map(({ name }) => name);
      return !['notes', 'owner', 'teamId', 'labels', 'customFields'].every((name) => names.includes(name));
    });
    expect(lacking.map(({ type }) => type)).toEqual(['Team', 'CustomField', 'TargetingPreset', 'Experiment']);
  });

  test.each<[string, Record<string, unknown>, string, string]>([
    ['an owner of another network', { owner: 'bob@example.com' }, 'NOT_A_MEMBER', 'input.owner'],
    ['an unknown team', { teamId: '999' }, 'UNKNOWN', 'input.teamId'],
    [
      'a custom field that is not defined',
      { customFields: { regoin: 'North' } },
      'UNKNOWN',
      'input.customFields.regoin',
    ],
    ['a custom field of another kind', { customFields: { due: '2026-12-01' } }, 'UNKNOWN', 'input.customFields.due'],
    ['a choice that there is not', { customFields: { region: 'West' } }, 'MALFORMED', 'input.customFields.region'],
    ['a text as a number', { customFields: { score: '7' } }, 'MALFORMED', 'input.customFields.score'],
    ['a list as custom fields', { customFields: ['region'] }, 'MALFORMED', 'input.customFields'],
    ['an object as a value', { customFields: { region: {} } }, 'MALFORMED', 'input.customFields.region'],
    ['long notes', { notes: 'x'.repeat(2_001) }, 'TOO_LONG', 'input.notes'],
  ])('%s is refused with its path', async (_name, input, code, field) => {
    const { advertiser, userErrors } = await create({ name: 'B', ...input });
    expect(advertiser).toBeNull();
    expect(userErrors).toMatchObject([{ code, field }]);
  });

  test('an undefined custom field is refused with the one that was probably meant', async () => {
    const { userErrors } = await create({ name: 'B', customFields: { regoin: 'North' } });
    expect(userErrors[0]?.message).toContain('Did you mean "region"?');
  });

  test('hostile keys of custom fields are refused', async () => {
    for (const key of ['constructor', 'a b', '1', "x'; DROP TABLE teams", 'k'.repeat(100)]) {
      const { userErrors } = await create({
        name: 'B',
        customFields: JSON.parse(`{${JSON.stringify(key)}: "x"}`) as object,
      });
      expect(userErrors).toHaveLength(1);
    }
  });

  test('a team of another network is unknown', async () => {
    const query =
      'mutation ($id: ID!) { createAdvertiser(input: {name: "S", teamId: $id}) { userErrors { code field } } }';
    const { body } = await api.ask(query, { as: 'stranger', variables: { id: teamId } });
    expect(body.data).toEqual({ createAdvertiser: { userErrors: [{ code: 'UNKNOWN', field: 'input.teamId' }] } });
  });

  test('objects are found by owner, team, label, notes and custom field', async () => {
    for (const filter of [
      '(filter: {owners: ["ann@example.com"]})',
      `(filter: {teamIds: ["${teamId}"]})`,
      '(filter: {labels: ["key account"]})',
      '(filter: {customFields: {region: "North", score: 7}})',
      '(where: {notes: {contains: "late"}, team: {name: {eq: "North"}}})',
    ])
      expect(await api.data(`{ advertisers${filter} { nodes { id } } }`)).toEqual({
        advertisers: { nodes: [{ id: advertiserId }] },
      });
    expect(await api.data('{ advertisers(filter: {customFields: {region: "South"}}) { totalCount } }')).toEqual({
      advertisers: { totalCount: 0 },
    });
  });

  test('a change of them is in the audit log and the feed of changes by the names of the API', async () => {
    await api.data(
      'mutation ($id: ID!) { updateAdvertiser(id: $id, input: {notes: "Pays now.", customFields: {region: "South"}}) { userErrors { code } } }',
      { id: advertiserId },
    );
    const { changes } = await api.data<{ changes: { nodes: { type: string; kind: string; verb: string }[] } }>(
      '{ changes(first: 100, kinds: ["advertiser"]) { nodes { type kind verb before after } } }',
    );
    expect(changes.nodes.findLast(({ type }) => type === 'advertiser.update')).toEqual({
      type: 'advertiser.update',
      kind: 'ADVERTISER',
      verb: 'UPDATE',
      before: { notes: 'Pays late.\nAsk Ann.', customFields: { region: 'North', score: 7 } },
      after: { notes: 'Pays now.', customFields: { region: 'South' } },
    });
  });

  test('a bulk upsert writes them, and an unchanged one changes nothing', async () => {
    const upsert = () =>
      api.data(
        `mutation ($teamId: ID!) { upsertAdvertisers(inputs: [{externalId: "x-1", name: "X", owner: "ann@example.com", teamId: $teamId,
          notes: "n", labels: ["l"], customFields: {region: "South"}}]) { changedCount results { advertiser { version team { name } customFields } } } }`,
        { teamId },
      );
    const advertiser = { version: 1, team: { name: 'North' }, customFields: { region: 'South' } };
    const expected = { upsertAdvertisers: { changedCount: 1, results: [{ advertiser }] } };
    expect(await upsert()).toEqual(expected);
    expect(await upsert()).toEqual(expected);
  });

  test('values that stay are not looked at again when their field was archived', async () => {
    const { customFields } = await api.data<{ customFields: { nodes: { id: string }[] } }>(
      '{ customFields(filter: {keys: ["region"]}) { nodes { id } } }',
    );
    await api.data(
      'mutation ($id: ID!) { archiveCustomField(id: $id) { userErrors { code } } }',
      customFields.nodes[0],
    );
    const update = (input: object) =>
      api.data(
        'mutation ($id: ID!, $input: UpdateAdvertiserInput!) { updateAdvertiser(id: $id, input: $input) { userErrors { code } } }',
        {
          id: advertiserId,
          input,
        },
      );
    expect(await update({ name: 'Acme 2', customFields: { region: 'South' } })).toEqual({
      updateAdvertiser: { userErrors: [] },
    });
    expect(await update({ customFields: { region: 'North' } })).toEqual({
      updateAdvertiser: { userErrors: [{ code: 'ARCHIVED' }] },
    });
  });
});
