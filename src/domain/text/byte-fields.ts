const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const ULID_CHARS = 26;
/** All pairs of digits, by their ten bits. */
const CROCKFORD_PAIRS = Array.from(
  { length: 1_024 },
  (_one, at) => CROCKFORD.charAt(at >> 5) + CROCKFORD.charAt(at & 31),
);
const DECIMAL_DIGITS_MAX = 18;
const DIGIT_ZERO = 0x30;
const NO_DIGIT = 64;
/** By character code; `NO_DIGIT` for what is none. */
const CROCKFORD_VALUES = Uint8Array.from({ length: 256 }, (_one, code) => digitOf(CROCKFORD, code));
const HEX_VALUES = Uint8Array.from({ length: 256 }, (_one, code) => digitOf('0123456789abcdef', code));
const TEXT_BYTES_MAX = 64;

/** Writes the positional binary fields of signed tokens. Every method throws `RangeError` for a value outside its type. */
export class ByteWriter {
  private buffer = Buffer.allocUnsafe(512);
  private length = 0;

  /** Starts again; what `bytes` gave is overwritten. */
  clear(): void {
    this.length = 0;
  }

  /** 0…255 */
  byte(value: number): void {
    this.reserve(1);
    this.buffer[this.length++] = value;
  }

  /** A safe integer ≥ 0, seven bits a byte, low bits first. */
  integer(value: number): void {
    if (!Number.isSafeInteger(value) || value < 0) throw new RangeError(`${value} is not a whole number ≥ 0`);
    this.reserve(8);
    let rest = value;
    while (rest >= 128) {
      this.buffer[this.length++] = (rest % 128) + 128;
      rest = Math.floor(rest / 128);
    }
    this.buffer[this.length++] = rest;
  }

  /** A decimal id of 1 to 18 digits, or '' (written as 0): its high and low nine digits. */
  decimalId(id: string): void {
    if (id === '') return this.byte(0);
    const split = Math.max(0, id.length - 9);
    const high = digitsValue(id, 0, split);
    const low = digitsValue(id, split, id.length);
    if (id.length > DECIMAL_DIGITS_MAX || id.charCodeAt(0) === DIGIT_ZERO || high < 0 || low < 0)
      throw new RangeError(`${JSON.stringify(id)} is not a decimal id`);
    // The low half doubled leaves a bit that says whether a high half follows: most ids are short.
    this.integer(low * 2 + (high > 0 ? 1 : 0));
    if (high > 0) this.integer(high);
  }

  /** A ULID as 16 bytes. */
  ulid(id: string): void {
    this.reserve(16);
    // 26 digits of five bits are two bits more than 16 bytes; those two are zero.
    let bits = valueOf(CROCKFORD_VALUES, id, 0);
    let isUlid = id.length === ULID_CHARS && bits < 8;
    let count = 3;
    const start = this.length;
    for (let at = 1; at < ULID_CHARS && isUlid; at += 1) {
      const value = valueOf(CROCKFORD_VALUES, id, at);
      isUlid = value !== NO_DIGIT;
      bits = ((bits << 5) | value) & 0xfff;
      count += 5;
      if (count < 8) continue;
      count -= 8;
      this.buffer[this.length++] = bits >>> count;
    }
    if (isUlid) return;
    this.length = start;
    throw new RangeError(`${JSON.stringify(id)} is not a ULID`);
  }

  /** Characters up to U+00FF, one byte each, without a length. */
  latin1(value: string): void {
    this.reserve(value.length);
    this.length += this.buffer.write(value, this.length, 'latin1');
  }

  /** Text, cut to its first 64 bytes of UTF-8 (whole characters). */
  text(value: string): void {
    if (value.length <= TEXT_BYTES_MAX && this.asciiText(value)) return;
    const bytes = Buffer.from(cutUtf8(value, TEXT_BYTES_MAX), 'utf8');
    this.byte(bytes.length);
    this.reserve(bytes.length);
    this.length += bytes.copy(this.buffer, this.length);
  }

