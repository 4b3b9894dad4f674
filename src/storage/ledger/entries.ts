import type { FileProgress } from '../hot/event-counts.ts';

/** The kinds of entries. */
export const VALUE = 0x76;
export const COUNTER = 0x63;
export const LIST = 0x6c;
/** Sets of counted events, and how far spool files are counted. */
export const EVENTS = 0x73;
export const PROGRESS = 0x70;

const OFFSET_BYTES = 4;
/** Of the length of a value in a list, before it. */
const LENGTH_BYTES = 4;

/** The bytes of a list with one more value in front, cut to `max` values. */
export function pushToList(list: Buffer, value: string, max: number): Buffer {
  const valueBytes = Buffer.byteLength(value);
  const kept = endOfValues(list, max - 1);
  const longer = Buffer.allocUnsafe(LENGTH_BYTES + valueBytes + kept);
  longer.writeUInt32LE(valueBytes);
  longer.write(value, LENGTH_BYTES);
  list.copy(longer, LENGTH_BYTES + valueBytes, 0, kept);
  return longer;
}

/** Where the first `count` values of a list end, or all of fewer. */
function endOfValues(list: Buffer, count: number): number {
  let end = 0;
  for (let found = 0; found < count && end < list.length; found += 1) end += LENGTH_BYTES + list.readUInt32LE(end);
  return end;
}

/** The values of a list, newest first. */
export function decodeList(list: Buffer): string[] {
  const values: string[] = [];
  for (let at = 0; at < list.length; ) {
    const end = at + LENGTH_BYTES + list.readUInt32LE(at);
    values.push(list.toString('utf8', at + LENGTH_BYTES, end));
    at = end;
  }
  return values;
}

/** The bytes of a file's progress: the watermark, then duplicates. */
export function encodeProgress({ watermark, duplicates }: FileProgress): Buffer {
  const bytes = Buffer.allocUnsafe(OFFSET_BYTES * (1 + duplicates.length));
  bytes.writeUInt32LE(watermark);
  for (const [at, offset] of duplicates.entries()) bytes.writeUInt32LE(offset, OFFSET_BYTES * (1 + at));
  return bytes;
}

/** The progress in an entry. */
export function decodeProgress(bytes: Buffer): FileProgress {
  const duplicates: number[] = [];
  for (let at = OFFSET_BYTES; at < bytes.length; at += OFFSET_BYTES) duplicates.push(bytes.readUInt32LE(at));
  return { watermark: bytes.readUInt32LE(), duplicates };
}
