import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createTestManagement, type TestManagement } from '../fixtures/test-management.ts';

let api: TestManagement;
beforeAll(async () => {
  api = await createTestManagement();
});
afterAll(() => api.close());

describe('queries', () => {
  test.each(['1000', '"1000"'])('a caller reads id, name and status of its network by the id %s', async (id) => {
    const response = await api.ask(`{ network(id: ${id}) { id name status } }`);
    expect(response.status).toBe(200);
    expect(response.body.data).toEqual({ network: { id: '1000', name: 'Demo', status: 'ACTIVE' } });
  });

  test('the id of another network appears absent', async () => {
    const foreign = await api.ask('{ network(id: 2000) { id } }');
    const absent = await api.ask('{ network(id: 3000) { id } }');
    expect(foreign.body.data).toEqual({ network: null });
    expect(foreign.body).toEqual(absent.body);
  });

  test('a key of any scope can use introspection', async () => {
    const { __schema } = await api.data<{ __schema: { types: { name: string }[] } }>(
      '{ __schema { types { name } } }',
      undefined,
      { as: 'delivery' },
    );
    expect(__schema.types.map((type) => type.name)).toEqual(
      expect.arrayContaining(['Network', 'Campaign', 'LineItem']),
    );
  });
});

describe('instants', () => {
  test.each([
    ['2026-02-28T00:00:00Z', true],
    ['2028-02-29T23:59:59.999+02:00', true],
    ['2026-02-30T00:00:00Z', false],
    ['2026-02-29T00:00:00Z', false],
    ['2026-11-31T00:00Z', false],
    ['2026-11-20T24:00:00+23:59', false],
    ['2026-13-01T00:00:00Z', false],
    ['2026-11-20', false],
  ])('%s is one: %s', async (updatedSince, isTaken) => {
    const query = 'query ($at: DateTime) { sites(filter: { updatedSince: $at }) { totalCount } }';
    const { body } = await api.ask(query, { variables: { at: updatedSince } });
    expect(body.errors?.[0]?.extensions.code).toBe(isTaken ? undefined : 'invalid_request');
  });
});

describe('refusals', () => {
  test('a request without credentials gets 401 in both shapes', async () => {
    const response = await api.app.inject({ method: 'POST', url: '/graphql', payload: { query: '{ __typename }' } });
    expect(response.statusCode).toBe(401);
    expect(response.json()).toMatchObject({
      error: 'authentication_required',
      message: 'Missing Authorization header',
      errors: [{ message: 'Missing Authorization header', extensions: { code: 'authentication_required' } }],
    });
  });

  test.each([
    ['broken JSON', '{"query":'],
    ['a body that is too large to be dropped', JSON.stringify({ query: 'x'.repeat(400_000) })],
    ['a body over every limit', 'x'.repeat(9_000_000)],
  ])('unknown callers are refused before %s is read', async (_name, payload) => {
    const parse = vi.spyOn(JSON, 'parse');
    try {
      const headers = { authorization: 'Bearer nobody', 'content-type': 'application/json' };
      const response = await api.app.inject({ method: 'POST', url: '/staging/graphql', headers, payload });
      expect(parse).not.toHaveBeenCalled();
      expect([response.statusCode, response.json()]).toMatchObject([
        401,
        { error: 'invalid_credentials', errors: [{ extensions: { code: 'invalid_credentials' } }] },
      ]);
    } finally {
      parse.mockRestore();
    }
  });

  test('a request outside of its module scope gets 403 in both shapes, and nothing runs', async () => {
    const response = await api.ask('{ network(id: 1000) { id } activities { nodes { id } } }', { as: 'delivery' });
    expect(response.status).toBe(403);
    expect(response.body).toMatchObject({
      error: 'insufficient_permissions',
      errors: [{ extensions: { code: 'insufficient_permissions' } }],
    });
    expect(response.body.data).toBeUndefined();
  });

  test('a read-only key cannot write, not even behind a fragment', async () => {
    const response = await api.ask(
      'mutation { ...F } fragment F on Mutation { createAdvertiser(input: {name: "X"}) { validatedOnly } }',
      { as: 'reader' },
    );
    expect(response.status).toBe(403);
  });

  test('a malformed body gets 400 in both shapes', async () => {
    const headers = { authorization: 'Bearer admin', 'content-type': 'application/json' };
    const response = await api.app.inject({ method: 'POST', url: '/graphql', headers, payload: '{"query":' });
    expect(response.statusCode).toBe(400);
    expect(response.json()).toMatchObject({
      error: 'invalid_request',
      errors: [{ extensions: { code: 'invalid_request' } }],
    });
  });

  test('a suspended network refuses mutations and still serves reads', async () => {
    await api.database.db.updateTable('networks').set({ status: 'SUSPENDED' }).where('id', '=', 1000n).execute();
    const write = await api.ask('mutation { createAdvertiser(input: {name: "X"}) { validatedOnly } }');
    const read = await api.ask('{ network(id: 1000) { status } }');
    await api.database.db.updateTable('networks').set({ status: 'ACTIVE' }).where('id', '=', 1000n).execute();
    expect([write.status, write.body.error]).toEqual([403, 'network_suspended']);
    expect(read.body.data).toEqual({ network: { status: 'SUSPENDED' } });
  });
});

