import type { FastifyInstance, FastifyRequest } from 'fastify';

/** A span that has begun. */
export interface RequestSpan {
  setAttribute(name: string, value: string | number): void;
  /** @param failed whether the response is a fault of ours */
  end(failed: boolean): void;
}

/** Begins the span of a request; null: this one is not recorded. */
export type BeginRequestSpan = (name: string, headers: FastifyRequest['headers']) => RequestSpan | null;

const OPERATION_LENGTH_MAX = 100;

/** Records a span for each request that matches a route, probes left out, from its head to the end of its response. Call it before routes are added. */
export function traceRequests(app: FastifyInstance, begin: BeginRequestSpan): void {
  const spans = new WeakMap<FastifyRequest, RequestSpan>();
  app.addHook('onRequest', (request, _reply, done) => {
    const { url: route, config } = request.routeOptions;
    // Probes come every few seconds and say nothing.
    const isTraced = route !== undefined && config.plainAllowed !== true;
    const span = isTraced ? begin(`${request.method} ${route}`, request.headers) : null;
    if (span !== null) {
      span.setAttribute('http.request.method', request.method);
      span.setAttribute('http.route', route ?? '');
      spans.set(request, span);
    }
    done();
  });
  app.addHook('onResponse', (request, reply, done) => {
    const span = spans.get(request);
    if (span !== undefined) {
      const operation = operationOf(request.body);
      if (operation !== null) span.setAttribute('graphql.operation.name', operation);
      span.setAttribute('http.response.status_code', reply.statusCode);
      span.setAttribute('placard.request_id', request.id);
      span.end(reply.statusCode >= 500);
    }
    done();
  });
}

/** The name that the caller gave a GraphQL operation; null for other bodies. */
function operationOf(body: unknown): string | null {
  if (typeof body !== 'object' || body === null || !('operationName' in body)) return null;
  const { operationName } = body;
  return typeof operationName === 'string' ? operationName.slice(0, OPERATION_LENGTH_MAX) : null;
}
