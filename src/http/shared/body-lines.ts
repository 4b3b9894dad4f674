import type { IncomingMessage } from 'node:http';
import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { type LineBound, splitLines } from '../../domain/text/byte-lines.ts';
import { PlacardError } from '../../domain/errors.ts';
import { bodyTooLarge } from './request-body.ts';

/** The bounds of a streamed body. */
export interface StreamedBodyLimits {
  /** All bytes of the body. */
  readonly bytesMax: number;
  /** All bytes of a gzipped body, inflated. Absent: a compressed body is refused. */
  readonly inflatedBytesMax?: number;
  /** How fast a client must send, on average, once `graceMs` of waiting are over; our own work on the lines does not count. */
  readonly bytesPerSecondMin?: number;
  readonly graceMs?: number;
  /** A clock that never goes back. */
  readonly elapsedMs?: () => number;
}

/** The bounds of a streamed body of lines. */
export interface BodyLineLimits extends Omit<StreamedBodyLimits, 'inflatedBytesMax'>, LineBound {
  /** The error for a longer line, by its number from 1. */
  readonly tooLong: (line: number) => PlacardError;
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
  yield* splitLines(readBodyChunks(incoming, limits), limits);
}

/**
 * The bytes of a request's body as they come, inflated where that is allowed.
 *
 * @throws as {@link readBodyLines}; `payload_too_large` also for more inflated bytes than allowed, before they are held
 */
export function readBodyChunks(incoming: IncomingMessage, limits: StreamedBodyLimits): AsyncGenerator<Buffer> {
  const { bytesMax, inflatedBytesMax } = limits;
  if (Number(incoming.headers['content-length'] ?? 0) > bytesMax) throw bodyTooLarge(bytesMax);
  const encoding = incoming.headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
  const chunks = chunksOf(incoming, limits);
  if (encoding === 'identity') return chunks;
  const isGzip = encoding === 'gzip' || encoding === 'x-gzip';
  if (inflatedBytesMax !== undefined && isGzip) return inflated(chunks, inflatedBytesMax);
  const message =
    inflatedBytesMax === undefined
      ? 'Lines are sent without a content encoding.'
      : 'Lines are sent as they are, or with gzip.';
  throw new PlacardError('unsupported_media_type', message);
}

async function* inflated(chunks: AsyncGenerator<Buffer>, bytesMax: number): AsyncGenerator<Buffer> {
  const gunzip = createGunzip();
  // Errors of the body come out of the gunzip, too; without a callback they would end the process.
  pipeline(Readable.from(chunks), gunzip, () => undefined);
  let bytes = 0;
  try {
    for await (const chunk of gunzip as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > bytesMax) throw bodyTooLarge(bytesMax);
      yield chunk;
    }
  } catch (error) {
    if (error instanceof PlacardError) throw error;
    throw new PlacardError('invalid_request', 'The body is not valid gzip data.', { cause: error });
  } finally {
    gunzip.destroy();
  }
}

async function* chunksOf(incoming: IncomingMessage, limits: StreamedBodyLimits): AsyncGenerator<Buffer> {
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
