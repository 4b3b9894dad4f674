import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { PlacardError } from '../domain/errors.ts';
import { sendPacked } from '../http/core/packed-file.ts';
import { readConsoleFiles } from './console-files.ts';

/** Dependencies of the console's server. */
export interface ConsoleDeps {
  /** The folder of the built console (`console/dist`). */
  readonly folder: string;
  /** Public base address of delivery, whose page with one ad unit the console shows. */
  readonly deliveryPublicUrl: string;
}

/** Addresses of pages. All return the same document, whose script renders the page. */
const PAGES: readonly string[] = [
  '/',
  '/sign-in',
  '/invitation',
  '/forgot-password',
  '/reset-password',
  '/confirm-address',
  '/lens',
  '/dashboards',
  '/desk',
  '/desk/*',
  '/settings',
  '/settings/*',
];

/**
 * Nothing comes from another origin but the frame with an ad on trial; of this one, only previews of ads let themselves be framed. The document has no inline script, and
 * no page of ours is shown in another's frame. Styles
 * may be inline: the component library sets its colours that way.
 */
const contentPolicy = (delivery: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    `frame-src 'self' ${new URL(delivery).origin}`,
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');

const PAGE_HEADERS: Readonly<Record<string, string>> = {
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=()',
};

/** Serves the console's pages at `/`, and its files, compressed when it was built. */
export function registerConsole(app: FastifyInstance, { folder, deliveryPublicUrl }: ConsoleDeps): void {
  const files = readConsoleFiles(folder);
  const headers = { ...PAGE_HEADERS, 'content-security-policy': contentPolicy(deliveryPublicUrl) };
  for (const page of PAGES) {
    app.get(page, async (request, reply) => {
      const document = files.get('/index.html');
      if (document === undefined)
        throw new PlacardError('unavailable', 'The console is not built; run "npm run build --workspace console".');
      return sendPacked(request, reply.headers(headers), document, document.immutable);
    });
  }
  const sendConsoleFile = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const file = files.get(request.url.split('?', 1)[0] ?? '');
    if (file === undefined) throw new PlacardError('not_found', 'There is no such file.');
    return sendPacked(request, reply.header('cross-origin-resource-policy', 'same-origin'), file, file.immutable);
  };
  app.get('/console/addresses', async (_request, reply) =>
    reply.header('cache-control', 'no-cache').send({ delivery: deliveryPublicUrl.replace(/\/+$/, '') }),
  );
  app.get('/assets/*', sendConsoleFile);
  app.get('/favicon.svg', sendConsoleFile);
}
