import type { ValueFormat } from './client-messages.ts';
import { utf8 } from './client-messages.ts';
import type { PgType } from './server-messages.ts';
import { SQLSTATE, SqlError } from './sql-error.ts';

/** Microseconds from 1970-01-01 to 2000-01-01, where PostgreSQL's clock begins. */
const EPOCH_MICROS = 946_684_800_000_000n;
const DAY_MICROS = 86_400_000_000n;

/** A value of a result on the wire. `value` is text: times as `YYYY-MM-DDTHH:mm:ss.SSS`, booleans as `true` and `false`. */
export function encodeValue(value: string, type: PgType, format: ValueFormat): Buffer {
  return format === 'text' ? Buffer.from(textOf(value, type)) : BINARY[type](value);
}

function textOf(value: string, type: PgType): string {
  if (type === 'bool') return value === 'true' ? 't' : 'f';
  if (type === 'timestamp') return value.replace('T', ' ').replace(/\.000$/, '');
  if (type === 'date') return value.slice(0, 10);
  return value;
}

const BINARY: Readonly<Record<PgType, (value: string) => Buffer>> = {
  bool: (value) => Buffer.from([value === 'true' ? 1 : 0]),
  text: (value) => Buffer.from(value),
  int4: (value) => {
    const bytes = Buffer.allocUnsafe(4);
    bytes.writeInt32BE(Number(value));
    return bytes;
  },
  int8: (value) => int64(BigInt(value)),
  float8: (value) => {
    const bytes = Buffer.allocUnsafe(8);
    bytes.writeDoubleBE(Number(value));
    return bytes;
  },
  timestamp: (value) => int64(microsOf(value) - EPOCH_MICROS),
  date: (value) => {
    const bytes = Buffer.allocUnsafe(4);
    bytes.writeInt32BE(Number((microsOf(value.slice(0, 10)) - EPOCH_MICROS) / DAY_MICROS));
    return bytes;
  },
  numeric: encodeNumeric,
};

function int64(value: bigint): Buffer {
  const bytes = Buffer.allocUnsafe(8);
  bytes.writeBigInt64BE(value);
  return bytes;
}

function microsOf(value: string): bigint {
  const text = value.length === 10 ? `${value}T00:00:00.000` : value;
  return BigInt(Date.parse(`${text}Z`)) * 1000n;
}

/** PostgreSQL's form of a decimal: digits to the base 10,000, the power of the first, the sign, and the digits shown behind the point. */
function encodeNumeric(value: string): Buffer {
  const match = /^(-?)(\d+)(?:\.(\d+))?$/.exec(value);
  if (match === null) throw new SqlError(SQLSTATE.internal, 'The store gave a number in an unknown form.');
  const [, sign = '', whole = '0', fraction = ''] = match;
  const left = whole.padStart(Math.ceil(whole.length / 4) * 4, '0');
  const right = fraction.padEnd(Math.ceil(fraction.length / 4) * 4, '0');
  const digits = (`${left}${right}`.match(/\d{4}/g) ?? []).map(Number);
  let weight = left.length / 4 - 1;
  while (digits.length > 0 && digits[0] === 0) {
    digits.shift();
    weight -= 1;
  }
  while (digits.at(-1) === 0) digits.pop();
  const bytes = Buffer.allocUnsafe(8 + digits.length * 2);
  bytes.writeInt16BE(digits.length, 0);
  bytes.writeInt16BE(digits.length === 0 ? 0 : weight, 2);
  bytes.writeUInt16BE(sign === '-' && digits.length > 0 ? 0x4000 : 0, 4);
  bytes.writeUInt16BE(fraction.length, 6);
  for (const [index, digit] of digits.entries()) bytes.writeInt16BE(digit, 8 + index * 2);
  return bytes;
}

function decodeNumeric(bytes: Buffer): string {
  if (bytes.length < 8) throw badBinary();
  const [count, weight, sign, scale] = [
    bytes.readInt16BE(0),
    bytes.readInt16BE(2),
    bytes.readUInt16BE(4),
    bytes.readUInt16BE(6),
  ];
  const isSane = count >= 0 && count <= 20 && bytes.length === 8 + count * 2 && Math.abs(weight) <= 20 && scale <= 80;
  if (!isSane || (sign !== 0 && sign !== 0x4000)) throw badBinary();
  const digitAt = (power: number): string => {
    const index = weight - power;
    return String(index >= 0 && index < count ? bytes.readInt16BE(8 + index * 2) : 0).padStart(4, '0');
  };
  let whole = '';
  for (let power = Math.max(weight, 0); power >= 0; power -= 1) whole += digitAt(power);
  let fraction = '';
  for (let power = -1; fraction.length < scale; power -= 1) fraction += digitAt(power);
  const behind = scale === 0 ? '' : `.${fraction.slice(0, scale)}`;
  return `${sign === 0x4000 ? '-' : ''}${whole.replace(/^0+(?=\d)/, '')}${behind}`;
}

