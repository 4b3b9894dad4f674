import fastify, { type FastifyInstance } from 'fastify';
import { type AddressedFile, packFile, sendPacked } from '../http/core/packed-file.ts';
import { registerGuide } from './guide/guide.routes.ts';
import { REFERENCE } from './guide/layout.ts';
import { buildOpenApi } from './openapi.ts';

const CACHING = 'public, max-age=300';
const SCRIPT_PATH = '/docs/scalar.js';

/** The policy of the page: it runs and loads only what this server sends. */
export const DOCS_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; connect-src 'self'; img-src 'self' data:; " +
  "font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Turns off what Scalar would load from elsewhere or send elsewhere. */
const CONFIGURATION = {
  withDefaultFonts: false,
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  showDeveloperTools: 'never',
  hideClientButton: true,
};

let opened: Promise<AddressedFile> | null = null;

/** Adds the guide at `/docs`; the reference of the REST API at `/docs/api`, which Scalar draws; and `/openapi.json`, the same for programs. */
export function registerDocs(app: FastifyInstance, version: string): void {
  const text = JSON.stringify(buildOpenApi(version));
  registerGuide(app);
  app.get(REFERENCE.address, async (_request, reply) =>
    reply
      .headers({ 'content-security-policy': DOCS_POLICY, 'cache-control': CACHING })
      .type('text/html; charset=utf-8')
      .send(renderDocsPage((await openScalar()).address)),
  );
  app.get('/openapi.json', async (_request, reply) =>
    reply.header('cache-control', CACHING).type('application/json; charset=utf-8').send(text),
  );
  app.get(SCRIPT_PATH, async (request, reply) => {
    const script = await openScalar();
    return sendPacked(request, reply, script, request.url === script.address);
  });
}

/** Reads and compresses Scalar when it is first asked for; a failure is tried again the next time. */
function openScalar(): Promise<AddressedFile> {
  opened ??= readScalar().catch((error: unknown) => {
    opened = null;
    throw error;
  });
  return opened;
}

/** The package gives its script only as a route. */
async function readScalar(): Promise<AddressedFile> {
  const { default: scalar } = await import('@scalar/fastify-api-reference');
  const app = fastify();
  await app.register(scalar, { routePrefix: '/', configuration: { url: '/openapi.json' } });
  return packScript(app, '/js/scalar.js');
}

/** Packs the script that an app serves, and closes the app. @throws Error where the app serves none */
export async function packScript(app: FastifyInstance, route: string): Promise<AddressedFile> {
  try {
    const { statusCode, body } = await app.inject(route);
    if (statusCode !== 200) throw new Error(`the script of the API page has the status ${statusCode} at ${route}`);
    return await packFile(SCRIPT_PATH, 'text/javascript; charset=utf-8', body);
  } finally {
    await app.close();
  }
}

/** The page: its script reads `/openapi.json`, and has nothing else to load. */
export function renderDocsPage(scriptAddress: string): string {
  const configuration = JSON.stringify(CONFIGURATION).replaceAll('"', '&quot;');
  return (
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">' +
    '<title>Placard API</title><link rel="icon" href="data:,"></head><body>' +
    '<noscript><a href="/openapi.json">The API description (OpenAPI)</a></noscript>' +
    `<script id="api-reference" data-url="/openapi.json" data-configuration="${configuration}"></script>` +
    `<script src="${scriptAddress}"></script></body></html>`
  );
}
