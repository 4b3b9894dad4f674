import type { IncomingMessage } from 'node:http';
import { type LineBound, splitLines } from '../../domain/text/byte-lines.ts';
import { PlacardError } from '../../domain/errors.ts';
import { bodyTooLarge } from './request-body.ts';

/** The bounds of a streamed body of lines. */
export interface BodyLineLimits extends LineBound {
  /** All bytes of the body. */
  readonly bytesMax: number;
  /** The error for a longer line, by its number from 1. */
  readonly tooLong: (line: number) => PlacardError;
  /** How fast a client must send, on average, once `graceMs` of waiting are over; our own work on the lines does not count. */
  readonly bytesPerSecondMin?: number;
  readonly graceMs?: number;
  /** A clock that never goes back. */
  readonly elapsedMs?: () => number;
}

const BYTES_PER_SECOND_MIN = 1_024;
const GRACE_MS = 30_000;

/**
 * The lines of a request's body as they come, in flat memory whatever is sent. The request stays open, so that an error
 * can be sent.
 *
 * @throws PlacardError `payload_too_large`, `request_timeout` for a client that sends too slowly, `invalid_request` for a body that is
 *   cut off, `unsupported_media_type` for one that is compressed, and what `tooLong` makes
 */
export async function* readBodyLines(incoming: IncomingMessage, limits: BodyLineLimits): AsyncGenerator<string> {
  checkHeaders(incoming, limits.bytesMax);
  yield* splitLines(chunksOf(incoming, limits), limits);
}

function checkHeaders({ headers }: IncomingMessage, bytesMax: number): void {
  if (Number(headers['content-length'] ?? 0) > bytesMax) throw bodyTooLarge(bytesMax);
  const encoding = headers['content-encoding'];
  if (encoding !== undefined && encoding.trim().toLowerCase() !== 'identity') {
    throw new PlacardError('unsupported_media_type', 'Lines are sent without a content encoding.');
  }
}

async function* chunksOf(incoming: IncomingMessage, limits: BodyLineLimits): AsyncGenerator<Buffer> {
  const { bytesMax, bytesPerSecondMin = BYTES_PER_SECOND_MIN, graceMs = GRACE_MS } = limits;
  const { elapsedMs = () => performance.now() } = limits;
  let bytes = 0;
  let waitedMs = 0;
  let waitsSinceMs = elapsedMs();
  try {
    for await (const chunk of incoming.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      waitedMs += elapsedMs() - waitsSinceMs;
      bytes += chunk.length;
      if (bytes > bytesMax) throw bodyTooLarge(bytesMax);
      if (waitedMs > graceMs + (bytes / bytesPerSecondMin) * 1_000) {
        const message = `The body arrived too slowly: send at least ${bytesPerSecondMin} bytes a second.`;
        throw new PlacardError('request_timeout', message);
      }
      yield chunk;
      waitsSinceMs = elapsedMs();
    }
  } catch (error) {
    if (error instanceof PlacardError) throw error;
    throw new PlacardError('invalid_request', 'The connection closed before the body ended.', { cause: error });
  }
}
