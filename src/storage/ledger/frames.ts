import { randomInt } from 'node:crypto';
import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { crc32 } from 'node:zlib';

/** The head of a frame: mark (4 bytes), length of the content (4), number (8), checksum of number and content (4). */
const MARK = Buffer.from('PLG1');
const LENGTH_AT = 4;
const NUMBER_AT = 8;
const CHECKSUM_AT = 16;
export const FRAME_HEAD_BYTES = 20;
/** Longest content: more than the longest entry. */
const CONTENT_BYTES_MAX = 2 ** 30;
const READ_BYTES = 4 * 2 ** 20;

/** Numbers of a file begin somewhere, so that no stored text can pose as one of its frames. */
const FIRST_NUMBER_MAX = 2 ** 47;
/** Most frames of a file. */
const FRAMES_MAX = 2 ** 32;

/** The number of the first frame of a new file. */
export function firstFrameNumber(): number {
  return randomInt(1, FIRST_NUMBER_MAX);
}

/** A frame of a log or of a checkpoint. Numbers of a file rise by 1. A frame without content ends a file. */
export function encodeFrame(number: number, content: Buffer): Buffer {
  const frame = Buffer.allocUnsafe(FRAME_HEAD_BYTES + content.length);
  MARK.copy(frame);
  frame.writeUInt32LE(content.length, LENGTH_AT);
  frame.writeDoubleLE(number, NUMBER_AT);
  content.copy(frame, FRAME_HEAD_BYTES);
  frame.writeUInt32LE(checksumOf(frame), CHECKSUM_AT);
  return frame;
}

function checksumOf(frame: Buffer): number {
  return crc32(frame.subarray(FRAME_HEAD_BYTES), crc32(frame.subarray(LENGTH_AT, CHECKSUM_AT)));
}

/**
 * How a file of frames ends:
 * - `ended`: with the frame that ends it
 * - `open`: behind a whole frame, or with the beginning of a frame, as a process leaves it that was killed
 * - `damaged`: whole frames stand behind bytes that are none
 */
export interface FrameFileEnd {
  readonly state: 'ended' | 'open' | 'damaged';
  /** The end of the last whole frame before anything else. */
  readonly bytes: number;
  /** The number of that frame; 0: there is none. */
  readonly number: number;
}

/** Reads the frames of a file in order. @param take gets the content of each, valid until it returns */
export function readFrames(path: string, take: (content: Buffer) => void): FrameFileEnd {
  const file = new FrameFile(path);
  try {
    let number = 0;
    for (let at = 0; ; ) {
      const frame = file.frameAt(at);
      if (frame === null || (number !== 0 && frame.number !== number + 1)) {
        const isDamaged = file.hasFrameBehind(at, number);
        return { state: isDamaged ? 'damaged' : 'open', bytes: at, number };
      }
      number = frame.number;
      at += FRAME_HEAD_BYTES + frame.content.length;
      if (frame.content.length === 0) return { state: at === file.bytes ? 'ended' : 'damaged', bytes: at, number };
      take(frame.content);
    }
  } finally {
    file.close();
  }
}

function isLater(other: number, number: number): boolean {
  return number === 0 || (other > number && other < number + FRAMES_MAX);
}

interface Frame {
  readonly number: number;
  readonly content: Buffer;
}

/** Reads a file in pieces. */
class FrameFile {
  readonly bytes: number;
  readonly #fd: number;
  #from = 0;
  #piece: Buffer = Buffer.alloc(0);

  constructor(path: string) {
    this.#fd = openSync(path, 'r');
    this.bytes = statSync(path).size;
  }

  /** The whole frame that begins at a position; null: there is none. */
  frameAt(at: number): Frame | null {
    const head = this.#slice(at, FRAME_HEAD_BYTES);
    if (head === null || !head.subarray(0, MARK.length).equals(MARK)) return null;
    const length = head.readUInt32LE(LENGTH_AT);
    if (length > CONTENT_BYTES_MAX) return null;
    const frame = this.#slice(at, FRAME_HEAD_BYTES + length);
    if (frame === null || checksumOf(frame) !== frame.readUInt32LE(CHECKSUM_AT)) return null;
    return { number: frame.readDoubleLE(NUMBER_AT), content: frame.subarray(FRAME_HEAD_BYTES) };
  }

  /** Whether a whole frame with a higher number stands somewhere behind a position. */
  hasFrameBehind(position: number, number: number): boolean {
    for (let at = position + 1; at < this.bytes; ) {
      const piece = this.#slice(at, Math.min(READ_BYTES, this.bytes - at));
      const found = piece?.indexOf(MARK) ?? -1;
      if (found === -1) at += Math.max(1, READ_BYTES - MARK.length);
      else {
        const frame = this.frameAt(at + found);
        if (frame !== null && isLater(frame.number, number)) return true;
        at += found + 1;
      }
    }
    return false;
  }

  close(): void {
    closeSync(this.#fd);
  }

  #slice(at: number, length: number): Buffer | null {
    if (at + length > this.bytes) return null;
    if (at < this.#from || at + length > this.#from + this.#piece.length) this.#read(at, length);
    return this.#piece.subarray(at - this.#from, at - this.#from + length);
  }

  #read(at: number, length: number): void {
    this.#piece = Buffer.allocUnsafe(Math.min(Math.max(length, READ_BYTES), this.bytes - at));
    this.#from = at;
    for (let read = 0; read < this.#piece.length; ) {
      const more = readSync(this.#fd, this.#piece, read, this.#piece.length - read, at + read);
      if (more === 0) throw new Error('A file of the ledger became shorter while it was read');
      read += more;
    }
  }
}
