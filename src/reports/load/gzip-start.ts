import { constants, crc32, deflateRawSync } from 'node:zlib';

/** A compressed text that other texts follow, in the format of gzip (RFC 1952). */
export interface GzipStart {
  /** Header and compressed text, ending on a byte; more blocks may follow. */
  readonly bytes: Buffer;
  readonly crc: number;
  /** Of the text, before compression. */
  readonly length: number;
}

/** Deflate, no flags, no time, unknown system. */
const HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255]);
/** Of one stored block (RFC 1951 §3.2.4). */
const STORED_BYTES_MAX = 65_535;
/** As the other responses of the core. */
const LEVEL = 4;

/** Compresses the beginning of a body. */
export function startGzip(text: Buffer): GzipStart {
  const deflated = deflateRawSync(text, { level: LEVEL, finishFlush: constants.Z_SYNC_FLUSH });
  return { bytes: Buffer.concat([HEADER, deflated]), crc: crc32(text), length: text.length };
}

/** The whole body: the compressed start, then `end` as it is. @throws RangeError for an end of more than 65,535 bytes */
export function joinGzip(start: GzipStart, end: Buffer): Buffer {
  if (end.length > STORED_BYTES_MAX) throw new RangeError('The end of the body does not fit one block');
  const whole = Buffer.allocUnsafe(start.bytes.length + 5 + end.length + 8);
  let at = start.bytes.copy(whole, 0);
  at = whole.writeUInt8(1, at);
  at = whole.writeUInt16LE(end.length, at);
  at = whole.writeUInt16LE(end.length ^ 0xffff, at);
  at += end.copy(whole, at);
  at = whole.writeUInt32LE(crc32(end, start.crc), at);
  whole.writeUInt32LE((start.length + end.length) % 2 ** 32, at);
  return whole;
}
