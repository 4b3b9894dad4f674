import type { PostgresQueryResult } from 'kysely';
import pg from 'pg';

/** One statement and its parameters. */
export interface Statement {
  readonly text: string;
  readonly parameters: readonly unknown[];
}

/** Statements that run together; the result has a row for each: its result. */
export class Together {
  readonly statements: readonly Statement[];

  constructor(statements: readonly Statement[]) {
    this.statements = statements;
  }
}

/** Looks at the rows of a statement, and throws when they forbid the transaction. */
export type RowCheck = (rows: readonly unknown[]) => void;

/** The parameters of a statement that waits for the next one of its transaction, and the check of its rows. */
export class HeldBack {
  readonly parameters: readonly unknown[];
  readonly check: RowCheck | null;

  constructor(parameters: readonly unknown[], check: RowCheck | null = null) {
    this.parameters = parameters;
    this.check = check;
  }
}

/** What the driver offers to queries of another make, such as its own cursors; its type definitions leave most of it out. */
interface Connection {
  readonly stream: { readonly writable: boolean; write(bytes: Buffer): unknown };
  parse(statement: { readonly text: string }): void;
  bind(values: { readonly values: readonly unknown[] }): void;
  describe(portal: { readonly type: 'P'; readonly name: '' }): void;
  execute(portal: { readonly portal: ''; readonly rows: 0 }): void;
  sync(): void;
}

/** The driver's builder of a result. */
interface Result extends PostgresQueryResult<unknown> {
  readonly rows: unknown[];
  addFields(fields: readonly unknown[]): void;
  parseRow(values: readonly unknown[]): unknown;
  addCommandComplete(message: unknown): void;
}

/** The parsers of a connection. */
export interface ValueTypes {
  getTypeParser(oid: number, format: 'text' | 'binary'): unknown;
}

const { Result: ResultOfDriver, utils } = pg as unknown as {
  readonly Result: new (rowMode: null, types: ValueTypes) => Result;
  readonly utils: { prepareValue(value: unknown): unknown };
};

/**
 * Several statements in one round trip: the driver's connection writes them at once, with one Sync behind them. After the first statement that
 * fails, the server skips the others. Each sees what those before it changed.
 */
export class StatementBatch {
  readonly #statements: readonly Statement[];
  readonly #types: ValueTypes;
  readonly #results: Result[] = [];
  readonly #done = Promise.withResolvers<readonly PostgresQueryResult<unknown>[]>();
  /** The first row that a parser of a value refused. */
  #broken: { readonly error: unknown } | null = null;
  #result: Result;

  constructor(statements: readonly Statement[], types: ValueTypes) {
    this.#statements = statements;
    this.#types = types;
    this.#result = new ResultOfDriver(null, types);
  }

  /** The result of each statement. */
  get results(): Promise<readonly PostgresQueryResult<unknown>[]> {
    return this.#done.promise;
  }

  /** Nothing is sent when a value cannot be. Returns the error then. */
  submit(connection: Connection): unknown {
    let prepared: readonly unknown[][];
    try {
      prepared = this.#statements.map(({ parameters }) => parameters.map((value) => utils.prepareValue(value)));
    } catch (error) {
      return error;
    }
    const messages: Buffer[] = [];
    const stream = { writable: true, write: (message: Buffer) => messages.push(message) };
    const collecting = Object.create(connection, { stream: { value: stream } }) as Connection;
    for (const [index, { text }] of this.#statements.entries()) {
      collecting.parse({ text });
      collecting.bind({ values: prepared[index] ?? [] });
      collecting.describe({ type: 'P', name: '' });
      collecting.execute({ portal: '', rows: 0 });
    }
    collecting.sync();
    // One write: a stream spends more on each message than on its bytes. As the driver does, nothing is sent once the connection is broken.
    if (connection.stream.writable) connection.stream.write(Buffer.concat(messages));
    return null;
  }

  handleRowDescription(message: { readonly fields: readonly unknown[] }): void {
    this.#result.addFields(message.fields);
  }

  handleDataRow(message: { readonly fields: readonly unknown[] }): void {
    try {
      if (this.#broken === null) this.#result.rows.push(this.#result.parseRow(message.fields));
    } catch (error) {
      this.#broken = { error };
    }
  }

  handleCommandComplete(message: unknown): void {
    this.#result.addCommandComplete(message);
    this.#finishStatement();
  }

  handleEmptyQuery(): void {
    this.#finishStatement();
  }

  handleError(error: unknown): void {
    this.#done.reject(error);
  }

  handleReadyForQuery(): void {
    if (this.#broken === null) this.#done.resolve(this.#results);
    else this.#done.reject(this.#broken.error);
  }

  #finishStatement(): void {
    this.#results.push(this.#result);
    this.#result = new ResultOfDriver(null, this.#types);
  }
}
