/** `/load` and `/meta` in the API description. `reports.routes.ts` and `normalizeRequest` parse requests, in Cube's words. */
import { z } from 'zod';
import { ErrorCodes } from '../../http/shared/error-body.schema.ts';
import { QUERIES_MAX } from '../query/normalize.ts';
import { CacheMode, ReportQuery } from '../query/query.schema.ts';

/** A refused report query. */
export const ReportError = z
  .looseObject({
    error: z.string().describe('A sentence.'),
    type: z.string().optional(),
    code: ErrorCodes.optional(),
  })
  .describe('A report query that is refused: error is a sentence, code the stable code.');

const queryType = z.string().describe('multi: the response has the shape that Cube clients expect.');

/** Body of POST /load. */
export const ReportRequest = z.looseObject({
  query: z
    .union([ReportQuery, z.array(ReportQuery).min(1).max(QUERIES_MAX)])
    .describe('One query; several are data blending (queryType multi).'),
  queryType: queryType.optional(),
  cache: CacheMode.optional(),
});

/** The query parameters of GET /load. */
export const ReportAddress = z.object({
  query: z.string().describe('The query as JSON.'),
  queryType: queryType.optional(),
  cache: CacheMode.optional(),
});

/** Rows. */
export const ReportAnswer = z
  .looseObject({
    data: z
      .array(z.record(z.string(), z.union([z.string(), z.boolean(), z.null()])))
      .describe('Keyed by full member name; numbers are texts, so that no digit is lost.')
      .optional(),
    query: z.looseObject({}).describe('The query, its dates resolved.').optional(),
    annotation: z.looseObject({}).describe('Titles, types and formats of the members.').optional(),
    total: z.int().describe('Number of rows regardless of limit and offset, on request.').optional(),
    lastRefreshTime: z.string().describe('The moment up to which the response is complete.').optional(),
    dataAsOf: z.string().nullable().describe('As the header X-Data-As-Of.').optional(),
    completeUntil: z
      .string()
      .nullable()
      .describe('All events before this moment are counted; null: unknown.')
      .optional(),
    results: z.array(z.looseObject({})).describe('With queryType multi, each with the members above.').optional(),
    error: z.literal('Continue wait').describe('With queryType multi: ask again at once.').optional(),
  })
  .describe('Rows of a query.');

/** What a query asks for. */
export const ReportDryRun = z
  .looseObject({
    queryType: z.string().describe('regularQuery, compareDateRangeQuery or blendingQuery.'),
    normalizedQueries: z
      .array(z.looseObject({}))
      .describe('The queries, their dates resolved and their defaults filled in.'),
    queryOrder: z.array(z.record(z.string(), z.enum(['asc', 'desc']))),
    transformedQueries: z.array(z.looseObject({})).describe('Always empty.'),
    pivotQuery: z.looseObject({}),
  })
  .describe('A query, as Cube clients read it.');

const statement = z.looseObject({
  sql: z.looseObject({ sql: z.array(z.unknown()).describe('The statement, its parameters, and these by name.') }),
});

/** The statements of a query. */
export const ReportStatements = z
  .union([statement, z.array(statement)])
  .describe('One for a plain query; a list for date ranges that are compared, and for several queries.');

const member = z.looseObject({
  name: z.string(),
  title: z.string(),
  shortTitle: z.string(),
  description: z.string(),
  type: z.string(),
});

/** The members that can be queried. */
export const ReportMeta = z
  .looseObject({
    cubes: z.array(
      z.looseObject({ name: z.string(), title: z.string(), measures: z.array(member), dimensions: z.array(member) }),
    ),
  })
  .describe('Every queryable measure and dimension.');
