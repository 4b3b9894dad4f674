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

/** Statements or portals of one session by name; '' is replaced, all others must be closed. */
export class NamedItems<Item> {
  readonly #items = new Map<string, Item>();
  readonly #limits: { readonly max: number; readonly what: string; readonly missing: string };

  constructor(limits: { readonly max: number; readonly what: string; readonly missing: string }) {
    this.#limits = limits;
  }

  /** @throws SqlError for a name in use, and for one too many */
  add(name: string, item: Item): void {
    const { max, what } = this.#limits;
    if (name !== '' && this.#items.has(name)) {
      throw new SqlError(SQLSTATE.duplicateStatement, `The ${what} "${name.slice(0, 100)}" exists already.`);
    }
    if (!this.#items.has(name) && this.#items.size >= max) {
      throw new SqlError(SQLSTATE.programLimit, `A session has at most ${max} ${what}s.`, {
        hint: `Close ${what}s that are no longer used.`,
      });
    }
    this.#items.set(name, item);
  }

  /** @throws SqlError when there is none */
  get(name: string): Item {
    const item = this.#items.get(name);
    if (item !== undefined) return item;
    const { what, missing } = this.#limits;
    throw new SqlError(missing, `The ${what} "${name.slice(0, 100)}" does not exist.`);
  }

  delete(name: string): void {
    this.#items.delete(name);
  }

  values(): readonly Item[] {
    return [...this.#items.values()];
  }

  clear(): void {
    this.#items.clear();
  }
}
