import { createRequire } from 'node:module';
import type * as GraphQL from 'graphql';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BUYER_OPERATIONS } from '../../access/permissions/buyer-operations.ts';
import { OPERATIONS } from '../../access/permissions/permissions.ts';
import { encodeGlobalId } from '../../domain/ids/global-ids.ts';
import { createTestManagement, seedMembers, type TestManagement } from '../fixtures/test-management.ts';
import { filteredColumns } from '../kernel/where.ts';
import { buyerFields } from './buyer-fields.ts';
import { managementSchema, RESOURCES } from './schema.ts';

const graphql = createRequire(import.meta.url)('graphql') as typeof GraphQL;
const { getNamedType, isEnumType, isInputObjectType, isInterfaceType, isListType, isNonNullType, isObjectType } =
  graphql;

/** Every text that the buyer must not read has it. */
const SECRET = 'Hush';
const ABSENT = '777777777777';
const WITHHELD = ['credit', 'notes', 'owner', 'representativePercent', 'salesperson', 'teamId', 'updatedBy'];
const BOUGHT = ['Advertiser', 'AdvertisingProduct', 'Campaign', 'LineItem', 'Creative', 'LibraryCreative'];

let api: TestManagement;
/** Ids of the buyer's own objects, and of all others, by type. */
const own: Record<string, string> = {};
const theirs: Record<string, string> = {};

const banner = { width: 300, height: 250, clickUrl: 'https://n.example/', content: { html: { html: '<b>n</b>' } } };
const schema = managementSchema();
const lower = (type: string): string => `${type[0]?.toLowerCase()}${type.slice(1)}`;
const pluralOf = (type: string): string => RESOURCES.find((one) => one.type === type)?.plural ?? '';

async function make(type: string, input: object): Promise<string> {
  const query = `mutation ($input: Create${type}Input!) { made: create${type}(input: $input) { object: ${lower(type)} { id } } }`;
  const { made } = await api.data<{ made: { object: { id: string } } }>(query, { input });
  return made.object.id;
}

async function makeBookings(into: Record<string, string>, word: string, advertiserId: string): Promise<void> {
  const kept = { notes: SECRET, labels: [SECRET], customFields: { k: SECRET } };
  into['Advertiser'] = advertiserId;
  into['AdvertisingProduct'] = await make('AdvertisingProduct', {
    name: `${word} product`,
    ...kept,
    offeredToBuyers: true,
    offeredAdvertiserIds: [advertiserId],
    priceOptions: [{ id: 'open', pricingModel: 'CPM', price: '5' }],
  });
  into['Campaign'] = await make('Campaign', { name: `${word} campaign`, advertiserId, ...kept, contacts: [SECRET] });
  into['LineItem'] = await make('LineItem', {
    name: `${word} item`,
    campaignId: into['Campaign'],
    type: 'STANDARD',
    goal: { kind: 'IMPRESSIONS', amount: 1_000 },
    startsAt: '2026-11-01T00:00:00Z',
    endsAt: '2099-01-01T00:00:00Z',
    advertisingProductId: into['AdvertisingProduct'],
    dealId: theirs['Deal'],
    exclusionLabels: [SECRET],
    ...kept,
  });
  into['LibraryCreative'] = await make('LibraryCreative', {
    name: `${word} library`,
    advertiserId,
    ...banner,
    ...kept,
  });
  into['Creative'] = await make('Creative', {
    name: `${word} creative`,
    lineItemId: into['LineItem'],
    ...banner,
    ...kept,
  });
}

