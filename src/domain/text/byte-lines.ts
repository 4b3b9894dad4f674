const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/** How long a line may be, and what is thrown for a longer one. */
export interface LineBound {
  /** Bytes of one line, without its end. */
  readonly lineBytesMax: number;
  /** The error for a longer line, by its number from 1. */
  readonly tooLong: (line: number) => Error;
}

/**
 * The lines of a stream of bytes: ended by a line feed, with or without a carriage return before it, or by the end of the stream. Memory
 * holds one chunk and at most one line: a line over its bound ends the reading before the rest of it is read. Bytes that are not UTF-8
 * come as U+FFFD.
 *
 * @throws what the stream throws, and what `tooLong` makes
 */
export async function* splitLines(chunks: AsyncIterable<Uint8Array>, bound: LineBound): AsyncGenerator<string> {
  for await (const line of splitByteLines(chunks, bound)) yield line.toString('utf8');
}

/**
 * As {@link splitLines}, in bytes. Without `tooLong`, a line over its bound is cut to one byte more than the bound, and the reading goes on
 * behind it.
 */
export async function* splitByteLines(
  chunks: AsyncIterable<Uint8Array>,
  { lineBytesMax, tooLong }: Pick<LineBound, 'lineBytesMax'> & Partial<LineBound>,
): AsyncGenerator<Buffer> {
  // The carriage return may be one more.
  const heldMax = lineBytesMax + 1;
  let rest: Buffer[] = [];
  let restBytes = 0;
  let line = 1;
  for await (const bytes of chunks) {
    const chunk = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    let start = 0;
    for (let end = chunk.indexOf(LINE_FEED); end !== -1; end = chunk.indexOf(LINE_FEED, start)) {
      const isLong = restBytes + end - start > heldMax;
      if (isLong && tooLong !== undefined) throw tooLong(line);
      const piece = chunk.subarray(start, end);
      const whole = restBytes === 0 ? piece : Buffer.concat([...rest, piece]);
      yield isLong ? whole.subarray(0, heldMax) : withoutReturn(whole);
      rest = [];
      restBytes = 0;
      start = end + 1;
      line += 1;
    }
    if (start === chunk.length) continue;
    const isLong = restBytes + chunk.length - start > heldMax;
    if (isLong && tooLong !== undefined) throw tooLong(line);
    // One byte more than is held marks the line as too long; what follows of it counts for nothing.
    const end = Math.min(chunk.length, start + heldMax + 1 - restBytes);
    if (end === start) continue;
    // A copy: the chunk's memory must not stay for the sake of its last bytes.
    rest.push(Buffer.from(chunk.subarray(start, end)));
    restBytes += end - start;
  }
  if (restBytes > heldMax) yield Buffer.concat(rest).subarray(0, heldMax);
  else if (restBytes > 0) yield withoutReturn(Buffer.concat(rest));
}

function withoutReturn(bytes: Buffer): Buffer {
  return bytes.at(-1) === CARRIAGE_RETURN ? bytes.subarray(0, -1) : bytes;
}
