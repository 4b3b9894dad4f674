import { Kysely, PostgresDialect, type PostgresPool } from 'kysely';
import { Pool, type PoolClient, types } from 'pg';
import type { Log } from '../../domain/log/log.ts';
import { refuseOpenTransactions } from './ended-transactions.ts';
import { HangWatch, socketOf } from './postgres-hang-watch.ts';
import type { Database } from './schema.ts';

/** The state of a pool. */
export interface SqlConnections {
  readonly open: number;
  readonly idle: number;
  readonly waiting: number;
}

/** The management database: typed SQL over a bounded pool. */
export interface Sql {
  readonly db: Kysely<Database>;
  /** Connections of the pool, those of them that are free, and callers that wait for one. */
  connections(): SqlConnections;
  /** Ends every connection; waits for statements that run. */
  close(): Promise<void>;
}

export interface PostgresOptions {
  /** `postgresql://user:password@host:port/database`, with the options of libpq such as `sslmode`. */
  readonly url: string;
  readonly log: Log;
  /** Most connections at once. */
  readonly poolMax: number;
  /** Longest a statement may run, in milliseconds; 0 = for ever. */
  readonly statementTimeoutMs: number;
  /** How long to wait for a free connection, and for a new one to be made, in milliseconds; absent: 10 s. */
  readonly connectTimeoutMs?: number;
}

const defaultConnectTimeoutMs = 10_000;
const idleTimeoutMs = 30_000;
/** A server that still runs ends a late statement itself. One that sends nothing for so much longer hangs, and loses the connection. */
const silenceMs = 5_000;
/** A transaction that waits for its caller longer than this is ended: it would hold its locks. */
const idleTransactionTimeoutMs = 60_000;

const { builtins } = types;
const int8Array = 1016;
/** The parser of text[] (type 1009, which the type definitions leave out). */
const parseTextArray = types.getTypeParser(1009 as never) as (text: string) => (string | null)[];

/**
 * How values come out of PostgreSQL: int8 as bigint, numeric as decimal text, timestamptz as Date, date as `YYYY-MM-DD` text,
 * json and jsonb parsed.
 */
export const POSTGRES_TYPES = {
  getTypeParser: (oid: number, format?: 'text' | 'binary'): ((value: string) => unknown) => {
    if (format === 'binary') return types.getTypeParser(oid, 'binary') as (value: string) => unknown;
    if (oid === builtins.INT8) return BigInt;
    if (oid === int8Array) return (text) => parseTextArray(text).map((one) => (one === null ? null : BigInt(one)));
    if (oid === builtins.TIMESTAMPTZ) return parseInstant;
    if (oid === builtins.NUMERIC || oid === builtins.DATE) return (text) => text;
    return types.getTypeParser(oid, 'text') as (value: string) => unknown;
  },
};

const parseAnyInstant = types.getTypeParser(builtins.TIMESTAMPTZ, 'text') as (text: string) => Date | number;
const ZERO = 48;

/**
 * The instant of a text such as `2026-11-23 01:45:16.123456+00`, as a connection in UTC sends it; others go to the parser of the driver, which
 * takes ten times as long.
 */
export function parseInstant(text: string): Date | number {
  const { length } = text;
  const isUtc = length >= 22 && length <= 29 && text.charCodeAt(4) === 45 && text.endsWith('+00');
  if (!isUtc || (length > 22 && text.charCodeAt(19) !== 46)) return parseAnyInstant(text);
  const two = (at: number) => (text.charCodeAt(at) - ZERO) * 10 + text.charCodeAt(at + 1) - ZERO;
  let milliseconds = 0;
  for (let at = 20, unit = 100; unit >= 1; at += 1, unit /= 10)
    if (at < length - 3) milliseconds += (text.charCodeAt(at) - ZERO) * unit;
  const year = two(0) * 100 + two(2);
  // Date.UTC takes the years 0 to 99 for the 20th century.
  if (year < 100) return parseAnyInstant(text);
  return new Date(Date.UTC(year, two(5) - 1, two(8), two(11), two(14), two(17), milliseconds));
}

/** Opens the pool. Connects on first use: an unreachable server shows in the first statement. */
export function openPostgres(options: PostgresOptions): Sql {
  const pool = new Pool({
    connectionString: options.url,
    max: options.poolMax,
    connectionTimeoutMillis: options.connectTimeoutMs ?? defaultConnectTimeoutMs,
    idleTimeoutMillis: idleTimeoutMs,
    idle_in_transaction_session_timeout: idleTransactionTimeoutMs,
    statement_timeout: options.statementTimeoutMs,
    application_name: 'placard',
    keepAlive: true,
    types: POSTGRES_TYPES,
  });
  // The pool drops a connection that breaks; without listeners its error would end the process.
  pool.on('error', () => undefined);
  const inUse = new WeakSet<PoolClient>();
  pool.on('acquire', (client) => inUse.add(client));
  pool.on('release', (_error, client) => inUse.delete(client));
  pool.on('connect', (client) => {
    let isLost = false;
    if (options.statementTimeoutMs > 0) watchSilence(client, options.statementTimeoutMs + silenceMs, inUse);
    client.on('error', (error) => {
      if (isLost) return;
      isLost = true;
      options.log.event(inUse.has(client) ? 'postgres.connection_lost' : 'postgres.idle_connection_lost', {
        err: error,
      });
    });
  });
  const connections = (): SqlConnections => ({
    open: pool.totalCount,
    idle: pool.idleCount,
    waiting: pool.waitingCount,
  });
  if (options.statementTimeoutMs === 0) return { ...openOver(pool), connections };
  const watch = new HangWatch({ pool, url: options.url, log: options.log });
  const watched = openOver({ connect: () => watch.connect(), end: () => pool.end() });
  return { db: watched.db, connections, close: () => watched.close().finally(() => watch.stop()) };
}

function openOver(pool: PostgresPool): Omit<Sql, 'connections'> {
  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool: refuseOpenTransactions(pool) }) });
  return { db, close: () => db.destroy() };
}

/** Breaks a connection in use whose server says nothing for too long: its statement fails, instead of waiting for ever. */
function watchSilence(client: PoolClient, timeoutMs: number, inUse: WeakSet<PoolClient>): void {
  const stream = socketOf(client);
  stream.setTimeout(timeoutMs, () => {
    if (!inUse.has(client)) return;
    stream.destroy(Object.assign(new Error('PostgreSQL does not respond'), { code: 'ETIMEDOUT' }));
  });
}