beforeAll(async () => {
  api = await createTestManagement({ hot: { readCounters: (keys) => Promise.resolve(keys.map(() => 5n)) } });
  const first = await make('Advertiser', { name: 'Own', notes: SECRET, credit: '4711', exclusionLabels: [SECRET] });
  expect(first).toBe('1');
  // Ids that look like nothing else in a response.
  await sql`ALTER SEQUENCE ids_of_1 RESTART WITH 424242100001`.execute(api.database.owner);
  await make('CustomField', { key: 'k', name: SECRET, type: 'TEXT' });
  theirs['Deal'] = await make('Deal', { code: SECRET, name: SECRET });
  theirs['Team'] = await make('Team', { name: SECRET });
  theirs['Site'] = await make('Site', { code: 's', name: SECRET, domain: 'hush.example' });
  const rival = await make('Advertiser', { name: `${SECRET} rival` });
  await makeBookings(theirs, SECRET, rival);
  await makeBookings(own, 'Own', first);
  own['shared'] = await make('AdvertisingProduct', {
    name: 'For all',
    offeredToBuyers: true,
    offeredAdvertiserIds: [first, rival],
    priceOptions: [
      { id: 'open', pricingModel: 'CPM', price: '5' },
      { id: 'ours', pricingModel: 'CPM', price: '4', advertiserIds: [first, rival] },
      { id: 'rivals', pricingModel: 'CPM', price: '3.1415', advertiserIds: [rival] },
    ],
  });
  theirs['hidden'] = await make('AdvertisingProduct', { name: `${SECRET} not offered` });
});
afterAll(() => api.close());

const NEWEST = { 'x-placard-version': '2026-11-29' };
const ask = (query: string, variables: unknown = {}, as = 'buyer', headers: Record<string, string> = {}) =>
  api.ask(query, { variables, as, headers });

/** No text, id or price that the buyer must not read is in a response. */
function expectNothingTheirs(response: unknown, given: readonly string[] = []): void {
  let text = JSON.stringify(response);
  for (const one of given) text = text.replaceAll(one, 'GIVEN');
  for (const secret of [
    SECRET,
    '4711',
    '3.1415',
    'hush.example',
    'rivals',
    theirs['Advertiser'] ?? '-',
    theirs['Deal'] ?? '-',
  ])
    expect(text).not.toContain(secret);
}

/** All that buyers may select of a type, so many objects deep. */
function everything(typeName: string, depth: number, path: readonly string[] = []): string {
  const type = schema.getType(typeName);
  if (!(isObjectType(type) || isInterfaceType(type))) return '';
  const fields = Object.values(type.getFields()).flatMap((field): string[] => {
    if (!buyerFields(schema).has(`${typeName}.${field.name}`)) return [];
    const named = getNamedType(field.type);
    if (!isObjectType(named) && !isInterfaceType(named)) return 'getTypes' in named ? [] : [field.name];
    const isObject = BOUGHT.includes(named.name) || named.name.endsWith('Connection');
    if (isObject ? depth <= 0 : path.filter((one) => one === named.name).length > 1) return [];
    const inner = everything(named.name, isObject ? depth - 1 : depth, [...path, named.name]);
    return inner === '' ? [] : [`${field.name}${named.name.endsWith('Connection') ? '(first: 3)' : ''} ${inner}`];
  });
  return fields.length === 0 ? '' : `{ ${fields.join(' ')} }`;
}

describe('the operations of buyers', () => {
  test('each operation of buyers is one of the permission table, and no other root field opens', async () => {
    expect([...BUYER_OPERATIONS].filter((name) => !Object.hasOwn(OPERATIONS, name))).toEqual([]);
    const roots = { query: schema.getQueryType(), mutation: schema.getMutationType() };
    for (const [root, type] of Object.entries(roots))
      for (const field of Object.values(type?.getFields() ?? {})) {
        if (BUYER_OPERATIONS.has(`${root}.${field.name}`)) continue;
        const args = field.args.filter(({ type: one }) => isNonNullType(one));
        const given = args.length === 0 ? '' : `(${args.map((one) => `${one.name}: $${one.name}`).join(', ')})`;
        const declared =
          args.length === 0 ? '' : `(${args.map((one) => `$${one.name}: ${String(one.type)}`).join(', ')})`;
        const named = getNamedType(field.type);
        const selected = isObjectType(named) || isInterfaceType(named) ? ' { __typename }' : '';
        const { body } = await ask(`${root} ${declared} { ${field.name}${given}${selected} }`, {}, 'buyer', NEWEST);
        const code = body.errors?.[0]?.extensions.code;
        expect([field.name, ['insufficient_permissions', 'authentication_required'].includes(code ?? '')]).toEqual([
          field.name,
          true,
        ]);
        expectNothingTheirs(body);
      }
  });

  test('a read-only key of a buyer changes nothing', async () => {
    const query = 'mutation ($id: ID!) { updateCampaign(id: $id, input: {name: "X"}) { campaign { id } } }';
    const { body } = await ask(query, { id: own['Campaign'] }, 'buyerReader');
    expect(body.errors?.[0]?.extensions.code).toBe('insufficient_permissions');
  });
});

