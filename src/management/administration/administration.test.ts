import { encodeGlobalId } from '../../domain/ids/global-ids.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { setCeiling } from '../../access/limits/limit-ceilings.sql.ts';
import { createUser } from '../../access/users/users.sql.ts';
import { createTestManagement, type TestManagement } from '../fixtures/test-management.ts';

let api: TestManagement;
beforeAll(async () => {
  api = await createTestManagement();
});
afterAll(() => api.close());

const createKey = `mutation ($input: CreateApiKeyInput!) { createApiKey(input: $input) { value apiKey { id name permission modules prefix lastFour expiresAt } } }`;

describe('API keys', () => {
  test('a new key shows its value once, the listing shows none, and a revoked key leaves the listing', async () => {
    const input = { name: 'CI', permission: 'READ_WRITE', modules: ['DELIVERY'], expiresAt: '2027-01-01T00:00:00Z' };
    const { createApiKey: made } = await api.data<{
      createApiKey: { value: string; apiKey: { id: string; lastFour: string } };
    }>(createKey, { input });
    expect(made.value).toMatch(/^plc_live_/);
    expect(made.apiKey).toMatchObject({
      name: 'CI',
      permission: 'READ_WRITE',
      modules: ['DELIVERY'],
      expiresAt: '2027-01-01T00:00:00.000Z',
    });
    const listing = JSON.stringify(await api.data('{ apiKeys { id name prefix lastFour createdBy lastUsedAt } }'));
    expect(listing).toContain(made.apiKey.lastFour);
    expect(listing).not.toContain(made.value);
    await api.data('mutation ($id: ID!) { revokeApiKey(id: $id) { revokedAt } }', { id: made.apiKey.id });
    expect(await api.data('{ apiKeys { id } }')).toEqual({ apiKeys: [] });
    expect(await api.data('{ apiKeys(includeInactive: true) { id } }')).toEqual({ apiKeys: [{ id: made.apiKey.id }] });
  });

  test('an idempotency key is refused, because the response would have to be stored', async () => {
    const response = await api.ask(createKey, {
      variables: { input: { name: 'X', permission: 'ADMIN' } },
      headers: { 'idempotency-key': 'k' },
    });
    expect([response.status, response.body.error]).toEqual([400, 'invalid_request']);
    const kept = await api.database.db.selectFrom('idempotent_answers').selectAll().execute();
    expect(kept).toEqual([]);
  });

  test('a key creates no keys for the other environment', async () => {
    const response = await api.ask(createKey, {
      variables: { input: { name: 'X', permission: 'ADMIN', environment: 'STAGING' } },
    });
    expect(response.body.errors?.[0]?.extensions.code).toBe('insufficient_permissions');
  });

  test('a key of another network is not found', async () => {
    const { createApiKey: made } = await api.data<{ createApiKey: { apiKey: { id: string } } }>(createKey, {
      input: { name: 'Ours', permission: 'ADMIN' },
    });
    const response = await api.ask('mutation ($id: ID!) { revokeApiKey(id: $id) { id } }', {
      variables: { id: made.apiKey.id },
      as: 'stranger',
    });
    expect(response.body.errors?.[0]?.extensions.code).toBe('not_found');
  });

  test.each([
    '{ apiKeys { id } }',
    '{ auditLog { totalCount } }',
    '{ users { id } }',
    'mutation { updateNetwork(input: {name: "X"}) { id } }',
  ])('a read-write key cannot call %s', async (query) => {
    const response = await api.ask(query, { as: 'writer' });
    expect([response.status, response.body.error]).toEqual([403, 'insufficient_permissions']);
  });
});

