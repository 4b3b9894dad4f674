import { crc32 } from 'node:zlib';
import { HALF_CHARACTER, wellFormed } from '../../domain/text/stored-text.ts';
import type { CounterIncrement, ListPush } from '../../storage/hot/hot-store.ts';
import { isArray, toStoredRow } from './spool-row.ts';

/**
 * Makes an event count once: the key that its first copy claims, and the counters and touches that only this copy adds. It is stored with
 * the row, so that any shipper can finish what a killed worker began, without a catalog.
 */
export interface Claim {
  readonly key: string;
  readonly ttlMs: number;
  /** The increments of all events of its kind. It comes before `increments`. */
  readonly shared?: SharedIncrements;
  readonly increments: readonly CounterIncrement[];
  readonly pushes: readonly ListPush[];
}

/** Increments that many claims share, with their text in a line. */
export interface SharedIncrements {
  readonly increments: readonly CounterIncrement[];
  /** Without brackets. */
  readonly text: string;
}

/** One decoded line. */
export interface SpoolLine {
  /** Null for rows without a claim (sums of requests). */
  readonly claim: Claim | null;
  /** The row's JSON as the line holds it: `nameColumns` gives it names. */
  readonly row: string;
  /** The rows that belong to it: the touches on the path to a conversion. */
  readonly more: readonly string[];
}

/** `[key, ttlMs, [[key, by, ttlMs]…], [[key, value, max, ttlMs]…]]` */
type ClaimTuple = [string, number, [string, string, number][], [string, string, number, number][]];

