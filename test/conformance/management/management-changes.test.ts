import { describe, expect, test } from 'vitest';
import { bid, bidBody, eventually, graphql, send, server } from '../support/server.ts';

const unique = `${process.pid}-${Date.now()}`;

async function data<T>(query: string, variables?: unknown, key?: string): Promise<T> {
  const response = await graphql(query, { variables, ...(key === undefined ? {} : { key }) });
  const body = response.json<{ data?: T; errors?: unknown }>();
  if (body.errors !== undefined || body.data === undefined) throw new Error(JSON.stringify(body));
  return body.data;
}

async function create(type: string, input: unknown, key?: string): Promise<string> {
  const field = `${type[0]?.toLowerCase()}${type.slice(1)}`;
  const query = `mutation ($input: Create${type}Input!) { made: create${type}(input: $input) { object: ${field} { id } } }`;
  return (await data<{ made: { object: { id: string } } }>(query, { input }, key)).made.object.id;
}

interface Failure {
  readonly error?: string;
  readonly message?: string;
  readonly errors: {
    extensions: {
      code: string;
      fields?: { path: string; code: string }[];
      limitName?: string;
      currentVersion?: number;
    };
  }[];
}

describe('management API, changes', () => {
  // Conformance: G4
  test('a new campaign serves within a second, and an archived one stops serving', async () => {
    const siteCode = `site-${unique}`;
    const siteId = await create('Site', { code: siteCode, name: 'New', domain: 'new.example' });
    const adUnitName = `top-${unique}`;
    await create('AdUnit', { siteId, name: adUnitName, sizes: [{ width: 468, height: 60 }] });
    const advertiserId = await create('Advertiser', {
      name: 'Fresh',
      domains: ['fresh.example'],
      dsaBehalf: 'Fresh',
      dsaPaid: 'Fresh',
    });
    const campaignId = await create('Campaign', { advertiserId, name: 'Fresh', status: 'ACTIVE' });
    const lineItemId = await create('LineItem', {
      campaignId,
      name: 'Fresh',
      type: 'SPONSORSHIP',
      level: 1,
      sharePercent: 100,
      price: '7.5',
      status: 'ACTIVE',
      targeting: { test: { dimension: 'SITE', values: [siteId] } },
    });
    const creativeId = await create('Creative', {
      lineItemId,
      name: 'Fresh',
      width: 468,
      height: 60,
      clickUrl: 'https://fresh.example/',
      content: { image: { imageUrl: 'https://fresh.example/ad.png', alt: 'Fresh' } },
    });
    const ask = () => {
      const site = { id: siteCode, domain: 'new.example', page: 'https://new.example/' };
      return bid(bidBody({ site }, { tagid: adUnitName, banner: { format: [{ w: 468, h: 60 }] } }));
    };
    const served = await eventually(ask, (response) => response.status === 200);
    expect(served.status).toBe(200);
    expect(served.json<{ seatbid: { bid: { crid: string; price: number }[] }[] }>().seatbid[0]?.bid[0]).toMatchObject({
      crid: creativeId,
      price: 7.5,
    });
    await data('mutation ($id: ID!) { archiveCampaign(id: $id) { campaign { status } } }', { id: campaignId });
    expect((await eventually(ask, (response) => response.status === 204)).status).toBe(204);
  });

  // Conformance: G4
  test('lists filter, sort and page with a total', async () => {
    const ids = await Promise.all(['c', 'a', 'b'].map((name) => create('Advertiser', { name: `${name} ${unique}` })));
    const query = `query ($ids: [ID!], $after: String) { advertisers(first: 2, after: $after, filter: {ids: $ids}, sort: {field: NAME}) { totalCount nodes { name } pageInfo { hasNextPage endCursor } } }`;
    interface Page {
      advertisers: {
        totalCount: number;
        nodes: { name: string }[];
        pageInfo: { hasNextPage: boolean; endCursor: string };
      };
    }
    const first = await data<Page>(query, { ids });
    const second = await data<Page>(query, { ids, after: first.advertisers.pageInfo.endCursor });
    expect(first.advertisers.totalCount).toBe(3);
    expect([...first.advertisers.nodes, ...second.advertisers.nodes].map(({ name }) => name[0])).toEqual([
      'a',
      'b',
      'c',
    ]);
    expect(second.advertisers.pageInfo.hasNextPage).toBe(false);
  });

  test.each([
    ['a read-only key', 'readOnly', 'mutation { createAdvertiser(input: {name: "X"}) { validatedOnly } }'],
    ['a read-write key', 'readWrite', '{ apiKeys { id } }'],
    ['a DELIVERY key', 'delivery', '{ activities { totalCount } }'],
    [
      'a DELIVERY key that writes what it may read',
      'delivery',
      'mutation { createSite(input: {code: "x", name: "X", domain: "x.example"}) { validatedOnly } }',
    ],
    ['an INVENTORY key', 'inventory', '{ campaigns { totalCount } }'],
    ['an AUDIENCE key', 'audience', '{ lineItems { totalCount } }'],
    ['a REPORTS key', 'reports', '{ segments { totalCount } }'],
  ] as const)('%s outside of its scope gets 403 in both shapes', async (_name, key, query) => {
    const response = await graphql(query, { key: server.demo.keys[key] });
    expect(response.status).toBe(403);
    expect(response.json<Failure>()).toMatchObject({
      error: 'insufficient_permissions',
      errors: [{ extensions: { code: 'insufficient_permissions' } }],
    });
  });

  // Conformance: G6
  test('bad input changes nothing and names each field', async () => {
    const response = await graphql(
      'mutation { createAdvertiser(input: {name: "", credit: "x", domains: ["-"]}) { validatedOnly } }',
    );
    const fields = response.json<Failure>().errors[0]?.extensions.fields ?? [];
    expect(fields.map((field) => field.path).sort()).toEqual(['input.credit', 'input.domains.0', 'input.name']);
  });

  // Conformance: G6
  test('a change with a stale version fails as a conflict', async () => {
    const id = await create('Advertiser', { name: 'Contested' });
    const update =
      'mutation ($id: ID!, $name: String!) { updateAdvertiser(id: $id, version: 1, input: {name: $name}) { validatedOnly } }';
    await data(update, { id, name: 'First' });
    const response = await graphql(update, { variables: { id, name: 'Second' } });
    expect(response.json<Failure>().errors[0]?.extensions).toMatchObject({ code: 'conflict', currentVersion: 2 });
  });

  // Conformance: G6
  test('a create repeated with its idempotency key returns the first result', async () => {
    const retry = (name: string) =>
      send(`${server.coreUrl}/graphql`, {
        headers: { authorization: `Bearer ${server.demo.keys.admin}`, 'idempotency-key': `conformance-${unique}` },
        json: {
          query: 'mutation ($name: String!) { createAdvertiser(input: {name: $name}) { advertiser { id } } }',
          variables: { name },
        },
      });
    const [first, second] = [await retry('Once'), await retry('Once')];
    expect(second.json<{ data: unknown }>().data).toEqual(first.json<{ data: unknown }>().data);
    const other = await retry('Other');
    expect([other.status, other.json<Failure>().error]).toEqual([409, 'idempotency_conflict']);
  });

  // Conformance: G7
  test.each([
    ['3,000 levels', `{ ${'campaigns { nodes { '.repeat(1_500)} id ${'} }'.repeat(1_500)} }`, 'depth'],
    [
      '5,000 aliases',
      `{ ${Array.from({ length: 5_000 }, (_, index) => `a${index}: __typename`).join(' ')} }`,
      'tokens',
    ],
    ['circular fragments', '{ network(id: 1000) { ...A } } fragment A on Network { ...A }', 'circular fragments'],
  ])('a document over the limit of %s gets a 400 that says so', async (_name, query, limitName) => {
    const response = await graphql(query);
    expect(response.status).toBe(400);
    expect(response.json<Failure>()).toMatchObject({
      error: 'query_too_complex',
      errors: [{ extensions: { limitName } }],
    });
  });

  // Conformance: E1
  test('staging has its own data under the same network id', async () => {
    const id = await create('Advertiser', { name: `Live ${unique}` });
    const key = server.demo.keys.staging;
    const response = await graphql(
      'query ($id: ID!, $search: String!) { network(id: 1000) { id } advertiser(id: $id) { id } advertisers(filter: {search: $search}) { totalCount } }',
      {
        key,
        staging: true,
        variables: { id, search: `Live ${unique}` },
      },
    );
    expect(response.json<{ data: unknown }>().data).toEqual({
      network: { id: '1000' },
      advertiser: null,
      advertisers: { totalCount: 0 },
    });
  });

  // Conformance: U1
  test('the audit log has each change with its actor, object, and values before and after', async () => {
    const id = await create('Advertiser', { name: 'Before' });
    await data('mutation ($id: ID!) { updateAdvertiser(id: $id, input: {name: "After"}) { validatedOnly } }', { id });
    const { auditLog } = await data<{ auditLog: { nodes: unknown[] } }>(
      'query ($id: String!) { auditLog(filter: {objectKind: "advertiser", objectId: $id, action: "advertiser.update"}) { nodes { actor action details } } }',
      { id },
    );
    expect(auditLog.nodes).toMatchObject([
      { action: 'advertiser.update', details: { before: { name: 'Before' }, after: { name: 'After' } } },
    ]);
  });
});
