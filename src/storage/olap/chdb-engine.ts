import { createWriteStream, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Session } from 'chdb';
import type { Log } from '../../domain/log/log.ts';
import { type InsertStatement, quote } from './statement.ts';

/**
 * Statements that may run at once: reads and commands, and inserts apart so that reports never hold them up. One insert of a block
 * keeps one core busy; with two of them a backlog drains on two. More than reports
 * may have at once (their slots are fewer), so that what is small and urgent finds a free one. chDB runs each on a thread of
 * libuv's pool, which is started large enough (`childEnvironment`).
 */
const readLaneMax = 8;
const writersMax = 2;
/** Statements that may wait for a connection of their lane, and how long, in milliseconds. */
const waitingMax = 256;
const waitTimeoutMs = 60_000;
/** Longest a statement may run that names no limit itself, in seconds, and how much memory one may use. */
const executionSecondsMax = 600;
const queryMemoryBytesMax = 2_000_000_000;

/** A failure of the engine: `code` is ClickHouse's number. */
export class EngineError extends Error {
  override readonly name = 'EngineError';
  readonly code: number;
  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

const tooManyQueries = 202;
const aborted = 236;
const unknownException = 1002;
/** Passes: the disk may have space again. */
const cannotWriteFile = 75;

/** How a statement is to be run. */
export interface EngineCall {
  readonly sql: string;
  readonly database: string;
  readonly format: string;
  /** Names the statement for `kill`. */
  readonly queryId: string;
}

/** The result of a statement. */
export interface EngineResult {
  readonly bytes: Uint8Array;
  readonly rowsRead: number;
  readonly bytesRead: number;
}

/** Settings of every table: whether a power loss may cost rows, and a deduplication window far larger than any replay. */
const configure = (isDurable: boolean) => `<clickhouse>
  <merge_tree>
    <fsync_after_insert>${Number(isDurable)}</fsync_after_insert>
    <fsync_part_directory>${Number(isDurable)}</fsync_part_directory>
    <min_rows_to_fsync_after_merge>${Number(isDurable)}</min_rows_to_fsync_after_merge>
    <non_replicated_deduplication_window>100000</non_replicated_deduplication_window>
  </merge_tree>
  <background_pool_size>2</background_pool_size>
  <background_schedule_pool_size>8</background_schedule_pool_size>
  <mark_cache_size>67108864</mark_cache_size>
  <uncompressed_cache_size>0</uncompressed_cache_size>
</clickhouse>
`;

/** Formats of inserts that the engine reads from files alone. */
const FILE_FORMATS: ReadonlySet<string> = new Set(['RowBinaryWithNamesAndTypes', 'Native']);

/** The pieces of a body are written together up to this many bytes. */
const WRITE_BYTES = 4_194_304;

interface Connection {
  readonly session: Session;
  /** The database of the last USE. */
  database: string;
}

/** The embedded ClickHouse of one folder. Only one process at a time may have it open. */
export class ChdbEngine {
  readonly #readLane: Lane;
  readonly #writeLane: Lane;
  /** Running and waiting inserts that have a token, by table and token. */
  readonly #tokens = new Map<string, Promise<void>>();
  readonly #control: Session;
  readonly #drain: () => Promise<void>;
  readonly #log: Log;

  readonly #filesDir: string;
  #files = 0;

  private constructor(
    open: () => Session,
    { drain, filesDir, log }: { drain: () => Promise<void>; filesDir: string; log: Log },
  ) {
    this.#readLane = new Lane(Array.from({ length: readLaneMax }, () => ({ session: open(), database: 'default' })));
    this.#writeLane = new Lane(Array.from({ length: writersMax }, () => ({ session: open(), database: 'default' })));
    this.#control = open();
    this.#drain = drain;
    this.#filesDir = filesDir;
    this.#log = log;
  }

