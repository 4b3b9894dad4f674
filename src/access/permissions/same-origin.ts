import type { IncomingHttpHeaders } from 'node:http';
import { PlacardError } from '../../domain/errors.ts';

/**
 * Refuses what a page of another origin makes a browser send along with our cookie. Browsers say where a request comes from
 * (`Sec-Fetch-Site`, or `Origin` on older ones); other programs send neither, and cannot be tricked.
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
  // A page over plain HTTP can be anybody's on the way; only this machine serves itself so.
  const trusted = protocol === 'https:' || hostname === 'localhost' || hostname === '127.0.0.1';
  if (!trusted || host !== headers.host) throw refused();
}

function refused(): PlacardError {
  return new PlacardError(
    'csrf_refused',
    'This came from a page of another origin; use the console itself, or an API key.',
  );
}