describe.each(BOUGHT)("another advertiser's %s", (type) => {
  test('it reads as one that does not exist, in every way to ask for it', async () => {
    const singular = lower(type);
    const queries = [
      `query ($id: ID!) { ${singular}(id: $id) { id name } }`,
      `query ($id: ID!) { ${pluralOf(type)}(filter: {ids: [$id]}) { totalCount nodes { id } } }`,
      `query ($id: ID!) { ${pluralOf(type)}(where: {id: {eq: $id}}) { totalCount nodes { id } } }`,
      `query ($id: ID!) { nodes(ids: [$id], type: ${type}) { id } }`,
      ...(BUYER_OPERATIONS.has(`mutation.update${type}`)
        ? [`mutation ($id: ID!) { update${type}(id: $id, input: {name: "Stolen"}) { ${singular} { id } } }`]
        : []),
    ];
    const shownOf = async (query: string, id: string): Promise<string> =>
      JSON.stringify((await ask(query, { id })).body).replaceAll(id, 'ID');
    for (const query of queries)
      expect([query, await shownOf(query, theirs[type] ?? '')]).toEqual([query, await shownOf(query, ABSENT)]);
    const { body } = await ask('query ($id: ID!) { node(id: $id) { id } }', {
      id: encodeGlobalId(type, theirs[type] ?? ''),
    });
    expect(body.data).toEqual({ node: null });
  });

  test('a list, whatever is selected, filtered or sorted, has only what belongs to the buyer', async () => {
    const plural = pluralOf(type);
    const all = await ask(`{ ${plural}(first: 5) { totalCount nodes ${everything(type, 1)} } }`);
    expect(all.body.errors).toBeUndefined();
    expectNothingTheirs(all.body);
    expect(JSON.stringify(all.body.data)).toContain('Own');
    const search = await ask(`{ ${plural}(filter: {search: "${SECRET}"}) { totalCount } }`);
    expect(search.body.data).toEqual({ [plural]: { totalCount: 0 } });
    const resource = RESOURCES.find((one) => one.type === type);
    const columns = resource === undefined ? [] : [...filteredColumns(resource).values()];
    for (const { name, isList } of columns) {
      const where = isList ? `{${name}: {has: "${SECRET}"}}` : `{${name}: {eq: null}}`;
      const { body } = await ask(`{ ${plural}(where: ${where}) { totalCount nodes { name } } }`);
      expectNothingTheirs(body, [name, `\\"${SECRET}\\"`]);
      const sorted = await ask(
        `{ ${plural}(orderBy: {field: ${name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}}) { nodes { name } } }`,
      );
      expectNothingTheirs(sorted.body);
      const code = sorted.body.errors?.[0]?.extensions.code ?? 'invalid_request';
      if (!WITHHELD.includes(name)) expect([name, code]).toEqual([name, 'invalid_request']);
    }
  });
});

test('a buyer reads how its own line items deliver', async () => {
  const query = 'query ($id: ID!) { lineItem(id: $id) { delivery { lifetime { impressions } progress { status } } } }';
  const { body } = await ask(query, { id: own['LineItem'] });
  expect(body).toMatchObject({ data: { lineItem: { delivery: { lifetime: { impressions: 5 } } } } });
});

test('a buyer reads how its own live line items deliver', async () => {
  const campaignId = await make('Campaign', { name: 'Live', advertiserId: own['Advertiser'], status: 'ACTIVE' });
  const id = await make('LineItem', { name: 'Live', campaignId, type: 'PRICE', price: '5', status: 'ACTIVE' });
  const query = 'query ($id: ID!) { lineItem(id: $id) { delivery { lifetime { impressions } progress { status } } } }';
  const { body } = await ask(query, { id });
  expect(body).toMatchObject({ data: { lineItem: { delivery: { lifetime: { impressions: 5 } } } } });
});

