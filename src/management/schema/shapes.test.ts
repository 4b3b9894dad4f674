import { createRequire } from 'node:module';
import type * as GraphQL from 'graphql';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { encodeGlobalId } from '../../domain/ids/global-ids.ts';
import { createTestManagement, type TestManagement } from '../fixtures/test-management.ts';
import { managementSchema, RESOURCES } from './schema.ts';

const { getNamedType, isObjectType } = createRequire(import.meta.url)('graphql') as typeof GraphQL;
const NEW = { 'x-placard-version': '2026-11-25' };

let api: TestManagement;
let advertiserId: string;
let campaignId: string;

beforeAll(async () => {
  api = await createTestManagement();
  const made = await api.data<{ createAdvertiser: { advertiser: { id: string } } }>(
    'mutation { createAdvertiser(input: {name: "Acme"}) { advertiser { id } } }',
  );
  advertiserId = made.createAdvertiser.advertiser.id;
  const booked = await api.data<{ createCampaign: { campaign: { id: string } } }>(
    'mutation ($id: ID!) { createCampaign(input: {name: "Spring", advertiserId: $id}) { campaign { id } } }',
    { id: advertiserId },
  );
  campaignId = booked.createCampaign.campaign.id;
}, 120_000);

afterAll(() => api.close());

describe('the interfaces of the schema', () => {
  const schema = managementSchema();
  const interfacesOf = (name: string): string[] => {
    const type = schema.getType(name);
    return isObjectType(type) ? type.getInterfaces().map((one) => one.name) : [];
  };

  test('every resource is a Node, Versioned and Archivable, and its pages and results have the common interfaces', () => {
    for (const { type } of RESOURCES) {
      expect(interfacesOf(type)).toEqual(expect.arrayContaining(['Node', 'Versioned', 'Archivable']));
      expect(interfacesOf(`${type}Connection`)).toEqual(['Connection']);
      expect(interfacesOf(`${type}Payload`)).toEqual(['Payload']);
      expect(interfacesOf(`${type}BulkResult`)).toEqual(['BulkResult']);
      expect(interfacesOf(`${type}BulkPayload`)).toEqual(expect.arrayContaining(['BulkPayload', 'Payload']));
    }
  });

  test('every payload and every page implements its interface', () => {
    const named = (pattern: RegExp, name: string): string[] =>
      Object.values(schema.getTypeMap())
        .filter((type) => isObjectType(type) && pattern.test(type.name) && !interfacesOf(type.name).includes(name))
        .map((type) => type.name);
    expect(named(/Payload$|^Made/, 'Payload')).toEqual([]);
    // The table of line items is read at any offset, without cursors.
    expect(named(/(?<!Table)Connection$/, 'Connection')).toEqual([]);
  });

  /** Two are the specification's own, three have a successor with a payload. */
  const WITHOUT_PAYLOAD = ['disableHeaderCredential', 'endSession', 'generate_report', 'removeMembership', 'report'];

  test('every mutation returns a payload with its mistakes, but the deprecated ones', () => {
    const mutations = Object.values(schema.getMutationType()?.getFields() ?? {});
    const without = mutations.filter(({ type }) => !interfacesOf(getNamedType(type).name).includes('Payload'));
    expect(without.map(({ name }) => name).toSorted()).toEqual(WITHOUT_PAYLOAD);
  });
});

