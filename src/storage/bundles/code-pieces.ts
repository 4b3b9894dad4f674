import { setImmediate as letOthersRun } from 'node:timers/promises';

const PIECE_BYTES = 256 * 1024;
/** The longest text that is found in one piece, in bytes. */
export const FOUND_BYTES_MAX = 8 * 1024;

/** A piece of a file. What begins before `end` belongs to it; what is behind `end` shows how it goes on. */
interface CodePiece {
  /** One character for each byte (Latin-1): what is searched for is ASCII, and the rest stays as it is. */
  readonly text: string;
  /** Where `text` begins in the file: a byte before the piece, for the boundary of a word. */
  readonly offset: number;
  readonly start: number;
  readonly end: number;
}

/** Reads a file in pieces. Other work of the process runs between two of them. */
export async function* readPieces(content: Buffer): AsyncGenerator<CodePiece> {
  for (let start = 0; start < content.length; start += PIECE_BYTES) {
    if (start > 0) await letOthersRun();
    const end = Math.min(start + PIECE_BYTES, content.length);
    const offset = Math.max(0, start - 1);
    yield { text: content.toString('latin1', offset, end + FOUND_BYTES_MAX), offset, start, end };
  }
}
