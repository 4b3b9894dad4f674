import { describe, expect, test } from 'vitest';
import { OVERSIZED_DOCUMENTS } from '../../support/oversized-documents.ts';
import { graphql, send, server } from '../support/server.ts';

// Conformance: G7
describe('a document over a limit gets 400 with the limit', () => {
  // Conformance: G7
  test.each(Object.entries(OVERSIZED_DOCUMENTS))('%s', async (_name, { query, limitName }) => {
    const response = await graphql(query);
    expect(response.status).toBe(400);
    expect(response.json()).toMatchObject({
      error: 'query_too_complex',
      message: expect.stringMatching(/limit is|circular/),
      errors: [{ extensions: { code: 'query_too_complex', limitName } }],
    });
    expect((await graphql('{ __typename }')).status).toBe(200);
  });

  // Conformance: G7
  test('a batch gets 400', async () => {
    const headers = { authorization: `Bearer ${server.demo.keys.admin}` };
    const response = await send(`${server.coreUrl}/graphql`, { headers, json: [{ query: '{ __typename }' }] });
    expect([response.status, response.json()]).toMatchObject([400, { error: 'invalid_request' }]);
  });
});

// Conformance: L2, T4, G5
describe('a malformed body', () => {
  const ask = (authorization: string, body: string) =>
    send(`${server.coreUrl}/graphql`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body,
    });

  test('a malformed body counts against the key, and its response says so', async () => {
    const responses = [];
    for (let at = 0; at < 2; at += 1) responses.push(await ask(`Bearer ${server.demo.keys.admin}`, '{bad'));
    expect(responses.map(({ status }) => status)).toEqual([400, 400]);
    expect(responses[0]?.json()).toMatchObject({ error: 'invalid_request', errors: [{ message: expect.any(String) }] });
    for (const { headers } of responses) expect(Number(headers['x-ratelimit-remaining'])).toBeGreaterThan(0);
  });

  test.each([
    ['broken', '{bad'],
    ['of 8 MiB', `{"x":[${'{},'.repeat(2_600_000)}{}]}`],
  ])('a malformed body of an unknown caller that is %s stays unread', async (_what, body) => {
    const response = await ask('Bearer adk_nobody', body);
    expect([response.status, response.json()]).toMatchObject([
      401,
      { error: 'invalid_credentials', errors: [{ extensions: { code: 'invalid_credentials' } }] },
    ]);
  });
});
