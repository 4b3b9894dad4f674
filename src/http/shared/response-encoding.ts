import { deflate, gzip } from 'node:zlib';

/** Bodies up to this size in bytes are sent as they are: compressing them costs more than it saves. */
export const COMPRESS_ABOVE_BYTES = 1024;
/** Compressions of one process at a time; beyond them responses go out uncompressed instead of queueing. */
const IN_FLIGHT_MAX = 64;
const REMEMBERED_MAX = 256;

/** A content encoding that responses are sent in. */
export type ResponseEncoding = 'gzip' | 'deflate';

const remembered = new Map<string, ResponseEncoding | null>();
let inFlight = 0;

/** The encoding that an Accept-Encoding header prefers of gzip and deflate (gzip on a tie); null for none. */
export function chooseEncoding(header: string | string[] | undefined): ResponseEncoding | null {
  if (header === undefined) return null;
  const text = Array.isArray(header) ? header.join(',') : header;
  const before = remembered.get(text);
  if (before !== undefined) return before;
  const chosen = preferEncoding(text);
  if (remembered.size >= REMEMBERED_MAX) remembered.clear();
  if (text.length <= 256) remembered.set(text, chosen);
  return chosen;
}

/** Whether bodies of this content type shrink. */
export function isCompressible(contentType: string): boolean {
  return /^(text\/|application\/(json|javascript|xml|[\w.-]+\+(json|xml)|x-ndjson)|image\/svg)/i.test(contentType);
}

/**
 * Compresses off the event loop, at a level chosen for speed. Returns null at once when too many are in flight, or when it fails:
 * the plain body then goes out.
 */
export function compressBody(
  body: Buffer,
  encoding: ResponseEncoding,
  done: (compressed: Buffer | null) => void,
): void {
  if (inFlight >= IN_FLIGHT_MAX) return done(null);
  inFlight += 1;
  const finish = (error: Error | null, compressed: Buffer): void => {
    inFlight -= 1;
    done(error === null ? compressed : null);
  };
  // A small window is set up in a fraction of the time, and loses little on bodies of a few kilobytes.
  const options = body.length <= 16_384 ? { level: 1, windowBits: 13, memLevel: 6 } : { level: 3 };
  if (encoding === 'gzip') gzip(body, options, finish);
  else deflate(body, options, finish);
}

function preferEncoding(header: string): ResponseEncoding | null {
  return preferredOf(header, ['gzip', 'deflate']);
}

/** Which of the encodings an Accept-Encoding header prefers, the first on a tie; null for none. */
export function preferredOf<T extends string>(header: string, encodings: readonly T[]): T | null {
  const weights = new Map<string, number>();
  for (const part of header.toLowerCase().split(',', 32)) {
    const [name = '', ...parameters] = part.split(';');
    const quality = parameters
      .map((parameter) => /^\s*q\s*=\s*([\d.]+)\s*$/.exec(parameter)?.[1])
      .find((q) => q !== undefined);
    weights.set(name.trim(), quality === undefined ? 1 : Number(quality));
  }
  const any = weights.get('*') ?? 0;
  let chosen: { readonly encoding: T; readonly weight: number } | null = null;
  for (const encoding of encodings) {
    const weight = weights.get(encoding) ?? weights.get(`x-${encoding}`) ?? any;
    if (weight > (chosen?.weight ?? 0)) chosen = { encoding, weight };
  }
  return chosen?.encoding ?? null;
}
