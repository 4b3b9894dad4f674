import type { IncomingMessage } from 'node:http';
import { PlacardError } from '../../domain/errors.ts';

/**
 * Requires one Host header of an HTTP/1.1 request, and at most one of others: two programs that read different ones of two would
 * disagree about whom the request is for (RFC 9112, section 3.2).
 *
 * @throws PlacardError `invalid_request`
 */
export function checkHostHeader({ rawHeaders, httpVersion }: IncomingMessage): void {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] as string;
    if (name.length === 4 && name.toLowerCase() === 'host') count += 1;
  }
  if (count === 1) return;
  if (count > 1) throw new PlacardError('invalid_request', 'The request has more than one Host header; send one.');
  if (httpVersion === '1.1') throw new PlacardError('invalid_request', 'The Host header is missing.');
}
