import { AD_SANDBOX } from '../../domain/booking/ad-frame.ts';
import { PlacardError } from '../../domain/errors.ts';
import { peerOf } from '../../http/shared/connection-bounds.ts';
import { toProblemReply } from '../../http/shared/problem.ts';
import type { HttpReply, HttpRequest, Route } from '../../http/shared/route.ts';
import type { ServedBundle } from '../../storage/bundles/served-bundle.ts';
import type { HeldBundles } from './held-bundles.ts';

/**
 * The sandbox gives the page an origin of its own, also when somebody opens its address directly: it reaches neither cookies nor storage of
 * this server. Files are named by the hash of their bundle, so that a browser may cache them for ever.
 */
const HEADERS = {
  'cache-control': 'public, max-age=31536000, immutable',
  'content-security-policy': `sandbox ${AD_SANDBOX}; base-uri 'none'; form-action 'none'`,
  'cross-origin-resource-policy': 'cross-origin',
  'access-control-allow-origin': '*',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
} as const;

/** `GET /html5/<hash>/<path>`: the files of HTML5 bundles; without a path, the page that is shown. */
export function bundleRoutes(held: HeldBundles): Route[] {
  return [
    {
      method: 'GET',
      pattern: '/html5/:hash/*path',
      name: 'html5',
      contentTypes: null,
      handler: async (request: HttpRequest): Promise<HttpReply> => {
        try {
          const caller = { network: peerOf(request.remoteAddress), hasLeft: () => request.hasLeft() };
          return respond(request, await held.find(request.params['hash'] ?? '', caller));
        } catch (error) {
          if (!(error instanceof PlacardError && error.code === 'overloaded')) throw error;
          const refusal = toProblemReply(error, request.requestId);
          return { ...refusal, headers: { ...refusal.headers, 'cache-control': 'no-store' } };
        }
      },
    },
  ];
}

function respond(request: HttpRequest, bundle: ServedBundle | null): HttpReply {
  const path = decodePath(request.params['path'] ?? '');
  if (bundle === null || path === null) throw missing();
  if (path === '') return respondWithEntry(bundle, request.query);
  const file = bundle.files.get(path);
  if (file === undefined) throw missing();
  return { status: 200, headers: { ...HEADERS, 'content-type': file.contentType }, body: file.bytes };
}

const missing = (): PlacardError => new PlacardError('not_found', 'There is no such file in a bundle.');

/** A page in a folder is shown under its own path, so that its relative addresses hold. */
function respondWithEntry(bundle: ServedBundle, query: string): HttpReply {
  const file = bundle.files.get(bundle.entry);
  if (bundle.entry.includes('/')) {
    const path = bundle.entry.split('/').map(encodeURIComponent).join('/');
    return { status: 302, headers: { ...HEADERS, location: query === '' ? path : `${path}?${query}` } };
  }
  if (file === undefined) throw missing();
  return { status: 200, headers: { ...HEADERS, 'content-type': file.contentType }, body: file.bytes };
}

function decodePath(raw: string): string | null {
  try {
    return decodeURIComponent(raw);
  } catch {
    return null;
  }
}