const LINE_FEED = 0x0a;
const TAB = 0x09;
/** Length of the checksum at the start of a line. */
export const CHECKSUM_CHARS = 8;
const NO_CHECKSUM = '0'.repeat(CHECKSUM_CHARS);
/** How a line begins: checksum, space, then a claim or nothing. */
const LINE_START = /[0-9a-f]{8} (?=\[|\t)/g;
const LINE_START_TRIES_MAX = 1_000;
const NO_ROWS: readonly string[] = [];

/**
 * Writes a line of the spool: `<crc32, 8 hex digits> <claim JSON or nothing> TAB <row JSON> LF`; `toStoredRow` says how. JSON escapes control
 * characters, so neither part holds a TAB or LF. Rows that belong to the first one follow it, each after a TAB: one claim decides about all of them.
 * A program that knows one row per line inserts them as well, because the store skips a TAB between rows.
 * @param more as {@link rowText} writes them
 */
export function encodeSpoolLine(row: object, claim: Claim | null, more: readonly string[] = NO_ROWS): Buffer {
  const rows = more.length === 0 ? rowText(row) : [rowText(row), ...more].join('\t');
  const text = ` ${claim === null ? '' : claimText(claim)}\t${rows}\n`;
  const line = Buffer.from(NO_CHECKSUM + text, 'utf8');
  line.write(hexOf(crc32(line.subarray(CHECKSUM_CHARS, -1))), 'latin1');
  return line;
}

/** A row as a line holds it. */
export function rowText(row: object): string {
  return jsonOf(toStoredRow(row));
}

/** Increments as lines hold them, for claims that share them. */
export function writeSharedIncrements(increments: readonly CounterIncrement[]): SharedIncrements {
  return { increments, text: increments.map((one) => jsonOf(incrementTuple(one))).join(',') };
}

/** All that a claim adds to counters. */
export function allIncrements({ shared, increments }: Claim): readonly CounterIncrement[] {
  if (shared === undefined) return increments;
  return increments.length === 0 ? shared.increments : [...shared.increments, ...increments];
}

/** Stores accept no unpaired surrogates. Parsers of texts replace them; this function replaces any that are left. */
function jsonOf(value: object | string): string {
  const text = JSON.stringify(value);
  return text.includes('\\u') && HALF_CHARACTER.test(text) ? JSON.stringify(wellFormed(value)) : text;
}

/** Reads a line without its LF; null when its checksum or shape is wrong (torn by a power cut, or decayed on disk). */
export function decodeSpoolLine(line: string): SpoolLine | null {
  const text = line.slice(CHECKSUM_CHARS);
  if (checksumOf(text) !== line.slice(0, CHECKSUM_CHARS)) return null;
  const tab = text.indexOf('\t');
  if (text[0] !== ' ' || tab < 1) return null;
  const claimText = text.slice(1, tab);
  try {
    const [row = '', ...more] = text.slice(tab + 1).split('\t');
    return { claim: claimText === '' ? null : claimOf(JSON.parse(claimText) as ClaimTuple), row, more };
  } catch {
    return null;
  }
}

/** A part of a spool file: one line with a valid checksum (without its LF), or unreadable bytes. */
export interface SpoolEntry {
  /** Offset of its first byte in the file. */
  readonly offset: number;
  readonly bytes: Buffer;
  readonly isWhole: boolean;
}

/**
 * All parts of a spool file, in order. A line after damaged bytes is found even when the line feed between them is lost, so that damage
 * costs only the lines that it hit.
 */
export function readEntries(bytes: Buffer): SpoolEntry[] {
  const entries: SpoolEntry[] = [];
  for (let start = 0; start < bytes.length; ) {
    const lineFeed = bytes.indexOf(LINE_FEED, start);
    const end = lineFeed < 0 ? bytes.length : lineFeed;
    const line = bytes.subarray(start, end);
    // A last line without its line feed was never acknowledged, even when it is complete.
    if (lineFeed >= 0 && hasChecksum(line)) entries.push({ offset: start, bytes: line, isWhole: true });
    else if (end > start) pushDamaged(entries, line, { offset: start, isEnded: lineFeed >= 0 });
    start = end + 1;
  }
  return entries;
}

/** The rows of a line with a valid checksum, each the JSON that the line holds; none when the line has no row. */
export function rowsOf(line: Buffer): Buffer[] {
  const rows: Buffer[] = [];
  for (let tab = line.indexOf(TAB); tab >= 0; ) {
    const next = line.indexOf(TAB, tab + 1);
    rows.push(line.subarray(tab + 1, next < 0 ? line.length : next));
    tab = next;
  }
  return rows;
}

/** A line for each row of a line with several; they have no claims. */
export function splitRows(entry: SpoolEntry): readonly SpoolEntry[] {
  const rows = entry.isWhole ? rowsOf(entry.bytes) : [];
  if (rows.length < 2) return [entry];
  return rows.map((row) => {
    const line = Buffer.concat([Buffer.from(`${NO_CHECKSUM} \t`), row]);
    line.write(hexOf(crc32(line.subarray(CHECKSUM_CHARS))), 'latin1');
    return { ...entry, bytes: line };
  });
}

/**
 * Copies the rows of a whole spool file, each with its line feed, into `target.bytes` from `target.at` on.
 * @returns the end of the copied rows and their number; null when a line cannot be read or its row has another form: `readEntries`
 *   gives each by itself
 */
export function copyRows(
  bytes: Buffer,
  target: { readonly bytes: Buffer; readonly at: number },
): { readonly end: number; readonly rows: number } | null {
  let end = target.at;
  let rows = 0;
  for (let start = 0; start < bytes.length; ) {
    const lineFeed = bytes.indexOf(LINE_FEED, start);
    if (lineFeed < start + CHECKSUM_CHARS) return null;
    const tab = bytes.indexOf(TAB, start + CHECKSUM_CHARS);
    if (tab < 0 || tab > lineFeed || !isArray(bytes[tab + 1])) return null;
    if (checksumAt(bytes, start) !== crc32(bytes.subarray(start + CHECKSUM_CHARS, lineFeed))) return null;
    const from = end;
    end += bytes.copy(target.bytes, end, tab + 1, lineFeed + 1);
    rows += splitCopied(target.bytes.subarray(from, end));
    start = lineFeed + 1;
  }
  return { end, rows };
}

/** Writes a line feed behind each row. @returns the number of rows */
function splitCopied(rows: Buffer): number {
  let count = 1;
  for (let tab = rows.indexOf(TAB); tab >= 0; tab = rows.indexOf(TAB, tab + 1)) {
    rows[tab] = LINE_FEED;
    count += 1;
  }
  return count;
}

/** The checksum at the start of a line; -1 unless it has eight lower-case hex digits. */
export function checksumAt(bytes: Buffer, start: number): number {
  let checksum = 0;
  for (let at = start; at < start + CHECKSUM_CHARS; at += 1) {
    const sign = bytes[at] ?? 0;
    const digit = sign >= 48 && sign <= 57 ? sign - 48 : sign >= 97 && sign <= 102 ? sign - 87 : -1;
    if (digit < 0) return -1;
    checksum = checksum * 16 + digit;
  }
  return checksum;
}

function pushDamaged(entries: SpoolEntry[], line: Buffer, at: { offset: number; isEnded: boolean }): void {
  const found = at.isEnded ? findLineWithin(line) : -1;
  const damaged = found < 0 ? line : line.subarray(0, found);
  entries.push({ offset: at.offset, bytes: damaged, isWhole: false });
  if (found >= 0) entries.push({ offset: at.offset + found, bytes: line.subarray(found), isWhole: true });
}

/** The start of a readable line that ends with these bytes; -1 for none. */
function findLineWithin(bytes: Buffer): number {
  const text = bytes.toString('latin1');
  let tries = 0;
  for (const { index } of text.matchAll(LINE_START)) {
    if (index > 0 && hasChecksum(bytes.subarray(index))) return index;
    // Each try reads the remaining bytes, so the number of tries is limited: damage may look like many line starts.
    if ((tries += 1) >= LINE_START_TRIES_MAX) return -1;
  }
  return -1;
}

function hasChecksum(line: Buffer): boolean {
  if (line.length <= CHECKSUM_CHARS) return false;
  return line.toString('latin1', 0, CHECKSUM_CHARS) === hexOf(crc32(line.subarray(CHECKSUM_CHARS)));
}

function checksumOf(text: string): string {
  return hexOf(crc32(text));
}

function hexOf(checksum: number): string {
  return checksum.toString(16).padStart(CHECKSUM_CHARS, '0');
}

/** A `ClaimTuple` as JSON. */
function claimText({ key, ttlMs, shared, increments, pushes }: Claim): string {
  const lists = pushes.map((one) => [one.key, one.value, one.max, one.ttlMs]);
  if (shared === undefined || shared.text === '') return jsonOf([key, ttlMs, increments.map(incrementTuple), lists]);
  const own = increments.length === 0 ? '' : `,${jsonOf(increments.map(incrementTuple)).slice(1, -1)}`;
  return `[${jsonOf(key)},${ttlMs},[${shared.text}${own}],${jsonOf(lists)}]`;
}

function incrementTuple({ key, by, ttlMs }: CounterIncrement): ClaimTuple[2][number] {
  return [key, by.toString(), ttlMs];
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
