import { readFileSync } from 'node:fs';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { NOT_SENSITIVE, SENSITIVE_ACTIONS } from '../../access/permissions/sensitive-actions.ts';
import { createTestManagement, seedMembers, type TestManagement } from '../fixtures/test-management.ts';
import { managementSchema, RESOURCES } from './schema.ts';

let api: TestManagement;
let invitation: string;

beforeAll(async () => {
  api = await createTestManagement();
  await seedMembers(api.database);
  const advertiser = {
    id: 1n,
    workspace_id: 1,
    name: 'A',
    domains: [],
    dsa_behalf: '',
    dsa_paid: '',
    credit_micros: null,
  };
  await api.database.db
    .insertInto('advertisers')
    .values({ ...advertiser, external_id: null })
    .execute();
  const campaign = {
    id: 11n,
    workspace_id: 1,
    advertiser_id: 1n,
    name: 'C',
    status: 'ACTIVE',
    external_id: null,
  } as const;
  await api.database.db.insertInto('campaigns').values(campaign).execute();
  const invite = 'mutation { inviteUser(email: "zoe@example.com", role: EDITOR) { id } }';
  invitation = (await api.data<{ inviteUser: { id: string } }>(invite, {}, { as: 'ann' })).inviteUser.id;
});
afterAll(() => api.close());

/** Changes of booked objects, which the resources add by themselves. */
const OF_RESOURCES = new RegExp(
  `^(?:create|update|archive|upsert)(?:${RESOURCES.flatMap(({ type, plural }) => [type, plural]).join('|')})$`,
  'i',
);

const askedMutations = (): string[] =>
  Object.entries(SENSITIVE_ACTIONS).flatMap(([action, row]) => [
    ...('mutations' in row ? row.mutations : []),
    ...(action.startsWith('mutation.') ? [action.slice('mutation.'.length)] : []),
  ]);

describe('the table of sensitive actions', () => {
  const mutations = Object.keys(managementSchema().getMutationType()?.getFields() ?? {});

  test('each mutation is sensitive or says why it is not, but for those of booked objects', () => {
    const classified = [...askedMutations(), ...Object.keys(NOT_SENSITIVE)].sort();
    expect(classified).toEqual(mutations.filter((name) => !OF_RESOURCES.test(name)).sort());
  });

  test('the pattern of booked objects covers no mutation of members, keys or approval', () => {
    const covered = mutations.filter((name) => OF_RESOURCES.test(name));
    expect(
      covered.filter((name) => /member|invit|session|key(?!value)|credential|approv|share|network|webhook/i.test(name)),
    ).toEqual([]);
  });

  test('each action outside of the mutations is asked for somewhere in the program', () => {
    const text = [
      'sign-in/sign-in.routes',
      'sign-in/passkeys.routes',
      'sign-in/oidc.routes',
      'sign-in/account-mail.routes',
      'permissions/permissions',
    ]
      .map((name) => readFileSync(new URL(`../../access/${name}.ts`, import.meta.url), 'utf8'))
      .join('');
    const others = Object.entries(SENSITIVE_ACTIONS).filter(
      ([action, row]) => !('mutations' in row) && !action.startsWith('mutation.'),
    );
    expect(others.map(([action]) => action).filter((action) => !text.includes(`'${action}'`))).toEqual([]);
  });
});

const REFUSED: readonly (readonly [string, string])[] = [
  ['inviting a member', 'mutation { inviteUser(email: "new@example.com", role: ADMIN) { id } }'],
  ['raising a role', 'mutation { updateMembership(userId: 103, role: ADMIN) { role } }'],
  ['lowering a role', 'mutation { updateMembership(userId: 102, role: VIEWER) { role } }'],
  ['removing a member', 'mutation { revokeMembership(userId: 103) { revokedId } }'],
  ['removing a member by the older name', 'mutation { removeMembership(userId: 103) }'],
  ['switching approval off', 'mutation { updateNetwork(input: { approvalRequired: false }) { id } }'],
  ['leaving approval to its default', 'mutation { updateNetwork(input: { approvalRequired: null }) { id } }'],
  ['switching the review of creatives off', 'mutation { updateNetwork(input: { creativeReview: null }) { id } }'],
  [
    'sharing a report with spend',
    'mutation { shareCampaignReport(campaignId: 11, name: "A", showsSpend: true) { url } }',
  ],
  ['making a key', 'mutation { createApiKey(input: { name: "A", permission: READ_ONLY }) { value } }'],
];

const ALLOWED: readonly (readonly [string, string])[] = [
  ['other settings', 'mutation { updateNetwork(input: { name: "Demo", approvalRequired: true }) { id } }'],
  ['sharing a report without spend', 'mutation { shareCampaignReport(campaignId: 11, name: "A") { url } }'],
];

describe('a session that has not proved its member for ten minutes', () => {
  const readAll = async (): Promise<unknown[]> => {
    const tables = ['memberships', 'invitations', 'networks', 'report_shares', 'api_keys', 'audit_log'];
    const reads = tables.map((table) =>
      sql`SELECT * FROM ${sql.table(table)} ORDER BY 1, 2`.execute(api.database.owner),
    );
    return (await Promise.all(reads)).map(({ rows }) => rows);
  };

  beforeAll(async () => {
    const strict =
      'mutation { updateNetwork(input: { approvalRequired: true, creativeReview: REQUIRED }) { __typename } }';
    await api.data(strict, {}, { as: 'ann' });
  });

  test.each(REFUSED)('an old session is asked for a proof before %s', async (_title, query) => {
    const before = await readAll();
    const { body } = await api.ask(query, { as: 'annLater' });
    expect(body.error ?? body.errors?.[0]?.extensions.code).toBe('verification_required');
    expect(await readAll()).toEqual(before);
  });

  test.each(ALLOWED)('an old session goes on with %s', async (_title, query) => {
    expect((await api.ask(query, { as: 'annLater' })).body.errors).toBeUndefined();
  });

  test('an old session withdraws an invitation', async () => {
    await api.data('mutation ($id: ID!) { revokeInvitation(id: $id) }', { id: invitation }, { as: 'annLater' });
  });

  test.each(REFUSED)('a session goes on with %s after a proof', async (_title, query) => {
    const { body } = await api.ask(query, { as: 'ann' });
    expect(body.error ?? body.errors?.[0]?.extensions.code).not.toBe('verification_required');
  });
});
