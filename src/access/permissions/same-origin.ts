import type { IncomingHttpHeaders } from 'node:http';
import { PlacardError } from '../../domain/errors.ts';

/**
 * Refuses requests with our cookie that a page of another origin caused. Browsers state the origin of a request (`Sec-Fetch-Site`, or
 * `Origin` on older ones); other programs send neither, and cannot be tricked.
 *
 * @throws PlacardError `csrf_refused`
 */
export function checkSameOrigin(headers: IncomingHttpHeaders): void {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) {
    if (site === 'same-origin' || site === 'none') return;
    throw refused();
  }
  const origin = headers.origin;
  if (origin === undefined) return;
  if (!URL.canParse(origin)) throw refused();
  const { host, hostname, protocol } = new URL(origin);
  // A page over plain HTTP can be forged on its way; only this machine may serve its own pages that way.
  const trusted = protocol === 'https:' || hostname === 'localhost' || hostname === '127.0.0.1';
  if (!trusted || host !== headers.host) throw refused();
}

function refused(): PlacardError {
  return new PlacardError(
    'csrf_refused',
    'This request came from a page of another origin; use the console or an API key.',
  );
}
