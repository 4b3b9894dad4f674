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
