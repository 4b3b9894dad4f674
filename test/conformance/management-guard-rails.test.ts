import { describe, expect, test } from 'vitest';
import { OVERSIZED_DOCUMENTS } from '../support/oversized-documents.ts';
import { graphql, send, server } from './support/server.ts';

describe('G7 a document over a limit is 400, and says which limit', () => {
  test.each(Object.entries(OVERSIZED_DOCUMENTS))('G7 %s', async (_name, { query, limitName }) => {
    const answer = await graphql(query);
    expect(answer.status).toBe(400);
    expect(answer.json()).toMatchObject({
      error: 'query_too_complex',
      message: expect.stringMatching(/limit is|circular/),
      errors: [{ extensions: { code: 'query_too_complex', limitName } }],
    });
    expect((await graphql('{ __typename }')).status).toBe(200);
  });

  test('G7 a batch is 400', async () => {
    const headers = { authorization: `Bearer ${server.demo.keys.admin}` };
    const answer = await send(`${server.coreUrl}/graphql`, { headers, json: [{ query: '{ __typename }' }] });
    expect([answer.status, answer.json()]).toMatchObject([400, { error: 'invalid_request' }]);
  });
});

describe('L2 T4 G5 a body that is no JSON', () => {
  const ask = (authorization: string, body: string) =>
    send(`${server.coreUrl}/graphql`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body,
    });

  test('is counted against the key, and says so', async () => {
    const answers = [];
    for (let at = 0; at < 2; at += 1) answers.push(await ask(`Bearer ${server.demo.keys.admin}`, '{bad'));
    expect(answers.map(({ status }) => status)).toEqual([400, 400]);
    expect(answers[0]?.json()).toMatchObject({ error: 'invalid_request', errors: [{ message: expect.any(String) }] });
    for (const { headers } of answers) expect(Number(headers['x-ratelimit-remaining'])).toBeGreaterThan(0);
  });

  test.each([
    ['broken', '{bad'],
    ['of 8 MiB', `{"x":[${'{},'.repeat(2_600_000)}{}]}`],
  ])('is not looked at for a stranger: one that is %s', async (_what, body) => {
    const answer = await ask('Bearer adk_nobody', body);
    expect([answer.status, answer.json()]).toMatchObject([
      401,
      { error: 'invalid_credentials', errors: [{ extensions: { code: 'invalid_credentials' } }] },
    ]);
  });
});
