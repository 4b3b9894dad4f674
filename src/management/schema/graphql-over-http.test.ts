import { serverAudits } from 'graphql-http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestManagement, type TestManagement } from '../fixtures/test-management.ts';

let api: TestManagement;
let url: string;
beforeAll(async () => {
  api = await createTestManagement();
  url = `${await api.app.listen({ host: '127.0.0.1', port: 0 })}/graphql`;
});
afterAll(() => api.close());

const fetchAsAdmin = (input: unknown, init: { headers?: Record<string, string> } = {}) =>
  fetch(input as string, { ...init, headers: { ...init.headers, authorization: 'Bearer admin' } });

describe('GraphQL over HTTP', () => {
  test.each(serverAudits({ url: () => url, fetchFn: fetchAsAdmin }).map((audit) => [audit.name, audit] as const))(
    '%s',
    async (_name, audit) => {
      const result = await audit.fn();
      const reason = 'reason' in result ? result.reason : '';
      expect(`${result.status} ${reason}`).toBe('ok ');
    },
  );

  test.each([
    ['variables that are cut off', 'variables=%7B', 'variables'],
    ['extensions that are cut off', 'extensions=%5B', 'extensions'],
    ['variables that are not JSON', 'variables=%00', 'variables'],
    [
      'variables that nest without end',
      `variables=${encodeURIComponent('{"a":'.repeat(500) + '1' + '}'.repeat(500))}`,
      'variables',
    ],
  ])('a GET with %s gets a 400 that names the parameter', async (_name, parameters, named) => {
    const response = await fetchAsAdmin(`${url}?query=${encodeURIComponent('{ me { actor } }')}&${parameters}`);
    const body = (await response.json()) as { error: string; message: string };
    expect([response.status, body.error]).toEqual([400, 'invalid_request']);
    expect(body.message).toContain(named);
  });
});
