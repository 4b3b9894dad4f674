import { PlacardError } from '../../domain/errors.ts';
import { OlapError, type Olap, type OlapSettings } from '../../storage/olap/olap.ts';
import { compileQuery, type CompiledQuery, type TenantScope } from '../compile/compile-query.olap.ts';
import { annotate, type Annotation } from '../model/annotation.ts';
import { queryProblem, type MemberIndex } from '../model/member-index.ts';
import { localAt } from '../query/local-time.ts';
import { normalizeRequest, type QueryType } from '../query/normalize.ts';
import type { NormalizedQuery } from '../query/query.ts';
import type { QuerySlots } from './query-slots.ts';
import { formatRows, type ExtraColumn, type RowData } from './row-format.ts';

/** One request to `/load`, its caller known. */
export interface LoadRequest {
  /** What the client sent as its query, unchecked. */
  readonly query: unknown;
  /** The client understands several results (`queryType=multi`). */
  readonly isMulti: boolean;
  readonly tenant: TenantScope;
  /** IANA name for queries that name none. */
  readonly timezoneDefault: string;
  readonly nowMs: number;
  /** The statement's time budget in milliseconds. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** The rows of one query, with what clients need to draw them. */
export interface LoadResult {
  readonly query: NormalizedQuery;
  readonly data: RowData;
  readonly annotation: Annotation;
  readonly lastRefreshTime: string;
  readonly total?: number;
  readonly slowQuery: false;
}

/** The answer for clients that understand several results. */
export interface MultiAnswer {
  readonly queryType: QueryType;
  readonly results: readonly LoadResult[];
  readonly pivotQuery: Readonly<Record<string, unknown>>;
  readonly slowQuery: false;
}

/** What queries run on. */
export interface LoadEngine {
  readonly index: MemberIndex;
  readonly olap: Olap;
  readonly slots: QuerySlots;
}

/** Numbers leave the store as texts, so that no digit is lost on the way; and one query cannot take all of the memory. */
const READ_SETTINGS: OlapSettings = {
  output_format_json_quote_64bit_integers: 1,
  output_format_json_quote_64bit_floats: 1,
  output_format_json_quote_decimals: 1,
  output_format_decimal_trailing_zeros: 0,
  max_memory_usage: 2_000_000_000,
  max_bytes_before_external_group_by: 500_000_000,
  max_threads: 4,
};

/**
 * Answers a query of a client.
 * @throws PlacardError `invalid_request` (what is wrong with the query), `query_timeout`, `overloaded`, `unavailable`, `query_too_complex`
 */
export async function loadQuery(engine: LoadEngine, request: LoadRequest): Promise<MultiAnswer | LoadResult> {
  const { type, queries } = normalizeRequest(request.query, request);
  const compiled = queries.map((query) => compileQuery(engine.index, query, request.tenant, request.nowMs));
  if (!request.isMulti && type !== 'regularQuery') {
    throw queryProblem(
      'unsupported_query',
      `'${type}' query type is not supported by the client.Please update the client.`,
    );
  }
  const results = await Promise.all(
    queries.map((query, position) =>
      runOne(engine, request, { type, query, compiled: compiled[position] as CompiledQuery }),
    ),
  );
  if (!request.isMulti) return results[0] as LoadResult;
  return { queryType: type, results, pivotQuery: pivotOf(type, queries), slowQuery: false };
}

interface OneQuery {
  readonly type: QueryType;
  readonly query: NormalizedQuery;
  readonly compiled: CompiledQuery;
}

async function runOne(engine: LoadEngine, request: LoadRequest, one: OneQuery): Promise<LoadResult> {
  const { query, compiled } = one;
  const [rows, total] = await Promise.all([
    read(engine, request, compiled.sql, compiled),
    readTotal(engine, request, compiled),
  ]);
  const annotation = annotate(engine.index, query, localAt(request.nowMs, query.timezone));
  return {
    query,
    data: formatRows(rows, compiled.columns, extrasOf(one), query.responseFormat ?? 'default'),
    annotation,
    lastRefreshTime: new Date(request.nowMs).toISOString(),
    ...(total === null ? {} : { total }),
    slowQuery: false,
  };
}

async function readTotal(engine: LoadEngine, request: LoadRequest, compiled: CompiledQuery): Promise<number | null> {
  if (compiled.totalSql === null) return null;
  const [row] = await read(engine, request, compiled.totalSql, compiled);
  return Number(row?.['total'] ?? 0);
}

function read(
  engine: LoadEngine,
  request: LoadRequest,
  sql: string,
  compiled: CompiledQuery,
): Promise<Record<string, unknown>[]> {
  const network = String(request.tenant.workspaceId);
  return engine.slots.run(network, request.signal, async () => {
    try {
      return await engine.olap.query<Record<string, unknown>>({
        sql,
        params: compiled.params,
        settings: READ_SETTINGS,
        timeoutMs: request.timeoutMs,
        signal: request.signal,
      });
    } catch (error) {
      throw toPlacardError(error);
    }
  });
}

function toPlacardError(error: unknown): unknown {
  if (!(error instanceof OlapError)) return error;
  const options = { cause: error };
  switch (error.code) {
    case 'timeout':
      return new PlacardError('query_timeout', undefined, options);
    case 'too_large':
      return new PlacardError(
        'query_too_complex',
        'The query needs more memory than one query may take; narrow it.',
        options,
      );
    case 'overloaded':
      return new PlacardError('overloaded', undefined, options);
    case 'unreachable':
      return new PlacardError('unavailable', 'The analytics store is away; ask again shortly.', options);
    default:
      return error;
  }
}

/** compareDateRange rows say which range they are of; blended rows share a time key. */
function extrasOf({ type, query }: OneQuery): ExtraColumn[] {
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

/** The query that a client pivots the joined results by. */
function pivotOf(type: QueryType, queries: readonly NormalizedQuery[]): Record<string, unknown> {
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
