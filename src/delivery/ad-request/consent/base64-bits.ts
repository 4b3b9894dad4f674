/** A base64url text that ends before a field, or has other characters. */
export class DamagedBits extends Error {}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
/** By character code. */
const SEXTETS: readonly (number | undefined)[] = Array.from({ length: 128 }, (_none, code) => {
  const value = ALPHABET.indexOf(String.fromCodePoint(code));
  return value < 0 ? undefined : value;
});

/** Reads bits of a base64url text, in order. Decodes only the characters that a caller reads. */
export class Base64Bits {
  readonly #text: string;
  #position = 0;

  constructor(text: string) {
    this.#text = text;
  }

  skip(count: number): void {
    this.#position += count;
  }

  /** An unsigned integer of 1 to 31 bits. @throws {DamagedBits} */
  read(width: number): number {
    let value = 0;
    for (let bit = 0; bit < width; bit += 1) value = value * 2 + this.#nextBit();
    return value;
  }

  #nextBit(): number {
    const sextet = SEXTETS[this.#text.charCodeAt(Math.floor(this.#position / 6))];
    if (sextet === undefined) throw new DamagedBits('The consent string is damaged.');
    const bit = (sextet >> (5 - (this.#position % 6))) & 1;
    this.#position += 1;
    return bit;
  }
}

/** The result of `read`, or null where the text is damaged. */
export function nullIfDamaged<Result>(read: () => Result): Result | null {
  try {
    return read();
  } catch (error) {
    if (error instanceof DamagedBits) return null;
    throw error;
  }
}
