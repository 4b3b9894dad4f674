/**
 * The shape of a report query, as the API description has it. `findShapeProblem` checks it by hand: it reports the first fault in the exact
 * sentence of Cube's gateway, in bounded time for a query of any size. Patterns, names and limits here are its own, and a test finds that
 * each takes exactly what the other takes.
 */
import { z } from 'zod';
import { canonicalTimezone } from './local-time.ts';
import { FILTER_OPERATORS, LIMIT_DEFAULT, LIMIT_MAX, RESPONSE_FORMATS } from './query.ts';
import {
  CACHE_MODES,
  CONDITIONS_MAX,
  countConditions,
  countFilterValues,
  DATE_CHARS_MAX,
  FILTER_DEPTH_MAX,
  FILTER_VALUE_CHARS_MAX,
  FILTER_VALUES_MAX,
  GRANULARITY_BYTES_MAX,
  ITEMS_MAX,
  MEMBER,
  ORDER_MEMBER,
  TIME_DIMENSIONS_MAX,
  TIMED_MEMBER,
} from './query-shape.ts';

const listOf = <Item extends z.ZodType>(item: Item) => z.array(item).max(ITEMS_MAX);
const member = z.string().regex(MEMBER);
const bool = z.union([z.boolean(), z.enum(['true', 'false'])]);
const filterValues = listOf(
  z.union([z.string().max(FILTER_VALUE_CHARS_MAX), z.number(), z.boolean(), z.null()]),
).optional();
const operator = z.enum(FILTER_OPERATORS);

interface ReportFilterShape {
  readonly [name: string]: unknown;
}

/** One condition, or a tree of them. */
export const ReportFilter: z.ZodType<ReportFilterShape> = z
  .union([
    z.strictObject({ member, operator, values: filterValues }),
    z.strictObject({
      dimension: member.describe('The name of member in older clients.'),
      operator,
      values: filterValues,
    }),
    z.strictObject({
      get or() {
        return listOf(ReportFilter);
      },
    }),
    z.strictObject({
      get and() {
        return listOf(ReportFilter);
      },
    }),
  ])
  .describe(`A member, operator and values, or a tree {or: […]}, {and: […]}, at most ${FILTER_DEPTH_MAX} deep.`);

/** How fresh a response must be. */
export const CacheMode = z
  .enum(CACHE_MODES)
  .describe(
    'stale-if-slow (default): at most two seconds old, or an older result when a new one takes longer than 1.5 s. stale-while-revalidate: what ' +
      'is known, at once. must-revalidate: everything that the store held at the time of the request. no-cache: computed now.',
  );

const dateText = z.string().max(DATE_CHARS_MAX);
const dateRange = z
  .union([z.array(dateText).min(1).max(2), dateText.min(1)])
  .describe(
    `Two dates, both included, or a text such as last 7 days, at most ${DATE_CHARS_MAX} characters long; at most 90 days.`,
  );

const timeDimension = z
  .strictObject({
    dimension: member,
    granularity: z
      .string()
      .min(1)
      .max(GRANULARITY_BYTES_MAX)
      .refine((name) => Buffer.byteLength(name) <= GRANULARITY_BYTES_MAX)
      .nullable()
      .optional(),
    dateRange: dateRange.nullable().optional(),
    compareDateRange: listOf(dateRange).describe('Ranges to compare, instead of dateRange.').optional(),
  })
  .refine(({ dateRange: one, compareDateRange: several }) => (one ?? null) === null || several === undefined);
const timeDimensions = z.array(timeDimension).max(TIME_DIMENSIONS_MAX);

const direction = z.enum(['asc', 'desc']);
const orderMember = z.string().regex(ORDER_MEMBER);
const order = z.union([
  z.record(orderMember, direction),
  listOf(z.union([z.tuple([orderMember, direction]), z.looseObject({ id: z.string(), desc: z.boolean() })])),
]);

/** The queries that `findShapeProblem` accepts. */
export const QueryShape = z.strictObject({
  measures: listOf(member).optional(),
  dimensions: listOf(z.string().regex(TIMED_MEMBER)).optional(),
  timeDimensions: timeDimensions.optional(),
  filters: listOf(ReportFilter)
    .refine((filters) => filters.every((filter) => isShallow(filter, 0)))
    .refine((filters) => countConditions(filters) <= CONDITIONS_MAX)
    .refine((filters) => countFilterValues(filters) <= FILTER_VALUES_MAX)
    .optional(),
  segments: listOf(member).optional(),
  order: order.nullable().optional(),
  limit: z.int().min(0).optional(),
  offset: z.int().min(0).optional(),
  total: bool.describe('Also count all rows, regardless of limit and offset.').optional(),
  timezone: z
    .string()
    .min(1)
    .refine((name) => canonicalTimezone(name) !== null)
    .nullable()
    .describe('IANA name; default: that of the network.')
    .optional(),
  cache: CacheMode.nullable().optional(),
  cacheMode: CacheMode.nullable().optional(),
  ungrouped: bool.describe('Single rows instead of sums.').optional(),
  responseFormat: z.enum(RESPONSE_FORMATS).optional(),
  renewQuery: z.unknown().optional(),
  rowLimit: z.unknown().optional(),
  queryType: z.unknown().optional(),
});

/** Members for Cube's own clients only: other forms of rows, other names, and members without effect. */
const OF_CUBE_CLIENTS = {
  responseFormat: true,
  cacheMode: true,
  renewQuery: true,
  rowLimit: true,
  queryType: true,
} as const;

/** One report query as described, with its required members. */
export const ReportQuery = QueryShape.omit(OF_CUBE_CLIENTS)
  .extend({
    timeDimensions: timeDimensions.min(1).describe(`One needs a dateRange. At most ${TIME_DIMENSIONS_MAX}.`),
    limit: z
      .int()
      .min(0)
      .max(LIMIT_MAX)
      .describe(`${LIMIT_DEFAULT.toLocaleString('en')} unless given.`)
      .optional(),
  })
  .describe('Members are full names, such as campaign_overview.impressions. Unknown members are refused.');

function isShallow(filter: ReportFilterShape, depth: number): boolean {
  if (depth > FILTER_DEPTH_MAX) return false;
  const inner = filter['or'] ?? filter['and'];
  return !Array.isArray(inner) || inner.every((each: ReportFilterShape) => isShallow(each, depth + 1));
}
