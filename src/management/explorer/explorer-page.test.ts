import { Script } from 'node:vm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestManagement, type TestManagement } from '../fixtures/test-management.ts';

let api: TestManagement;
beforeAll(async () => {
  api = await createTestManagement();
});
afterAll(() => api.close());

const open = (as: string | null) =>
  api.app.inject({
    method: 'GET',
    url: '/graphql',
    headers: { accept: 'text/html', ...(as === null ? {} : { authorization: `Bearer ${as}` }) },
  });

describe('the page to try the API on', () => {
  test('opens for a signed-in admin, loads nothing from elsewhere, and runs only its own script', async () => {
    const answer = await open('person');
    expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
    const nonce = /<script nonce="([^"]+)">/.exec(answer.body)?.[1];
    expect(answer.headers['content-security-policy']).toContain(`script-src 'nonce-${nonce}'`);
    expect(answer.body).not.toMatch(/\b(?:src|href)=/);
    const script = /<script[^>]*>([\s\S]*)<\/script>/.exec(answer.body)?.[1] ?? '';
    expect(() => new Script(script)).not.toThrow();
    expect((await open('person')).headers['content-security-policy']).not.toContain(String(nonce));
  });

  test('its first query and its question for the schema are good', async () => {
    const { body } = await open('person');
    const query = /<textarea id="query"[^>]*>([\s\S]*?)<\/textarea>/.exec(body)?.[1] ?? '';
    expect((await api.ask(query)).body.errors).toBeUndefined();
    const type = 'kind name ofType { kind name ofType { kind name ofType { kind name } } }';
    const schema = `{ __schema { types { name description fields { name description args { name type { ${type} } } type { ${type} } } inputFields { name description type { ${type} } } enumValues { name description } } } }`;
    expect((await api.ask(schema)).body.errors).toBeUndefined();
  });

  test.each([null, 'admin'])('does not open for %s', async (as) => {
    expect((await open(as)).headers['content-type']).toMatch(/json/);
  });
});