describe('fields that version 2026-11-25 changed', () => {
  const RENAME = 'mutation ($name: String) { updateNetwork(input: {name: $name}) { name } }';
  const RENAME_NEW =
    'mutation ($name: String) { updateNetwork(input: {name: $name}) { network { name } userErrors { code field } } }';

  test('a request without a version gets the object itself, and its mistakes as errors of the response', async () => {
    const { body } = await api.ask(RENAME, { variables: { name: 'News' } });
    expect(body).toMatchObject({ data: { updateNetwork: { name: 'News' } } });
    const refused = await api.ask(RENAME, { variables: { name: '' } });
    expect(refused.body.data).toEqual({ updateNetwork: null });
    expect(refused.body.errors?.[0]).toMatchObject({
      extensions: { code: 'validation_failed', fields: [{ path: 'input.name' }] },
    });
    const later = await api.ask(RENAME_NEW, { variables: { name: 'News' } });
    expect(later.body.errors?.[0]?.message).toContain('Cannot query field "network"');
  });

  test('a request of the version gets a payload with its mistakes', async () => {
    const { body } = await api.ask(RENAME_NEW, { variables: { name: 'Papers' }, headers: NEW });
    expect(body.data).toEqual({ updateNetwork: { network: { name: 'Papers' }, userErrors: [] } });
    const refused = await api.ask(RENAME_NEW, { variables: { name: '' }, headers: NEW });
    expect(refused.body).toMatchObject({
      data: { updateNetwork: { network: null, userErrors: [{ code: 'EMPTY', field: 'input.name' }] } },
    });
    expect(refused.body.errors).toBeUndefined();
  });

  test('codes of rows and fields are values of an enumeration, and texts in the version before', async () => {
    const query = `mutation { createAdvertisers(inputs: [{name: ""}]) {
      results { code problems { code } ... on BulkResult { same: code } }
    } }`;
    const codesIn = async (headers: Readonly<Record<string, string>>) => (await api.ask(query, { headers })).body.data;
    expect(await codesIn({})).toEqual({
      createAdvertisers: {
        results: [{ code: 'validation_failed', problems: [{ code: 'empty' }], same: 'validation_failed' }],
      },
    });
    expect(await codesIn(NEW)).toEqual({
      createAdvertisers: {
        results: [{ code: 'VALIDATION_FAILED', problems: [{ code: 'EMPTY' }], same: 'VALIDATION_FAILED' }],
      },
    });
  });
});

describe('fields that version 2026-11-29 changed', () => {
  const headers = { 'x-placard-version': '2026-11-29' };
  const CREATE = `mutation ($name: String!) { createWebhook(input: {name: $name, url: "https://example.com/a", types: ["*"]}) {
    secret webhook { name deliveries(first: 0) { id } } userErrors { field } } }`;

  test('a fault inside of the webhook leaves the secret, and nulled the payload before', async () => {
    const { body } = await api.ask(CREATE, { variables: { name: 'A' }, headers });
    expect(body.data).toEqual({
      createWebhook: { secret: expect.stringMatching(/^whsec_/) as string, webhook: null, userErrors: [] },
    });
    expect(body.errors?.[0]?.message).toContain('first must be 1');
    expect((await api.ask(CREATE, { variables: { name: 'B' }, headers: NEW })).body.data).toEqual({
      createWebhook: null,
    });
  });

  test('a refused webhook is null beside its mistakes, and an error of the response before', async () => {
    const { body } = await api.ask(CREATE, { variables: { name: '' }, headers });
    expect(body.data).toEqual({
      createWebhook: { secret: null, webhook: null, userErrors: [{ field: 'input.name' }] },
    });
    expect(body.errors).toBeUndefined();
    const before = await api.ask(CREATE, { variables: { name: '' }, headers: NEW });
    expect(before.body.errors?.[0]).toMatchObject({ extensions: { code: 'validation_failed' } });
  });

  test('node refuses a decimal id, and the argument type is unknown', async () => {
    const { body } = await api.ask(`{ node(id: "${campaignId}") { id } }`, { headers });
    expect(body.errors?.[0]).toMatchObject({ extensions: { code: 'invalid_request' } });
    const typed = await api.ask(`{ node(id: "${campaignId}", type: Campaign) { id } }`, { headers });
    expect(typed.body.errors?.[0]?.message).toContain('Unknown argument "type"');
  });
});

