import type { FastifyInstance, FastifyRequest } from 'fastify';

/** The nodes of the installation, for its operators. */
export interface ClusterFactsDeps {
  /** @throws PlacardError of the authentication codes; `insufficient_permissions` for everyone who is not an operator */
  requireOperator(request: FastifyRequest): Promise<void>;
  /** The state of every node, as `placard cluster status --json` has it. */
  readCluster(): Promise<object | null>;
}

/** Adds `/console-api/cluster`. */
export function registerClusterFacts(app: FastifyInstance, deps: ClusterFactsDeps): void {
  app.get('/console-api/cluster', async (request, reply) => {
    await deps.requireOperator(request);
    return reply.header('cache-control', 'no-store').send({ cluster: await deps.readCluster() });
  });
}