describe('what the publisher keeps to itself', () => {
  test.each(['notes', 'owner', 'teamId', 'updatedBy'])('a list is not filtered or sorted by %s', async (name) => {
    for (const query of [
      `{ campaigns(where: {${name}: {eq: "x"}}) { totalCount } }`,
      `{ campaigns(orderBy: {field: ${name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}}) { totalCount nodes { id } } }`,
    ]) {
      const { body } = await ask(query);
      expect(body.data?.['campaigns'] ?? null).toBeNull();
    }
  });

  test.each([
    ['the filter by labels', '{ campaigns(filter: {labels: ["Hush"]}) { totalCount } }'],
    ['the filter by custom fields', '{ campaigns(filter: {customFields: {k: "Hush"}}) { totalCount } }'],
    ['the notes', '{ campaigns { nodes { notes } } }'],
    ['the credit', '{ advertisers { nodes { credit } } }'],
    ['the notes in a fragment', '{ campaigns { nodes { ...f } } } fragment f on Campaign { notes }'],
    ['the diagnosis, which names rivals', '{ lineItems { nodes { deliveryDiagnosis { code } } } }'],
    ['the forecast record', '{ lineItems { nodes { forecastRecord { __typename } } } }'],
    ['the approval', '{ lineItems { nodes { approval { __typename } } } }'],
    ['the deal', '{ lineItems { nodes { deal { name } } } }'],
    ['the team', '{ campaigns { nodes { team { name } } } }'],
    ['a filter by the deal', '{ lineItems(where: {deal: {name: {contains: "Hu"}}}) { totalCount } }'],
    ['a fragment on a node of another kind', '{ nodes(ids: []) { ... on Deal { name } } }'],
  ])('a buyer does not read %s', async (_name, query) => {
    const { body } = await ask(query);
    expect(body.errors?.[0]?.extensions.code).toBe('insufficient_permissions');
    expectNothingTheirs(body);
  });

  test("a rate card shows the buyer's own rates, and no other advertiser", async () => {
    const { body } = await ask(
      'query ($id: ID!) { advertisingProduct(id: $id) { offeredAdvertiserIds priceOptions { id price advertiserIds } } }',
      { id: own['shared'] },
    );
    expect(body.data).toEqual({
      advertisingProduct: {
        offeredAdvertiserIds: ['1'],
        priceOptions: [
          { id: 'open', price: '5', advertiserIds: [] },
          { id: 'ours', price: '4', advertiserIds: ['1'] },
        ],
      },
    });
  });

  test('relations lead to no other advertiser', async () => {
    const { body } =
      await ask(`{ advertisingProducts(where: {lineItems: {some: {name: {contains: "${SECRET}"}}}}) { totalCount }
      campaigns(where: {advertiser: {name: {contains: "${SECRET}"}}}) { totalCount } }`);
    expect(body.data).toEqual({ advertisingProducts: { totalCount: 0 }, campaigns: { totalCount: 0 } });
  });
});

/** Every input of an operation of buyers with one id in each argument and field that takes one. */
function inputsWithIds(type: GraphQL.GraphQLInputType, id: string): unknown[] {
  const given = isNonNullType(type) ? type.ofType : type;
  if (isListType(given)) return inputsWithIds(given.ofType, id).map((one) => [one]);
  if (isInputObjectType(given)) {
    if (given.name.startsWith('Targeting') || given.name.endsWith('Where')) return [];
    return Object.values(given.getFields()).flatMap((field) =>
      inputsWithIds(field.type, id).map((value) => ({ ...minimal(given), [field.name]: value })),
    );
  }
  return getNamedType(given).name === 'ID' ? [id] : [];
}

function minimal(type: GraphQL.GraphQLInputObjectType): Record<string, unknown> {
  return Object.fromEntries(
    Object.values(type.getFields())
      .filter((field) => isNonNullType(field.type))
      .map((field) => [field.name, minimalValue(field.type)]),
  );
}

function minimalValue(type: GraphQL.GraphQLInputType): unknown {
  const given = isNonNullType(type) ? type.ofType : type;
  if (isListType(given)) return [minimalValue(given.ofType)];
  if (isEnumType(given)) return given.getValues()[0]?.name;
  if (isInputObjectType(given)) return given.isOneOf ? { html: { html: '<b>n</b>' } } : minimal(given);
  const values: Record<string, unknown> = {
    ID: '1',
    Int: 1,
    Float: 1,
    Long: 1,
    Boolean: true,
    Decimal: '1',
    DateTime: '2030-01-01T00:00:00Z',
    JSON: {},
  };
  return values[getNamedType(given).name] ?? 'https://n.example/';
}

