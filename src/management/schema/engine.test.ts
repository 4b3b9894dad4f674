import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestManagement, type TestManagement } from '../fixtures/test-management.ts';

let api: TestManagement;
beforeAll(async () => {
  api = await createTestManagement();
});
afterAll(() => api.close());

describe('a document that is known already', () => {
  test('its permissions are checked for each caller', async () => {
    const query = 'mutation { createAdvertiser(input: {name: "Known"}) { advertiser { name } } }';
    const allowed = await api.ask(query);
    const refused = await api.ask(query, { as: 'reader' });
    expect([allowed.status, allowed.body.errors]).toEqual([200, undefined]);
    expect([refused.status, refused.body.error]).toEqual([403, 'insufficient_permissions']);
    const again = await api.ask(query);
    expect(again.status).toBe(200);
  });

  test('its cost follows the variables', async () => {
    const query = 'query ($first: Int) { campaigns(first: $first) { nodes { id } } }';
    const costOf = async (first: number) =>
      ((await api.ask(query, { variables: { first } })).body.extensions as unknown as { cost: { requested: number } })
        .cost.requested;
    const [few, many, fewAgain] = [await costOf(2), await costOf(90), await costOf(2)];
    expect(many).toBeGreaterThan(few * 10);
    expect(fewAgain).toBe(few);
  });

  test('each of its operations keeps its own fields, and an unknown or missing name is refused', async () => {
    const query = 'query A { me { actor } } query B { network(id: 1000) { name } }';
    const ask = async (operationName?: string) => api.ask(query, operationName === undefined ? {} : { operationName });
    for (let run = 0; run < 2; run += 1) {
      expect(Object.keys((await ask('A')).body.data ?? {})).toEqual(['me']);
      expect(Object.keys((await ask('B')).body.data ?? {})).toEqual(['network']);
      for (const name of [undefined, 'C']) expect((await ask(name)).status).toBe(400);
    }
  });

  test('its validation errors and its limits hold each time', async () => {
    const deep = `{ campaigns { nodes { ${'advertiser { campaigns { nodes { '.repeat(9)} id ${'} } }'.repeat(9)} } } }`;
    for (let run = 0; run < 2; run += 1) {
      expect((await api.ask(deep)).body.error).toBe('query_too_complex');
      expect((await api.ask('{ campains { id } }')).body.errors?.[0]?.message).toContain('campains');
    }
  });

  test('its variables are checked each time', async () => {
    const query = 'query ($id: ID!) { advertiser(id: $id) { name } }';
    expect((await api.ask(query, { variables: { id: '999' } })).body.data).toEqual({ advertiser: null });
    expect((await api.ask(query, { variables: { id: '\0' } })).status).toBe(400);
    expect((await api.ask(query)).body.errors?.[0]?.extensions.code).toBe('invalid_request');
  });

  test.each([
    ['without an idempotency key', {}],
    ['with an idempotency key', { 'idempotency-key': 'wrong-variable' }],
  ])('a variable with a wrong value is named, and the request is a 400 %s', async (_name, headers) => {
    const query =
      'mutation ($first: CreateAdvertiserInput!) { createAdvertiser(input: $first) { advertiser { campaigns { totalCount } } } }';
    const response = await api.ask(query, { variables: { first: { name: 3 } }, headers });
    expect([response.status, response.body.data]).toEqual([400, undefined]);
    expect(response.body.errors?.[0]?.message).toContain('"$first" got invalid value 3 at "first.name"');
  });
});

describe('the parameters of a request', () => {
  const send = (method: 'GET' | 'POST', given: string) =>
    api.app.inject({
      method,
      url: method === 'GET' ? `/graphql?query=${encodeURIComponent(given)}` : '/graphql',
      headers: { authorization: 'Bearer admin', 'content-type': 'application/json' },
      ...(method === 'GET' ? {} : { payload: given }),
    });

  test.each([
    ['no query', '{}', 'Must provide query string.'],
    ['a query that is a number', '{"query":1}', 'query'],
    ['a list of variables', '{"query":"{me{actor}}","variables":[]}', 'variables'],
    ['a text as extensions', '{"query":"{me{actor}}","extensions":"x"}', 'extensions'],
    ['a number as the name of the operation', '{"query":"{me{actor}}","operationName":1}', 'operationName'],
    ['a parameter that does not exist', '{"query":"{me{actor}}","queri":1}', 'queri'],
  ])('%s gets a 400 that names the parameter', async (_name, payload, named) => {
    const response = await send('POST', payload);
    expect([response.statusCode, response.json()]).toMatchObject([400, { error: 'invalid_request' }]);
    expect(response.json<{ message: string }>().message).toContain(named);
  });

  test('a GET reads, and does not change anything', async () => {
    expect((await send('GET', '{ me { actor } }')).statusCode).toBe(200);
    const refused = await send('GET', 'mutation { createAdvertiser(input: {name: "By GET"}) { advertiser { id } } }');
    expect(refused.statusCode).toBe(400);
    const found = await api.data<{ advertisers: { totalCount: number } }>(
      '{ advertisers(filter: {search: "By GET"}) { totalCount } }',
    );
    expect(found.advertisers.totalCount).toBe(0);
  });
});
