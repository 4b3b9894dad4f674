/** Every id that the management API takes: ids of another network or environment appear absent (K7, E1). */
import {
  buildClientSchema,
  getIntrospectionQuery,
  getNamedType,
  getNullableType,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLOutputType,
  type GraphQLSchema,
  type IntrospectionQuery,
  isEnumType,
  isInputObjectType,
  isListType,
  isObjectType,
  isRequiredArgument,
  isScalarType,
} from 'graphql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DIMENSIONS, type DimensionRow } from '../../../src/domain/targeting/targeting-dimensions.ts';
import { partUnlessAll, TRIES_ALL } from '../../support/longer-runs.ts';
import { inputOf, MINIMAL, openTwoNetworks, type TwoNetworks } from '../support/two-networks.ts';

/** No object has this id. */
const ABSENT = '777777777777';
const KINDS = Object.keys(MINIMAL);
const lower = (kind: string): string => `${kind[0]?.toLowerCase()}${kind.slice(1)}`;
const plural = (kind: string): string => (kind === 'Activity' ? 'Activities' : `${kind}s`);

const BOOKING = {
  productId: 'AdvertisingProduct',
  priceOptionId: 'cpm',
  budget: '20',
  startsAt: '2098-01-01T00:00:00Z',
  endsAt: '2098-02-01T00:00:00Z',
};

/** Root fields that belong to several kinds and take an id: the kind of the id, and what else they need. A new one needs a row here. */
const FURTHER: Readonly<Record<string, { readonly of: string; readonly args?: Readonly<Record<string, unknown>> }>> = {
  network: { of: 'network' },
  apiKey: { of: 'apiKey' },
  revokeApiKey: { of: 'apiKey' },
  rotateApiKey: { of: 'apiKey', args: { oldExpiresAt: '2099-01-01T00:00:00Z' } },
  disableHeaderCredential: { of: 'headerCredential' },
  revokeInvitation: { of: 'invitation' },
  updateMembership: { of: 'user', args: { role: 'ADMIN' } },
  removeMembership: { of: 'user' },
  endSession: { of: 'session', args: { userId: 'user' } },
  copyCampaign: { of: 'Campaign' },
  comments: { of: 'Campaign', args: { objectKind: 'CAMPAIGN' } },
  addComment: { of: 'Campaign', args: { objectKind: 'CAMPAIGN', objectId: 'Campaign', body: 'Talk' } },
  shareCampaignReport: { of: 'Campaign', args: { name: 'N' } },
  reportSchedule: { of: 'reportSchedule' },
  updateReportSchedule: { of: 'reportSchedule', args: { input: { name: 'Renamed' } } },
  deleteReportSchedule: { of: 'reportSchedule' },
  runReportSchedule: { of: 'reportSchedule' },
  webhook: { of: 'webhook' },
  updateWebhook: { of: 'webhook', args: { input: { name: 'Renamed' } } },
  deleteWebhook: { of: 'webhook' },
  testWebhook: { of: 'webhook' },
  redeliverWebhook: { of: 'webhook', args: { after: '0' } },
  productForecast: { of: 'AdvertisingProduct', args: { input: BOOKING } },
  bookProduct: { of: 'AdvertisingProduct', args: { input: { ...BOOKING, campaignId: 'Campaign' } } },
  changeBooking: { of: 'LineItem', args: { input: { budget: '20' } } },
  agentRequest: { of: 'agentRequest' },
  decideAgentRequest: { of: 'agentRequest', args: { decision: 'REJECT', reason: 'No' } },
  discardAgentRequest: { of: 'agentRequest', args: { response: {} } },
  endAgentRequest: { of: 'agentRequest', args: { input: { state: 'COMPLETED', response: {} } } },
  saveCampaign: {
    of: 'Campaign',
    args: { input: { id: 'Campaign', lineItems: [{ id: 'LineItem', creatives: [{ id: 'Creative' }] }] } },
  },
};
/** The kind of object that a list inside an input holds. */
const LISTED: Readonly<Record<string, string>> = { lineItems: 'LineItem', creatives: 'Creative' };
/** The kind of object of an id whose name does not say it. */
const OF_FIELD: Readonly<Record<string, string>> = {
  lineItemTable: 'LineItem',
  lineItemTabs: 'LineItem',
  node: 'LineItem',
  nodes: 'LineItem',
  approveBooking: 'LineItem',
  bookingsToApprove: 'LineItem',
  copyLineItems: 'LineItem',
  requestBookingApproval: 'LineItem',
  splitLineItem: 'LineItem',
  users: 'user',
  comments: 'Campaign',
  addComment: 'Campaign',
  deleteComment: 'comment',
  revokeReportShare: 'reportShare',
  claimReportShare: 'reportShare',
  revokeHeaderCredential: 'headerCredential',
  revokeSession: 'session',
};
/** Ids of things that all networks share. */
const SHARED: Readonly<Record<string, string>> = {
  'generate_report.task.report_definition_name': 'the same definitions for everybody',
  'notifications.after': "a mark in the caller's own list: nothing is looked up by it",
  'apiKeys.after': "a number below which the network's own keys are listed: nothing is looked up by it",
  'headerCredentials.after': 'the same for credentials',
  'comments.after': 'the same for comments on an own object',
  'agentRequests.after': 'the same for requests of agents',
  'productForecast.input.priceOptionId': 'a text within the product that is named beside it',
  'bookProduct.input.priceOptionId': 'the same',
  'changeBooking.input.priceOptionId': 'a text within the product of the own line item',
  'markNotificationsRead.upTo': "a mark in the caller's own list: nothing is looked up by it",
};
/** The objects that both environments of a network share (E1): the network itself and its members. */
const OF_BOTH_ENVIRONMENTS = ['network', 'user', 'invitation', 'session'];

