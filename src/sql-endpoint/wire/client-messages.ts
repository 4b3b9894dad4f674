import { SQLSTATE, SqlError } from './sql-error.ts';

/** Parses the bodies of client messages; every length in them is checked against the bytes that are there. */
export class BodyCursor {
  readonly #body: Buffer;
  #at = 0;

  constructor(body: Buffer) {
    this.#body = body;
  }

  /** @throws SqlError `08P01` when the body ends before */
  bytes(count: number): Buffer {
    if (count < 0 || this.#at + count > this.#body.length) throw malformed();
    this.#at += count;
    return this.#body.subarray(this.#at - count, this.#at);
  }

  int16(): number {
    return this.bytes(2).readUInt16BE();
  }

  int32(): number {
    return this.bytes(4).readInt32BE();
  }

  /** A text that ends with a zero byte. @throws SqlError `08P01` where there is none, or it is not UTF-8 */
  text(): string {
    const end = this.#body.indexOf(0, this.#at);
    if (end < 0) throw malformed();
    const bytes = this.bytes(end - this.#at);
    this.#at += 1;
    return utf8(bytes);
  }

  /** @throws SqlError `08P01` when bytes are left */
  end(): void {
    if (this.#at !== this.#body.length) throw malformed();
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#body.length;
  }
}

const UTF8 = new TextDecoder('utf-8', { fatal: true });

/** @throws SqlError `22P02` */
export function utf8(bytes: Buffer): string {
  try {
    return UTF8.decode(bytes);
  } catch {
    throw new SqlError(SQLSTATE.invalidText, 'The text is not valid UTF-8.', { hint: 'Send texts as UTF-8.' });
  }
}

function malformed(): SqlError {
  return new SqlError(SQLSTATE.protocolViolation, 'The message is malformed.');
}

/** Parameters of one start; names are unique in a client that works. */
const START_PARAMETERS_MAX = 64;

/** The parameters of a startup message behind its version. */
export function readStartParameters(body: Buffer): Map<string, string> {
  const cursor = new BodyCursor(body);
  const found = new Map<string, string>();
  for (let name = cursor.text(); name !== ''; name = cursor.text()) {
    if (found.size >= START_PARAMETERS_MAX) throw malformed();
    found.set(name, cursor.text());
  }
  return found;
}

/** Parameters of one statement. */
export const PARAMS_MAX = 1_000;
/** Formats of one result: a little more than it can have columns. */
const RESULT_FORMATS_MAX = 2_000;

/** @throws SqlError `54000` */
function readCount(cursor: BodyCursor, max: number): number {
  const count = cursor.int16();
  if (count <= max) return count;
  throw new SqlError(SQLSTATE.programLimit, `A statement has at most ${max} parameters or formats.`, {
    hint: 'Send a list as one parameter, as in column = ANY($1).',
  });
}

/** Parse: a statement with a name. */
export interface ParseMessage {
  readonly name: string;
  readonly sql: string;
  /** OIDs; 0: not said. */
  readonly paramTypes: readonly number[];
}

export function readParse(body: Buffer): ParseMessage {
  const cursor = new BodyCursor(body);
  const [name, sql] = [cursor.text(), cursor.text()];
  const paramTypes = Array.from({ length: readCount(cursor, PARAMS_MAX) }, () => cursor.int32() >>> 0);
  cursor.end();
  return { name, sql, paramTypes };
}

/** The form of a value on the wire. */
export type ValueFormat = 'text' | 'binary';

/** Bytes of one parameter. Lists of ids that tools send are far shorter. */
export const VALUE_BYTES_MAX = 64 * 1024;
/** Bytes of a whole Bind message; a portal keeps them. */
export const BIND_BYTES_MAX = 256 * 1024;

/** Bind: a portal of a statement, with values. */
export interface BindMessage {
  readonly portal: string;
  readonly statement: string;
  readonly paramFormats: readonly ValueFormat[];
  readonly values: readonly (Buffer | null)[];
  /** None: all as text. One: for all columns. */
  readonly resultFormats: readonly ValueFormat[];
}

export function readBind(body: Buffer): BindMessage {
  if (body.length > BIND_BYTES_MAX) throw tooManyBytes('The parameters of a statement together', BIND_BYTES_MAX);
  const cursor = new BodyCursor(body);
  const [portal, statement] = [cursor.text(), cursor.text()];
  const paramFormats = readFormats(cursor, PARAMS_MAX);
  const values = Array.from({ length: readCount(cursor, PARAMS_MAX) }, () => readValue(cursor));
  const resultFormats = readFormats(cursor, RESULT_FORMATS_MAX);
  cursor.end();
  return { portal, statement, paramFormats, values, resultFormats };
}

function readValue(cursor: BodyCursor): Buffer | null {
  const length = cursor.int32();
  if (length === -1) return null;
  if (length > VALUE_BYTES_MAX) throw tooManyBytes('A parameter', VALUE_BYTES_MAX);
  return cursor.bytes(length);
}

function tooManyBytes(what: string, bytesMax: number): SqlError {
  return new SqlError(SQLSTATE.programLimit, `${what} may have at most ${bytesMax} bytes.`, {
    hint: 'Send shorter texts and lists.',
  });
}

function readFormats(cursor: BodyCursor, max: number): ValueFormat[] {
  return Array.from({ length: readCount(cursor, max) }, () => {
    const code = cursor.int16();
    if (code > 1) throw malformed();
    return code === 1 ? 'binary' : 'text';
  });
}

/** The format of one of several values: none given means text, one given means that one for all. */
export function formatAt(formats: readonly ValueFormat[], index: number): ValueFormat {
  return formats.length <= 1 ? (formats[0] ?? 'text') : (formats[index] ?? 'text');
}

/** Describe and Close: a statement or a portal. */
export function readTarget(body: Buffer): { readonly kind: 'statement' | 'portal'; readonly name: string } {
  const cursor = new BodyCursor(body);
  const kind = cursor.bytes(1).toString('latin1');
  const name = cursor.text();
  cursor.end();
  if (kind !== 'S' && kind !== 'P') throw malformed();
  return { kind: kind === 'S' ? 'statement' : 'portal', name };
}

/** Execute. */
export function readExecute(body: Buffer): { readonly portal: string; readonly rowsMax: number } {
  const cursor = new BodyCursor(body);
  const [portal, rowsMax] = [cursor.text(), cursor.int32()];
  cursor.end();
  return { portal, rowsMax: Math.max(0, rowsMax) };
}

/** Query and PasswordMessage: one text. */
export function readText(body: Buffer): string {
  const cursor = new BodyCursor(body);
  const text = cursor.text();
  cursor.end();
  return text;
}
