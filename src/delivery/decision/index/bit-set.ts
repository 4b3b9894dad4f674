/** Sets of indexes as bits: index `i` is bit `i % 32` of word `i >> 5`. */

/** The number of words that hold so many bits. */
export function wordsOf(bitCount: number): number {
  return (bitCount + 31) >>> 5;
}

/** The set of all indexes below `bitCount`. */
export function allBits(bitCount: number): Uint32Array {
  const bits = new Uint32Array(wordsOf(bitCount)).fill(0xffff_ffff);
  if (bitCount % 32 !== 0) bits[bits.length - 1] = 2 ** (bitCount % 32) - 1;
  return bits;
}

export function hasBit(bits: Uint32Array, index: number): boolean {
  return ((bits[index >>> 5] as number) & (1 << (index & 31))) !== 0;
}

export function setBit(bits: Uint32Array, index: number): void {
  bits[index >>> 5] = (bits[index >>> 5] as number) | (1 << (index & 31));
}

/** Adds the elements of `indexes` from `start` up to `end` (exclusive). */
export function setBits(bits: Uint32Array, indexes: Int32Array, start: number, end: number): void {
  for (let at = start; at < end; at += 1) setBit(bits, indexes[at] as number);
}

/** Copies `length` bits from bit `start` of `source` to bit `at` of `target`, whose bits must be zero there. */
export function copyBits(
  source: Uint32Array,
  target: Uint32Array,
  { start, at, length }: { readonly start: number; readonly at: number; readonly length: number },
): void {
  for (let done = 0; done < length; ) {
    const to = at + done;
    const step = Math.min(32 - (to & 31), length - done);
    const from = start + done;
    const word = from >>> 5;
    const shift = from & 31;
    let bits = (source[word] as number) >>> shift;
    if (shift + step > 32) bits |= (source[word + 1] as number) << (32 - shift);
    if (step < 32) bits &= 2 ** step - 1;
    target[to >>> 5] = (target[to >>> 5] as number) | (bits << (to & 31));
    done += step;
  }
}
