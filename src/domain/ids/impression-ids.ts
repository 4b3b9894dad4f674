import { randomFillSync } from 'node:crypto';
import { CROCKFORD, encodeTime } from './ids.ts';

/** Ids that share their random part, and the bits of their number. */
const SHARED_BY = 4_096;
const RANDOM_CHARS = 14;

/**
 * Makes the ids of impressions of one process: ULIDs of which 4,096 in a row share 68 random bits and have the numbers 0 to 4,095 in the
 * last 12. What is counted of them fits into one bitmap. A number says how many ids came before within its 4,096 and no more.
 */
export class ImpressionIds {
  readonly #drawn = new Uint8Array(RANDOM_CHARS);
  #label = '';
  /** Three bits of the character that random bits and number share. */
  #split = 0;
  #number = SHARED_BY;
  #timeMs = -1;
  #timeText = '';

  next(nowMs: number): string {
    if (this.#number === SHARED_BY) this.#draw();
    if (nowMs !== this.#timeMs) {
      this.#timeMs = nowMs;
      this.#timeText = encodeTime(nowMs);
    }
    const number = this.#number++;
    const tail = digit((this.#split << 2) | (number >> 10)) + digit((number >> 5) & 31) + digit(number & 31);
    return this.#timeText + this.#label + tail;
  }

  #draw(): void {
    randomFillSync(this.#drawn);
    let label = '';
    for (const byte of this.#drawn.subarray(1)) label += digit(byte & 31);
    this.#label = label;
    this.#split = (this.#drawn[0] ?? 0) & 7;
    this.#number = 0;
  }
}

function digit(value: number): string {
  return CROCKFORD.charAt(value);
}