describe('ids', () => {
  test('ids are decimal without a version, both forms are accepted, and node finds the object by both', async () => {
    const globalId = encodeGlobalId('Campaign', campaignId);
    const found = await api.data(
      `query ($global: ID!, $decimal: ID!) {
        a: campaign(id: $global) { id databaseId globalId }
        b: node(id: $global) { __typename id ... on Campaign { name advertiser { name } } }
        c: node(id: $decimal, type: Campaign) { id }
        d: campaigns(filter: {ids: [$global]}) { nodes { id } }
      }`,
      { global: globalId, decimal: campaignId },
    );
    expect(found).toEqual({
      a: { id: campaignId, databaseId: campaignId, globalId },
      b: { __typename: 'Campaign', id: campaignId, name: 'Spring', advertiser: { name: 'Acme' } },
      c: { id: campaignId },
      d: { nodes: [{ id: campaignId }] },
    });
  });

  test('from 2026-11-25 on, id is the global id, and the response says which version it has', async () => {
    const response = await api.ask(`{ campaign(id: "${campaignId}") { id databaseId advertiserId } }`, {
      headers: NEW,
    });
    expect(response.body.data).toEqual({
      campaign: { id: encodeGlobalId('Campaign', campaignId), databaseId: campaignId, advertiserId },
    });
    expect(response.headers['x-placard-version']).toBe('2026-11-25');
  });

  test('a global id is taken by mutations, references and filters, and stored as the same object', async () => {
    const { createLineItem } = await api.data<{ createLineItem: { lineItem: { campaignId: string; id: string } } }>(
      'mutation ($id: ID!) { createLineItem(input: {name: "A", type: HOUSE, campaignId: $id}) { lineItem { id campaignId } } }',
      { id: encodeGlobalId('Campaign', campaignId) },
    );
    expect(createLineItem.lineItem.campaignId).toBe(campaignId);
    const changed = await api.data(
      'mutation ($id: ID!) { updateLineItem(id: $id, input: {name: "B"}) { lineItem { name } } }',
      { id: encodeGlobalId('LineItem', createLineItem.lineItem.id) },
    );
    expect(changed).toEqual({ updateLineItem: { lineItem: { name: 'B' } } });
  });

  test('keys, credentials, users, webhooks and schedules are nodes: their global ids are shown, found and taken', async () => {
    const made = await api.data<Record<string, Record<string, { databaseId: string }>>>(`mutation {
      createApiKey(input: {name: "A", permission: READ_ONLY}) { apiKey { databaseId } }
      createWebhook(input: {name: "A", url: "https://example.com/a", types: ["*"]}) { webhook { databaseId } }
    }`);
    const { createHeaderCredential } = await api.data<{ createHeaderCredential: { id: string } }>(
      'mutation { createHeaderCredential(name: "A") { id } }',
    );
    const decimals = {
      ApiKey: made['createApiKey']?.['apiKey']?.databaseId ?? '',
      Webhook: made['createWebhook']?.['webhook']?.databaseId ?? '',
      HeaderCredential: createHeaderCredential.id,
    };
    for (const [type, decimal] of Object.entries(decimals)) {
      const globalId = encodeGlobalId(type, decimal);
      const query = 'query ($id: ID!) { node(id: $id) { __typename id } }';
      const variables = { id: globalId };
      const { body } = await api.ask(query, { variables, headers: NEW });
      expect(body.data).toEqual({ node: { __typename: type, id: globalId } });
      for (const as of ['stranger', 'staging']) {
        const path = as === 'staging' ? '/staging/graphql' : '/graphql';
        expect((await api.ask(query, { variables, as, path })).body.data).toEqual({ node: null });
      }
    }
    const revoked = await api.ask(
      'mutation ($id: ID!) { revokeApiKey(id: $id) { apiKey { id revokedAt } userErrors { code } } }',
      { variables: { id: encodeGlobalId('ApiKey', decimals.ApiKey) }, headers: NEW },
    );
    expect(revoked.body.data).toMatchObject({
      revokeApiKey: { apiKey: { id: encodeGlobalId('ApiKey', decimals.ApiKey) }, userErrors: [] },
    });
    const wrong = await api.ask(
      'mutation ($id: ID!) { deleteWebhook(id: $id) { webhook { id } userErrors { code } } }',
      {
        variables: { id: encodeGlobalId('ApiKey', decimals.ApiKey) },
        headers: NEW,
      },
    );
    expect(wrong.body.data).toEqual({ deleteWebhook: { webhook: null, userErrors: [{ code: 'NOT_FOUND' }] } });
    const deleted = await api.ask('mutation ($id: ID!) { deleteWebhook(id: $id) { webhook { name } } }', {
      variables: { id: encodeGlobalId('Webhook', decimals.Webhook) },
      headers: NEW,
    });
    expect(deleted.body.data).toEqual({ deleteWebhook: { webhook: { name: 'A' } } });
  });

  test('an unknown version is refused, and the message names those that there are', async () => {
    const { status, body } = await api.ask('{ me { actor } }', { headers: { 'x-placard-version': '2020-01-01' } });
    expect(status).toBe(400);
    expect(body.message).toContain('2026-11-23, 2026-11-25');
  });

  test('an object of another network, environment or type is absent by either form of its id', async () => {
    const query = `query ($global: ID!, $decimal: ID!) {
      a: node(id: $global) { id } b: node(id: $decimal, type: Campaign) { id } c: campaign(id: $global) { id }
      nodes(ids: [$global, "x"]) { id }
    }`;
    const variables = { global: encodeGlobalId('Campaign', campaignId), decimal: campaignId };
    for (const as of ['stranger', 'staging']) {
      const path = as === 'staging' ? '/staging/graphql' : '/graphql';
      const { body } = await api.ask(query, { variables, as, path });
      expect(body.data).toEqual({ a: null, b: null, c: null, nodes: [null, null] });
    }
    const wrongType = await api.data('query ($id: ID!) { campaign(id: $id) { id } }', {
      id: encodeGlobalId('Advertiser', campaignId),
    });
    expect(wrongType).toEqual({ campaign: null });
  });

  test('a key of one module does not find objects of another module by node', async () => {
    const { createActivity } = await api.data<{ createActivity: { activity: { globalId: string } } }>(
      'mutation { createActivity(input: {name: "Buy", actgid: "buy"}) { activity { globalId } } }',
    );
    const { body } = await api.ask('query ($id: ID!) { node(id: $id) { __typename } }', {
      as: 'delivery',
      variables: { id: createActivity.activity.globalId },
    });
    expect(body.errors?.[0]?.extensions.code).toBe('insufficient_permissions');
    expect(body.data).toEqual({ node: null });
  });

  test('hostile ids get null or a user error, never a fault', { timeout: 120_000 }, async () => {
    const hostile = fc.oneof(
      fc.string({ maxLength: 300 }),
      fc.base64String({ maxLength: 200 }),
      fc.constantFrom('0', '-1', '99999999999999999999', '\u{1F600}', "1' OR 1=1", '__proto__', 'constructor'),
      fc.constantFrom('Query', 'Node', 'User', '__proto__').map((type) => encodeGlobalId(type, '1')),
    );
    await fc.assert(
      fc.asyncProperty(hostile, async (id) => {
        const read = await api.ask('query ($id: ID!) { node(id: $id, type: Campaign) { id } }', { variables: { id } });
        const write = await api.ask(
          'mutation ($id: ID!) { updateCampaign(id: $id, input: {name: "x"}, validateOnly: true) { userErrors { code } } }',
          { variables: { id } },
        );
        const codes = [read, write].flatMap(({ body }) => (body.errors ?? []).map(({ extensions }) => extensions.code));
        expect(codes.filter((code) => code !== 'invalid_request')).toEqual([]);
        expect([read.status, write.status].every((status) => status < 500)).toBe(true);
      }),
      { numRuns: 60 },
    );
  });
});

