import { z } from 'zod';
import { ERROR_CODES } from '../domain/errors.ts';

const CODES = Object.keys(ERROR_CODES) as [string, ...string[]];
const DATE = /^\d{4}-\d{2}-\d{2}$/;
const OPERATORS =
  'equals notEquals in notIn contains notContains startsWith notStartsWith endsWith notEndsWith gt gte ' +
  'lt lte set notSet inDateRange notInDateRange onTheDate beforeDate beforeOrOnDate afterDate afterOrOnDate';

/** The body of every error. */
const ErrorBody = z
  .looseObject({
    error: z.enum(CODES).describe('Stable code.'),
    message: z.string().describe('What to do; may be reworded.'),
    fields: z.array(z.looseObject({ path: z.string(), code: z.string(), message: z.string() })).optional(),
    limit: z.int().describe('Of rate limits.').optional(),
    reset: z.int().describe('Unix seconds at which a limit opens again.').optional(),
    requestId: z.string().describe('Of server errors.').optional(),
  })
  .describe('Every error; some codes carry more members.');

/** A refused report query. */
const ReportError = z
  .looseObject({
    error: z.string().describe('A sentence.'),
    type: z.string().optional(),
    code: z.enum(CODES).optional(),
  })
  .describe('A report query that is refused: error is a sentence, code the stable code.');

/** How fresh an answer must be. */
const CacheMode = z
  .enum(['stale-if-slow', 'stale-while-revalidate', 'must-revalidate', 'no-cache'])
  .describe(
    'stale-if-slow (default): at most two seconds old, an older answer when a newer one takes longer than 1.5 s. stale-while-revalidate: what ' +
      'is known, at once. must-revalidate: everything that was in the store when it was asked. no-cache: computed now.',
  );

/** One report query. */
const ReportQuery = z
  .looseObject({
    measures: z.array(z.string()).optional(),
    dimensions: z.array(z.string()).optional(),
    timeDimensions: z
      .array(
        z.looseObject({
          dimension: z.string(),
          dateRange: z
            .union([z.tuple([z.string().regex(DATE), z.string().regex(DATE)]), z.string()])
            .describe('Two dates, both included, or a text such as last 7 days; at most 90 days.'),
          granularity: z.string().optional(),
        }),
      )
      .min(1),
    filters: z
      .array(
        z.looseObject({
          member: z.string().optional(),
          operator: z.enum(OPERATORS.split(' ') as [string, ...string[]]).optional(),
          values: z.array(z.unknown()).optional(),
        }),
      )
      .describe('Each a member, operator and values, or a tree {or: […]}, {and: […]}.')
      .optional(),
    order: z.union([z.record(z.string(), z.enum(['asc', 'desc'])), z.array(z.unknown())]).optional(),
    limit: z.int().min(0).max(50_000).describe('10,000 unless given.').optional(),
    offset: z.int().min(0).optional(),
    total: z.boolean().optional(),
    timezone: z.string().describe("IANA name; the network's unless given.").optional(),
    cache: CacheMode.optional(),
  })
  .describe('Members are full names, such as campaign_overview.impressions.');

/** Body of POST /load. */
const ReportRequest = z.looseObject({
  query: z
    .union([ReportQuery, z.array(ReportQuery)])
    .describe('One query; several are data blending (queryType multi).'),
  queryType: z.string().describe('multi: answered as Cube clients expect.').optional(),
  cache: CacheMode.optional(),
});

/** Rows. */
const ReportAnswer = z
  .looseObject({
    data: z
      .array(z.record(z.string(), z.union([z.string(), z.boolean(), z.null()])))
      .describe('Keyed by full member name; numbers are texts, so that no digit is lost.')
      .optional(),
    query: z.looseObject({}).describe('The query, its dates resolved.').optional(),
    annotation: z.looseObject({}).describe('Titles, types and formats of the members.').optional(),
    total: z.int().describe('Rows without limit and offset, when asked for.').optional(),
    lastRefreshTime: z.string().describe('Up to when the answer is known to be right.').optional(),
    dataAsOf: z.string().nullable().describe('As the header X-Data-As-Of.').optional(),
    results: z.array(z.looseObject({})).describe('With queryType multi, each with the members above.').optional(),
    error: z.literal('Continue wait').describe('With queryType multi: ask again at once.').optional(),
  })
  .describe('Rows of a query.');

const member = z.looseObject({
  name: z.string(),
  title: z.string(),
  shortTitle: z.string(),
  description: z.string(),
  type: z.string(),
});

/** What can be queried. */
const ReportMeta = z
  .looseObject({
    cubes: z.array(
      z.looseObject({ name: z.string(), title: z.string(), measures: z.array(member), dimensions: z.array(member) }),
    ),
  })
  .describe('Every queryable measure and dimension.');

/** A GraphQL request. */
const GraphqlRequest = z.looseObject({
  query: z.string().min(1).describe('A GraphQL document.'),
  variables: z.record(z.string(), z.unknown()).nullable().optional(),
  operationName: z.string().nullable().optional(),
});

/** A GraphQL answer. */
const GraphqlAnswer = z.looseObject({
  data: z.unknown().optional(),
  errors: z.array(z.looseObject({ message: z.string() })).optional(),
});

/** An uploaded file. */
const UploadedFile = z.looseObject({
  url: z.string().describe("What a creative's content takes."),
  contentType: z.string(),
  sizeBytes: z.int(),
  width: z.int().nullable(),
  height: z.int().nullable(),
});

/** What an upload of segment members did. */
const SegmentUploadAnswer = z.looseObject({
  segmentId: z.string(),
  mode: z.enum(['ADD', 'REMOVE', 'REPLACE']),
  lines: z.int(),
  changed: z.int(),
});

/** Liveness. */
const Health = z.looseObject({ status: z.string() });

/** Bodies of the core server, by the name that the description gives them. */
export const CORE_SCHEMAS = {
  ErrorBody,
  ReportError,
  ReportQuery,
  ReportRequest,
  ReportAnswer,
  ReportMeta,
  GraphqlRequest,
  GraphqlAnswer,
  UploadedFile,
  SegmentUploadAnswer,
  Health,
};