const LISTS_AT_ONCE = 15;

interface Case {
  readonly root: 'query' | 'mutation';
  readonly field: GraphQLField<unknown, unknown>;
  /** Argument, then members of inputs. */
  readonly path: readonly string[];
}

let api: TwoNetworks;
let schema: GraphQLSchema;
let before: string;

beforeAll(async () => {
  api = await openTwoNetworks();
  const response = await api.graphql(api.stranger, getIntrospectionQuery());
  schema = buildClientSchema(response.json<{ data: IntrospectionQuery }>().data);
  before = await readAll();
}, 300_000);
afterAll(() => api?.close(), 60_000);

/** Names of objects that other test files make in the holder's network meanwhile. */
const OTHERS = ['holdersecret', 'Mine'];

/** All objects of the holder, as its own key reads them. */
async function readAll(): Promise<string> {
  const lists = KINDS.map((kind) => `${lower(plural(kind))}(first: 100) { nodes { id name version } }`);
  // One document reads at most 20 lists.
  const parts = [
    lists.slice(0, LISTS_AT_ONCE),
    lists.slice(LISTS_AT_ONCE),
    [
      'apiKeys { id revokedAt } headerCredentials { id disabledAt } invitations { id } users { id role } network(id: 2000) { name version }',
    ],
  ];
  const texts: string[] = [];
  for (const part of parts) {
    const response = await api.graphql(api.holder, `{ ${part.join(' ')} }`);
    expect(response.json<{ errors?: unknown }>().errors).toBeUndefined();
    const { data } = response.json<{ data: unknown }>();
    const read = (_key: string, value: unknown) =>
      Array.isArray(value) ? value.filter(({ name }: { name?: string }) => !OTHERS.includes(name ?? '')) : value;
    texts.push(JSON.stringify(data, read));
  }
  return texts.join('\n');
}

function casesOf(from: GraphQLSchema): Case[] {
  const roots = { query: from.getQueryType(), mutation: from.getMutationType() } as const;
  return (['query', 'mutation'] as const).flatMap((root) =>
    Object.values(roots[root]?.getFields() ?? {}).flatMap((field) =>
      // Filters narrow the lists of the caller's own network: an id of another one finds nothing in them.
      field.args
        .filter(({ name }) => name !== 'where')
        .flatMap((argument) => idPaths(argument.type, [argument.name]).map((path) => ({ root, field, path }))),
    ),
  );
}