  /**
   * Opens the store in `dir`. Loads some 200 MB of program. One that is not durable does not wait for the disk.
   * @throws Error when another process has it open
   */
  static async open(dir: string, log: Log, isDurable: boolean): Promise<ChdbEngine> {
    mkdirSync(dir, { recursive: true, mode: 0o700 });
    const configuration = join(dir, 'engine.xml');
    writeFileSync(configuration, configure(isDurable));
    const chdb = await import('chdb');
    const connectionArgs = [
      `--config-file=${configuration}`,
      '--output_format_json_quote_64bit_integers=1',
      '--output_format_json_quote_decimals=1',
      '--async_insert=0',
      `--max_execution_time=${executionSecondsMax}`,
      `--max_memory_usage=${queryMemoryBytesMax}`,
    ];
    const open = () => new chdb.Session(join(dir, 'store'), { connectionArgs });
    const filesDir = join(dir, 'inserts');
    const engine = new ChdbEngine(open, { drain: chdb.drainPending, filesDir, log });
    // Only now: until the store is open, another process may have it and its files.
    rmSync(filesDir, { recursive: true, force: true });
    mkdirSync(filesDir, { mode: 0o700 });
    return engine;
  }

  /** Runs a statement and gives its whole result. */
  run(call: EngineCall): Promise<EngineResult> {
    return this.#readLane.use(call.database, async ({ session }) => {
      const result = await session.queryAsync(tag(call), { format: call.format });
      return { bytes: result.bytes(), rowsRead: result.rowsRead, bytesRead: result.bytesRead };
    });
  }

  /** Runs a SELECT and gives its result piece by piece, in constant memory. Every piece is a whole document of its format. */
  async *stream(call: EngineCall): AsyncGenerator<Uint8Array, void, undefined> {
    const connection = await this.#readLane.acquire(call.database);
    let isDone = false;
    try {
      for await (const chunk of connection.session.queryStream(tag(call), { format: call.format })) yield chunk.raw();
      isDone = true;
    } catch (error) {
      throw toEngineError(error);
    } finally {
      // A stream that failed keeps its memory and stays among the running statements until the connection's next statement.
      if (!isDone) await connection.session.queryAsync('SELECT 1', { format: 'Null' }).catch(() => undefined);
      this.#readLane.release(connection);
    }
  }

  /**
   * Inserts rows; returns how many were written, those of materialized views included. Inserts of one token run one after the other: a
   * repeat finds all that the first try stored.
   */
  insert(call: Pick<EngineCall, 'database'>, insert: InsertStatement, body: readonly Buffer[]): Promise<number> {
    const run = () =>
      this.#writeLane.use(call.database, ({ session }) =>
        FILE_FORMATS.has(insert.format) ? this.#insertFile(session, insert, body) : insertText(session, insert, body),
      );
    const token = insert.settings['insert_deduplication_token'];
    return token === undefined ? run() : this.#inTurn(`${call.database} ${insert.table} ${token}`, run);
  }

  /** By way of a file: the engine's own inserts take texts only. Returns how many rows were read. */
  async #insertFile(session: Session, insert: InsertStatement, body: readonly Buffer[]): Promise<number> {
    const path = join(this.#filesDir, `${(this.#files += 1)}`);
    try {
      await pipeline(body, createWriteStream(path, { mode: 0o600, highWaterMark: WRITE_BYTES })).catch(
        (error: unknown) => {
          const reason = `The rows cannot be written to a file: ${String(error)}`;
          throw new EngineError(cannotWriteFile, `${reason}. (CANNOT_WRITE_TO_FILE_DESCRIPTOR)`);
        },
      );
      const result = await session.queryAsync(insertFromFile(insert, path), { format: 'Null' });
      return result.rowsRead;
    } finally {
      await rm(path, { force: true });
    }
  }

  #inTurn<T>(name: string, work: () => Promise<T>): Promise<T> {
    const result = (this.#tokens.get(name) ?? Promise.resolve()).then(work);
    const ended = result.then(
      () => undefined,
      () => undefined,
    );
    this.#tokens.set(name, ended);
    void ended.then(() => {
      if (this.#tokens.get(name) === ended) this.#tokens.delete(name);
    });
    return result;
  }

  /** Ends the statement of this name, if one runs; null: all. Returns before it has ended. */
  kill(queryId: string | null): void {
    const pattern = `${queryId === null ? tagStart : tagOf(queryId)}%`.replaceAll('_', '\\_');
    try {
      // Not asynchronous: the threads may all be busy with what is to be ended. Takes some 3 ms.
      this.#control.query(`KILL QUERY WHERE query LIKE ${quote(pattern)} ASYNC`, 'Null');
    } catch (error) {
      this.#log.event('analytics.statement_not_ended', { err: error, queryId });
    }
  }

  /** Waits for what runs (ending it after `graceMs`) and closes the store. */
  async close(graceMs: number): Promise<void> {
    const timer = setTimeout(() => this.kill(null), graceMs);
    await Promise.all([this.#readLane.close(), this.#writeLane.close()]);
    clearTimeout(timer);
    this.#control.close();
    await this.#drain();
  }
}

async function insertText(session: Session, insert: InsertStatement, body: readonly Buffer[]): Promise<number> {
  const summary = await session.insert({
    table: insert.table,
    values: Buffer.concat(body),
    format: insert.format as 'JSONEachRow' | 'JSONCompactEachRow',
    settings: insert.settings,
    ...(insert.columns === null ? {} : { columns: insert.columns }),
  });
  return summary.rowsWritten;
}

/** Every statement starts with a comment that names it: the engine gives its own ids to statements. */
function tag(call: EngineCall): string {
  return `${tagOf(call.queryId)} ${call.sql}`;
}

const tagStart = '/*placard:';

function tagOf(queryId: string): string {
  return `${tagStart}${queryId.replaceAll(/[^\w.:-]/g, '')}*/`;
}

type Waiter = (connection: Connection | EngineError) => void;

/** Connections of one purpose: each runs one statement at a time, and what comes meanwhile waits in order. */
class Lane {
  readonly #connections: readonly Connection[];
  readonly #free: Connection[];
  readonly #waiting: Waiter[] = [];
  #closed: (() => void) | null = null;

  constructor(connections: readonly Connection[]) {
    this.#connections = connections;
    this.#free = [...connections];
  }

  async use<T>(database: string, work: (connection: Connection) => Promise<T>): Promise<T> {
    const connection = await this.acquire(database);
    try {
      return await work(connection);
    } catch (error) {
      throw toEngineError(error);
    } finally {
      this.release(connection);
    }
  }

  /** A free connection with `database` selected. The caller returns it with `release`. */
  async acquire(database: string): Promise<Connection> {
    const connection = this.#free.pop() ?? (await this.#wait());
    if (connection.database === database) return connection;
    try {
      await connection.session.queryAsync(`USE \`${database.replaceAll(/[\\`]/g, '\\$&')}\``, { format: 'Null' });
      connection.database = database;
      return connection;
    } catch (error) {
      this.release(connection);
      throw toEngineError(error);
    }
  }

  release(connection: Connection): void {
    const next = this.#waiting.shift();
    if (next !== undefined) next(connection);
    else this.#free.push(connection);
    if (this.#free.length === this.#connections.length) this.#closed?.();
  }

  async close(): Promise<void> {
    for (const waiter of this.#waiting.splice(0)) waiter(new EngineError(aborted, 'The server is shutting down'));
    if (this.#free.length < this.#connections.length) {
      await new Promise<void>((resolve) => {
        this.#closed = resolve;
      });
    }
    this.#free.length = 0;
    for (const connection of this.#connections) connection.session.close();
  }

  #wait(): Promise<Connection> {
    if (this.#closed !== null) throw new EngineError(aborted, 'The server is shutting down');
    if (this.#waiting.length >= waitingMax) throw new EngineError(tooManyQueries, 'Too many statements are waiting');
    return new Promise((resolve, reject) => {
      const waiter: Waiter = (connection) => {
        clearTimeout(timer);
        if (connection instanceof EngineError) reject(connection);
        else resolve(connection);
      };
      const timer = setTimeout(() => {
        this.#waiting.splice(this.#waiting.indexOf(waiter), 1);
        reject(new EngineError(tooManyQueries, 'No connection became free in time'));
      }, waitTimeoutMs);
      this.#waiting.push(waiter);
    });
  }
}

function insertFromFile({ table, columns, format, settings }: InsertStatement, path: string): string {
  const names = columns?.map((column) => `\`${column}\``).join(', ');
  const values = Object.entries({ ...settings, max_insert_threads: '1' }).map(
    ([name, value]) => `${name} = ${quote(value)}`,
  );
  return `INSERT INTO ${table}${names === undefined ? '' : ` (${names})`} SELECT ${names ?? '*'}
    FROM file(${quote(path)}, ${format}) SETTINGS ${values.join(', ')}`;
}

function toEngineError(error: unknown): EngineError {
  if (error instanceof EngineError) return error;
  const message = error instanceof Error ? error.message : String(error);
  const code = /\bCode: (\d+)/.exec(message)?.[1];
  return new EngineError(code === undefined ? unknownException : Number(code), message);
}
