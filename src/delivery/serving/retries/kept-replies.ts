import { constants } from 'node:buffer';

/** Longest reply that is kept, in characters; a longer one is not, and its retry is a new request. */
export const REPLY_CHARS_MAX = 262_144;
/** Bytes that a character of UTF-16 takes at most in UTF-8. */
const CHAR_BYTES_MAX = 3;
const LENGTH_BYTES = 4;

/**
 * The replies of the last moments as bytes, in one ring outside of the garbage collector's heap: what does not fit any more overwrites
 * the oldest. A position counts on for ever, so that one that was overwritten is known.
 */
export class KeptReplies {
  readonly #bytesMax: number;
  #ring: Buffer | null = null;
  #head = 0;

  /** @param bytesMax more than three times `REPLY_CHARS_MAX`; taken from the system as it is used */
  constructor(bytesMax: number) {
    this.#bytesMax = Math.min(bytesMax, constants.MAX_LENGTH);
  }

  /**
   * Keeps two texts as one and returns its position; NaN for what is too long. They come apart because a response is a rope of pieces:
   * it is made flat once, here, and sent as it is then.
   */
  put(head: string, body: string): number {
    const chars = head.length + body.length;
    if (chars > REPLY_CHARS_MAX) return Number.NaN;
    this.#ring ??= Buffer.allocUnsafeSlow(this.#bytesMax);
    const offset = this.#head % this.#bytesMax;
    const needed = LENGTH_BYTES + chars * CHAR_BYTES_MAX;
    const position = offset + needed > this.#bytesMax ? this.#head + this.#bytesMax - offset : this.#head;
    const start = position % this.#bytesMax;
    const headBytes = this.#ring.write(head, start + LENGTH_BYTES, 'utf8');
    const bytes = headBytes + this.#ring.write(body, start + LENGTH_BYTES + headBytes, 'utf8');
    this.#ring.writeUInt32LE(bytes, start);
    this.#head = position + LENGTH_BYTES + bytes;
    return position;
  }

  /** The text at a position; null when it was overwritten, or the position is NaN. */
  read(position: number): string | null {
    if (this.#ring === null || !(position >= this.#head - this.#bytesMax)) return null;
    const start = position % this.#bytesMax;
    const end = start + LENGTH_BYTES + this.#ring.readUInt32LE(start);
    return this.#ring.toString('utf8', start + LENGTH_BYTES, end);
  }
}
