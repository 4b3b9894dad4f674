import { z } from 'zod';

/** What a bulk job can upsert. */
export const BULK_RESOURCES = ['advertisers', 'campaigns', 'lineItems', 'creatives'] as const;
export type BulkResourceName = (typeof BULK_RESOURCES)[number];

const JOBS_MAX = 100;
const JOBS_DEFAULT = 20;
const resourceNamed = `resource must be one of ${BULK_RESOURCES.join(', ')}.`;
const trueOrFalse = 'validateOnly must be true or false.';
const wholeLimit = `limit must be a whole number from 1 to ${JOBS_MAX}.`;
const decimalId = 'before must be the id of a job.';

/** The query parameters of a new job, for validation and description. */
export const BulkJobQuery = z.object({
  resource: z.enum(BULK_RESOURCES, resourceNamed).describe(`One of ${BULK_RESOURCES.join(', ')}.`),
  validateOnly: z
    .enum(['true', 'false'], trueOrFalse)
    .describe('true: all rows are checked, and nothing changes.')
    .default('false'),
});

/** The query parameters of the list of jobs. */
export const BulkJobsQuery = z.object({
  limit: z
    .string(wholeLimit)
    .default(String(JOBS_DEFAULT))
    .pipe(z.coerce.number<string>(wholeLimit).int(wholeLimit).min(1, wholeLimit).max(JOBS_MAX, wholeLimit))
    .describe(`At most so many jobs, 1 to ${JOBS_MAX}; default ${JOBS_DEFAULT}.`),
  before: z
    .string(decimalId)
    .regex(/^[1-9]\d{0,17}$/, decimalId)
    .describe('Only jobs older than the one with this id.')
    .optional(),
});

/** A job as callers see it. */
export const BulkJob = z.looseObject({
  id: z.string(),
  resource: z.enum(BULK_RESOURCES),
  validateOnly: z.boolean(),
  state: z.enum(['waiting', 'running', 'completed', 'failed', 'cancelled']),
  rows: z.int().describe('Lines that hold a row.'),
  processed: z.int(),
  succeeded: z.int(),
  failed: z.int(),
  error: z
    .looseObject({ code: z.string(), message: z.string() })
    .nullable()
    .describe('Why the job failed; null unless its state is failed.'),
  submittedBy: z.string(),
  createdAt: z.string(),
  startedAt: z.string().nullable(),
  finishedAt: z.string().nullable(),
  url: z.string().describe('Where its state is.'),
  resultsUrl: z.string().describe('Where the results are, up to what is processed.'),
  cancelUrl: z.string(),
});
export type BulkJob = z.infer<typeof BulkJob>;

/** A page of jobs. */
export const BulkJobList = z.looseObject({ jobs: z.array(BulkJob) });
export type BulkJobList = z.infer<typeof BulkJobList>;

const Problem = z.looseObject({ field: z.string().nullable(), code: z.string(), message: z.string() });

/** One line of the results. */
export const BulkJobResult = z.looseObject({
  line: z.int().describe('Of the upload, from 1.'),
  externalId: z.string().nullable(),
  id: z
    .string()
    .nullable()
    .describe('Of the object; null when the row failed, and for a new object that was only validated.'),
  outcome: z.enum(['created', 'updated', 'unchanged', 'failed']),
  userErrors: z.array(Problem),
  warnings: z.array(Problem),
});
export type BulkJobResult = z.infer<typeof BulkJobResult>;
