import { crc32 } from 'node:zlib';
import type { AssetExtension } from '../../../storage/assets.ts';
import { readAudioFacts } from './audio-facts.ts';
import { inflatesTo } from './png-pixels.ts';

/** Whether the bytes are one file from the first to the last, as its format writes it; the missing formats are text. */
const WHOLE: Readonly<Partial<Record<AssetExtension, (bytes: Buffer) => boolean | Promise<boolean>>>> = {
  png: isWholePng,
  jpg: isWholeJpeg,
  gif: isWholeGif,
  webp: isWholeWebp,
  avif: (bytes) => hasWholeBoxes(bytes, ['ftyp', 'meta', 'mdat']),
  mp4: (bytes) => hasWholeBoxes(bytes, ['ftyp', 'moov']),
  webm: isWholeWebm,
  m4a: (bytes) => hasWholeBoxes(bytes, ['ftyp', 'moov']),
  mp3: (bytes) => readAudioFacts(bytes, 'mp3') !== null,
  aac: (bytes) => readAudioFacts(bytes, 'aac') !== null,
  ogg: (bytes) => readAudioFacts(bytes, 'ogg') !== null,
  wav: (bytes) => readAudioFacts(bytes, 'wav') !== null,
};

/**
 * Whether a picture, video or sound is complete: its structure is checked from the first byte to the last, so that a header alone, or a file that
 * was cut off, is refused. The pixels of a PNG are inflated too; their number must match the header.
 */
export async function isWholeFile(bytes: Buffer, extension: AssetExtension): Promise<boolean> {
  try {
    return (await WHOLE[extension]?.(bytes)) ?? true;
  } catch (error) {
    // A read past the end of the file.
    if (error instanceof RangeError) return false;
    throw error;
  }
}

/** PNG, third edition: signature, chunks with a CRC each, IHDR first, IEND last. */
async function isWholePng(bytes: Buffer): Promise<boolean> {
  const pixels: Buffer[] = [];
  let header: Buffer | null = null;
  for (let at = 8; at < bytes.length; ) {
    const length = bytes.readUInt32BE(at);
    const end = at + 8 + length;
    if (bytes.readUInt32BE(end) !== crc32(bytes.subarray(at + 4, end))) return false;
    const type = bytes.toString('latin1', at + 4, at + 8);
    if ((header === null) !== (type === 'IHDR')) return false;
    if (type === 'IHDR') header = bytes.subarray(at + 8, end);
    if (type === 'IDAT') pixels.push(bytes.subarray(at + 8, end));
    at = end + 4;
    if (type === 'IEND') return header !== null && at === bytes.length && inflatesTo(header, pixels);
  }
  return false;
}

const JPEG_SCAN = 0xda;
const JPEG_END = 0xd9;

/** ITU-T T.81, annex B: segments up to a scan, entropy-coded data up to the next marker, and EOI at the end. */
function isWholeJpeg(bytes: Buffer): boolean {
  let hasFrame = false;
  let hasScan = false;
  for (let at = 2; ; ) {
    if (bytes.readUInt8(at) !== 0xff) return false;
    while (bytes.readUInt8(at + 1) === 0xff) at += 1;
    const marker = bytes.readUInt8(at + 1);
    // Cameras put previews behind it: they are not shown.
    if (marker === JPEG_END) return hasFrame && hasScan;
    const length = bytes.readUInt16BE(at + 2);
    if (length < 2) return false;
    // SOF0 to SOF15 without DHT, JPG and DAC.
    if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)) hasFrame = true;
    at += 2 + length;
    if (marker !== JPEG_SCAN) continue;
    hasScan = true;
    at = endOfScan(bytes, at);
  }
}

/** Finds the next marker, past stuffed bytes and restarts. */
function endOfScan(bytes: Buffer, start: number): number {
  for (let at = bytes.indexOf(0xff, start); at !== -1; at = bytes.indexOf(0xff, at + 1)) {
    const next = bytes.readUInt8(at + 1);
    if (next !== 0 && next !== 0xff && (next < 0xd0 || next > 0xd7)) return at;
  }
  throw new RangeError('The scan does not end');
}

