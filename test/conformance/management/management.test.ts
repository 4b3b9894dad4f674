import { serverAudits } from 'graphql-http';
import { describe, expect, test } from 'vitest';
import { graphql, send, server } from '../support/server.ts';
import { MINIMAL } from '../support/two-networks.ts';

const url = `${server.coreUrl}/graphql`;
const asAdmin = { authorization: `Bearer ${server.demo.keys.admin}` };

/** The `fetch` of the audit suite: it sends the key and trusts the server's own certificate authority. Texts are plain, as in `fetch`. */
async function fetchAsAdmin(
  input: unknown,
  init: { method?: string; headers?: Record<string, string>; body?: string } = {},
): Promise<Response> {
  const { method, headers, body } = init;
  const response = await send(String(input), {
    ...(method === undefined ? {} : { method }),
    headers: {
      ...(body === undefined ? {} : { 'content-type': 'text/plain;charset=UTF-8' }),
      ...lowerCase(headers),
      ...asAdmin,
    },
    ...(body === undefined ? {} : { body }),
  });
  return new Response(response.text, { status: response.status, headers: response.headers as Record<string, string> });
}

function lowerCase(headers: Record<string, string> = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

// Conformance: G1
describe('GraphQL over HTTP', () => {
  test('a query with variables and an operation name gets {"data"}', async () => {
    const query = 'query One($id: ID!) { network(id: $id) { name } } query Two { __typename }';
    const ask = (operationName?: string) =>
      send(url, { headers: asAdmin, json: { query, variables: { id: '1000' }, operationName } });
    expect((await ask('One')).json()).toMatchObject({ data: { network: { name: 'Demo' } } });
    expect((await ask('Two')).json()).toMatchObject({ data: { __typename: 'Query' } });
    expect((await ask()).json<{ data?: unknown }>().data).toBeUndefined();
  });

  test.each(serverAudits({ url, fetchFn: fetchAsAdmin }).map((audit) => [audit.name, audit] as const))(
    '%s',
    async (_name, audit) => {
      const result = await audit.fn();
      expect(`${result.status} ${'reason' in result ? result.reason : ''}`).toBe('ok ');
    },
  );
});

describe('management API', () => {
  // Conformance: G2
  test.each([
    ['a number', '1000'],
    ['a string', '"1000"'],
  ])('the network with the id %s has id, name and status', async (_kind, id) => {
    const response = await graphql(`{ network(id: ${id}) { id name status } }`);
    expect(response.status).toBe(200);
    expect(response.json()).toEqual(
      expect.objectContaining({ data: { network: { id: '1000', name: 'Demo', status: 'ACTIVE' } } }),
    );
  });

  // Conformance: K7
  test('another network appears absent', async () => {
    expect((await graphql('{ network(id: 2000) { id } }')).json<{ data: unknown }>().data).toEqual({ network: null });
  });

  // Conformance: G3
  test.each(['admin', 'readWrite', 'readOnly', 'delivery', 'inventory', 'audience', 'reports'] as const)(
    'introspection works with the %s key',
    async (name) => {
      const response = await graphql('{ __schema { types { name } } }', { key: server.demo.keys[name] });
      expect(response.status).toBe(200);
      expect(response.json<{ data: { __schema: { types: { name: string }[] } } }>().data.__schema.types).toContainEqual(
        {
          name: 'Network',
        },
      );
    },
  );

  // Conformance: G5
  test('a failed authentication has its status, the error and the GraphQL code', async () => {
    const response = await graphql('{ __typename }', { key: '' });
    expect(response.status).toBe(401);
    expect(response.json()).toMatchObject({
      error: 'authentication_required',
      errors: [{ extensions: { code: 'authentication_required' } }],
    });
  });

  // Conformance: G3
  test('the schema can be read only with a key', async () => {
    expect((await graphql('{ __schema { types { name } } }', { key: '' })).status).toBe(401);
  });

  // Conformance: G4
  test.each([
    '{ apiKeys { id } }',
    '{ headerCredentials { id } }',
    '{ users { id email } }',
    '{ auditLog { nodes { action } } }',
  ])('an admin reads %s', async (query) => {
    const response = await graphql(query);
    expect([response.status, response.json<{ errors?: unknown }>().errors]).toEqual([200, undefined]);
  });

  // Conformance: G4
  test('an admin reads and sets the fields of the whole network', async () => {
    const read = '{ network(id: 1000) { version timezone currency floor retentionDays languages limits { ads } } }';
    const { network } = (await graphql(read)).json<{ data: { network: { version: number; timezone: string } } }>().data;
    const response = await graphql(
      'mutation ($version: Int, $input: UpdateNetworkInput!) { updateNetwork(version: $version, input: $input) { timezone } }',
      { variables: { version: network.version, input: { timezone: network.timezone } } },
    );
    expect(response.json<{ data: unknown }>().data).toEqual({ updateNetwork: { timezone: network.timezone } });
  });
});

interface Made {
  readonly made: { readonly object: { readonly id: string } };
}

// Conformance: G4
describe('every kind of object', () => {
  const unique = `${process.pid}-${Date.now()}`;
  const ids = new Map<string, string>();

  async function data<T>(query: string, variables: unknown): Promise<T> {
    const body = (await graphql(query, { variables })).json<{ data?: T; errors?: unknown }>();
    if (body.errors !== undefined || body.data === undefined) throw new Error(JSON.stringify(body));
    return body.data;
  }

  /** The same as in other tests, with other names and as drafts, because other tests depend on the ads of the demo. */
  function inputOf(type: string): Record<string, unknown> {
    const entries = Object.entries(MINIMAL[type] ?? {}).map(([name, value]) => {
      if (name.endsWith('Id')) return [name, ids.get(String(value))];
      if (name === 'status') return [name, 'DRAFT'];
      return [
        name,
        ['code', 'key', 'actgid'].includes(name) || (type === 'AdUnit' && name === 'name') ? `g4-${unique}` : value,
      ];
    });
    return Object.fromEntries(entries) as Record<string, unknown>;
  }

  test.each(Object.keys(MINIMAL))('%s is made, changed, read and listed', async (type) => {
    const one = `${type[0]?.toLowerCase()}${type.slice(1)}`;
    const many = one.endsWith('y') ? `${one.slice(0, -1)}ies` : `${one}s`;
    const create = `mutation ($input: Create${type}Input!) { made: create${type}(input: $input) { object: ${one} { id } } }`;
    const { id } = (await data<Made>(create, { input: inputOf(type) })).made.object;
    ids.set(type, id);
    const update = `mutation ($id: ID!) { update${type}(id: $id, version: 1, input: {name: "Renamed ${unique}"}) { object: ${one} { name version } } }`;
    expect(await data(update, { id })).toEqual({
      [`update${type}`]: { object: { name: `Renamed ${unique}`, version: 2 } },
    });
    const list = `query ($id: ID!, $search: String!) { ${one}(id: $id) { name updatedBy } ${many}(first: 1, filter: {ids: [$id], search: $search}) { totalCount nodes { id } } }`;
    expect(await data(list, { id, search: `renamed ${unique}` })).toEqual({
      [one]: { name: `Renamed ${unique}`, updatedBy: expect.any(String) },
      [many]: { totalCount: 1, nodes: [{ id }] },
    });
  });

  test('archived objects keep their history and have the status archived', async () => {
    for (const type of Object.keys(MINIMAL).reverse()) {
      const one = `${type[0]?.toLowerCase()}${type.slice(1)}`;
      const archive = `mutation ($id: ID!) { archived: archive${type}(id: $id) { object: ${one} { id status } } }`;
      expect(await data(archive, { id: ids.get(type) })).toEqual({
        archived: { object: { id: ids.get(type), status: 'ARCHIVED' } },
      });
    }
  });
});

// Conformance: G7
describe('limits', () => {
  const fields = (count: number, field: (index: number) => string) =>
    Array.from({ length: count }, (_, index) => field(index)).join(' ');

  test.each([
    ['aliases', `{ network(id: 1000) { ${fields(60, (index) => `a${index}: name`)} } }`, 'aliases'],
    ['root fields', `{ ${fields(25, () => '__typename')} }`, 'root fields'],
    [
      'cost',
      '{ campaigns(first: 100) { nodes { lineItems(first: 100) { nodes { creatives(first: 100) { nodes { id } } } } } } }',
      'cost',
    ],
    ['tokens', `{ network(id: 1000) { ${'name '.repeat(6_000)} } }`, 'tokens'],
  ])(
    'a document with too many %s gets a 400 that names the limit, within 50 ms of work',
    async (_name, query, limitName) => {
      await graphql('{ __typename }');
      const response = await graphql(query);
      expect([response.status, response.json()]).toEqual([
        400,
        expect.objectContaining({
          error: 'query_too_complex',
          errors: [expect.objectContaining({ extensions: expect.objectContaining({ limitName }) as unknown })],
        }),
      ]);
    },
  );

  test('a page of more than 100 is refused', async () => {
    expect((await graphql('{ campaigns(first: 101) { nodes { id } } }')).json()).toMatchObject({
      errors: [{ extensions: { code: 'invalid_request' } }],
    });
  });

  test('a batch of operations is refused', async () => {
    const response = await send(url, { headers: asAdmin, json: [{ query: '{ __typename }' }] });
    expect(response.status).toBe(400);
  });

  test('a caller without a key learns of a mistyped field, and real field names stay hidden', async () => {
    const response = await graphql('{ campains { id } }', { key: '' });
    expect([response.status, response.text.includes('campaigns')]).toEqual([401, false]);
  });

  test('the response states the cost', async () => {
    const response = await graphql('{ campaigns(first: 10) { nodes { id name } } }');
    expect(response.json()).toMatchObject({
      extensions: { cost: { requested: expect.any(Number) as number, limit: 100_000 } },
    });
  });
});
