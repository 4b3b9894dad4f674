import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { OVERSIZED_DOCUMENTS } from '../../../test/support/oversized-documents.ts';
import { refuseRequest } from '../kernel/error-format.ts';
import { createTestManagement, type TestManagement } from '../fixtures/test-management.ts';

let api: TestManagement;
beforeAll(async () => {
  api = await createTestManagement();
  await api.ask('{ __typename }');
});
afterAll(() => api.close());

const repeat = (count: number, text: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => text(index)).join(' ');
const nested = (levels: number): string =>
  `{ campaign(id: 1) ${'{ advertiser { campaigns { nodes '.repeat(levels)}{ id }${'} } }'.repeat(levels)} }`;

const DEEP_VALUE = `{ campaigns(filter: {ids: ${'['.repeat(50)}1${']'.repeat(50)}}) { totalCount } }`;

describe('a query over a limit is refused before it costs anything', () => {
  test.each<readonly [string, string, string]>([
    ...Object.entries(OVERSIZED_DOCUMENTS).map(([name, { query, limitName }]) => [name, query, limitName] as const),
    ['40 levels deep', nested(14), 'depth'],
    ['30 root fields', `{ ${repeat(30, () => '__typename')} }`, 'root fields'],
    [
      'a fragment that spreads itself and is not used',
      '{ __typename } fragment A on Campaign { advertiser { campaigns { nodes { ...A } } } }',
      'circular fragments',
    ],
    ['an argument 50 levels deep', DEEP_VALUE, 'argument depth'],
    [
      'a page of pages of pages',
      '{ advertisers(first: 100) { nodes { campaigns(first: 100) { nodes { lineItems(first: 100) { nodes { id } } } } } } }',
      'cost',
    ],
    ['200 operations', repeat(200, (index) => `query Q${index} { __typename }`), 'definitions'],
  ])('%s', async (_name, query, limitName) => {
    const options = query.startsWith('query Q0') ? { operationName: 'Q0' } : {};
    const answer = await api.ask(query, options);
    // The best of a few: other work on the machine can only slow a try down.
    const tookMs: number[] = [];
    for (let attempt = 0; attempt < 5; attempt += 1) {
      const startedAtMs = performance.now();
      await api.ask(query, options);
      tookMs.push(performance.now() - startedAtMs);
    }
    expect(answer.body).toMatchObject({
      error: 'query_too_complex',
      errors: [{ extensions: { code: 'query_too_complex', limitName } }],
    });
    expect(answer.status).toBe(400);
    expect(Math.min(...tookMs)).toBeLessThan(50);
  });

  test('a refusal because of variables is not one of the document', async () => {
    const query = `query ($first: Int) {
      advertisers(first: $first) { nodes { campaigns(first: $first) { nodes { lineItems(first: $first) { nodes { id } } } } } }
    }`;
    const large = await api.ask(query, { variables: { first: 100 } });
    const small = await api.ask(query, { variables: { first: 2 } });
    expect([large.body.error, small.status, small.body.errors]).toEqual(['query_too_complex', 200, undefined]);
  });

  test('a batch is refused', async () => {
    const headers = { authorization: 'Bearer admin', 'content-type': 'application/json' };
    const answer = await api.app.inject({
      method: 'POST',
      url: '/graphql',
      headers,
      payload: '[{"query":"{__typename}"}]',
    });
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({ error: 'invalid_request' });
  });

  test('the cost of what is allowed stands in the answer', async () => {
    const answer = await api.ask('{ campaigns(first: 10) { nodes { id name advertiser { name } } } }');
    expect(answer.body.extensions).toEqual({ cost: { requested: 103, limit: 100_000, depth: 4 } });
  });

  test("the tools' introspection query passes", async () => {
    const { getIntrospectionQuery } = await import('graphql');
    const answer = await api.ask(
      getIntrospectionQuery({ inputValueDeprecation: true, oneOf: true, specifiedByUrl: true }),
    );
    expect(answer.body.errors).toBeUndefined();
  });
});

describe('an unknown caller learns nothing of the schema', () => {
  test.each([
    ['a wrong field', '{ campains { id } }'],
    ['introspection', '{ __schema { types { name } } }'],
    ['a syntax error', '{ syntax error'],
    ['a deep query', nested(1_000)],
  ])('by %s', async (_name, query) => {
    const answer = await api.app.inject({ method: 'POST', url: '/graphql', payload: { query } });
    expect(answer.statusCode).toBe(401);
    expect(answer.body).not.toMatch(/Did you mean|campaigns|__Type|Syntax/);
  });
});

describe('a failure of a store before an operation runs', () => {
  test.each([
    ['a refused connection', Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }), 503, 'unavailable'],
    ['a connection that broke', new Error('Connection terminated unexpectedly'), 503, 'unavailable'],
    ['a mistake of ours', new TypeError('x is not a function'), 500, 'internal_error'],
  ])('refuses the request after %s with the status of that failure', (_name, error, status, code) => {
    expect(refuseRequest(error, 'r1').extensions).toMatchObject({ code, http: { status, isRefusal: true } });
  });
});

describe('what a resolver throws unexpectedly', () => {
  test('tells only the request id', async () => {
    const broken = await createTestManagement({
      hot: {
        readCounters: async () => {
          throw new Error('secret at hot.internal');
        },
      },
    });
    const made = await broken.data<{ createAdvertiser: { advertiser: { id: string } } }>(
      'mutation { createAdvertiser(input: {name: "X"}) { advertiser { id } } }',
    );
    const answer = await broken.ask(
      'query ($id: ID!) { advertiser(id: $id) { name delivery { lifetime { clicks } } } }',
      { variables: { id: made.createAdvertiser.advertiser.id } },
    );
    expect(answer.body.data).toEqual({ advertiser: { name: 'X', delivery: null } });
    expect(answer.body.errors).toMatchObject([
      { path: ['advertiser', 'delivery'], extensions: { code: 'internal_error' } },
    ]);
    expect(JSON.stringify(answer.body)).not.toContain('hot.internal');
    await broken.close();
  });
});