describe('report credentials', () => {
  test('the token of a credential is shown once, and a disabled credential leaves the listing', async () => {
    const { createHeaderCredential: made } = await api.data<{
      createHeaderCredential: { id: string; login: string; token: string };
    }>('mutation { createHeaderCredential(name: "BI", login: "bi-team") { id login token } }');
    expect(made.login).toBe('bi-team');
    expect(JSON.stringify(await api.data('{ headerCredentials { id login name } }'))).not.toContain(made.token);
    await api.data('mutation ($id: ID!) { disableHeaderCredential(id: $id) { disabledAt } }', { id: made.id });
    expect(await api.data('{ headerCredentials { id } }')).toEqual({ headerCredentials: [] });
  });
});

describe('users', () => {
  test('invitations are listed and withdrawn', async () => {
    const { inviteUser: made } = await api.data<{ inviteUser: { id: string; delivery: string } }>(
      'mutation { inviteUser(email: "Eve@example.com", role: EDITOR) { id delivery } }',
    );
    expect(made.delivery).toBe('OPERATOR');
    expect(await api.data('{ invitations { id email role delivery } }')).toEqual({
      invitations: [{ id: made.id, email: 'eve@example.com', role: 'EDITOR', delivery: 'OPERATOR' }],
    });
    await api.data('mutation ($id: ID!) { revokeInvitation(id: $id) }', { id: made.id });
    expect(await api.data('{ invitations { id } }')).toEqual({ invitations: [] });
  });

  test('roles change, the last admin stays an admin, and users of other networks stay hidden', async () => {
    const by = { actor: 'test', remoteAddress: '', networkId: '0', workspaceId: null };
    const ann = await createUser(api.database.db, {
      email: 'ann@example.com',
      name: 'Ann',
      memberships: [{ networkId: '1000', role: 'admin' }],
      by,
    });
    const bob = await createUser(api.database.db, {
      email: 'bob@example.com',
      name: 'Bob',
      memberships: [{ networkId: '2000', role: 'admin' }],
      by,
    });
    const change = 'mutation ($id: ID!, $role: Role!) { updateMembership(userId: $id, role: $role) { role } }';
    const last = await api.ask(change, { variables: { id: ann.id, role: 'VIEWER' } });
    expect(last.body.errors?.[0]?.extensions.code).toBe('conflict');
    const foreign = await api.ask(change, { variables: { id: bob.id, role: 'ADMIN' } });
    const absent = await api.ask(change, { variables: { id: '999999', role: 'ADMIN' } });
    expect(foreign.body).toEqual(absent.body);
    expect(await api.data('{ users { email role sessions { id } } }')).toEqual({
      users: [{ email: 'ann@example.com', role: 'ADMIN', sessions: [] }],
    });
  });

  test('the query me returns the caller', async () => {
    expect(
      await api.data('{ me { actor permission modules environment networkId } }', undefined, { as: 'delivery' }),
    ).toEqual({
      me: {
        actor: 'key:7 "delivery"',
        permission: 'READ_WRITE',
        modules: ['DELIVERY'],
        environment: 'PRODUCTION',
        networkId: '1000',
      },
    });
  });
});

describe('the audit log', () => {
  test('the audit log lists entries newest first, by page, with filters', async () => {
    for (const name of ['A', 'B', 'C'])
      await api.data('mutation ($name: String!) { createAdvertiser(input: {name: $name}) { validatedOnly } }', {
        name,
      });
    const query =
      'query ($after: String) { auditLog(first: 2, after: $after, filter: {action: "advertiser.create"}) { totalCount nodes { action actor details } pageInfo { hasNextPage endCursor } } }';
    interface Page {
      auditLog: {
        totalCount: number;
        nodes: { details: { after: { name: string } } }[];
        pageInfo: { hasNextPage: boolean; endCursor: string };
      };
    }
    const first = await api.data<Page>(query);
    const second = await api.data<Page>(query, { after: first.auditLog.pageInfo.endCursor });
    expect(first.auditLog.totalCount).toBe(3);
    expect([...first.auditLog.nodes, ...second.auditLog.nodes].map((entry) => entry.details.after.name)).toEqual([
      'C',
      'B',
      'A',
    ]);
    expect(second.auditLog.pageInfo.hasNextPage).toBe(false);
    expect(await api.data(query, undefined, { as: 'stranger' })).toMatchObject({ auditLog: { totalCount: 0 } });
  });
});

