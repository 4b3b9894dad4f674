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
});
