import type { IncomingMessage } from 'node:http';

const PREFLIGHT_MAX_AGE_SECONDS = 86_400;
const ALLOWED_HEADERS = 'content-type, x-openrtb-version, x-request-id';

/**
 * Adds credentialed CORS headers to a flat header list: the exact Origin echoed, never `*`, and `Vary: Origin` also when no Origin
 * came, so that no cache mixes the two.
 */
export function addCorsHeaders(headers: string[], incoming: IncomingMessage): void {
  headers.push('vary', 'Origin');
  const { origin } = incoming.headers;
  if (origin === undefined) return;
  headers.push('access-control-allow-origin', origin, 'access-control-allow-credentials', 'true');
}

/** The further headers of a preflight's response, for the methods of the path. */
export function preflightHeaders(methods: readonly string[]): Record<string, string> {
  return {
    'access-control-allow-methods': methods.join(', '),
    'access-control-allow-headers': ALLOWED_HEADERS,
    'access-control-max-age': String(PREFLIGHT_MAX_AGE_SECONDS),
  };
}
