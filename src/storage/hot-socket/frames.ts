import type { Socket } from 'node:net';

/** Longest message, in bytes. */
export const FRAME_BYTES_MAX = 64 * 1_048_576;
/** The length of a message, unsigned and little-endian, stands before it. */
const HEAD_BYTES = 4;

/** A message as JSON, with its length before it. @throws RangeError when it is too long */
export function encodeFrame(message: unknown): Buffer {
  const text = JSON.stringify(message);
  const length = Buffer.byteLength(text);
  if (length > FRAME_BYTES_MAX)
    throw new RangeError(`A message of ${length} bytes is too long: ${FRAME_BYTES_MAX} at most`);
  const frame = Buffer.allocUnsafe(HEAD_BYTES + length);
  frame.writeUInt32LE(length);
  frame.write(text, HEAD_BYTES);
  return frame;
}

/** Takes a stream of bytes apart into messages. */
export class FrameParser {
  #chunks: Buffer[] = [];
  #held = 0;
  #needed = HEAD_BYTES;

  /** The messages that end in this chunk. @throws Error for bytes that a stranger sent */
  *parse(chunk: Buffer): Generator<unknown> {
    this.#chunks.push(chunk);
    this.#held += chunk.length;
    while (this.#held >= this.#needed) {
      const bytes = this.#chunks.length === 1 ? (this.#chunks[0] as Buffer) : Buffer.concat(this.#chunks);
      const end = HEAD_BYTES + bytes.readUInt32LE();
      if (end - HEAD_BYTES > FRAME_BYTES_MAX) throw new RangeError('A message of the hot store is too long');
      const isWhole = bytes.length >= end;
      const rest = isWhole ? bytes.subarray(end) : bytes;
      this.#chunks = [rest];
      this.#held = rest.length;
      this.#needed = isWhole ? HEAD_BYTES : end;
      if (isWhole) yield JSON.parse(bytes.toString('utf8', HEAD_BYTES, end));
    }
  }
}

/** Writes the messages of one turn of the event loop together. */
export class FrameWriter {
  readonly #socket: Socket;
  #frames: Buffer[] = [];

  constructor(socket: Socket) {
    this.#socket = socket;
  }

  push(frame: Buffer): void {
    if (this.#frames.length === 0) setImmediate(() => this.flush());
    this.#frames.push(frame);
  }

  flush(): void {
    if (this.#frames.length === 0 || this.#socket.destroyed) return;
    const [first] = this.#frames;
    this.#socket.write(this.#frames.length === 1 && first !== undefined ? first : Buffer.concat(this.#frames));
    this.#frames = [];
  }
}
