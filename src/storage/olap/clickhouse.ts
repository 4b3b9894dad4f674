import { randomUUID } from 'node:crypto';
import { addAbortListener } from 'node:events';
import { Readable } from 'node:stream';
import { type ClickHouseClient, type ClickHouseSettings, createClient } from '@clickhouse/client';
import type { Log } from '../../domain/log/log.ts';
import { toOlapError } from './clickhouse-errors.ts';
import { CLUSTER_DDL, CLUSTER_FINAL_READ, CLUSTER_INSERT, CLUSTER_READ } from './cluster-settings.ts';
import { onReplicas } from './cluster-olap.ts';
import { readOlapAddress } from './olap-address.ts';
import { olapDialect, type OlapDialect } from './olap-dialect.ts';
import { INSERT_BYTES_MAX, type Olap, OlapError, type OlapInsert, type OlapQuery, type OlapResult } from './olap.ts';
import type { OlapSettings, OlapStreamQuery } from './olap.ts';

export interface OlapOptions {
  /** `http(s)://user:password@host:port/database` of ClickHouse or of the analytics process; with the cluster, as `writeOlapAddress` does. */
  readonly url: string;
  readonly log: Log;
}

const defaultTimeoutMs = 30_000;
const timeoutMsMax = 600_000;
/** The server ends a statement itself; the client gives up this much later. */
const timeoutGraceMs = 2_000;
const insertTimeoutMs = 60_000;
const commandTimeoutMs = 600_000;
const socketsMax = 32;

/** One client for ClickHouse and for the embedded analytics process. Connects on first use. */
export function openOlap(options: OlapOptions): Olap {
  const { url, cluster } = readOlapAddress(options.url);
  const isRemote = !/^(127\.|localhost$|\[::1\])/.test(new URL(url).hostname);
  const client = createClient({
    url,
    application: 'placard',
    request_timeout: timeoutMsMax + timeoutGraceMs,
    max_open_connections: socketsMax,
    compression: { response: isRemote, request: isRemote },
    keep_alive: { enabled: true, idle_socket_ttl: 2_500 },
    log: { level: 127 },
  });
  const olap = new ClickHouseOlap(client, options.log, olapDialect(cluster));
  return cluster === null ? olap : onReplicas(olap);
}

class ClickHouseOlap implements Olap {
  readonly #client: ClickHouseClient;
  readonly #log: Log;
  readonly dialect: OlapDialect;

  constructor(client: ClickHouseClient, log: Log, dialect: OlapDialect) {
    this.#client = client;
    this.#log = log;
    this.dialect = dialect;
  }

  query<T>(query: OlapQuery): Promise<T[]> {
    return this.#run(query, async (call) => {
      const result = await this.#client.query({ ...call, format: 'JSONEachRow' });
      return result.json<T>();
    });
  }

  queryWithMeta<T>(query: OlapQuery): Promise<OlapResult<T>> {
    return this.#run(query, async (call) => {
      const result = await this.#client.query({ ...call, format: 'JSON' });
      const { meta = [], data } = await result.json<T>();
      return { columns: meta, rows: data };
    });
  }

  async *stream(query: OlapStreamQuery): AsyncGenerator<Buffer, void, undefined> {
    if (!/^\w+$/.test(query.format)) throw new OlapError('invalid_query', 'No such format', { retryable: false });
    const life = new CallLife(query);
    let body: Readable | null = null;
    try {
      const call = { ...this.#prepare(query, life), query: `${withSettings(query)}\nFORMAT ${query.format}` };
      const result = await this.#client.exec(call);
      body = result.stream;
      addAbortListener(life.signal, () => result.stream.destroy(new Error('ended')));
      for await (const chunk of body) yield chunk as Buffer;
    } catch (error) {
      throw life.explain(error);
    } finally {
      body?.destroy();
      life.end();
    }
  }

  async command(sql: string, params?: OlapQuery['params'], settings?: OlapSettings): Promise<void> {
    const life = new CallLife({ sql, timeoutMs: commandTimeoutMs });
    const query = sql + settingsClause(settings ?? {});
    try {
      await this.#client.command({
        query,
        abort_signal: life.signal,
        ...(params === undefined ? {} : { query_params: params }),
        ...this.#onCluster(/^\s*INSERT\b/i.test(sql) ? CLUSTER_INSERT : CLUSTER_DDL),
      });
    } catch (error) {
      throw life.explain(error);
    } finally {
      life.end();
    }
  }

  async insertRaw(insert: OlapInsert): Promise<void> {
    if (insert.body.length > INSERT_BYTES_MAX) {
      throw new OlapError('too_large', `An insert may have ${INSERT_BYTES_MAX} bytes`, { retryable: false });
    }
    const life = new CallLife({ sql: '', timeoutMs: insertTimeoutMs });
    const columns = insert.columns === undefined ? '' : ` (${insert.columns.map(quoteName).join(', ')})`;
    const settings = { ...INSERT_SETTINGS, insert_deduplication_token: insert.token };
    const query = `INSERT INTO ${quoteName(insert.table)}${columns}${settingsClause(settings)} FORMAT ${insert.format ?? 'JSONEachRow'}`;
    try {
      const values = Readable.from([insert.body], { objectMode: false });
      const result = await this.#client.exec({
        query,
        values,
        abort_signal: life.signal,
        ...this.#onCluster(CLUSTER_INSERT),
      });
      await result.stream.resume().toArray();
    } catch (error) {
      throw life.explain(error);
    } finally {
      life.end();
    }
  }

  async ping(): Promise<void> {
    const result = await this.#client.ping({ select: true });
    if (!result.success) throw toOlapError(result.error);
  }

  async kill(queryId: string): Promise<void> {
    await this.command('KILL QUERY WHERE query_id = {queryId:String} ASYNC', { queryId });
  }

  close(): Promise<void> {
    return this.#client.close();
  }

  async #run<T>(query: OlapQuery, read: (call: PreparedCall) => Promise<T>): Promise<T> {
    const life = new CallLife(query);
    const call = this.#prepare(query, life);
    try {
      return await Promise.race([read(call), life.aborted]);
    } catch (error) {
      if (life.signal.aborted) this.#endOnServer(call.query_id);
      throw life.explain(error);
    } finally {
      life.end();
    }
  }

  #prepare(query: OlapQuery, life: CallLife): PreparedCall {
    return {
      query: withSettings(query),
      query_id: query.queryId ?? randomUUID(),
      abort_signal: life.signal,
      query_params: query.params ?? {},
      ...this.#onCluster(query.isFinal === true ? CLUSTER_FINAL_READ : CLUSTER_READ),
    };
  }

  /** Beside the statement: behind a CREATE they would be read as settings of the table. One server gets none. */
  #onCluster(settings: ClickHouseSettings): { clickhouse_settings?: ClickHouseSettings } {
    return this.dialect.cluster === null ? {} : { clickhouse_settings: settings };
  }

  /** Closing the connection is enough for the analytics process, not for every ClickHouse. */
  #endOnServer(queryId: string): void {
    this.kill(queryId).catch((error: unknown) => this.#log.event('analytics.kill_failed', { err: error, queryId }));
  }
}

