import type { Node, ParseResult } from 'libpg-query';
import { SQLSTATE, SqlError } from '../wire/sql-error.ts';
import { checkNesting } from './nesting.ts';
import { FreshParser } from './fresh-parser.ts';
import { createWasmParser, GrammarError, type WasmParser } from './wasm-parser.ts';

/** One statement of a text. */
export interface ParsedStatement {
  /** The node's kind, such as `SelectStmt`. */
  readonly kind: string;
  readonly node: Node;
  /** The statement alone. */
  readonly sql: string;
  /** Where it begins in the whole text, in bytes. */
  readonly offset: number;
}

/** The longest text, in bytes: pgjdbc's question for types of users names each type of the catalog, which takes 25 KiB. */
export const SQL_BYTES_MAX = 65_536;
/** Statements in one text. */
export const STATEMENTS_MAX = 50;

const parser = new FreshParser(createWasmParser);

/** Splits a text into statements, by PostgreSQL's own grammar. @throws SqlError with a position */
export async function parseSql(sql: string): Promise<readonly ParsedStatement[]> {
  const bytes = Buffer.byteLength(sql);
  if (bytes > SQL_BYTES_MAX) {
    throw new SqlError(SQLSTATE.programLimit, `The statement has ${bytes} bytes; the limit is ${SQL_BYTES_MAX}.`, {
      hint: 'Write a shorter statement.',
    });
  }
  if (sql.trim() === '') return [];
  checkNesting(sql);
  await parserIsFree();
  const { stmts: statements = [] } = await parser
    .run((parse) => parseTimed(parse, sql))
    .catch((error: unknown) => {
      throw toSqlError(error, sql);
    });
  if (statements.length > STATEMENTS_MAX) {
    throw new SqlError(SQLSTATE.programLimit, `The text has more than ${STATEMENTS_MAX} statements.`);
  }
  const whole = Buffer.from(sql);
  return statements.flatMap(({ stmt, stmt_location: offset = 0, stmt_len: length }) => {
    if (stmt === undefined) return [];
    const end = length === undefined || length === 0 ? whole.length : offset + length;
    return [{ kind: Object.keys(stmt)[0] ?? '', node: stmt, sql: whole.toString('utf8', offset, end), offset }];
  });
}

/** Texts that were parsed in less time, milliseconds, do not delay the next one. */
const SHORT_MS = 3;
/** How much longer than it worked the parser rests. */
const REST = 3;
/** Texts that wait for the parser. */
const WAITING_MAX = 1_000;
let freeAtMs = 0;
let waiting = 0;

/** Texts that are much work come one after the other, with rests between: no client can keep the process from its other work. */
async function parserIsFree(): Promise<void> {
  if (waiting >= WAITING_MAX) {
    throw new SqlError(SQLSTATE.insufficientResources, 'Too many statements wait to be parsed.', {
      hint: 'Try again shortly.',
    });
  }
  waiting += 1;
  try {
    for (let ms = freeAtMs - performance.now(); ms > 0; ms = freeAtMs - performance.now()) {
      await new Promise((resolve) => {
        setTimeout(resolve, ms);
      });
    }
  } finally {
    waiting -= 1;
  }
}

function parseTimed(parse: WasmParser, sql: string): ParseResult {
  const startedMs = performance.now();
  try {
    return parse(sql);
  } finally {
    const tookMs = performance.now() - startedMs;
    if (tookMs > SHORT_MS) freeAtMs = performance.now() + tookMs * REST;
  }
}

function toSqlError(error: unknown, sql: string): SqlError {
  if (!(error instanceof GrammarError)) {
    return new SqlError(SQLSTATE.tooComplex, 'The statement is nested too deeply.', { cause: error });
  }
  const location = Buffer.byteLength(Array.from(sql).slice(0, error.position).join(''));
  return new SqlError(SQLSTATE.syntaxError, error.message, { location, cause: error });
}