describe('user errors', () => {
  const create = (selection: string) =>
    `mutation { createCampaign(input: {name: "", advertiserId: "999"}) { campaign { id } ${selection} } }`;

  test('a mistake is an error of the response for callers that do not select userErrors', async () => {
    const { body } = await api.ask(create(''));
    expect(body.errors?.[0]?.extensions.code).toBe('validation_failed');
    expect(body.data).toEqual({ createCampaign: null });
  });

  test('where userErrors is selected, mistakes are there with codes of an enumeration, and nowhere else', async () => {
    const expected = {
      createCampaign: {
        campaign: null,
        userErrors: [
          { code: 'EMPTY', field: 'input.name', message: 'Give a text that is not empty.' },
          { code: 'UNKNOWN', field: 'input.advertiserId', message: 'There is no advertiser with the id 999.' },
        ],
      },
    };
    for (const selection of [
      'userErrors { code field message }',
      '... on Payload { userErrors { code field message } }',
    ]) {
      const { body } = await api.ask(create(selection));
      expect(body.errors).toBeUndefined();
      expect(body.data).toEqual(expected);
    }
  });

  test('userErrors that are skipped do not hide a mistake', async () => {
    const { body } = await api.ask(create('userErrors @skip(if: true) { code }'));
    expect(body.errors?.[0]?.extensions.code).toBe('validation_failed');
  });

  test('a version conflict and an unknown object are user errors, and missing permissions are not', async () => {
    const update =
      'mutation ($id: ID!) { updateCampaign(id: $id, version: 77, input: {name: "x"}) { userErrors { code field } } }';
    expect(await api.data(update, { id: campaignId })).toEqual({
      updateCampaign: { userErrors: [{ code: 'CONFLICT', field: null }] },
    });
    expect(await api.data(update, { id: '999' })).toEqual({
      updateCampaign: { userErrors: [{ code: 'NOT_FOUND', field: null }] },
    });
    const refused = await api.ask(update, { variables: { id: campaignId }, as: 'reader' });
    expect(refused.status).toBe(403);
  });

  test('bulk changes have the mistakes of each row, and of a call that cannot begin', async () => {
    const bulk = `mutation ($inputs: [CreateCampaignInput!]!) { createCampaigns(inputs: $inputs, mode: ROW_BY_ROW) {
      changedCount userErrors { code field } results { index userErrors { code field } } } }`;
    const inputs = [
      { name: 'Good', advertiserId },
      { name: 'Bad', advertiserId: '999' },
    ];
    const wrong = { code: 'UNKNOWN', field: 'inputs.1.advertiserId' };
    expect(await api.data(bulk, { inputs })).toEqual({
      createCampaigns: {
        changedCount: 1,
        userErrors: [wrong],
        results: [
          { index: 0, userErrors: [] },
          { index: 1, userErrors: [wrong] },
        ],
      },
    });
    expect(await api.data(bulk, { inputs: [] })).toEqual({
      createCampaigns: { changedCount: 0, userErrors: [{ code: 'INVALID_REQUEST', field: null }], results: [] },
    });
  });

  test('a mistake undoes a request with an idempotency key, and leaves the key free', async () => {
    const headers = { 'idempotency-key': 'shape-1' };
    const two = `mutation ($id: ID!) {
      good: createCampaign(input: {name: "Undone", advertiserId: $id}) { campaign { id } userErrors { code } }
      bad: createCampaign(input: {name: "", advertiserId: $id}) { campaign { id } userErrors { code } }
    }`;
    const undone = await api.ask(two, { headers, variables: { id: advertiserId } });
    expect(undone.body.data).toBeNull();
    expect(undone.body.errors?.[0]?.extensions.code).toBe('validation_failed');
    const search = '{ campaigns(filter: {search: "Undone"}) { totalCount } }';
    expect(await api.data(search)).toEqual({ campaigns: { totalCount: 0 } });
    const one = (name: string) =>
      api.ask(
        'mutation ($id: ID!, $name: String!) { createCampaign(input: {name: $name, advertiserId: $id}) { userErrors { code } } }',
        {
          headers,
          variables: { id: advertiserId, name },
        },
      );
    expect((await one('')).body.data).toEqual({ createCampaign: { userErrors: [{ code: 'EMPTY' }] } });
    expect((await one('Undone')).body.data).toEqual({ createCampaign: { userErrors: [] } });
    expect(await api.data(search)).toEqual({ campaigns: { totalCount: 1 } });
  });

  test('a payload whose members are never null has user errors, too', async () => {
    expect(
      await api.data('mutation { copyCampaign(id: "999") { copy { id } lineItemCount userErrors { code } } }'),
    ).toEqual({
      copyCampaign: { copy: null, lineItemCount: 0, userErrors: [{ code: 'NOT_FOUND' }] },
    });
    const { body } = await api.ask('mutation { copyCampaign(id: "999") { campaign { id } userErrors { code } } }');
    expect(body.errors?.[0]?.extensions.code).toBe('not_found');
  });
});

