import { crc32 } from 'node:zlib';
import { HALF_CHARACTER, wellFormed } from '../domain/stored-text.ts';
import type { CounterIncrement, ListPush } from '../storage/hot/hot-store.ts';

/**
 * What makes one event count once: the key that its first copy claims, and what only that copy adds and pushes.
 * It travels with the row, so that whoever ships the row can finish what a killed worker began, without any catalog.
 */
export interface Claim {
  readonly key: string;
  readonly ttlMs: number;
  readonly increments: readonly CounterIncrement[];
  readonly pushes: readonly ListPush[];
}

/** One decoded line. */
export interface SpoolLine {
  /** Null for rows that need no claim (sums of requests). */
  readonly claim: Claim | null;
  /** The row's JSON, as it goes to the store. */
  readonly row: string;
}

/** `[key, ttlMs, [[key, by, ttlMs]…], [[key, value, max, ttlMs]…]]` */
type ClaimTuple = [string, number, [string, string, number][], [string, string, number, number][]];

const LINE_FEED = 0x0a;
const CHECKSUM_CHARS = 8;

/**
 * Writes a line of the spool: `<crc32, 8 hex digits> <claim JSON or nothing> TAB <row JSON> LF`. JSON escapes control
 * characters, so neither part holds a TAB or LF.
 */
export function encodeSpoolLine(row: object, claim: Claim | null): Buffer {
  const text = ` ${claim === null ? '' : jsonOf(claimTuple(claim))}\t${jsonOf(row)}`;
  return Buffer.from(`${checksumOf(text)}${text}\n`, 'utf8');
}

/** Stores take no half characters; readers of texts let none through, and this is the last to see them. */
function jsonOf(value: object): string {
  const text = JSON.stringify(value);
  return HALF_CHARACTER.test(text) ? JSON.stringify(wellFormed(value)) : text;
}

/** Reads a line without its LF; null when its checksum or shape is wrong (torn by a power cut, or rotten). */
export function decodeSpoolLine(line: string): SpoolLine | null {
  const text = line.slice(CHECKSUM_CHARS);
  if (checksumOf(text) !== line.slice(0, CHECKSUM_CHARS)) return null;
  const tab = text.indexOf('\t');
  if (text[0] !== ' ' || tab < 1) return null;
  const claimText = text.slice(1, tab);
  try {
    return { claim: claimText === '' ? null : claimOf(JSON.parse(claimText) as ClaimTuple), row: text.slice(tab + 1) };
  } catch {
    return null;
  }
}

/** Splits a segment's bytes into its complete lines, without LF. What stands behind the last LF is left out. */
export function splitLines(bytes: Buffer): string[] {
  const lines: string[] = [];
  let start = 0;
  for (let end = bytes.indexOf(LINE_FEED); end >= 0; end = bytes.indexOf(LINE_FEED, start)) {
    lines.push(bytes.toString('utf8', start, end));
    start = end + 1;
  }
  return lines;
}

function checksumOf(text: string): string {
  return crc32(text).toString(16).padStart(CHECKSUM_CHARS, '0');
}

function claimTuple(claim: Claim): ClaimTuple {
  return [
    claim.key,
    claim.ttlMs,
    claim.increments.map((one) => [one.key, one.by.toString(), one.ttlMs]),
    claim.pushes.map((one) => [one.key, one.value, one.max, one.ttlMs]),
  ];
}

function claimOf([key, ttlMs, increments, pushes]: ClaimTuple): Claim {
  return {
    key,
    ttlMs,
    increments: increments.map(([counter, by, counterTtlMs]) => ({
      key: counter,
      by: BigInt(by),
      ttlMs: counterTtlMs,
    })),
    pushes: pushes.map(([list, value, max, listTtlMs]) => ({ key: list, value, max, ttlMs: listTtlMs })),
  };
}
