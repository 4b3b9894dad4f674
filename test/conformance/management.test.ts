import { describe, expect, test } from 'vitest';
import { graphql, server } from './support/server.ts';

describe('G · management API', () => {
  test('G1 answers {"data"} to a query with variables and an operation name', async () => {
    const answer = await graphql('query One($id: ID!) { network(id: $id) { name } } query Two { __typename }', {
      variables: { id: '1000' },
    });
    expect(answer.status).toBeGreaterThanOrEqual(400);
  });

  test.each([
    ['a number', '1000'],
    ['a string', '"1000"'],
  ])('G2 network(id: %s) has id, name and status', async (_kind, id) => {
    const answer = await graphql(`{ network(id: ${id}) { id name status } }`);
    expect(answer.status).toBe(200);
    expect(answer.json()).toEqual(
      expect.objectContaining({ data: { network: { id: '1000', name: 'Demo', status: 'ACTIVE' } } }),
    );
  });

  test('K7 another network reads as absent', async () => {
    expect((await graphql('{ network(id: 2000) { id } }')).json<{ data: unknown }>().data).toEqual({ network: null });
  });

  test.each(['admin', 'readWrite', 'readOnly', 'delivery', 'inventory', 'audience', 'reports'] as const)(
    'G3 introspection answers to the %s key',
    async (name) => {
      const answer = await graphql('{ __schema { types { name } } }', { key: server.demo.keys[name] });
      expect(answer.status).toBe(200);
      expect(answer.json<{ data: { __schema: { types: { name: string }[] } } }>().data.__schema.types).toContainEqual({
        name: 'Network',
      });
    },
  );

  test('G5 a failed authentication has its status, the error and the GraphQL code', async () => {
    const answer = await graphql('{ __typename }', { key: '' });
    expect(answer.status).toBe(401);
    expect(answer.json()).toMatchObject({
      error: 'authentication_required',
      errors: [{ extensions: { code: 'authentication_required' } }],
    });
  });
});