/** GIF89a: header, colour table, blocks (extensions and pictures) and the trailer. */
function isWholeGif(bytes: Buffer): boolean {
  let at = 13 + colourTableBytes(bytes.readUInt8(10));
  for (let pictures = 0; ; ) {
    const kind = bytes.readUInt8(at);
    if (kind === 0x3b) return pictures > 0;
    if (kind === 0x2c) {
      pictures += 1;
      if (pictures > FRAMES_MAX) return false;
      at = endOfSubBlocks(bytes, at + 10 + colourTableBytes(bytes.readUInt8(at + 9)) + 1);
    } else if (kind === 0x21) at = endOfSubBlocks(bytes, at + 2);
    else return false;
  }
}

/** The most pictures of an animation: more of them would keep a browser busy. */
const FRAMES_MAX = 2_000;

function colourTableBytes(packed: number): number {
  return (packed & 0x80) === 0 ? 0 : 3 * 2 ** ((packed & 7) + 1);
}

function endOfSubBlocks(bytes: Buffer, start: number): number {
  let at = start;
  for (let length = bytes.readUInt8(at); length > 0; length = bytes.readUInt8(at)) at += length + 1;
  return at + 1;
}

/** RIFF container (RFC 9649): its size is that of the file, and its chunks fill it. */
function isWholeWebp(bytes: Buffer): boolean {
  const end = bytes.readUInt32LE(4) + 8;
  if (end !== bytes.length && end + 1 !== bytes.length) return false;
  let frames = 0;
  let at = 12;
  while (at < end) {
    const type = bytes.toString('latin1', at, at + 4);
    if (type === 'VP8 ' || type === 'VP8L' || type === 'ANMF') frames += 1;
    const length = bytes.readUInt32LE(at + 4);
    at += 8 + length + (length % 2);
  }
  return frames > 0 && frames <= FRAMES_MAX && at === end;
}

/** ISO base media file format: boxes fill the file, and all required ones are there. */
function hasWholeBoxes(bytes: Buffer, needed: readonly string[]): boolean {
  const missing = new Set(needed);
  let at = 0;
  while (at < bytes.length) {
    const size = bytes.readUInt32BE(at);
    missing.delete(bytes.toString('latin1', at + 4, at + 8));
    // 0: to the end of the file. 1: the size follows in eight bytes.
    const length = size === 0 ? bytes.length - at : size === 1 ? Number(bytes.readBigUInt64BE(at + 8)) : size;
    if (length < 8) return false;
    at += length;
  }
  return at === bytes.length && missing.size === 0;
}

const EBML_HEADER = 0x1a45dfa3;
const WEBM_SEGMENT = 0x18538067;

/** EBML (RFC 8794): a header, and a segment up to the end; one of unknown size, as live recorders write it, ends with the file. */
function isWholeWebm(bytes: Buffer): boolean {
  if (bytes.readUInt32BE(0) !== EBML_HEADER) return false;
  const header = readEbmlSize(bytes, 4);
  const at = header.end + (header.size ?? 0);
  if (header.size === null || bytes.readUInt32BE(at) !== WEBM_SEGMENT) return false;
  const segment = readEbmlSize(bytes, at + 4);
  const left = bytes.length - segment.end;
  return left > 0 && (segment.size === null || segment.size === left);
}

/** A variable-length integer: as many bytes as the first has leading zero bits, and one; all ones = unknown (null). */
function readEbmlSize(bytes: Buffer, at: number): { readonly size: number | null; readonly end: number } {
  const length = Math.clz32(bytes.readUInt8(at)) - 23;
  if (length > 8) return { size: 0, end: at + 1 };
  let value = BigInt(bytes.readUInt8(at)) & (0xffn >> BigInt(length));
  for (let index = 1; index < length; index += 1) value = (value << 8n) | BigInt(bytes.readUInt8(at + index));
  const unknown = (1n << BigInt(7 * length)) - 1n;
  return { size: value === unknown ? null : Number(value), end: at + length };
}
