import { createHash } from 'node:crypto';
import { PlacardError } from '../../domain/errors.ts';
import { OlapError, type Olap, type OlapSettings } from '../../storage/olap/olap.ts';
import { compileQuery, type CompiledQuery, type TenantScope } from '../compile/compile-query.olap.ts';
import { annotate } from '../describe/annotation.ts';
import { queryProblem, type MemberIndex } from '../model/member-index.ts';
import { localAt } from '../query/local-time.ts';
import { normalizeRequest, type QueryType } from '../query/normalize.ts';
import type { NormalizedQuery } from '../query/query.ts';
import { bindToAdvertisers } from './buyer-loads.ts';
import type { QuerySlots } from './query-slots.ts';
import { formatRows, type ExtraColumn, type RowData } from './row-format.ts';

/** The context in which a query is parsed and compiled. */
export interface LoadContext {
  readonly tenant: TenantScope;
  /** IANA name for queries that name none. */
  readonly timezoneDefault: string;
  readonly nowMs: number;
  /** The advertisers that the query is bound to; absent or null: all of the workspace. */
  readonly advertiserIds?: readonly string[] | null;
  /** Rows of a query without a limit; absent: Cube's 10,000. */
  readonly limitDefault?: number;
}

/** The dependencies of queries. */
export interface LoadEngine {
  readonly olap: Olap;
  readonly slots: QuerySlots;
  /** Instead of {@link READ_SETTINGS}. */
  readonly settings?: OlapSettings;
}

/** One query of a request, ready to run. */
export interface PreparedQuery {
  readonly type: QueryType;
  readonly query: NormalizedQuery;
  readonly compiled: CompiledQuery;
  /** Names the rows that it asks for: the same for equal queries of a workspace. */
  readonly key: string;
  /** The query and its members, as every response describes them. */
  readonly description: Lazy<QueryDescription>;
}

/** JSON of the parts of a response that do not depend on its rows. */
export interface QueryDescription {
  readonly query: string;
  readonly annotation: string;
}

/** A value that is worked out when first read. */
export class Lazy<T> {
  #make: (() => T) | null;
  #value: T | undefined;

  constructor(make: () => T) {
    this.#make = make;
  }

  get value(): T {
    if (this.#make !== null) {
      this.#value = this.#make();
      this.#make = null;
    }
    return this.#value as T;
  }
}

/** A request, read and compiled. */
export interface PreparedLoad {
  readonly type: QueryType;
  readonly queries: readonly PreparedQuery[];
  /** JSON of the query that a client pivots the joined results by. */
  readonly pivot: Lazy<string>;
}

