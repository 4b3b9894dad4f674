import type { DateRange } from './date-range.ts';

/** Every operator of a filter. */
export const FILTER_OPERATORS = [
  'equals',
  'notEquals',
  'contains',
  'notContains',
  'startsWith',
  'notStartsWith',
  'endsWith',
  'notEndsWith',
  'in',
  'notIn',
  'gt',
  'gte',
  'lt',
  'lte',
  'set',
  'notSet',
  'inDateRange',
  'notInDateRange',
  'onTheDate',
  'beforeDate',
  'beforeOrOnDate',
  'afterDate',
  'afterOrOnDate',
  'measureFilter',
] as const;
export type FilterOperator = (typeof FILTER_OPERATORS)[number];

/** One condition on one member. Values are texts; null means "no value". */
export interface FilterLeaf {
  readonly member: string;
  readonly operator: FilterOperator;
  readonly values?: readonly (string | null)[];
}

/** A tree of conditions. */
export type Filter = FilterLeaf | { readonly or: readonly Filter[] } | { readonly and: readonly Filter[] };

/** Groups by a time dimension, restricts it, or both. */
export interface TimeDimension {
  readonly dimension: string;
  readonly granularity?: string;
  readonly dateRange?: DateRange;
}

/** How rows are written. */
export const RESPONSE_FORMATS = ['default', 'compact', 'columnar'] as const;
export type ResponseFormat = (typeof RESPONSE_FORMATS)[number];

/** A query in the one form that everything behind the gateway reads: defaults filled in, dates resolved. */
export interface NormalizedQuery {
  readonly measures?: readonly string[];
  readonly dimensions: readonly string[];
  readonly segments?: readonly string[];
  readonly filters: readonly Filter[];
  readonly timeDimensions: readonly TimeDimension[];
  readonly order?: readonly { readonly id: string; readonly desc: boolean }[];
  /** The most rows of a response; `rowLimit` is the same number under its old name. */
  readonly limit: number;
  readonly rowLimit: number;
  readonly offset?: number;
  readonly total?: boolean;
  readonly ungrouped?: boolean;
  readonly responseFormat?: ResponseFormat;
  readonly timezone: string;
  readonly cacheMode: string;
}

/** Rows of a query without a limit. */
export const LIMIT_DEFAULT = 10_000;
/** The highest limit that may be asked. */
export const LIMIT_MAX = 50_000;
