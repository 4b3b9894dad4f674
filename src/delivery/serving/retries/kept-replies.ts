import { constants } from 'node:buffer';

/** Longest stored reply, in characters; the retry of a longer one is a new request. */
export const REPLY_CHARS_MAX = 262_144;
/** Bytes that a character of UTF-16 takes at most in UTF-8. */
const CHAR_BYTES_MAX = 3;
const LENGTH_BYTES = 4;

/**
 * The latest replies as bytes, in a ring buffer outside of the garbage collector's heap: new ones overwrite the oldest. Positions increase
 * for ever, so that an overwritten one is recognised.
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
   * Stores two texts as one and returns the position; NaN when it is too long. The texts come separately because a response is a rope of
   * pieces: it is flattened once, here, and sent in that form.
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
