import type { OlapDialect } from './olap-dialect.ts';

/** A value bound to a `{name: Type}` placeholder of a ClickHouse statement. Arrays are for `Array(T)` placeholders. */
export type OlapParam = string | number | bigint | boolean | null | Date | readonly (string | number | bigint)[];

/** ClickHouse settings of one statement. They are written *into* the statement (`… SETTINGS a = 1`), never into the session. */
export type OlapSettings = Readonly<Record<string, string | number | boolean>>;

/** One reading statement. No FORMAT and no SETTINGS clause in `sql`: the driver adds both. */
export interface OlapQuery {
  readonly sql: string;
  readonly params?: Readonly<Record<string, OlapParam>>;
  readonly settings?: OlapSettings;
  /** Ends the statement on the server too (`max_execution_time`), in milliseconds. Default 30_000, at most 600_000. */
  readonly timeoutMs?: number;
  /** Aborting rejects at once and asks the server to end the statement. */
  readonly signal?: AbortSignal;
  /** Names the statement for `kill`. Default: random. */
  readonly queryId?: string;
  /**
   * On a cluster: the result has every row whose insert was acknowledged before, or there is none (`failed`, retryable). Without it a server may
   * respond that lags behind. One server always has every row.
   */
  readonly isFinal?: boolean;
}

/** A column of a result, in the order of the select list. */
export interface OlapColumn {
  readonly name: string;
  /** A ClickHouse type such as `UInt64` or `Nullable(String)`. */
  readonly type: string;
}

/** Rows with their columns. */
export interface OlapResult<T> {
  readonly columns: readonly OlapColumn[];
  readonly rows: T[];
}

/** A reading statement whose bytes are wanted as they are, in a ClickHouse output format. */
export interface OlapStreamQuery extends OlapQuery {
  /** Such as `CSVWithNames` or `JSONEachRow`. */
  readonly format: string;
}

/** The formats of inserted rows. */
export const INSERT_FORMATS = ['JSONEachRow', 'JSONCompactEachRow', 'RowBinaryWithNamesAndTypes'] as const;

/** Most bytes of one insert. A full batch of events fits, in any form. */
export const INSERT_BYTES_MAX = 128 * 1_024 * 1_024;

/** Rows for one table. */
export interface OlapInsert {
  readonly table: string;
  /** Default: the columns that the rows name; with arrays those of the table. */
  readonly columns?: readonly string[];
  /**
   * One JSON object a line (default); one array of the columns' values, which may leave out columns at its end; or ClickHouse's binary rows
   * behind the names and types of their columns, which take the store an eighth of the time.
   */
  readonly format?: (typeof INSERT_FORMATS)[number];
  /** At most {@link INSERT_BYTES_MAX}. */
  readonly body: Buffer;
  /** The batch's name: the same token twice in the same table inserts once, in dependent materialized views too. */
  readonly token: string;
}

/**
 * The analytics store: ClickHouse SQL over HTTP, whether the server is ClickHouse or the embedded analytics process.
 * 64-bit integers and decimals arrive as strings. Every method throws `OlapError`.
 */
export interface Olap {
  /** How tables are made and changed there. */
  readonly dialect: OlapDialect;
  /** Rows as objects keyed by column name. Read as a whole: for results of at most some 100_000 rows; else `stream`. */
  query<T>(query: OlapQuery): Promise<T[]>;
  /** As `query`, and the columns with their types (known even when there are no rows). */
  queryWithMeta<T>(query: OlapQuery): Promise<OlapResult<T>>;
  /** The bytes of a result in constant memory. Ending the iteration early ends the statement. */
  stream(query: OlapStreamQuery): AsyncIterable<Buffer>;
  /** A statement without a result: DDL, ALTER, OPTIMIZE. */
  command(sql: string, params?: OlapQuery['params'], settings?: OlapSettings): Promise<void>;
  /** Done when the rows are in the table and in its materialized views. Safe to repeat with the same token. */
  insertRaw(insert: OlapInsert): Promise<void>;
  /** Throws when the server does not respond. */
  ping(): Promise<void>;
  /** Asks the server to end a statement; unknown ids are ignored. */
  kill(queryId: string): Promise<void>;
  close(): Promise<void>;
}

/** The kind of a failure of the analytics store. `timeout` = the statement outran `timeoutMs`; `too_large` = memory or size limits. */
export type OlapErrorCode =
  | 'unreachable'
  | 'unauthorized'
  | 'timeout'
  | 'aborted'
  | 'overloaded'
  | 'too_large'
  | 'invalid_query'
  | 'unknown_table'
  | 'failed';

/** A failure of the analytics store. */
export class OlapError extends Error {
  override readonly name = 'OlapError';
  readonly code: OlapErrorCode;
  /** The same call may work later, unchanged (an insert: with the same token). */
  readonly retryable: boolean;
  /** ClickHouse's own number, such as 60 for UNKNOWN_TABLE; null when the server did not respond. */
  readonly serverCode: number | null;

  constructor(
    code: OlapErrorCode,
    message: string,
    options: { retryable: boolean; serverCode?: number; cause?: unknown },
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.retryable = options.retryable;
    this.serverCode = options.serverCode ?? null;
  }
}
