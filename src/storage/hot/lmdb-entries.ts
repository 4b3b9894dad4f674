/** The kinds of entries: the first byte of every stored key. */
export const VALUE = 0x76;
export const COUNTER = 0x63;
export const LIST = 0x6c;
/** Of the index by time: then 8 bytes of milliseconds, then the stored key that expires. */
export const EXPIRY = 0x00;
/** Bytes of an entry's end in milliseconds, with which it begins, and of a counter, which follows. */
export const expiryBytes = 8;
const counterBytes = 8;

/** The value in the index by time. */
export const EMPTY = Buffer.alloc(0);
const COUNTER_MAX = 2n ** 63n - 1n;
const COUNTER_MIN = -(2n ** 63n);

/** The key of an entry of a kind. */
export function storedKey(kind: number, key: string): Buffer {
  const bytes = Buffer.allocUnsafe(1 + Buffer.byteLength(key));
  bytes[0] = kind;
  bytes.write(key, 1);
  return bytes;
}

/** Positive doubles sort as their big-endian bytes do. */
export function expiryKey(expiresAtMs: number, stored: Buffer): Buffer {
  const bytes = Buffer.allocUnsafe(1 + expiryBytes + stored.length);
  bytes[0] = EXPIRY;
  bytes.writeDoubleBE(expiresAtMs, 1);
  stored.copy(bytes, 1 + expiryBytes);
  return bytes;
}

/** The value, or the end of 64 bits that it is beyond. */
export function within64Bits(value: bigint): bigint {
  const wrapped = BigInt.asIntN(64, value);
  if (wrapped === value) return value;
  return value > 0n ? COUNTER_MAX : COUNTER_MIN;
}

/** The bounds of an entry are checked here: what `getBinaryFast` returns lies in larger memory. @throws RangeError for a damaged entry */
export function readExpiry(entry: Buffer): number {
  if (entry.length < expiryBytes) throw new RangeError('An entry of the hot store is cut');
  return entry.readDoubleBE(0);
}

/** The value of a counter. @throws RangeError for a damaged entry */
export function readCount(entry: Buffer): bigint {
  if (entry.length < expiryBytes + counterBytes) throw new RangeError('A counter of the hot store is cut');
  return entry.readBigInt64LE(expiryBytes);
}

/** When an entry expires; null: there is none. */
export function expiryOf(entry: Buffer | undefined): number | null {
  return entry === undefined ? null : readExpiry(entry);
}

/** The payload of a counter. */
export function encodeCounter(value: bigint): Buffer {
  const payload = Buffer.allocUnsafe(counterBytes);
  payload.writeBigInt64LE(value);
  return payload;
}

/** The payload of a list. */
export function encodeList(values: readonly string[]): Buffer {
  const parts = values.flatMap((value) => {
    const bytes = Buffer.from(value);
    const length = Buffer.allocUnsafe(4);
    length.writeUInt32LE(bytes.length);
    return [length, bytes];
  });
  return Buffer.concat(parts);
}

/** The values of a list. @throws RangeError for a damaged entry */
export function decodeList(entry: Buffer): string[] {
  const values: string[] = [];
  for (let at = expiryBytes; at < entry.length; ) {
    const length = at + 4 <= entry.length ? entry.readUInt32LE(at) : Number.POSITIVE_INFINITY;
    if (at + 4 + length > entry.length) throw new RangeError('A list of the hot store is cut');
    values.push(entry.toString('utf8', at + 4, at + 4 + length));
    at += 4 + length;
  }
  return values;
}