/** Paths of ids within an argument; recursive inputs are entered once. */
function idPaths(type: GraphQLInputType, path: readonly string[], entered: readonly string[] = []): string[][] {
  const named = getNamedType(type);
  if (named.name === 'ID') return [[...path]];
  if (!isInputObjectType(named) || entered.includes(named.name)) return [];
  return Object.values(named.getFields()).flatMap((member) =>
    idPaths(member.type, [...path, member.name], [...entered, named.name]),
  );
}

/** The kind of object whose id stands at this path; null when no row says so. */
function kindAt({ field, path }: Pick<Case, 'field' | 'path'>): string | null {
  const last = path.at(-1) ?? '';
  const named = KINDS.find((kind) => new RegExp(`^(${lower(kind)}|\\w+${kind})Ids?$`).test(last));
  if (named !== undefined) return named;
  if (last === 'mentionedIds') return 'user';
  if (last === 'productId') return 'AdvertisingProduct';
  const ofField = OF_FIELD[field.name];
  if (ofField !== undefined) return ofField;
  if (last === 'userId' || last === 'toId') return 'user';
  if (last === 'deliveryIds') return 'webhookDelivery';
  if (last !== 'id' && last !== 'ids') return null;
  const listed = LISTED[path.at(-2) ?? ''];
  if (listed !== undefined) return listed;
  const own = KINDS.find((kind) =>
    ['', 'update', 'archive', 'create'].some((verb) =>
      [kind, plural(kind)].some((resource) => field.name === (verb === '' ? lower(resource) : verb + resource)),
    ),
  );
  return own ?? FURTHER[field.name]?.of ?? null;
}

/** Arguments that work for the stranger, with its own ids. */
function ownArguments(field: GraphQLField<unknown, unknown>): Record<string, unknown> {
  const { ids } = api.stranger;
  const further = JSON.stringify(FURTHER[field.name]?.args ?? {});
  const named = (_name: string, value: unknown): unknown =>
    typeof value === 'string' ? (ids.get(value) ?? value) : value;
  const args = JSON.parse(further, named) as Record<string, unknown>;
  const kind =
    KINDS.find((one) => new RegExp(`^(create|update|upsert)(${one}|${plural(one)})$`).test(field.name)) ?? '';
  for (const argument of field.args.filter(isRequiredArgument)) {
    args[argument.name] ??= ownArgument(argument, field, kind);
  }
  return args;
}

function ownArgument(argument: GraphQLArgument, field: GraphQLField<unknown, unknown>, kind: string): unknown {
  const { ids } = api.stranger;
  const input = /^(create|upsert)/.test(field.name) ? inputOf(kind, ids) : { name: 'Renamed' };
  if (field.name.startsWith('upsert')) input['externalId'] = 'isolation';
  const own = ids.get(kindAt({ field, path: ['id'] }) ?? '');
  const values: Readonly<Record<string, unknown>> = {
    input,
    inputs: [input],
    updates: [{ id: own, input }],
    id: own,
    ids: [own],
  };
  return values[argument.name];
}

/** The arguments with the id put at its path; lists on the way have one member. */
function withId(one: Case, id: string): Record<string, unknown> {
  const args = structuredClone(ownArguments(one.field));
  const argument = one.field.args.find(({ name }) => name === one.path[0]);
  if (argument === undefined) throw new Error('no such argument');
  args[argument.name] = putAt(argument.type, args[argument.name], one.path.slice(1), id);
  return args;
}

function putAt(type: GraphQLInputType, value: unknown, path: readonly string[], id: string): unknown {
  const bare = getNullableType(type);
  if (isListType(bare)) return [putAt(bare.ofType, Array.isArray(value) ? value[0] : undefined, path, id)];
  const [name, ...rest] = path;
  if (name === undefined) return id;
  if (!isInputObjectType(bare)) throw new Error(`no member ${name}`);
  const object = (value ?? {}) as Record<string, unknown>;
  const member = bare.getFields()[name];
  if (member === undefined) throw new Error(`no member ${name}`);
  return { ...object, [name]: putAt(member.type, object[name], rest, id) };
}

