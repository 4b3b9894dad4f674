import { inNfc } from '../../domain/text/one-form.ts';
import { queryProblem } from '../model/member-index.ts';
import type { QueryClock } from './date-range.ts';
import { DateTexts } from './date-texts.ts';
import { canonicalTimezone } from './local-time.ts';
import {
  CONDITIONS_MAX,
  countConditions,
  countFilterValues,
  DATE_CHARS_MAX,
  FILTER_VALUES_MAX,
  findShapeProblem,
  findUnknownOperator,
  isObject,
} from './query-shape.ts';
import {
  LIMIT_DEFAULT,
  LIMIT_MAX,
  type Filter,
  type FilterLeaf,
  type FilterOperator,
  type NormalizedQuery,
  type ResponseFormat,
  type TimeDimension,
} from './query.ts';

/** The context in which a query is parsed. */
export interface NormalizeContext {
  readonly nowMs: number;
  /** For queries that name none: the network's zone. */
  readonly timezoneDefault: string;
  /** Rows of a query without a limit; default {@link LIMIT_DEFAULT}. */
  readonly limitDefault?: number;
}

/** The parts of a response: one query, one a compared range, or several that share a time axis. */
export type QueryType = 'regularQuery' | 'compareDateRangeQuery' | 'blendingQuery';

const START_OPERATORS: readonly FilterOperator[] = ['beforeDate', 'afterOrOnDate'];
const END_OPERATORS: readonly FilterOperator[] = ['beforeOrOnDate', 'afterDate'];
const RANGE_OPERATORS: readonly FilterOperator[] = ['inDateRange', 'notInDateRange', 'onTheDate'];
const VALUELESS_OPERATORS: readonly FilterOperator[] = ['set', 'notSet', 'measureFilter'];
const ABSOLUTE_DATE = /^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2}(\.\d{1,6})?)?(Z|[+-]\d{2}(:?\d{2})?)?)?$/;
/** Queries in one request. */
export const QUERIES_MAX = 20;

/**
 * Parses a client's query: an object, or an array of objects (data blending).
 * @throws PlacardError `invalid_request` with Cube's sentence
 */
export function normalizeRequest(
  input: unknown,
  context: NormalizeContext,
): { type: QueryType; queries: NormalizedQuery[] } {
  if (Array.isArray(input)) return { type: 'blendingQuery', queries: normalizeBlended(input, context) };
  const compared = isObject(input) ? splitCompared(input, context) : null;
  if (compared !== null) return { type: 'compareDateRangeQuery', queries: compared };
  return { type: 'regularQuery', queries: [normalizeQuery(input, context)] };
}

/** One query in its normal form. @param dates those of its request @throws PlacardError `invalid_request` */
export function normalizeQuery(
  input: unknown,
  context: NormalizeContext,
  dates: DateTexts = new DateTexts(),
): NormalizedQuery {
  const query = checkShape(input);
  const timezone = canonicalTimezone(query.timezone || context.timezoneDefault) ?? 'UTC';
  const clock = { nowMs: context.nowMs, timezone };
  const dimensions = query.dimensions ?? [];
  const timeDimensions = (query.timeDimensions ?? []).map((item) => normalizeTimeDimension(item, clock, dates));
  const hasAny =
    (query.measures?.length ?? 0) > 0 ||
    dimensions.length > 0 ||
    timeDimensions.some((item) => item.granularity !== undefined);
  if (!hasAny) {
    throw queryProblem(
      'invalid_query',
      'Query should contain either measures, dimensions or timeDimensions with granularities in order to be valid',
    );
  }
  if ((query.limit ?? 0) > LIMIT_MAX) throw queryProblem('invalid_query', 'The query limit has been exceeded.');
  const limit = query.limit ?? context.limitDefault ?? LIMIT_DEFAULT;
  return {
    ...(query.measures === undefined ? {} : { measures: query.measures }),
    ...(query.segments === undefined ? {} : { segments: query.segments }),
    ...(query.offset === undefined ? {} : { offset: query.offset }),
    ...(query.total === undefined ? {} : { total: isTrue(query.total) }),
    ...(query.ungrouped === undefined ? {} : { ungrouped: isTrue(query.ungrouped) }),
    ...(query.responseFormat === undefined ? {} : { responseFormat: query.responseFormat }),
    ...(query.order === undefined || query.order === null ? {} : { order: normalizeOrder(query.order) }),
    dimensions: dimensions.filter((name) => !isTimed(name)),
    filters: (query.filters ?? []).map((filter) => normalizeFilter(filter, clock, dates)),
    timeDimensions: [...timeDimensions, ...dimensions.filter(isTimed).map(splitTimed)],
    limit,
    rowLimit: limit,
    timezone,
    cacheMode: query.cacheMode ?? query.cache ?? 'stale-if-slow',
  };
}