const BOOKING = `mutation ($name: String!) {
  createAdvertiser(input: {name: $name, domains: ["acme.example"], credit: "1000.50", dsaBehalf: "Acme", dsaPaid: "Acme"}) {
    advertiser { id name credit version updatedBy status domains } warnings { code } } }`;

interface Named<T> {
  [key: string]: T;
}

async function createAdvertiser(name: string): Promise<string> {
  const { createAdvertiser: made } = await api.data<{ createAdvertiser: { advertiser: { id: string } } }>(BOOKING, {
    name,
  });
  return made.advertiser.id;
}

async function create(type: string, input: Named<unknown>, as = 'admin'): Promise<string> {
  const field = `${type[0]?.toLowerCase()}${type.slice(1)}`;
  const query = `mutation ($input: Create${type}Input!) { create${type}(input: $input) { ${field} { id } } }`;
  const data = await api.data<Named<Named<{ id: string }>>>(query, { input }, { as });
  return data[`create${type}`]?.[field]?.id ?? '';
}

describe('booking', () => {
  test('money is decimal text in the API and exact in the store', async () => {
    const { createAdvertiser: made } = await api.data<{ createAdvertiser: { advertiser: Named<unknown> } }>(BOOKING, {
      name: 'Acme',
    });
    expect(made.advertiser).toMatchObject({
      name: 'Acme',
      credit: '1000.5',
      version: 1,
      status: 'ACTIVE',
      domains: ['acme.example'],
    });
    expect(made.advertiser['updatedBy']).toBe('key:7 "admin"');
    const row = await api.database.db
      .selectFrom('advertisers')
      .selectAll()
      .where('id', '=', BigInt(String(made.advertiser['id'])))
      .executeTakeFirstOrThrow();
    expect([row.credit_micros, row.workspace_id]).toEqual([1_000_500_000n, 1]);
  });

  test('every resource can be created and read back through its parents', async () => {
    const advertiserId = await createAdvertiser('Whole');
    const productId = await create('AdvertisingProduct', { name: 'Gold' });
    const dealId = await create('Deal', { code: 'D-1', name: 'Deal', floor: '1.5', fixedPrice: '2' });
    const siteId = await create('Site', { code: 'news', name: 'News', domain: 'news.example' });
    const areaId = await create('Area', { siteId, code: 'sport', name: 'Sport' });
    const adUnitId = await create('AdUnit', {
      siteId,
      areaId,
      name: 'news/top',
      sizes: [{ width: 300, height: 250 }],
      mediaTypes: ['BANNER', 'VIDEO'],
    });
    await create('Activity', { actgid: 'buy', name: 'Purchase' });
    const campaignId = await create('Campaign', {
      advertiserId,
      name: 'Autumn',
      startsAt: '2026-11-01T00:00:00Z',
      endsAt: '2026-12-01T00:00:00+01:00',
      caps: { spendLifetime: '500' },
    });
    const lineItemId = await create('LineItem', {
      campaignId,
      dealId,
      advertisingProductId: productId,
      name: 'Top',
      type: 'PRICE',
      price: '12.50',
      frequencyCaps: [{ count: 3, window: 'DAY' }],
      dayParts: [{ days: [5, 1], startMinute: 480, endMinute: 1080 }],
      targeting: {
        all: [
          { test: { dimension: 'AD_UNIT', values: [adUnitId] } },
          { not: { test: { dimension: 'KEY_VALUE', key: 'mood', values: ['sad'] } } },
        ],
      },
    });
    const creativeId = await create('Creative', {
      lineItemId,
      name: 'Pic',
      width: 300,
      height: 250,
      clickUrl: 'https://acme.example/',
      content: { image: { imageUrl: 'https://cdn.example/1.png', alt: 'Acme' } },
    });
    const read = await api.data<{ advertiser: unknown }>(
      `query ($id: ID!) { advertiser(id: $id) { campaigns { totalCount nodes { name startsAt endsAt caps { spendLifetime clicksPerDay } lineItems(first: 5) { nodes {
        type price deal { code floor } advertisingProduct { name } frequencyCaps { count window every event } dayParts { days }
        targeting { all { test { dimension operator values } not { test { key } } } }
        creatives { nodes { id format secure content { __typename ... on ImageContent { alt } } } } } } } } } }`,
      { id: advertiserId },
    );
    expect(read).toEqual({
      advertiser: {
        campaigns: {
          totalCount: 1,
          nodes: [
            {
              name: 'Autumn',
              startsAt: '2026-11-01T00:00:00.000Z',
              endsAt: '2026-11-30T23:00:00.000Z',
              caps: { spendLifetime: '500', clicksPerDay: null },
              lineItems: {
                nodes: [
                  {
                    type: 'PRICE',
                    price: '12.5',
                    deal: { code: 'D-1', floor: '1.5' },
                    advertisingProduct: { name: 'Gold' },
                    frequencyCaps: [{ count: 3, window: 'DAY', every: 1, event: 'IMPRESSIONS' }],
                    dayParts: [{ days: [1, 5] }],
                    targeting: {
                      all: [
                        { test: { dimension: 'AD_UNIT', operator: 'IS', values: [adUnitId] }, not: null },
                        { test: null, not: { test: { key: 'mood' } } },
                      ],
                    },
                    creatives: {
                      nodes: [
                        {
                          id: creativeId,
                          format: 'IMAGE',
                          secure: true,
                          content: { __typename: 'ImageContent', alt: 'Acme' },
                        },
                      ],
                    },
                  },
                ],
              },
            },
          ],
        },
      },
    });
  });

  test('an object of another network or environment appears absent and cannot be referenced', async () => {
    const id = await createAdvertiser('Private');
    for (const as of ['stranger', 'staging']) {
      expect(
        await api.data('query ($id: ID!) { advertiser(id: $id) { id } advertisers { totalCount } }', { id }, { as }),
      ).toEqual({ advertiser: null, advertisers: { totalCount: 0 } });
      const response = await api.ask(
        'mutation ($id: ID!) { updateAdvertiser(id: $id, input: {name: "Stolen"}) { validatedOnly } }',
        { variables: { id }, as },
      );
      expect(response.body.errors?.[0]?.extensions.code).toBe('not_found');
      const child = await api.ask(
        'mutation ($id: ID!) { createCampaign(input: {advertiserId: $id, name: "C"}) { validatedOnly } }',
        { variables: { id }, as },
      );
      expect(child.body.errors?.[0]?.extensions['fields']).toMatchObject([
        { path: 'input.advertiserId', code: 'unknown' },
      ]);
    }
  });
});

