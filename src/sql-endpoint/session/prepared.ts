import type { ParsedStatement } from '../parse/parse-sql.ts';
import type { ValueFormat } from '../wire/client-messages.ts';
import { SQLSTATE, SqlError } from '../wire/sql-error.ts';

/** A statement that a client prepared. */
export interface PreparedStatement {
  readonly sql: string;
  /** Null: an empty text. Prepared statements keep their text alone, which is much smaller. */
  readonly parse: () => Promise<ParsedStatement | null>;
  /** As the client said; 0: not said. */
  readonly paramTypes: readonly number[];
}

/** What a statement gave: a description and rows as messages, ready to be sent. */
export interface StatementResult {
  /** RowDescription; null: the statement has no rows. */
  readonly description: Buffer | null;
  readonly rows: readonly Buffer[];
  /** Of all rows. */
  readonly bytes: number;
  /** Of CommandComplete, such as `SELECT 3`. */
  readonly tag: string;
}

/** A statement with values. */
export interface Portal {
  readonly statement: PreparedStatement;
  readonly values: readonly (Buffer | null)[];
  readonly paramFormats: readonly ValueFormat[];
  readonly resultFormats: readonly ValueFormat[];
  /** Set by the first Execute. */
  result: StatementResult | null;
  /** Rows that were sent. */
  position: number;
}

/** Bytes of a name, as PostgreSQL's identifiers have. */
const NAME_BYTES_MAX = 63;

/** What bounds the items of one session. */
export interface ItemLimits {
  readonly max: number;
  /** Of all items together. */
  readonly bytesMax: number;
  readonly what: string;
  /** SQLSTATE for a name that is not known. */
  readonly missing: string;
  /** SQLSTATE for a name that is in use. */
  readonly duplicate: string;
}

/** Statements or portals of one session by name; '' is replaced, all others must be closed. */
export class NamedItems<Item> {
  readonly #items = new Map<string, { readonly item: Item; readonly bytes: number }>();
  readonly #limits: ItemLimits;
  #bytes = 0;

  constructor(limits: ItemLimits) {
    this.#limits = limits;
  }

  /** @param bytes what the session keeps for it. @throws SqlError for a name in use or too long, and for one item or byte too many */
  add(name: string, item: Item, bytes: number): void {
    const { max, bytesMax, what } = this.#limits;
    if (Buffer.byteLength(name) > NAME_BYTES_MAX) {
      throw new SqlError(SQLSTATE.nameTooLong, `The name of a ${what} has at most ${NAME_BYTES_MAX} bytes.`, {
        hint: 'Use a shorter name.',
      });
    }
    const old = this.#items.get(name);
    if (name !== '' && old !== undefined) {
      throw new SqlError(this.#limits.duplicate, `The ${what} "${name}" exists already.`);
    }
    if (old === undefined && this.#items.size >= max) throw this.#tooMuch(`at most ${max} ${what}s`);
    if (this.#bytes - (old?.bytes ?? 0) + bytes > bytesMax)
      throw this.#tooMuch(`${what}s of at most ${bytesMax} bytes`);
    this.delete(name);
    this.#items.set(name, { item, bytes });
    this.#bytes += bytes;
  }

  #tooMuch(limit: string): SqlError {
    return new SqlError(SQLSTATE.programLimit, `A session has ${limit}.`, {
      hint: `Close ${this.#limits.what}s that are no longer used.`,
    });
  }

  /** @throws SqlError when there is none */
  get(name: string): Item {
    const found = this.#items.get(name);
    if (found !== undefined) return found.item;
    const { what, missing } = this.#limits;
    throw new SqlError(missing, `The ${what} "${name.slice(0, 100)}" does not exist.`);
  }

  find(name: string): Item | undefined {
    return this.#items.get(name)?.item;
  }

  delete(name: string): void {
    this.#bytes -= this.#items.get(name)?.bytes ?? 0;
    this.#items.delete(name);
  }

  entries(): readonly (readonly [name: string, item: Item])[] {
    return [...this.#items].map(([name, { item }]) => [name, item] as const);
  }

  values(): readonly Item[] {
    return [...this.#items.values()].map(({ item }) => item);
  }

  clear(): void {
    this.#items.clear();
    this.#bytes = 0;
  }
}

/** Rows of all portals that a client reads in portions. */
const HELD_ROWS_MAX = 100_000;
const HELD_BYTES_MAX = 64 * 1024 * 1024;

/** The bytes that portals hold. @param drop closes them. @throws SqlError `53000` when they hold too many rows or bytes */
export function checkHeld(portals: readonly Portal[], drop: () => void): number {
  let [rows, bytes] = [0, 0];
  for (const { result } of portals) {
    rows += result?.rows.length ?? 0;
    bytes += result?.bytes ?? 0;
  }
  if (rows <= HELD_ROWS_MAX && bytes <= HELD_BYTES_MAX) return bytes;
  drop();
  const most = `${HELD_ROWS_MAX} rows or ${HELD_BYTES_MAX} bytes`;
  throw new SqlError(SQLSTATE.insufficientResources, `Suspended portals hold more than ${most}.`, {
    hint: 'Close results that are no longer read, or write LIMIT.',
  });
}
