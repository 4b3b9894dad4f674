import Fastify from 'fastify';
import { expect, test } from 'vitest';
import { PlacardError } from '../domain/errors.ts';
import { toProblem } from '../http/shared/problem.ts';
import { registerClusterFacts } from './cluster.routes.ts';

test('the nodes of the installation are shown to operators only', async () => {
  const app = Fastify();
  app.setErrorHandler((error, request, reply) => {
    const { status, body } = toProblem(error, request.id);
    void reply.code(status).send(body);
  });
  registerClusterFacts(app, {
    requireOperator: async ({ headers }) => {
      if (headers['x-who'] === undefined) throw new PlacardError('authentication_required');
      if (headers['x-who'] !== 'operator') throw new PlacardError('insufficient_permissions');
    },
    readCluster: async () => ({ ok: true }),
  });
  const ask = async (headers: Record<string, string>) => app.inject({ url: '/console-api/cluster', headers });
  expect((await ask({})).statusCode).toBe(401);
  expect((await ask({ 'x-who': 'admin' })).statusCode).toBe(403);
  const shown = await ask({ 'x-who': 'operator' });
  expect([shown.statusCode, shown.json(), shown.headers['cache-control']]).toEqual([
    200,
    { cluster: { ok: true } },
    'no-store',
  ]);
  await app.close();
});