/** All fields down to two levels that need no argument. */
function selectionOf(type: GraphQLOutputType, levels: number): string {
  const named = getNamedType(type);
  if (isScalarType(named) || isEnumType(named)) return '';
  if (!isObjectType(named)) return '{ __typename }';
  const fields = Object.values(named.getFields()).filter((field) => !field.args.some(isRequiredArgument));
  const parts = fields.flatMap((field) => {
    const inner = getNamedType(field.type);
    if (isScalarType(inner) || isEnumType(inner)) return [field.name];
    return levels > 0 && field.args.length === 0 ? [`${field.name} ${selectionOf(field.type, levels - 1)}`] : [];
  });
  return `{ __typename ${parts.join(' ')} }`;
}

function documentOf({ root, field }: Case, args: Readonly<Record<string, unknown>>): string {
  const given = field.args.filter(({ name }) => args[name] !== undefined);
  const variables = given.map(({ name, type }) => `$${name}: ${String(type)}`).join(', ');
  const call = given.map(({ name }) => `${name}: $${name}`).join(', ');
  return `${root} (${variables}) { ${field.name}(${call}) ${selectionOf(field.type, 2)} }`;
}

async function ask(one: Case, id: string, staging: boolean): Promise<{ status: number; body: unknown; text: string }> {
  const args = withId(one, id);
  const tenant = staging ? api.holder : api.stranger;
  const { status, text } = await api.graphql(tenant, documentOf(one, args), args, staging);
  const body = JSON.parse(text.replaceAll(new RegExp(`\\b${id}\\b`, 'g'), 'ID')) as unknown;
  return { status, body, text };
}

/** Whether a response returned or changed anything: an object, a list with members, a count. */
function gaveAnything(body: unknown): boolean {
  const { data } = body as { data?: Record<string, unknown> | null };
  const shown = JSON.stringify(Object.values(data ?? {}));
  return /"(?:id|name)":"|"totalCount":[1-9]|"changedCount":[1-9]|"value":"|^\["ID"\]$/.test(shown);
}

/** A run tries one argument in so many, another one for each tree; with `DRAWS=all`, each. */
const PARTS = 3;

// Conformance: K7, E1
describe.each([
  ['another network', false],
  ['the other environment', true],
])('an id of %s gets the response of an absent one', (_whose, staging) => {
  test('the management API treats the id alike in every argument', async () => {
    const wrong: unknown[] = [];
    let asked = 0;
    for (const one of partUnlessAll([...casesOf(schema)], PARTS)) {
      const path = `${one.field.name}.${one.path.join('.')}`;
      const kind = kindAt(one);
      if (SHARED[path] !== undefined || kind === null) continue;
      if (staging && (OF_BOTH_ENVIRONMENTS.includes(kind) || FURTHER[one.field.name]?.args?.['userId'])) continue;
      const id = api.holder.ids.get(kind) ?? '';
      expect([path, id]).toEqual([path, expect.stringMatching(/^\d{4,}$/)]);
      const foreign = await ask(one, id, staging);
      const absent = await ask(one, ABSENT, staging);
      asked += 1;
      const same = foreign.status === absent.status && JSON.stringify(foreign.body) === JSON.stringify(absent.body);
      if (!same || gaveAnything(foreign.body)) wrong.push({ path, foreign, absent });
    }
    expect(wrong).toEqual([]);
    expect(asked).toBeGreaterThan(TRIES_ALL ? 100 : 30);
  }, 120_000);

  test('the other network is unchanged after all of this', async () => {
    expect(await readAll()).toBe(before);
  });
});

