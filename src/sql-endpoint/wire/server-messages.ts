import type { ValueFormat } from './client-messages.ts';
import { positionOf, type SqlError } from './sql-error.ts';

/** The types that results have, with the OIDs and sizes of PostgreSQL. */
export const PG_TYPES = {
  bool: { oid: 16, size: 1 },
  int8: { oid: 20, size: 8 },
  int4: { oid: 23, size: 4 },
  text: { oid: 25, size: -1 },
  float8: { oid: 701, size: 8 },
  date: { oid: 1082, size: 4 },
  timestamp: { oid: 1114, size: 8 },
  numeric: { oid: 1700, size: -1 },
} as const;
export type PgType = keyof typeof PG_TYPES;

/** A column of a result. */
export interface ResultField {
  readonly name: string;
  readonly type: PgType;
}

/** State of the transaction that a client believes to be in: none, open, failed. */
export type TransactionState = 'I' | 'T' | 'E';

function int16(value: number): Buffer {
  const bytes = Buffer.allocUnsafe(2);
  bytes.writeInt16BE(value);
  return bytes;
}

function int32(value: number): Buffer {
  const bytes = Buffer.allocUnsafe(4);
  bytes.writeInt32BE(value);
  return bytes;
}

const text = (value: string): Buffer => Buffer.from(`${value.replaceAll('\0', '')}\0`);

/** A message of the server. */
export function message(type: string, ...parts: readonly Buffer[]): Buffer {
  const length = parts.reduce((sum, part) => sum + part.length, 4);
  return Buffer.concat([Buffer.from(type, 'latin1'), int32(length), ...parts]);
}

export const authenticationOk = (): Buffer => message('R', int32(0));
export const passwordRequest = (): Buffer => message('R', int32(3));
export const backendKey = (pid: number, secret: Buffer): Buffer => message('K', int32(pid), secret);
export const parameterStatus = (name: string, value: string): Buffer => message('S', text(name), text(value));
export const readyForQuery = (state: TransactionState): Buffer => message('Z', Buffer.from(state));
export const commandComplete = (tag: string): Buffer => message('C', text(tag));
export const emptyQueryResponse = (): Buffer => message('I');
export const parseComplete = (): Buffer => message('1');
export const bindComplete = (): Buffer => message('2');
export const closeComplete = (): Buffer => message('3');
export const noData = (): Buffer => message('n');
export const portalSuspended = (): Buffer => message('s');

/** The oldest protocol of version 3 that the server speaks, and the options that it does not know. */
export function negotiateVersion(unknownOptions: readonly string[]): Buffer {
  return message('v', int32(196_608), int32(unknownOptions.length), ...unknownOptions.map(text));
}

export function parameterDescription(oids: readonly number[]): Buffer {
  return message('t', int16(oids.length), ...oids.map((oid) => int32(oid | 0)));
}

export function rowDescription(fields: readonly ResultField[], format: (index: number) => ValueFormat): Buffer {
  const parts = fields.map(({ name, type }, index) => {
    const { oid, size } = PG_TYPES[type];
    const code = format(index) === 'binary' ? 1 : 0;
    return Buffer.concat([text(name), int32(0), int16(0), int32(oid), int16(size), int32(-1), int16(code)]);
  });
  return message('T', int16(fields.length), ...parts);
}

export function dataRow(values: readonly (Buffer | null)[]): Buffer {
  const parts = values.flatMap((value) => (value === null ? [int32(-1)] : [int32(value.length), value]));
  return message('D', int16(values.length), ...parts);
}

/** @param sql the statement that the error's position counts in */
export function errorResponse(error: SqlError, severity: 'ERROR' | 'FATAL', sql: string | null): Buffer {
  const fields: [string, string][] = [
    ['S', severity],
    ['V', severity],
    ['C', error.sqlstate],
    ['M', error.message],
  ];
  if (error.hint !== null) fields.push(['H', error.hint]);
  if (error.location !== null && sql !== null) fields.push(['P', String(positionOf(sql, error.location))]);
  return message('E', ...fields.map(([code, value]) => text(`${code}${value}`)), Buffer.from([0]));
}

/** Splits the messages of a server, as another one wrote them. */
export function splitMessages(bytes: Buffer): { readonly type: string; readonly bytes: Buffer }[] {
  const found: { type: string; bytes: Buffer }[] = [];
  for (let at = 0; at + 5 <= bytes.length; ) {
    const length = bytes.readInt32BE(at + 1) + 1;
    found.push({ type: String.fromCharCode(bytes[at] ?? 0), bytes: bytes.subarray(at, at + length) });
    at += length;
  }
  return found;
}
