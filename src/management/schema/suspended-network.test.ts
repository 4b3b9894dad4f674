import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createTestManagement, type TestManagement } from '../fixtures/test-management.ts';

let api: TestManagement;
let id: string;
beforeAll(async () => {
  api = await createTestManagement();
  const made = await api.data<{ createAdvertiser: { advertiser: { id: string } } }>(
    'mutation { createAdvertiser(input: {name: "First"}) { advertiser { id } } }',
  );
  id = made.createAdvertiser.advertiser.id;
});
afterEach(() => setStatus('ACTIVE'));
afterAll(() => api.close());

async function setStatus(status: 'ACTIVE' | 'SUSPENDED'): Promise<void> {
  await api.database.db.updateTable('networks').set({ status }).where('id', '=', 1000n).execute();
}

async function stored(): Promise<unknown> {
  const { rows } = await sql`
    SELECT (SELECT jsonb_agg(a ORDER BY id) FROM advertisers a) AS advertisers, (SELECT count(*) FROM audit_log) AS entries,
      (SELECT count(*) FROM campaigns) AS campaigns`.execute(api.database.db);
  return rows;
}

const CREATE = 'createAdvertiser(input: {name: "X"}) { advertiser { id } userErrors { code } }';
const UPDATE = 'updateAdvertiser(id: "%", input: {name: "Y"}) { advertiser { id } userErrors { code } }';

describe('a suspended network', () => {
  test.each<[string, string, { variables?: unknown; headers?: Record<string, string> }]>([
    ['a creation', `mutation { ${CREATE} }`, {}],
    ['an update', `mutation { ${UPDATE} }`, {}],
    ['an archival', 'mutation { archiveAdvertiser(id: "%") { advertiser { id } } }', {}],
    ['several changes', `mutation { a: ${CREATE} b: ${CREATE} c: ${UPDATE} }`, {}],
    [
      'changes of several kinds',
      `mutation { a: ${UPDATE} createAdvertisers(inputs: [{name: "Z"}]) { changedCount } }`,
      {},
    ],
    ['a change in bulk', 'mutation { createAdvertisers(inputs: [{name: "X"}]) { changedCount } }', {}],
    [
      'a creation with a reference',
      'mutation { createCampaign(input: {name: "X", advertiserId: "%"}) { campaign { id } } }',
      {},
    ],
    ['a trial', 'mutation { createAdvertiser(input: {name: "X"}, validateOnly: true) { validatedOnly } }', {}],
    ['a wrong input', 'mutation { createAdvertiser(input: {name: ""}) { userErrors { code } } }', {}],
    [
      'an unknown object',
      'mutation { updateAdvertiser(id: "999999", input: {name: "Y"}) { userErrors { code } } }',
      {},
    ],
    ['an id that is none', 'mutation { updateAdvertiser(id: "none", input: {name: "Y"}) { userErrors { code } } }', {}],
    [
      'a stale version',
      'mutation { updateAdvertiser(id: "%", version: 99, input: {name: "Y"}) { userErrors { code } } }',
      {},
    ],
    [
      'a wrong variable',
      `mutation ($id: ID!) { updateAdvertiser(id: $id, input: {name: "Y"}) { userErrors { code } } }`,
      { variables: {} },
    ],
    ['an idempotency key', `mutation { ${CREATE} }`, { headers: { 'idempotency-key': 'of-a-suspended-network' } }],
  ])(
    'the API refuses %s of a suspended network with 403 in both shapes, and changes nothing',
    async (_name, query, options) => {
      await setStatus('SUSPENDED');
      const before = await stored();
      const { status, body } = await api.ask(query.replace('%', id), options);
      expect([status, body.error, body.data]).toEqual([403, 'network_suspended', undefined]);
      expect(body.errors?.map(({ extensions }) => extensions.code)).toEqual(['network_suspended']);
      expect(await stored()).toEqual(before);
    },
  );

  test('the API checks permissions before it tells that the network is suspended', async () => {
    await setStatus('SUSPENDED');
    expect((await api.ask(`mutation { ${CREATE} }`, { as: 'reader' })).body.error).toBe('insufficient_permissions');
  });

  test('the network changes objects again when it is active again', async () => {
    await setStatus('SUSPENDED');
    await api.ask(`mutation { ${CREATE} }`);
    await setStatus('ACTIVE');
    expect((await api.ask(`mutation { ${CREATE} }`)).status).toBe(200);
  });
});