interface IncomingQuery {
  readonly measures?: readonly string[];
  readonly dimensions?: readonly string[];
  readonly segments?: readonly string[];
  readonly filters?: readonly IncomingFilter[];
  readonly timeDimensions?: readonly IncomingTimeDimension[];
  readonly order?: Readonly<Record<string, string>> | readonly IncomingOrder[] | null;
  readonly timezone?: string | null;
  readonly limit?: number;
  readonly offset?: number;
  readonly total?: boolean | string;
  readonly ungrouped?: boolean | string;
  readonly cache?: string | null;
  readonly cacheMode?: string | null;
  readonly responseFormat?: ResponseFormat;
}
type IncomingOrder = readonly [string, string] | { readonly id: string; readonly desc: boolean };
interface IncomingTimeDimension {
  readonly dimension: string;
  readonly granularity?: string | null;
  readonly dateRange?: string | readonly string[] | null;
  readonly compareDateRange?: readonly (string | readonly string[])[];
}
interface IncomingFilter {
  readonly or?: readonly IncomingFilter[];
  readonly and?: readonly IncomingFilter[];
  readonly member?: string;
  readonly dimension?: string;
  readonly operator?: FilterOperator;
  readonly values?: readonly (string | number | boolean | null)[];
}

/** The shape check is what makes this one cast true. */
function checkShape(input: unknown): IncomingQuery {
  const problem = findShapeProblem(input);
  if (problem !== null) {
    const unknownOperator = isObject(input) ? findUnknownOperator(input['filters']) : null;
    const named = unknownOperator === null ? {} : { unknownOperator };
    const sentence = unknownOperator === null ? '' : `; there is no operator ${JSON.stringify(unknownOperator)}`;
    throw queryProblem('invalid_query', `Invalid query format: ${problem}${sentence}`, named);
  }
  return input as IncomingQuery;
}

function isTrue(value: boolean | string): boolean {
  return value === true || value === 'true';
}

function isTimed(dimension: string): boolean {
  return dimension.split('.').length === 3;
}

function splitTimed(dimension: string): TimeDimension {
  const [cube, name, granularity = ''] = dimension.split('.');
  return { dimension: `${cube}.${name}`, granularity };
}

function normalizeTimeDimension(item: IncomingTimeDimension, clock: QueryClock, dates: DateTexts): TimeDimension {
  return {
    dimension: item.dimension,
    ...(typeof item.granularity === 'string' ? { granularity: item.granularity } : {}),
    ...(item.dateRange === undefined || item.dateRange === null
      ? {}
      : { dateRange: dates.resolve(item.dateRange, clock) }),
  };
}

function normalizeOrder(order: NonNullable<IncomingQuery['order']>): { id: string; desc: boolean }[] {
  const pairs = Array.isArray(order) ? (order as readonly IncomingOrder[]) : Object.entries(order);
  return pairs.map((item) => {
    if ('id' in item) return { id: item.id, desc: item.desc };
    const [id, direction] = item as readonly [string, string];
    return { id, desc: direction === 'desc' };
  });
}

function normalizeFilter(filter: IncomingFilter, clock: QueryClock, dates: DateTexts): Filter {
  if (filter.or !== undefined) return { or: filter.or.map((item) => normalizeFilter(item, clock, dates)) };
  if (filter.and !== undefined) return { and: filter.and.map((item) => normalizeFilter(item, clock, dates)) };
  const operator = filter.operator as FilterOperator;
  if ((filter.values === undefined || filter.values.length === 0) && !VALUELESS_OPERATORS.includes(operator)) {
    throw queryProblem('invalid_query', `Values required for filter: ${JSON.stringify(filter)}`);
  }
  const values = filter.values?.map((value) => (value === null ? null : inNfc(String(value))));
  const member = filter.member ?? filter.dimension ?? '';
  return resolveFilterDates({ member, operator, ...(values === undefined ? {} : { values }) }, clock, dates);
}

/**
 * Resolves the dates of a date filter: relative texts become instants, ranges two bounds; absolute dates stay as they are.
 * @throws PlacardError `invalid_request` for a text that is not a date, and for relative texts in a pair
 */
