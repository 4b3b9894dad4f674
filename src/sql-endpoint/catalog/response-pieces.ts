/** The pieces of one response in the order that PostgreSQL sends them, up to a number of bytes. */
export class ResponsePieces {
  readonly #bytesMax: number;
  #pieces: Uint8Array[] = [];
  #bytes = 0;
  #isTooLarge = false;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  /** Bytes in memory. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Takes a copy of the piece. Frees everything once the response is too large. */
  add(piece: Uint8Array): void {
    if (this.#isTooLarge) return;
    if (this.#bytes + piece.length > this.#bytesMax) {
      this.#isTooLarge = true;
      this.#pieces = [];
      this.#bytes = 0;
      return;
    }
    this.#pieces.push(piece.slice());
    this.#bytes += piece.length;
  }

  /** The whole response; null: it is too large. */
  join(): Uint8Array<ArrayBuffer> | null {
    if (this.#isTooLarge) return null;
    const whole = new Uint8Array(this.#bytes);
    let at = 0;
    for (const piece of this.#pieces) {
      whole.set(piece, at);
      at += piece.length;
    }
    return whole;
  }
}