describe('entries of one object', () => {
  type Found = { auditLog: { nodes: { action: string; objectId: string }[] } };
  const find = async (filter: object, as?: string) => {
    const query =
      'query ($filter: AuditFilter) { auditLog(filter: $filter) { totalCount nodes { action objectKind objectId } } }';
    return api.ask(query, { variables: { filter }, ...(as === undefined ? {} : { as }) });
  };
  const actionsOf = ({ body }: Awaited<ReturnType<typeof find>>) =>
    (body.data as Found | undefined)?.auditLog.nodes.map(({ action }) => action);

  test('entries are found by the global id as by the decimal one with its kind', async () => {
    const { createSite } = await api.data<{ createSite: { site: { id: string; globalId: string } } }>(
      'mutation { createSite(input: {code: "audited", name: "Audited", domain: "audited.example"}) { site { id globalId } } }',
    );
    const { id, globalId } = createSite.site;
    const byDecimal = await find({ objectKind: 'site', objectId: id });
    expect(actionsOf(byDecimal)).toEqual(['site.create']);
    expect((await find({ objectId: globalId })).body).toEqual(byDecimal.body);
    expect((await find({ objectId: globalId, objectKind: 'site' })).body).toEqual(byDecimal.body);
    expect(actionsOf(await find({ objectId: globalId }, 'stranger'))).toEqual([]);
    const approvals = await find({ objectId: encodeGlobalId('LineItem', id), objectKind: 'bookingApproval' });
    expect(actionsOf(approvals)).toEqual([]);
  });

  test('the global id of an object of another kind is refused', async () => {
    const refused = await find({ objectId: encodeGlobalId('Site', '1'), objectKind: 'campaign' });
    expect(refused.body.errors?.[0]).toMatchObject({
      message: expect.stringMatching(
        /^filter\.objectId is the global id of a Site, and filter\.objectKind is campaign/,
      ),
      extensions: { code: 'invalid_request' },
    });
  });
});