export function resolveFilterDates(
  filter: FilterLeaf,
  clock: QueryClock,
  dates: DateTexts = new DateTexts(),
): FilterLeaf {
  const { operator, values } = filter;
  if (values === undefined) return filter;
  const isRange = RANGE_OPERATORS.includes(operator);
  const isOfDates = isRange || START_OPERATORS.includes(operator) || END_OPERATORS.includes(operator);
  if (isOfDates && values.some((value) => value !== null && value.length > DATE_CHARS_MAX)) {
    const message = `A date of the filter on ${filter.member} is over ${DATE_CHARS_MAX} characters long.`;
    throw queryProblem('invalid_date', message);
  }
  if (isRange && values.length > 1 && values.some((value) => typeof value === 'string' && !ABSOLUTE_DATE.test(value))) {
    throw queryProblem(
      'invalid_date',
      `Relative-date strings are only supported when \`values\` has a single element for operator \`${operator}\`. Pass an absolute two-element [start, end] pair, or a single relative string like ["last 2 weeks"]. Got: ${JSON.stringify(values)}`,
    );
  }
  const [value, end] = values;
  if (isRange && typeof value === 'string' && typeof end === 'string') dates.resolve([value, end], clock);
  if (values.length !== 1 || typeof value !== 'string') return filter;
  if (isRange) return { ...filter, values: [...dates.resolve(value, clock)] };
  if (ABSOLUTE_DATE.test(value)) return filter;
  if (START_OPERATORS.includes(operator)) return { ...filter, values: [dates.resolve(value, clock)[0]] };
  if (END_OPERATORS.includes(operator)) return { ...filter, values: [dates.resolve(value, clock)[1]] };
  return filter;
}

/** compareDateRange: the same query once for each range; null when nothing is compared. */
function splitCompared(input: Record<string, unknown>, context: NormalizeContext): NormalizedQuery[] | null {
  const list = input['timeDimensions'];
  if (!Array.isArray(list)) return null;
  const compared = list.filter(
    (item: unknown) => isObject(item) && item['compareDateRange'] !== undefined && item['compareDateRange'] !== null,
  );
  if (compared.length === 0) return null;
  if (compared.length > 1) throw queryProblem('invalid_query', 'compareDateRange can only exist for one timeDimension');
  const query = checkShape(input);
  const ranges = (compared[0] as IncomingTimeDimension).compareDateRange ?? [];
  if (ranges.length === 0) throw queryProblem('invalid_query', 'compareDateRange must name at least one range.');
  if (ranges.length > QUERIES_MAX)
    throw queryProblem('invalid_query', `compareDateRange may name at most ${QUERIES_MAX} ranges.`);
  checkFilters(ranges.map(() => query));
  const dates = new DateTexts();
  return ranges.map((dateRange) => {
    const timeDimensions = (query.timeDimensions ?? []).map((item) => {
      const { compareDateRange, ...rest } = item;
      return compareDateRange === undefined ? item : { ...rest, dateRange };
    });
    return normalizeQuery({ ...query, timeDimensions }, context, dates);
  });
}

/** Every condition and value is a part of a statement: the statements of a request hold few enough together. */
function checkFilters(queries: readonly unknown[]): void {
  const sum = (count: (filters: unknown) => number): number =>
    queries.reduce<number>((total, one) => total + (isObject(one) ? count(one['filters']) : 0), 0);
  const conditions = sum(countConditions);
  if (conditions > CONDITIONS_MAX) {
    const message = `A request may hold at most ${CONDITIONS_MAX} conditions in all, not ${conditions}.`;
    throw queryProblem('invalid_query', message);
  }
  const values = sum(countFilterValues);
  if (values > FILTER_VALUES_MAX) {
    const message = `A request may hold at most ${FILTER_VALUES_MAX} filter values in all, not ${values}: send several requests.`;
    throw queryProblem('invalid_query', message);
  }
}

function normalizeBlended(input: readonly unknown[], context: NormalizeContext): NormalizedQuery[] {
  if (input.length === 0) throw queryProblem('invalid_query', 'Query should contain at least one query.');
  if (input.length > QUERIES_MAX) throw queryProblem('invalid_query', `At most ${QUERIES_MAX} queries may be blended.`);
  checkFilters(input);
  const dates = new DateTexts();
  const queries = input.map((query) => normalizeQuery(query, context, dates));
  const granularities = new Set(
    queries.map((query) => query.timeDimensions[0]?.granularity).filter((name) => name !== undefined),
  );
  if (granularities.size > 1) throw queryProblem('invalid_query', 'Data blending query granularities must match');
  if (granularities.size === 0) {
    throw queryProblem('invalid_query', 'Data blending query without granularity is not supported');
  }
  return queries;
}