interface PreparedCall {
  readonly query: string;
  readonly query_id: string;
  readonly abort_signal: AbortSignal;
  readonly query_params: Record<string, unknown>;
  readonly clickhouse_settings?: ClickHouseSettings;
}

/** The whole body is one block, so that its token covers all of it; and the token goes on to materialized views. */
const INSERT_SETTINGS: OlapSettings = {
  async_insert: 0,
  insert_deduplicate: 1,
  deduplicate_blocks_in_dependent_materialized_views: 1,
  max_insert_block_size: 10_000_000,
  min_insert_block_size_rows: 10_000_000,
  min_insert_block_size_bytes: 1_000_000_000,
  input_format_parallel_parsing: 0,
  input_format_skip_unknown_fields: 0,
  input_format_json_compact_allow_variable_number_of_columns: 1,
  input_format_null_as_default: 1,
  date_time_input_format: 'best_effort',
};

/** The signal and the clock of one call. */
class CallLife {
  readonly signal: AbortSignal;
  readonly #own = new AbortController();
  readonly #caller: AbortSignal | undefined;
  readonly #timer: NodeJS.Timeout;
  readonly #onAbort = () => this.#own.abort();
  /** Rejects when the caller or the clock ends the call, whatever the server does. */
  readonly aborted: Promise<never>;
  #isTimedOut = false;

  constructor(query: OlapQuery) {
    this.#caller = query.signal;
    this.signal = this.#own.signal;
    this.aborted = new Promise((_resolve, reject) => {
      addAbortListener(this.signal, () => reject(new Error('ended')));
    });
    this.aborted.catch(() => undefined);
    if (this.#caller?.aborted === true) this.#own.abort();
    this.#caller?.addEventListener('abort', this.#onAbort, { once: true });
    this.#timer = setTimeout(() => {
      this.#isTimedOut = true;
      this.#own.abort();
    }, timeoutOf(query) + timeoutGraceMs);
  }

  explain(error: unknown): OlapError {
    const options = { retryable: false, cause: error };
    if (this.#isTimedOut) return new OlapError('timeout', 'The statement took too long', options);
    if (this.#caller?.aborted === true) return new OlapError('aborted', 'The caller ended the statement', options);
    return toOlapError(error);
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#caller?.removeEventListener('abort', this.#onAbort);
  }
}

function timeoutOf(query: OlapQuery): number {
  return Math.min(query.timeoutMs ?? defaultTimeoutMs, timeoutMsMax);
}

function withSettings(query: OlapQuery): string {
  const limits = {
    max_execution_time: timeoutOf(query) / 1_000,
    output_format_json_quote_64bit_integers: 1,
    output_format_json_quote_decimals: 1,
  };
  return query.sql + settingsClause({ ...limits, ...query.settings });
}

function settingsClause(settings: OlapSettings): string {
  const parts = Object.entries(settings).map(([name, value]) => `${quoteSetting(name)} = ${writeValue(value)}`);
  return parts.length === 0 ? '' : `\nSETTINGS ${parts.join(', ')}`;
}

function quoteSetting(name: string): string {
  if (!/^\w+$/.test(name)) throw new OlapError('invalid_query', `"${name}" is not a setting`, { retryable: false });
  return name;
}

function writeValue(value: string | number | boolean): string {
  if (typeof value === 'string') return `'${value.replaceAll(/[\\']/g, '\\$&')}'`;
  return String(Number(value));
}

/** A plain or database-qualified name. */
function quoteName(name: string): string {
  if (!/^\w+(\.\w+)?$/.test(name))
    throw new OlapError('invalid_query', `"${name}" is not a plain name`, { retryable: false });
  return name
    .split('.')
    .map((part) => `\`${part}\``)
    .join('.');
}