describe('money, goals and limits', () => {
  test('money has its currency beside the decimal amount', async () => {
    const { createLineItem } = await api.data<Record<'createLineItem', unknown>>(
      `mutation { createLineItem(input: {name: "M", type: HOUSE, campaignId: "${campaignId}", price: "12.50"})
        { lineItem { price priceMoney { amount currencyCode } } } }`,
    );
    expect(createLineItem).toEqual({
      lineItem: { price: '12.5', priceMoney: { amount: '12.5', currencyCode: 'PLN' } },
    });
  });

  test('a goal of more than 2^31 is stored and shown exactly', async () => {
    const { createLineItem } = await api.data<Record<'createLineItem', unknown>>(
      `mutation { createLineItem(input: {name: "G", type: STANDARD, campaignId: "${campaignId}", endsAt: "2026-12-31T00:00:00Z",
        goal: {kind: IMPRESSIONS, target: 5000000000}}) { lineItem { goal { amount target } } } }`,
    );
    expect(createLineItem).toEqual({ lineItem: { goal: { amount: 2_147_483_647, target: 5_000_000_000 } } });
  });

  test('a goal takes exactly one of amount and target', async () => {
    for (const goal of ['', 'amount: 5, target: 5']) {
      const { createLineItem } = await api.data<Record<'createLineItem', { userErrors: { code: string }[] }>>(
        `mutation { createLineItem(input: {name: "G", type: STANDARD, campaignId: "${campaignId}", goal: {kind: IMPRESSIONS ${goal}}})
          { userErrors { code field } } }`,
      );
      expect(createLineItem.userErrors).toContainEqual({ code: 'ONE_OF', field: 'input.goal.target' });
    }
  });

  test('rateLimit has the cost of its document', async () => {
    const { body } = await api.ask('{ rateLimit { limit remaining resetAt cost } }');
    expect(body.data).toEqual({ rateLimit: { limit: null, remaining: null, resetAt: null, cost: 7 } });
    expect(body.extensions?.['cost']).toMatchObject({ requested: 7 });
  });

  test('a selection behind node costs what the object would cost', async () => {
    const cost = async (query: string): Promise<unknown> => {
      const { body } = await api.ask(query);
      return (body.extensions as Record<string, { readonly requested?: number }> | undefined)?.['cost']?.requested;
    };
    const selection = 'lineItems(first: 100) { nodes { name delivery { today { impressions } } } }';
    const direct = await cost(`{ campaign(id: "${campaignId}") { ${selection} } }`);
    expect(direct).toBeGreaterThan(500);
    expect(
      await cost(`{ node(id: "${encodeGlobalId('Campaign', campaignId)}") { ... on Campaign { ${selection} } } }`),
    ).toBe(direct);
  });
});
