import type { IncomingMessage } from 'node:http';
import { PlacardError } from '../domain/errors.ts';
import { bodyTooLarge } from './request-body.ts';

/** What a streamed body of lines may hold. */
export interface BodyLineLimits {
  /** All bytes of the body. */
  readonly bytesMax: number;
  /** Bytes of one line, without its end. At most so many of an unfinished line are in memory, beside one chunk of the socket. */
  readonly lineBytesMax: number;
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
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/**
 * The lines of a request's body as they come: ended by a line feed, with or without a carriage return before it, or by the end of the
 * body. Memory stays flat whatever is sent: a line over its bound ends the reading before the rest of it is read. Bytes that are no
 * UTF-8 come as U+FFFD. The request itself is left open, so that an error can be answered.
 *
 * @throws PlacardError `payload_too_large`, `request_timeout` for a client that sends too slowly, `invalid_request` for a body that is
 *   encoded or cut off, and what `tooLong` makes
 */
export async function* readBodyLines(incoming: IncomingMessage, limits: BodyLineLimits): AsyncGenerator<string> {
  checkHeaders(incoming, limits.bytesMax);
  const { lineBytesMax, tooLong } = limits;
  let rest: Buffer[] = [];
  let restBytes = 0;
  let line = 1;
  for await (const chunk of chunksOf(incoming, limits)) {
    let start = 0;
    for (let end = chunk.indexOf(LINE_FEED); end !== -1; end = chunk.indexOf(LINE_FEED, start)) {
      if (restBytes + end - start > lineBytesMax + 1) throw tooLong(line);
      const piece = chunk.subarray(start, end);
      yield decodeLine(restBytes === 0 ? piece : Buffer.concat([...rest, piece]));
      rest = [];
      restBytes = 0;
      start = end + 1;
      line += 1;
    }
    if (start === chunk.length) continue;
    // A copy: the chunk's memory must not stay for the sake of its last bytes.
    rest.push(Buffer.from(chunk.subarray(start)));
    restBytes += chunk.length - start;
    if (restBytes > lineBytesMax + 1) throw tooLong(line);
  }
  if (restBytes > 0) yield decodeLine(Buffer.concat(rest));
}

function decodeLine(bytes: Buffer): string {
  const end = bytes.at(-1) === CARRIAGE_RETURN ? bytes.length - 1 : bytes.length;
  return bytes.toString('utf8', 0, end);
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
        const message = `The body came too slowly: send at least ${bytesPerSecondMin} bytes a second.`;
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