describe("ids of other advertisers in every argument of a buyer's operations", () => {
  const operations = [...BUYER_OPERATIONS].flatMap((operation) => {
    const [root = '', name = ''] = operation.split('.');
    const type = root === 'query' ? schema.getQueryType() : root === 'mutation' ? schema.getMutationType() : null;
    const field = type?.getFields()[name];
    return field === undefined ? [] : [[operation, root, field] as const];
  });

  test.each(operations)('%s', async (_operation, root, field) => {
    const named = getNamedType(field.type);
    const selected =
      isObjectType(named) || isInterfaceType(named)
        ? ` { __typename ${root === 'mutation' ? 'userErrors { code field message }' : ''} }`
        : '';
    for (const foreign of Object.values(theirs))
      for (const argument of field.args)
        for (const value of inputsWithIds(argument.type, foreign)) {
          const others = field.args.filter((one) => one !== argument && isNonNullType(one.type));
          const args = [argument, ...others];
          const declared = args.map((one) => `$${one.name}: ${String(one.type)}`).join(', ');
          const passed = args.map((one) => `${one.name}: $${one.name}`).join(', ');
          const variables = Object.fromEntries(others.map((one) => [one.name, minimalValue(one.type)]));
          const query = `${root} (${declared}) { ${field.name}(${passed})${selected} }`;
          const response = await ask(query, { ...variables, [argument.name]: value });
          expect(response.status).toBeLessThan(500);
          expect(response.body.errors?.[0]?.extensions.code).not.toBe('internal_error');
          const absent = inputsWithIds(argument.type, ABSENT).find(
            (one) => JSON.stringify(one) === JSON.stringify(value).replaceAll(foreign, ABSENT),
          );
          const other = await ask(query, { ...variables, [argument.name]: absent });
          const shown = (body: unknown, id: string): string =>
            JSON.stringify(body).replaceAll(id, 'ID').replaceAll(encodeGlobalId('Campaign', id), 'ID');
          expect(shown(response.body, foreign)).toEqual(shown(other.body, ABSENT));
        }
  });

  test('none of these requests changes anything of others', async () => {
    const names = await api.data<Record<string, { nodes: { id: string; name: string; version: number }[] }>>(
      `{ ${RESOURCES.map((resource) => `${resource.plural}(first: 100) { nodes { id name version } }`).join(' ')} }`,
    );
    const all = Object.values(names).flatMap(({ nodes }) => nodes);
    const foreign = new Set(Object.values(theirs));
    expect(all.filter(({ id, version }) => foreign.has(id) && version !== 1)).toEqual([]);
    const mine = await api.data<{ campaigns: { nodes: { advertiserId: string }[] } }>(
      '{ campaigns(first: 100) { nodes { advertiserId } } }',
    );
    expect(mine.campaigns.nodes.filter(({ advertiserId }) => advertiserId === theirs['Advertiser'])).toHaveLength(1);
  });
});

