import { isUtf8 } from 'node:buffer';
import { crc32 } from 'node:zlib';
import { ROW_COLUMNS } from '../spool/spool-row.ts';
import { checksumAt, CHECKSUM_CHARS } from '../spool/spool-line.ts';
import { INTAKE_TYPES } from './events.olap.ts';

/** The format of the bodies that {@link BinaryRows} makes. */
export const BINARY_FORMAT = 'RowBinaryWithNamesAndTypes';

const POWERS = Array.from({ length: 11 }, (_none, exponent) => 10 ** exponent);
const LINE_FEED = 0x0a;
const TAB = 0x09;
const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const MINUS = 0x2d;
const ZERO = 0x30;
const LETTER_N = 0x6e;
const BACKSLASH = 0x5c;
const OPENING_BRACKET = 0x5b;
const CLOSING_BRACKET = 0x5d;
const OPENING_BRACE = 0x7b;
const CLOSING_BRACE = 0x7d;
/** Smaller bytes are control characters, which JSON escapes: the line feed behind a row ends every text. */
const SPACE = 0x20;
/** A length below this is one byte, any other has seven bits in each byte. */
const VARINT_STEP = 128;
const TWO_POWER_32 = 4_294_967_296;
const TWO_POWER_31 = 2_147_483_648;
/** Most bytes by which a binary row can be longer than its JSON: each column at most 8. */
const LONGER_MAX = ROW_COLUMNS.length * 8;

/** How values of a type are converted. `convert` is false for a value in any other form than the spool's. */
interface ColumnType {
  /** Bytes of the default value, which are zeros. */
  readonly defaultBytes: number;
  readonly convert: (row: BinaryRows) => boolean;
}

const TYPES: Readonly<Record<string, ColumnType>> = {
  String: { defaultBytes: 1, convert: convertText },
  Bool: { defaultBytes: 1, convert: convertBool },
  UInt32: { defaultBytes: 4, convert: convertUint32 },
  UInt64: { defaultBytes: 8, convert: (row) => convertInteger(row, TWO_POWER_32) },
  Int64: { defaultBytes: 8, convert: (row) => convertInteger(row, TWO_POWER_31) },
  "DateTime64(3, 'UTC')": { defaultBytes: 8, convert: convertTime },
  'Map(String, String)': { defaultBytes: 1, convert: convertMap },
};

/** In the order of a row's values. */
const COLUMNS: readonly ColumnType[] = ROW_COLUMNS.map((name) => {
  const type = TYPES[INTAKE_TYPES[name] ?? ''];
  if (type === undefined) throw new Error(`The column ${name} has a type that cannot be converted`);
  return type;
});

const HEADER = Buffer.concat([
  Buffer.from([ROW_COLUMNS.length]),
  ...[...ROW_COLUMNS, ...ROW_COLUMNS.map((name) => INTAKE_TYPES[name] ?? '')].map((text) =>
    Buffer.concat([Buffer.from([text.length]), Buffer.from(text)]),
  ),
]);

/**
 * The body of an insert in ClickHouse's binary rows, made of lines of spool files. A value is converted only in the form in which the spool
 * writes it, so that the store never refuses a body: rows with any other value go to it as JSON, and the store says what is wrong with them.
 */
export class BinaryRows {
  /** What is read, and where. The converters of single values move on from there. */
  source: Buffer = HEADER;
  at = 0;
  readonly target: Buffer<ArrayBuffer>;
  end: number;
  #rows = 0;

  /** @param bytesMax of all lines together */
  constructor(bytesMax: number) {
    this.target = Buffer.allocUnsafeSlow(HEADER.length + bytesMax + LONGER_MAX);
    this.end = HEADER.copy(this.target);
  }

  get rows(): number {
    return this.#rows;
  }

