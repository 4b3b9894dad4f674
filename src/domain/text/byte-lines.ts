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
  const { lineBytesMax, tooLong } = bound;
  let rest: Buffer[] = [];
  let restBytes = 0;
  let line = 1;
  for await (const bytes of chunks) {
    const chunk = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    let start = 0;
    for (let end = chunk.indexOf(LINE_FEED); end !== -1; end = chunk.indexOf(LINE_FEED, start)) {
      // The carriage return may be one more.
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
