import { isEventSet } from './event-set.ts';
import type { EventSet } from './event-set.ts';

/** The kinds of entries: the first byte of every stored key. */
export const VALUE = 0x76;
export const COUNTER = 0x63;
export const LIST = 0x6c;
/** Sets of counted events, and how far spool files are counted. */
export const EVENTS = 0x73;
export const PROGRESS = 0x70;
/** Of the index by time that older programs kept: 8 bytes of milliseconds, then the stored key that expires. */
export const OLD_INDEX = 0x00;
/** Bytes of an entry's end in milliseconds, with which it begins, and of a counter, which follows. */
export const expiryBytes = 8;
export const counterBytes = 8;
const OFFSET_BYTES = 4;
/** Of the length of a value in a list, before it. */
const LENGTH_BYTES = 4;

/** Eight bytes that `getBigInt64` reads: methods of `Buffer` take ten times as long. */
const COUNT = new DataView(new ArrayBuffer(counterBytes));

const COUNTER_MAX = 2n ** 63n - 1n;
const COUNTER_MIN = -(2n ** 63n);

/** The key of an entry of a kind. */
export function storedKey(kind: number, key: string): Buffer {
  const bytes = Buffer.allocUnsafe(1 + Buffer.byteLength(key));
  bytes[0] = kind;
  bytes.write(key, 1);
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
  return readInt64(entry, expiryBytes);
}

/** A signed integer of 64 bits. The caller checks the bounds. */
export function readInt64(bytes: Buffer, from: number): bigint {
  for (let at = 0; at < counterBytes; at += 1) COUNT.setUint8(at, bytes[from + at] ?? 0);
  return COUNT.getBigInt64(0, true);
}

/** Writes the entry of a counter over `entry`. */
export function writeCounter(entry: DataView, expiresAtMs: number, value: bigint): void {
  entry.setFloat64(0, expiresAtMs);
  entry.setBigInt64(expiryBytes, value, true);
}

/** The payload of a list with one more value in front, cut to `max` values. Those that stay are copied as they are. */
export function pushToList(list: Buffer, value: string, max: number): Buffer {
  const valueBytes = Buffer.byteLength(value);
  const kept = endOfValues(list, max - 1);
  const payload = Buffer.allocUnsafe(LENGTH_BYTES + valueBytes + kept);
  payload.writeUInt32LE(valueBytes);
  payload.write(value, LENGTH_BYTES);
  list.copy(payload, LENGTH_BYTES + valueBytes, 0, kept);
  return payload;
}

/** The payload of a list in an entry, copied. @throws RangeError for a damaged entry */
export function readList(entry: Buffer): Buffer {
  const list = Buffer.from(entry.subarray(expiryBytes, entry.length));
  endOfValues(list, Number.POSITIVE_INFINITY);
  return list;
}

/** Where the first `count` values of a list end, or all of fewer. */
function endOfValues(list: Buffer, count: number): number {
  let end = 0;
  for (let found = 0; found < count && end < list.length; found += 1) {
    const length = end + LENGTH_BYTES <= list.length ? list.readUInt32LE(end) : Number.POSITIVE_INFINITY;
    end += LENGTH_BYTES + length;
    if (end > list.length) throw new RangeError('A list of the hot store is cut');
  }
  return end;
}

/** The values of a list. @throws RangeError for a damaged entry */
export function decodeList(entry: Buffer, from: number = expiryBytes): string[] {
  const values: string[] = [];
  for (let at = from; at < entry.length; ) {
    const length = at + 4 <= entry.length ? entry.readUInt32LE(at) : Number.POSITIVE_INFINITY;
    if (at + 4 + length > entry.length) throw new RangeError('A list of the hot store is cut');
    values.push(entry.toString('utf8', at + 4, at + 4 + length));
    at += 4 + length;
  }
  return values;
}

/** How far a spool file is counted. */
export interface FileProgress {
  /** All lines before this offset are counted. */
  readonly watermark: number;
  /** Offsets of those whose event another line counted, rising. */
  readonly duplicates: readonly number[];
}

/** The payload of a file's progress: the watermark, then duplicates. */
export function encodeProgress({ watermark, duplicates }: FileProgress): Buffer {
  const payload = Buffer.allocUnsafe(OFFSET_BYTES * (1 + duplicates.length));
  payload.writeUInt32LE(watermark);
  for (const [at, offset] of duplicates.entries()) payload.writeUInt32LE(offset, OFFSET_BYTES * (1 + at));
  return payload;
}

/** The progress in an entry. @throws RangeError for a damaged entry */
export function decodeProgress(entry: Buffer): FileProgress {
  if (!isProgress(entry)) throw new RangeError('The progress of a spool file in the hot store is cut');
  const duplicates: number[] = [];
  for (let at = expiryBytes + OFFSET_BYTES; at < entry.length; at += OFFSET_BYTES)
    duplicates.push(entry.readUInt32LE(at));
  return { watermark: entry.readUInt32LE(expiryBytes), duplicates };
}

/** Whether an entry can be a file's progress. */
export function isProgress(entry: Uint8Array): boolean {
  return entry.length >= expiryBytes + OFFSET_BYTES && (entry.length - expiryBytes) % OFFSET_BYTES === 0;
}

/** The set of events in an entry, copied. @throws RangeError for a damaged entry */
export function decodeEvents(entry: Buffer): EventSet {
  const set = Buffer.from(entry.subarray(expiryBytes, entry.length));
  if (!isEventSet(set)) throw new RangeError('A set of events in the hot store is cut');
  return set;
}