  /** Empty without rows. */
  body(): Buffer {
    return this.target.subarray(0, this.#rows === 0 ? 0 : this.end);
  }

  /**
   * Adds at most `rowsMax` lines of a whole spool file, from the offset `start` on.
   * @returns the offset behind them; null when one cannot be read or converted, and the whole body is of no use
   */
  add(file: Buffer, start: number, rowsMax: number): number | null {
    this.source = file;
    let from = start;
    for (let added = 0; added < rowsMax && from < file.length; added += 1) {
      const lineFeed = file.indexOf(LINE_FEED, from);
      if (lineFeed < from + CHECKSUM_CHARS) return null;
      const tab = file.indexOf(TAB, from + CHECKSUM_CHARS);
      if (tab < 0 || tab > lineFeed) return null;
      if (checksumAt(file, from) !== crc32(file.subarray(from + CHECKSUM_CHARS, lineFeed))) return null;
      if (!this.#addRows(tab, lineFeed)) return null;
      from = lineFeed + 1;
    }
    return from;
  }

  /** Of one line, each after a TAB. */
  #addRows(tab: number, lineFeed: number): boolean {
    for (this.at = tab; this.source[this.at] === TAB; this.#rows += 1) {
      if (this.end + (lineFeed - this.at) + LONGER_MAX > this.target.length) return false;
      this.at += 1;
      if (!convertRow(this)) return false;
    }
    return this.at === lineFeed;
  }
}

function convertRow(row: BinaryRows): boolean {
  const { source } = row;
  if (source[row.at] !== OPENING_BRACKET) return false;
  let column = 0;
  let sign: number | undefined = COMMA;
  for (; sign === COMMA; column += 1) {
    const type = COLUMNS[column];
    row.at += 1;
    if (type === undefined) return false;
    if (source[row.at] === LETTER_N && isWord(row, 'null')) writeZeros(row, type.defaultBytes);
    else if (!type.convert(row)) return false;
    sign = source[row.at];
  }
  if (sign !== CLOSING_BRACKET) return false;
  row.at += 1;
  for (; column < COLUMNS.length; column += 1) writeZeros(row, COLUMNS[column]?.defaultBytes ?? 0);
  return true;
}

function writeZeros(row: BinaryRows, bytes: number): void {
  for (let at = 0; at < bytes; at += 1) row.target[row.end + at] = 0;
  row.end += bytes;
}

/** Moves on behind a word when it is next. */
function isWord(row: BinaryRows, word: 'null' | 'true' | 'false'): boolean {
  const { source, at } = row;
  for (let index = 0; index < word.length; index += 1) if (source[at + index] !== word.charCodeAt(index)) return false;
  row.at = at + word.length;
  return true;
}

function convertText(row: BinaryRows): boolean {
  const { source, target } = row;
  let at = row.at;
  if (source[at] !== QUOTE) return false;
  at += 1;
  const start = row.end + 1;
  let end = start;
  for (let byte = source[at] ?? 0; byte !== QUOTE; byte = source[at] ?? 0) {
    if (byte < SPACE) return false;
    if (byte === BACKSLASH) return convertEscapedText(row);
    target[end] = byte;
    end += 1;
    at += 1;
  }
  row.at = at + 1;
  const length = end - start;
  if (length < VARINT_STEP) {
    target[row.end] = length;
    row.end = end;
    return true;
  }
  return writeText(row, source.subarray(at - length, at));
}

/** Escapes are rare: the text is decoded as a whole. */
function convertEscapedText(row: BinaryRows): boolean {
  const { source, at } = row;
  let end = at + 1;
  for (; source[end] !== QUOTE; end += source[end] === BACKSLASH ? 2 : 1) if ((source[end] ?? 0) < SPACE) return false;
  const json = source.subarray(at, end + 1);
  if (!isUtf8(json)) return false;
  const text = parseText(json.toString('utf8'));
  if (text === null || !text.isWellFormed()) return false;
  row.at = end + 1;
  return writeText(row, Buffer.from(text));
}

function parseText(json: string): string | null {
  try {
    return String(JSON.parse(json));
  } catch {
    return null;
  }
}

function writeText(row: BinaryRows, text: Buffer): boolean {
  let length = text.length;
  for (; length >= VARINT_STEP; length = Math.floor(length / VARINT_STEP)) {
    row.target[row.end] = (length % VARINT_STEP) + VARINT_STEP;
    row.end += 1;
  }
  row.target[row.end] = length;
  row.end += 1;
  row.end += text.copy(row.target, row.end);
  return true;
}

function convertBool(row: BinaryRows): boolean {
  const isTrue = isWord(row, 'true');
  if (!isTrue && !isWord(row, 'false')) return false;
  row.target[row.end] = isTrue ? 1 : 0;
  row.end += 1;
  return true;
}

function convertUint32(row: BinaryRows): boolean {
  const { source } = row;
  const start = row.at;
  const value = readDigits(row, 10);
  if (row.at === start || value >= TWO_POWER_32 || isDigit(source[row.at])) return false;
  writeUint32(row, value);
  return true;
}

/** Of a decimal text that may have quotes. `highMax`: the high half of the absolute value is below it. */
function convertInteger(row: BinaryRows, highMax: number): boolean {
  const { source } = row;
  const isQuoted = source[row.at] === QUOTE;
  if (isQuoted) row.at += 1;
  const isNegative = source[row.at] === MINUS;
  if (isNegative) row.at += 1;
  if (isNegative && highMax !== TWO_POWER_31) return false;
  if (!writeDigits(row, isNegative, highMax)) return false;
  if (isQuoted && source[row.at] !== QUOTE) return false;
  if (isQuoted) row.at += 1;
  return true;
}

/** Writes the number of the next digits in two halves of 32 bits. */
function writeDigits(row: BinaryRows, isNegative: boolean, highMax: number): boolean {
  const start = row.at;
  const first = readDigits(row, 10);
  const middle = row.at;
  if (middle === start) return false;
  let high = 0;
  let low = first;
  if (middle - start === 10) {
    const rest = readDigits(row, 10);
    // first × power + rest, in parts that numbers hold exactly.
    const power = POWERS[row.at - middle] ?? 1;
    const powerHigh = Math.floor(power / 131_072);
    const high17 = first * powerHigh;
    low = (high17 % 32_768) * 131_072 + first * (power - powerHigh * 131_072) + rest;
    high = Math.floor(high17 / 32_768);
  }
  high += Math.floor(low / TWO_POWER_32);
  if (high >= highMax || isDigit(row.source[row.at])) return false;
  const lowHalf = low % TWO_POWER_32;
  writeUint32(row, isNegative ? -lowHalf : lowHalf);
  writeUint32(row, isNegative ? ~high + (lowHalf === 0 ? 1 : 0) : high);
  return true;
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= ZERO && byte <= ZERO + 9;
}

/** The number of the next digits, at most so many; 0 for none. */
function readDigits(row: BinaryRows, digitsMax: number): number {
  const { source } = row;
  let value = 0;
  let at = row.at;
  for (const last = at + digitsMax; at < last; at += 1) {
    const digit = (source[at] ?? 0) - ZERO;
    if (digit < 0 || digit > 9) break;
    value = value * 10 + digit;
  }
  row.at = at;
  return value;
}

/** Any integer, by its lowest 32 bits. */
function writeUint32(row: BinaryRows, value: number): void {
  const { target, end } = row;
  const bits = value | 0;
  target[end] = bits & 0xff;
  target[end + 1] = (bits >>> 8) & 0xff;
  target[end + 2] = (bits >>> 16) & 0xff;
  target[end + 3] = bits >>> 24;
  row.end = end + 4;
}

/** How a time is written, from 1970 to 2099; each zero is some digit. */
const TIME_FORM = '"0000-00-00 00:00:00.000"';
const TIME_SIGNS = TIME_FORM.split('').flatMap((sign, at) => (sign === '0' ? [] : [{ at, sign: sign.charCodeAt(0) }]));
const MONTH_DAYS = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

function convertTime(row: BinaryRows): boolean {
  const { source, at } = row;
  for (const { at: signAt, sign } of TIME_SIGNS) if (source[at + signAt] !== sign) return false;
  const year = twoDigits(source, at + 1) * 100 + twoDigits(source, at + 3);
  const month = twoDigits(source, at + 6);
  const day = twoDigits(source, at + 9);
  const hour = twoDigits(source, at + 12);
  const minute = twoDigits(source, at + 15);
  const second = twoDigits(source, at + 18);
  const ms = twoDigits(source, at + 21) * 10 + (twoDigits(source, at + 22) % 10);
  const isTime = hour < 24 && minute < 60 && second < 60;
  if (!isTime || !(year >= 1970 && year < 2100) || !(day >= 1 && day <= (MONTH_DAYS[month - 1] ?? 0))) return false;
  if (month === 2 && day === 29 && year % 4 !== 0) return false;
  const epochMs = daysOf(year, month, day) * 86_400_000 + ((hour * 60 + minute) * 60 + second) * 1_000 + ms;
  row.at = at + TIME_FORM.length;
  writeUint32(row, epochMs % TWO_POWER_32);
  writeUint32(row, Math.floor(epochMs / TWO_POWER_32));
  return Number.isFinite(epochMs);
}

/** NaN for other signs than digits. */
function twoDigits(source: Buffer, at: number): number {
  const tens = (source[at] ?? 0) - ZERO;
  const ones = (source[at + 1] ?? 0) - ZERO;
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : Number.NaN;
}

/** Days since 1970-01-01; between 1970 and 2099 every fourth year is a leap year. */
function daysOf(year: number, month: number, day: number): number {
  // Years that begin in March, so that a leap day is the last day of one.
  const marchYear = month < 3 ? year - 1 : year;
  const marchMonth = (month + 9) % 12;
  return Math.floor((marchYear - 1968) * 365.25) - 672 + Math.floor((marchMonth * 153 + 2) / 5) + day;
}

function convertMap(row: BinaryRows): boolean {
  const { source, target } = row;
  if (source[row.at] !== OPENING_BRACE) return false;
  row.at += 1;
  const lengthAt = row.end;
  row.end += 1;
  let entries = 0;
  for (let isFirst = true; source[row.at] !== CLOSING_BRACE; isFirst = false) {
    if (!isFirst && source[row.at] !== COMMA) return false;
    if (!isFirst) row.at += 1;
    if (!convertText(row) || source[row.at] !== COLON) return false;
    row.at += 1;
    if (!convertText(row)) return false;
    entries += 1;
  }
  row.at += 1;
  target[lengthAt] = entries;
  return entries < VARINT_STEP;
}