/** The workspace of one statement, and the limit of its time. */
export interface StatementLimits {
  readonly workspaceId: number;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** The rows of one query. */
export interface QueryRows {
  readonly data: RowData;
  /** Rows without limit and offset; null when the query does not ask for it. */
  readonly total: number | null;
}

/**
 * Numbers leave the store as texts, so that no digit is lost. One query uses a part of the memory and at most two cores; larger data goes
 * to disk.
 */
export const READ_SETTINGS: OlapSettings = {
  output_format_json_quote_64bit_integers: 1,
  output_format_json_quote_64bit_floats: 1,
  output_format_json_quote_decimals: 1,
  output_format_decimal_trailing_zeros: 0,
  max_memory_usage: 1_000_000_000,
  max_bytes_before_external_group_by: 400_000_000,
  max_bytes_before_external_sort: 400_000_000,
  max_temporary_data_on_disk_size_for_query: 5_000_000_000,
  max_threads: 2,
};

/** One thread is faster where a statement reads a few thousand rows: the results of two threads have to be merged. */
const NARROW_SETTINGS: OlapSettings = { ...READ_SETTINGS, max_threads: 1 };

/**
 * Parses and compiles a client's request.
 * @throws PlacardError `invalid_request`: what is wrong with it
 */
export function prepareLoad(
  index: MemberIndex,
  asked: { readonly query: unknown; readonly isMulti: boolean },
  context: LoadContext,
): PreparedLoad {
  const { type, queries } = normalizeRequest(asked.query, context);
  const { advertiserIds = null } = context;
  const bound = advertiserIds === null ? queries : queries.map((query) => bindToAdvertisers(query, advertiserIds));
  const prepared = bound.map((query) => {
    const compiled = compileQuery(index, query, context.tenant, context.nowMs);
    const description = new Lazy(() => ({
      query: JSON.stringify(query),
      annotation: JSON.stringify(annotate(index, query, localAt(context.nowMs, query.timezone))),
    }));
    return { type, query, compiled, key: keyOf(index, type, query), description };
  });
  if (!asked.isMulti && type !== 'regularQuery') {
    throw queryProblem(
      'unsupported_query',
      `'${type}' query type is not supported by the client.Please update the client.`,
    );
  }
  return { type, queries: prepared, pivot: new Lazy(() => JSON.stringify(pivotOf(type, prepared))) };
}

function keyOf(index: MemberIndex, type: QueryType, query: NormalizedQuery): string {
  const { cacheMode: _mode, ...rows } = query;
  return createHash('sha256').update(`${index.version} ${type}`).update(JSON.stringify(rows)).digest('base64');
}

/**
 * Runs a query when the workspace's turn comes.
 * @throws PlacardError `query_timeout`, `overloaded`, `unavailable`, `query_too_complex`
 */
export async function readRows(engine: LoadEngine, one: PreparedQuery, limits: StatementLimits): Promise<QueryRows> {
  const { compiled } = one;
  const [rows, totals] = await Promise.all([
    read(engine, compiled.sql, compiled, limits),
    compiled.totalSql === null ? null : read(engine, compiled.totalSql, compiled, limits),
  ]);
  const data = formatRows(rows, compiled.columns, extrasOf(one), one.query.responseFormat ?? 'default');
  return { data, total: totals === null ? null : Number(totals[0]?.['total'] ?? 0) };
}

function read(
  engine: LoadEngine,
  sql: string,
  compiled: CompiledQuery,
  { workspaceId, timeoutMs, signal }: StatementLimits,
): Promise<Record<string, unknown>[]> {
  return engine.slots.run(String(workspaceId), signal, async () => {
    try {
      return await engine.olap.query<Record<string, unknown>>({
        sql,
        params: compiled.params,
        settings: engine.settings ?? (compiled.isNarrow || engine.slots.isYielding ? NARROW_SETTINGS : READ_SETTINGS),
        timeoutMs,
        signal,
        // What is kept in the cache under a version must not be older than it.
        isFinal: true,
      });
    } catch (error) {
      throw toPlacardError(error);
    }
  });
}

const RETRY_SLOW_SECONDS = 5;
const RETRY_BUSY_SECONDS = 2;

/** The caller's error for a failure of the store. */
export function toPlacardError(error: unknown): unknown {
  if (!(error instanceof OlapError)) return error;
  const failed = (code: 'query_timeout' | 'overloaded' | 'unavailable', retryAfterSeconds: number, message?: string) =>
    new PlacardError(code, message, { cause: error, details: { retryAfterSeconds } });
  switch (error.code) {
    case 'timeout':
      return failed('query_timeout', RETRY_SLOW_SECONDS);
    case 'too_large':
      return new PlacardError('query_too_complex', 'The query needs more memory than one query may take; narrow it.', {
        cause: error,
      });
    case 'overloaded':
      return failed('overloaded', RETRY_BUSY_SECONDS);
    case 'unreachable':
      return failed('unavailable', RETRY_BUSY_SECONDS, 'The analytics store is unavailable; retry shortly.');
    default:
      return error;
  }
}

/** compareDateRange rows name their range; blended rows share a time key. */
function extrasOf({ type, query }: PreparedQuery): ExtraColumn[] {
  const [first] = query.timeDimensions;
  if (type === 'compareDateRangeQuery') {
    const range = query.timeDimensions.find((item) => item.dateRange !== undefined)?.dateRange;
    return range === undefined ? [] : [{ key: 'compareDateRange', read: () => range.join(' - ') }];
  }
  if (type === 'blendingQuery' && first?.granularity !== undefined) {
    const own = `${first.dimension}.${first.granularity}`;
    return [{ key: `time.${first.granularity}`, read: (row) => row[own] ?? null }];
  }
  return [];
}

function pivotOf(type: QueryType, prepared: readonly PreparedQuery[]): Record<string, unknown> {
  const queries = prepared.map(({ query }) => query);
  const [first] = queries;
  if (type === 'blendingQuery') {
    const merge = (key: 'measures' | 'dimensions'): string[] => [
      ...new Set(queries.flatMap((query) => query[key] ?? [])),
    ];
    const granularity = queries.map((query) => query.timeDimensions[0]?.granularity).find((name) => name !== undefined);
    return {
      measures: merge('measures'),
      dimensions: merge('dimensions'),
      timeDimensions: [{ dimension: 'time', granularity }],
      queryType: type,
    };
  }
  if (type === 'compareDateRangeQuery') {
    return { ...first, dimensions: ['compareDateRange', ...(first?.dimensions ?? [])], queryType: type };
  }
  return { ...first, queryType: type };
}
