import type { FastifyInstance } from 'fastify';
import type { Registry } from 'prom-client';
import { RouteDurations } from './route-durations.ts';

/** Measures every response of the core, by route and status. */
export function measureRequests(app: FastifyInstance, registry: Registry): void {
  const durations = new RouteDurations('placard_core_request_seconds');
  durations.register(registry);
  app.addHook('onResponse', (request, reply, done) => {
    durations.observe(request.routeOptions.url ?? 'none', reply.statusCode, reply.elapsedTime);
    done();
  });
}