describe('network settings', () => {
  const update =
    'mutation ($version: Int, $input: UpdateNetworkInput!) { updateNetwork(version: $version, input: $input) { name status timezone floor limits { ads management } retentionDays languages impressionTouches goalCompetition version } }';

  test('settings change by field, with a version, and are audited', async () => {
    const changed = await api.data(update, {
      version: 1,
      input: {
        timezone: 'America/New_York',
        floor: '0.5',
        limits: { ads: 50 },
        languages: ['pl', 'en'],
        impressionTouches: 'VIEWABLE_IMPRESSIONS',
        goalCompetition: 'LEVELS',
      },
    });
    expect(changed).toEqual({
      updateNetwork: {
        name: 'Demo',
        status: 'ACTIVE',
        timezone: 'America/New_York',
        floor: '0.5',
        limits: { ads: 50, management: null },
        retentionDays: null,
        languages: ['pl', 'en'],
        impressionTouches: 'VIEWABLE_IMPRESSIONS',
        goalCompetition: 'LEVELS',
        version: 2,
      },
    });
    const stale = await api.ask(update, { variables: { version: 1, input: { name: 'Late' } } });
    expect(stale.body.errors?.[0]?.extensions.code).toBe('conflict');
    const kept = await api.data(update, { input: { name: 'Renamed' } });
    expect(kept).toMatchObject({ updateNetwork: { name: 'Renamed', limits: { ads: 50 }, languages: ['pl', 'en'] } });
  });

  test('caps by label are replaced as a whole, checked without a change on request, and removed by null', async () => {
    const set =
      'mutation ($input: UpdateNetworkInput!, $only: Boolean) { updateNetwork(input: $input, validateOnly: $only) { labelCaps { label frequencyCaps { event count window every } } } }';
    const read = '{ network(id: 1000) { labelCaps { label frequencyCaps { event count window every } } } }';
    const cap = { event: 'IMPRESSIONS', count: 2, window: 'DAY', every: 1 };
    const labelCaps = [{ label: 'bets', frequencyCaps: [cap, { ...cap, event: 'CLICKS', every: 7 }] }];
    expect(await api.data(set, { input: { labelCaps }, only: true })).toEqual({ updateNetwork: { labelCaps } });
    expect(await api.data(read)).toEqual({ network: { labelCaps: [] } });
    await api.data(set, { input: { labelCaps } });
    await api.data(set, { input: { name: 'Kept' } });
    expect(await api.data(read)).toEqual({ network: { labelCaps } });
    await api.data(set, { input: { labelCaps: null } });
    expect(await api.data(read)).toEqual({ network: { labelCaps: [] } });
  });

  test.each([
    ['a label twice', ['a', 'a '], [{}], 'input.labelCaps.1.label', 'duplicate'],
    ['an empty label', [' '], [{}], 'input.labelCaps.0.label', 'empty'],
    ['a long label', ['x'.repeat(51)], [{}], 'input.labelCaps.0.label', 'too_long'],
    ['no caps', ['a'], [], 'input.labelCaps.0.frequencyCaps', 'out_of_range'],
    ['a cap of nothing', ['a'], [{ count: 0 }], 'input.labelCaps.0.frequencyCaps.0.count', 'out_of_range'],
    ['too many labels', Array.from({ length: 61 }, (_none, at) => `l${at}`), [{}], 'input.labelCaps', 'too_many'],
  ])('caps by label with %s are refused', async (_title, labels, caps, path, code) => {
    const frequencyCaps = caps.map((cap) => ({ count: 1, window: 'DAY', ...cap }));
    const input = { labelCaps: labels.map((label) => ({ label, frequencyCaps })) };
    const response = await api.ask(update, { variables: { input } });
    expect(response.body.errors?.[0]?.extensions).toMatchObject({
      code: 'validation_failed',
      fields: [{ path, code }],
    });
  });

  test('the error names all wrong fields', async () => {
    const input = {
      timezone: 'Mars/Olympus',
      currency: 'XXL',
      status: 'SUSPENDED',
      floor: '-1',
      languages: ['tlh'],
      retentionDays: 1,
      limits: { management: 0 },
    };
    const response = await api.ask(update, { variables: { input } });
    const fields = response.body.errors?.[0]?.extensions['fields'] as { path: string }[];
    expect(fields.map((field) => field.path).sort()).toEqual([
      'input.currency',
      'input.floor',
      'input.languages',
      'input.limits.management',
      'input.retentionDays',
      'input.status',
      'input.timezone',
    ]);
  });

  // Conformance: L2
  test('an admin sets limits up to the ceiling of the operator, and gets over_ceiling above it', async () => {
    const by = { actor: 'operator', remoteAddress: '127.0.0.1', networkId: '1000', workspaceId: null };
    await setCeiling(api.database.db, { networkId: '1000', limit: 'ads', units: 40, by });
    const limitsOf = (limits: Record<string, number>) => api.ask(update, { variables: { input: { limits } } });
    const refused = await limitsOf({ ads: 41, management: 9_000_000_000_000 });
    expect(refused.body.errors?.[0]?.extensions).toMatchObject({
      code: 'validation_failed',
      fields: [
        { path: 'input.limits.ads', code: 'over_ceiling', message: expect.stringContaining('at most 40') },
        { path: 'input.limits.management', code: 'over_ceiling' },
      ],
    });
    expect(await api.data('{ network(id: 1000) { limitCeilings { ads } } }')).toEqual({
      network: { limitCeilings: { ads: 40 } },
    });
    expect((await limitsOf({ ads: 40 })).body.data).toMatchObject({ updateNetwork: { limits: { ads: 40 } } });
  });
});
