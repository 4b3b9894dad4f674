import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestManagement, type TestManagement } from '../fixtures/test-management.ts';

let api: TestManagement;
beforeAll(async () => {
  api = await createTestManagement();
});
afterAll(() => api.close());

const open = (as: string | null, url = '/graphql') =>
  api.app.inject({
    method: 'GET',
    url,
    headers: { accept: 'text/html', ...(as === null ? {} : { authorization: `Bearer ${as}` }) },
  });

describe('GraphiQL', () => {
  test('opens for a signed-in admin, loads nothing from elsewhere, and runs only its own script', async () => {
    const answer = await open('person');
    expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
    const nonce = /<script nonce="([^"]+)">/.exec(answer.body)?.[1];
    expect(answer.headers['content-security-policy']).toContain(`script-src 'nonce-${nonce}';`);
    expect(answer.headers['content-security-policy']).not.toMatch(/https?:|\*/);
    const again = await open('person');
    expect(again.headers['content-security-policy']).not.toContain(String(nonce));
  });

  test('asks the API that it was opened at', async () => {
    const { body } = await open('person');
    expect(body.slice(-2_000)).toContain('"endpoint":"/graphql"');
    expect(body.slice(-2_000)).toContain('{"x-placard-network":"1000"}');
  });

  test('its first query is good', async () => {
    const { body } = await open('person');
    const query = JSON.parse(/"defaultQuery":("(?:[^"\\]|\\.)*")/.exec(body.slice(-2_000))?.[1] ?? '""') as string;
    expect(query).toContain('campaigns');
    expect((await api.ask(query)).body.errors).toBeUndefined();
  });

  test.each([null, 'admin'])('does not open for %s', async (as) => {
    expect((await open(as)).headers['content-type']).toMatch(/json/);
  });
});
