import type { FastifyInstance } from 'fastify';
import { DOCS_POLICY, renderDocsPage } from './docs-page.ts';
import { buildOpenApi } from './openapi.ts';

const CACHING = 'public, max-age=300';

/** Adds `GET /docs`, a page for people, and `GET /openapi.json`, the same for programs. Both are made once, at the start. */
export function registerDocs(app: FastifyInstance): void {
  const description = buildOpenApi();
  const page = renderDocsPage(description);
  const text = JSON.stringify(description);
  app.get('/docs', async (_request, reply) =>
    reply
      .headers({ 'content-security-policy': DOCS_POLICY, 'cache-control': CACHING })
      .type('text/html; charset=utf-8')
      .send(page),
  );
  app.get('/openapi.json', async (_request, reply) =>
    reply.header('cache-control', CACHING).type('application/json; charset=utf-8').send(text),
  );
}