describe('changing', () => {
  const update =
    'mutation ($id: ID!, $version: Int, $input: UpdateAdvertiserInput!) { updateAdvertiser(id: $id, version: $version, input: $input) { advertiser { name credit version status externalId } } }';

  test('an absent field stays, null clears it, and the version increases', async () => {
    const id = await createAdvertiser('Before');
    const first = await api.data(update, { id, version: 1, input: { name: 'After', externalId: 'x1' } });
    expect(first).toEqual({
      updateAdvertiser: {
        advertiser: { name: 'After', credit: '1000.5', version: 2, status: 'ACTIVE', externalId: 'x1' },
      },
    });
    const second = await api.data(update, { id, input: { credit: null } });
    expect(second).toEqual({
      updateAdvertiser: { advertiser: { name: 'After', credit: null, version: 3, status: 'ACTIVE', externalId: 'x1' } },
    });
  });

  test('a change without effect is not written', async () => {
    const id = await createAdvertiser('Same');
    const again = await api.data<{ updateAdvertiser: { advertiser: { version: number } } }>(update, {
      id,
      input: { name: 'Same', domains: ['acme.example'], credit: '1000.50' },
    });
    expect(again.updateAdvertiser.advertiser.version).toBe(1);
  });

  test('a stale version gets a conflict that states who changed it and when', async () => {
    const id = await createAdvertiser('Contested');
    await api.data(update, { id, version: 1, input: { name: 'Theirs' } }, { as: 'writer' });
    const response = await api.ask(update, { variables: { id, version: 1, input: { name: 'Mine' } } });
    expect(response.body.errors?.[0]?.extensions).toMatchObject({
      code: 'conflict',
      currentVersion: 2,
      changedBy: 'key:7 "writer"',
    });
    expect(response.body.errors?.[0]?.extensions['changedAt']).toMatch(/^\d{4}-/);
  });

  test('null for a required field gets an error that names the field', async () => {
    const id = await createAdvertiser('Full');
    const response = await api.ask(update, { variables: { id, input: { name: null } } });
    expect(response.body.errors?.[0]?.extensions['fields']).toMatchObject([
      { path: 'input.name', code: 'null_not_allowed' },
    ]);
  });

  test('the error names all wrong fields at once, and nothing is changed', async () => {
    const before = await api.data('{ advertisers { totalCount } }');
    const response = await api.ask(
      'mutation { createAdvertiser(input: {name: " ", domains: ["no domain"], credit: "-1", frequencyCaps: [{count: 0, window: DAY}, {count: 1, window: MONTH, every: 61}]}) { validatedOnly } }',
    );
    const fields = response.body.errors?.[0]?.extensions['fields'] as { path: string; code: string }[];
    expect(fields.map((field) => `${field.path} ${field.code}`)).toEqual([
      'input.name empty',
      'input.domains.0 malformed',
      'input.frequencyCaps.0.count out_of_range',
      'input.frequencyCaps.1.every out_of_range',
      'input.credit negative',
    ]);
    expect(await api.data('{ advertisers { totalCount } }')).toEqual(before);
  });

  test('an archived object stays and accepts only a new status', async () => {
    const id = await createAdvertiser('Old');
    await api.data('mutation ($id: ID!) { archiveAdvertiser(id: $id) { advertiser { status } } }', { id });
    const response = await api.ask(update, { variables: { id, input: { name: 'New' } } });
    expect(response.body.errors?.[0]?.extensions['fields']).toMatchObject([{ code: 'archived' }]);
    const restored = await api.data(update, { id, input: { status: 'ACTIVE', name: 'New' } });
    expect(restored).toMatchObject({ updateAdvertiser: { advertiser: { status: 'ACTIVE', name: 'New' } } });
  });

  test('a taken code gets an error that names its field', async () => {
    await create('Site', { code: 'dup', name: 'A', domain: 'a.example' });
    const response = await api.ask(
      'mutation { createSite(input: {code: "dup", name: "B", domain: "b.example"}) { validatedOnly } }',
    );
    expect(response.body.errors?.[0]?.extensions['fields']).toMatchObject([{ path: 'input.code', code: 'taken' }]);
    await expect(create('Site', { code: 'dup', name: 'A', domain: 'a.example' }, 'stranger')).resolves.toMatch(/^\d+$/);
  });

  test('validateOnly returns problems and warnings and changes nothing', async () => {
    const query =
      'mutation { createAdvertiser(input: {name: "Trial", dsaPaid: "X"}, validateOnly: true) { advertiser { id } validatedOnly warnings { path code } } }';
    expect(await api.data(query)).toEqual({
      createAdvertiser: {
        advertiser: null,
        validatedOnly: true,
        warnings: [{ path: 'input.dsaBehalf', code: 'dsa_incomplete' }],
      },
    });
    expect(await api.data('{ advertisers(filter: {search: "Trial"}) { totalCount } }')).toEqual({
      advertisers: { totalCount: 0 },
    });
  });

  test('every change is in the audit log with its changed fields', async () => {
    const id = await createAdvertiser('Watched');
    await api.data(update, { id, input: { name: 'Seen' } });
    const rows = await api.database.db
      .selectFrom('audit_log')
      .selectAll()
      .where('object_id', '=', id)
      .where('object_kind', '=', 'advertiser')
      .orderBy('sequence')
      .execute();
    expect(rows.map((row) => row.action)).toEqual(['advertiser.create', 'advertiser.update']);
    expect(rows[1]?.details).toMatchObject({ before: { name: 'Watched' }, after: { name: 'Seen' } });
  });
});