function badBinary(): SqlError {
  return new SqlError(SQLSTATE.invalidBinary, 'A binary parameter is malformed.', { hint: 'Send it as text.' });
}

function ofMicros(micros: bigint, digits: number): string {
  const ms = (micros + EPOCH_MICROS) / 1000n;
  if (ms < -62_135_596_800_000n || ms > 253_402_300_799_999n) throw badBinary();
  return new Date(Number(ms)).toISOString().slice(0, digits);
}

const DECODED: Readonly<Record<number, readonly [size: number, decode: (bytes: Buffer) => string]>> = {
  16: [1, (bytes) => (bytes[0] === 0 ? 'false' : 'true')],
  20: [8, (bytes) => String(bytes.readBigInt64BE())],
  21: [2, (bytes) => String(bytes.readInt16BE())],
  23: [4, (bytes) => String(bytes.readInt32BE())],
  26: [4, (bytes) => String(bytes.readUInt32BE())],
  700: [4, (bytes) => String(bytes.readFloatBE())],
  701: [8, (bytes) => String(bytes.readDoubleBE())],
  1082: [4, (bytes) => ofMicros(BigInt(bytes.readInt32BE()) * DAY_MICROS, 10)],
  1114: [8, (bytes) => ofMicros(bytes.readBigInt64BE(), 23)],
  1184: [8, (bytes) => `${ofMicros(bytes.readBigInt64BE(), 23)}Z`],
};
/** unknown, text, varchar, bpchar, name, and types that nobody named: the same bytes in both formats. */
const TEXT_OIDS: readonly number[] = [0, 705, 25, 1043, 1042, 19];

/** Arrays, by the types of their elements. */
const ELEMENT_OIDS: Readonly<Record<number, number>> = {
  1000: 16,
  1003: 19,
  1005: 21,
  1007: 23,
  1009: 25,
  1014: 1042,
  1015: 1043,
  1016: 20,
  1021: 700,
  1022: 701,
  1028: 26,
  1115: 1114,
  1182: 1082,
  1185: 1184,
  1231: 1700,
};

/** An array of one dimension as its text. Its elements are as many as bytes are there, so a count alone costs nothing. */
function decodeArray(bytes: Buffer, ofOid: number): string {
  if (bytes.length < 12) throw badBinary();
  const [dimensions, elementOid] = [bytes.readInt32BE(0), bytes.readUInt32BE(8)];
  if (dimensions === 0) return '{}';
  if (dimensions > 1) {
    throw new SqlError(SQLSTATE.featureNotSupported, 'An array of arrays is not supported by the SQL endpoint.', {
      hint: 'Send an array of values.',
    });
  }
  // Elements that are arrays in turn would multiply their quotation marks.
  if (dimensions < 0 || bytes.length < 20 || elementOid !== ofOid) throw badBinary();
  const count = bytes.readInt32BE(12);
  const found: string[] = [];
  let at = 20;
  while (at < bytes.length) {
    if (at + 4 > bytes.length) throw badBinary();
    const length = bytes.readInt32BE(at);
    at += 4;
    if (length === -1) found.push('NULL');
    else if (length < 0 || at + length > bytes.length) throw badBinary();
    else {
      const text = decodeParam(bytes.subarray(at, at + length), elementOid, 'binary');
      found.push(`"${text.replaceAll(/[\\"]/g, String.raw`\$&`)}"`);
      at += length;
    }
  }
  if (found.length !== count) throw badBinary();
  return `{${found.join()}}`;
}

/** Microseconds, days and months, as text. */
function decodeInterval(bytes: Buffer): string {
  if (bytes.length !== 16) throw badBinary();
  const micros = bytes.readBigInt64BE(0);
  const [days, months] = [bytes.readInt32BE(8), bytes.readInt32BE(12)];
  if (micros % 1_000_000n !== 0n) throw badBinary();
  return `${months} months ${days} days ${micros / 1_000_000n} seconds`;
}

/** A parameter as text. @throws SqlError for bytes that its type does not have */
export function decodeParam(bytes: Buffer, oid: number, format: ValueFormat): string {
  if (format === 'text' || TEXT_OIDS.includes(oid)) return utf8(bytes);
  if (oid === 1700) return decodeNumeric(bytes);
  if (oid === 1186) return decodeInterval(bytes);
  const elementOid = ELEMENT_OIDS[oid];
  if (elementOid !== undefined) return decodeArray(bytes, elementOid);
  const known = DECODED[oid];
  if (known === undefined) {
    throw new SqlError(SQLSTATE.featureNotSupported, `A binary parameter of the type ${oid} is not supported.`, {
      hint: 'Send it as text.',
    });
  }
  if (bytes.length !== known[0]) throw badBinary();
  return known[1](bytes);
}