// Conformance: K7
describe('ids inside of other values', () => {
  test('every field that takes an id has its case, every kind its row and every targeting dimension its sort', () => {
    const cases = casesOf(schema);
    const paths = cases.filter((one) => kindAt(one) === null).map((one) => `${one.field.name}.${one.path.join('.')}`);
    expect(paths.filter((path) => SHARED[path] === undefined)).toEqual([]);
    const creates = Object.keys(schema.getMutationType()?.getFields() ?? {}).filter((name) =>
      name.startsWith('archive'),
    );
    expect(creates.filter((name) => !KINDS.some((kind) => [kind, plural(kind)].includes(name.slice(7))))).toEqual([]);
    const dimensions = schema.getType('TargetingDimension');
    const names = isEnumType(dimensions) ? dimensions.getValues().map(({ name }) => name) : [];
    const byId = Object.entries<DimensionRow>(DIMENSIONS).filter(([, { accepts }]) => accepts.are === 'ids');
    expect(byId.map(([name]) => name.replace(/[A-Z]/g, '_$&').toUpperCase()).toSorted()).toEqual(
      Object.keys(BY_ID).toSorted(),
    );
    expect(names).toHaveLength(Object.keys(DIMENSIONS).length);
  });

  const BY_ID: Readonly<Record<string, string>> = {
    SITE: 'Site',
    AREA: 'Area',
    AD_UNIT: 'AdUnit',
    SEGMENT: 'Segment',
  };
  test.each(Object.entries(BY_ID))('targeting by %s refuses ids of another network', async (dimension, kind) => {
    const attempt = (id: string) =>
      api.graphql(
        api.stranger,
        'mutation ($id: ID!, $input: UpdateLineItemInput!) { updateLineItem(id: $id, input: $input) { lineItem { id } } }',
        {
          id: api.stranger.ids.get('LineItem'),
          input: { targeting: { any: [{ not: { test: { dimension, values: [id] } } }] } },
        },
      );
    const id = api.holder.ids.get(kind) ?? '';
    const [foreign, absent] = [await attempt(id), await attempt(ABSENT)];
    expect(foreign.json<{ errors?: unknown }>().errors).toBeDefined();
    expect([foreign.status, foreign.text.replaceAll(id, 'ID')]).toEqual([
      absent.status,
      absent.text.replaceAll(ABSENT, 'ID'),
    ]);
  });

  test('cursors, searches and filters of the audit log show nothing of another network', async () => {
    const ids = [...api.holder.ids.values()].filter((id) => id.length > 4);
    for (const kind of KINDS) {
      const field = lower(plural(kind));
      const page = await api.graphql(api.holder, `{ ${field}(first: 1) { pageInfo { endCursor } } }`);
      const after = page.json<{ data: Record<string, { pageInfo: { endCursor: string } }> }>().data[field];
      const query = `query ($after: String, $id: String) { a: ${field}(first: 100, after: $after) { nodes { id } } b: ${field}(filter: {search: $id}) { totalCount } }`;
      const variables = { after: after?.pageInfo.endCursor, id: api.holder.ids.get(kind) };
      const { text } = await api.graphql(api.stranger, query, variables);
      for (const id of ids) expect([kind, text.includes(`"${id}"`)]).toEqual([kind, false]);
      expect(text).toContain('"totalCount":0');
    }
    const log = `query ($id: String) { auditLog(filter: {objectId: $id}) { totalCount nodes { action } } }`;
    for (const id of ids) {
      const { text } = await api.graphql(api.stranger, log, { id });
      // The log could only hold its own failed attempts to change foreign objects, and those leave no entry.
      expect([id, text]).toEqual([id, expect.stringContaining('"totalCount":0')]);
    }
  });

  test('two networks may use the same idempotency key independently', async () => {
    const create = (tenant: 'holder' | 'stranger') =>
      api.send(`${api.server.coreUrl}/graphql`, {
        headers: { authorization: `Bearer ${api[tenant].key}`, 'idempotency-key': 'shared-key' },
        json: {
          query: 'mutation { createAdvertiser(input: {name: "Twice"}, validateOnly: false) { advertiser { id } } }',
        },
      });
    const [first, second] = [await create('holder'), await create('stranger')];
    expect(second.status).toBe(200);
    expect(second.text).not.toBe(first.text);
    const { data } = first.json<{ data: { createAdvertiser: { advertiser: { id: string } } } }>();
    await api.graphql(api.holder, 'mutation ($id: ID!) { archiveAdvertiser(id: $id) { advertiser { id } } }', {
      id: data.createAdvertiser.advertiser.id,
    });
  });
});