  /** Writes length and characters, one byte each; false, and writes nothing, when one is not ASCII. */
  private asciiText(value: string): boolean {
    const { length } = value;
    this.reserve(1 + length);
    const start = this.length + 1;
    for (let at = 0; at < length; at += 1) {
      const code = value.charCodeAt(at);
      if (code > 127) return false;
      this.buffer[start + at] = code;
    }
    this.buffer[this.length] = length;
    this.length = start + length;
    return true;
  }

  /** Exactly `count` bytes, given as lower-case hex digits. */
  hex(digits: string, count: number): void {
    this.reserve(count);
    const start = this.length;
    let isHex = digits.length === count * 2;
    for (let at = 0; at < digits.length && isHex; at += 2) {
      const high = valueOf(HEX_VALUES, digits, at);
      const low = valueOf(HEX_VALUES, digits, at + 1);
      isHex = high !== NO_DIGIT && low !== NO_DIGIT;
      this.buffer[this.length++] = high * 16 + low;
    }
    if (isHex) return;
    this.length = start;
    throw new RangeError(`not ${count * 2} hex digits`);
  }

  /** The written bytes. */
  bytes(): Buffer {
    return this.buffer.subarray(0, this.length);
  }

  private reserve(count: number): void {
    if (this.length + count <= this.buffer.length) return;
    this.buffer = Buffer.concat([this.buffer, Buffer.allocUnsafe(Math.max(count, this.buffer.length))]);
  }
}

/** Reads what {@link ByteWriter} wrote. Past the end it reads zeros and empty texts and never throws; see `isExhausted`. */
export class ByteParser {
  private readonly buffer: Buffer;
  private offset = 0;

  constructor(buffer: Buffer) {
    this.buffer = buffer;
  }

  byte(): number {
    return this.buffer[this.offset++] ?? 0;
  }

  integer(): number {
    let value = 0;
    let scale = 1;
    for (let count = 0; count < 8; count += 1) {
      const byte = this.byte();
      value += (byte % 128) * scale;
      if (byte < 128) return value;
      scale *= 128;
    }
    return value;
  }

  decimalId(): string {
    const low = this.integer();
    const lowDigits = String(Math.floor(low / 2));
    if (low % 2 === 1) return `${this.integer()}${lowDigits.padStart(9, '0')}`;
    return low === 0 ? '' : lowDigits;
  }

  ulid(): string {
    let text = '';
    let bits = 0;
    // 26 digits of 5 bits: two more than 16 bytes have, in front.
    let bitsLeft = 2;
    for (let count = 0; count < 16; count += 1) {
      bits = ((bits << 8) | this.byte()) & 0x3ffff;
      bitsLeft += 8;
      if (bitsLeft < 10) continue;
      bitsLeft -= 10;
      text += CROCKFORD_PAIRS[(bits >> bitsLeft) & 1_023];
    }
    return text;
  }

  text(): string {
    const count = this.byte();
    const start = this.offset;
    this.offset += count;
    return this.buffer.toString('utf8', start, this.offset);
  }

  hex(count: number): string {
    const start = this.offset;
    this.offset += count;
    return this.buffer.toString('hex', start, this.offset);
  }

  /** True when all bytes were read, and none beyond them. */
  isExhausted(): boolean {
    return this.offset === this.buffer.length;
  }
}

/** The value of up to nine decimal digits; -1 when something else is among them. */
function digitsValue(text: string, start: number, end: number): number {
  let value = 0;
  for (let at = start; at < end; at += 1) {
    const digit = text.charCodeAt(at) - DIGIT_ZERO;
    if (digit < 0 || digit > 9) return -1;
    value = value * 10 + digit;
  }
  return value;
}

/** The first `bytesMax` bytes of a text's UTF-8, whole characters only. */
export function cutUtf8(value: string, bytesMax: number): string {
  if (value.length * 3 <= bytesMax) return value;
  const bytes = Buffer.from(value, 'utf8');
  if (bytes.length <= bytesMax) return value;
  let end = bytesMax;
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return bytes.toString('utf8', 0, end);
}

function digitOf(alphabet: string, code: number): number {
  const value = alphabet.indexOf(String.fromCharCode(code));
  return value < 0 ? NO_DIGIT : value;
}

function valueOf(values: Uint8Array, text: string, at: number): number {
  return values[text.charCodeAt(at)] ?? NO_DIGIT;
}