describe('what a buyer writes', () => {
  test('no request gets the response of another caller by its idempotency key', async () => {
    const query = `mutation ($input: CreateCampaignInput!) { createCampaign(input: $input) { campaign { id } } }`;
    const variables = { input: { name: 'Own twice', advertiserId: own['Advertiser'] } };
    const send = (as: string) => api.ask(query, { variables, as, headers: { 'idempotency-key': 'the-very-same-key' } });
    const [first, other, again] = [await send('admin'), await send('buyer'), await send('buyer')];
    expect(first.body.errors ?? other.body.errors).toBeUndefined();
    expect(other.body.data).not.toEqual(first.body.data);
    expect(again.body.data).toEqual(other.body.data);
  });

  test('a network with reviews, approvals and members to notify takes what a buyer makes', async () => {
    await seedMembers(api.database);
    const REVIEWING =
      'mutation ($review: CreativeReview, $approval: Boolean) { updateNetwork(input: {creativeReview: $review, approvalRequired: $approval}) { name } }';
    await api.data(REVIEWING, { review: 'REQUIRED', approval: true });
    const creative = `mutation ($input: CreateCreativeInput!) { createCreative(input: $input) { creative { reviewState } userErrors { message } } }`;
    const input = { lineItemId: own['LineItem'], name: 'Reviewed', ...banner };
    expect(await api.data(creative, { input }, { as: 'buyer' })).toEqual({
      createCreative: { creative: { reviewState: 'PENDING' }, userErrors: [] },
    });
    const campaign = `mutation ($id: ID!) { updateCampaign(id: $id, input: {endsAt: "2099-01-01T00:00:00Z"}) { userErrors { message } } }`;
    expect(await api.data(campaign, { id: own['Campaign'] }, { as: 'buyer' })).toEqual({
      updateCampaign: { userErrors: [] },
    });
    await api.data(REVIEWING, { review: 'NONE', approval: false });
  });

  const change = async (type: string, id: string, input: object, as = 'buyer'): Promise<string[]> => {
    const query = `mutation ($id: ID!, $input: Update${type}Input!) { update${type}(id: $id, input: $input) { userErrors { code field } } }`;
    const data = await api.data<Record<string, { userErrors: { code: string; field: string }[] }>>(
      query,
      { id, input },
      { as },
    );
    return data[`update${type}`]?.userErrors.map(({ code, field }) => `${field} ${code}`) ?? [];
  };

  test('a creative of a buyer waits for its review, and no buyer approves it', async () => {
    const query = `mutation ($input: CreateCreativeInput!) { createCreative(input: $input) { creative { id reviewState } userErrors { code field } } }`;
    const input = { lineItemId: own['LineItem'], name: 'New', ...banner };
    const { createCreative: made } = await api.data<{
      createCreative: { creative: { id: string; reviewState: string } };
    }>(query, { input }, { as: 'buyer' });
    expect(made.creative.reviewState).toBe('PENDING');
    expect(await change('Creative', made.creative.id, { reviewState: 'APPROVED' })).toEqual([
      'input.reviewState NOT_ALLOWED',
    ]);
    await change('Creative', made.creative.id, { reviewState: 'APPROVED' }, 'admin');
    await change('Creative', made.creative.id, { clickUrl: 'https://other.example/' });
    const { creative } = await api.data<{ creative: { reviewState: string } }>(
      'query ($id: ID!) { creative(id: $id) { reviewState } }',
      { id: made.creative.id },
    );
    expect(creative.reviewState).toBe('PENDING');
  });

  test.each([
    ['price', { price: '0.01' }],
    ['type', { type: 'SPONSORSHIP' }],
    ['targeting', { targeting: null }],
    ['caps', { caps: { impressionsPerDay: 5 } }],
    ['goal', { goal: null }],
    ['advertisingProductId', { advertisingProductId: null }],
    ['dealId', { dealId: null }],
    ['notes', { notes: 'x' }],
    ['level', { level: 1 }],
  ])('a buyer does not set the %s of a line item', async (name, input) => {
    expect(await change('LineItem', own['LineItem'] ?? '', input)).toEqual([`input.${name} NOT_ALLOWED`]);
  });

  test('a buyer starts nothing that a member of the network stopped', async () => {
    const id = own['Campaign'] ?? '';
    await change('Campaign', id, { status: 'ACTIVE' }, 'admin');
    expect(await change('Campaign', id, { status: 'PAUSED' })).toEqual([]);
    expect(await change('Campaign', id, { status: 'ACTIVE' })).toEqual([]);
    await change('Campaign', id, { status: 'PAUSED' }, 'admin');
    expect(await change('Campaign', id, { status: 'ACTIVE' })).toEqual(['input.status NOT_ALLOWED']);
  });

  test("the audit log names the buyer's key", async () => {
    await change('Campaign', own['Campaign'] ?? '', { name: 'Own renamed' });
    const { rows } = await sql<{ actor: string }>`SELECT actor FROM audit_log WHERE action = 'campaign.update'
      ORDER BY sequence DESC LIMIT 1`.execute(api.database.db);
    expect(rows).toEqual([{ actor: 'key:7 "buyer"' }]);
  });
});
