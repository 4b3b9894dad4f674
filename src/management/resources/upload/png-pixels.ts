import { Readable } from 'node:stream';
import { createInflate } from 'node:zlib';

/** Samples per pixel by colour type: grey, RGB, palette, grey with alpha, RGB with alpha. */
const SAMPLES: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };
/** Where the passes of an interlaced picture begin, and their steps: x, y, step of x, step of y. */
const PASSES = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const;
/** Some encoders write a little behind the last row. */
const SURPLUS_BYTES_MAX = 65_536;

/**
 * Whether the pixels of a PNG inflate to the size in its header: no less (a file that was cut off), and hardly more. The pixels are
 * dropped at once, and inflating ends as soon as there are too many.
 */
export async function inflatesTo(header: Buffer, packed: readonly Buffer[]): Promise<boolean> {
  const expected = pixelBytes(header);
  if (expected === null) return false;
  let bytes = 0;
  try {
    for await (const chunk of Readable.from(packed).compose(createInflate()) as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > expected + SURPLUS_BYTES_MAX) return false;
    }
  } catch {
    return false;
  }
  return bytes >= expected;
}

/** The bytes of the rows with their filter bytes; null for an impossible header. */
function pixelBytes(header: Buffer): number | null {
  if (header.length !== 13) return null;
  const width = header.readUInt32BE(0);
  const height = header.readUInt32BE(4);
  const [depth = 0, colour = 0, , , interlaced = 0] = header.subarray(8);
  const samples = SAMPLES[colour];
  if (samples === undefined || ![1, 2, 4, 8, 16].includes(depth) || interlaced > 1) return null;
  const rows = (columns: number, lines: number): number =>
    columns === 0 ? 0 : lines * (1 + Math.ceil((columns * samples * depth) / 8));
  if (interlaced === 0) return rows(width, height);
  return PASSES.reduce((sum, [x, y, stepX, stepY]) => {
    const columns = Math.ceil(Math.max(0, width - x) / stepX);
    return sum + rows(columns, Math.ceil(Math.max(0, height - y) / stepY));
  }, 0);
}
