import { BulkJobQuery, BulkJobsQuery } from '../management/bulk-jobs/bulk-job.schema.ts';
import { json, type Operation } from './operation.ts';

const COMMON = { origin: 'core', tag: 'Bulk jobs', opening: 'key' } as const;

/** Jobs that upsert many objects. */
export const BULK_OPERATIONS: readonly Operation[] = [
  {
    ...COMMON,
    method: 'post',
    path: '/bulk-jobs',
    id: 'submitBulkJob',
    summary: 'Upserts up to 100,000 objects in the background.',
    details:
      'Scope DELIVERY, read-write. One object a line with the fields of the GraphQL input Upsert…Input, found by externalId; at most 100,000 lines, 256 KiB a line and 100 MB, ' +
      'also when sent with Content-Encoding: gzip. A wrong line fails alone.',
    address: BulkJobQuery,
    request: { type: 'application/x-ndjson' },
    responses: {
      202: {
        means: 'The job waits for its turn.',
        body: json('BulkJob'),
        headers: { location: 'Where its state is.' },
      },
    },
    errors: [400, 408, 409, 413, 415, 507],
  },
  {
    ...COMMON,
    method: 'get',
    path: '/bulk-jobs',
    id: 'bulkJobs',
    summary: 'The bulk jobs of the environment, the newest first.',
    details: 'Scope DELIVERY. Jobs are deleted 7 days after their end.',
    address: BulkJobsQuery,
    responses: { 200: { means: 'A page of jobs.', body: json('BulkJobList') } },
    errors: [400],
  },
  {
    ...COMMON,
    method: 'get',
    path: '/bulk-jobs/{id}',
    id: 'bulkJob',
    summary: 'The state and progress of a bulk job.',
    details: 'Scope DELIVERY.',
    responses: { 200: { means: 'The job.', body: json('BulkJob') } },
    errors: [404],
  },
  {
    ...COMMON,
    method: 'get',
    path: '/bulk-jobs/{id}/results',
    id: 'bulkJobResults',
    summary: 'The outcome of each row of a bulk job.',
    details:
      'Scope DELIVERY. One object a line with line, externalId, id, outcome (created, updated, unchanged or failed), userErrors and warnings, in the order of the upload; while the job runs, up to what is processed.',
    responses: { 200: { means: 'The results.', body: { type: 'application/x-ndjson' } } },
    errors: [404],
  },
  {
    ...COMMON,
    method: 'post',
    path: '/bulk-jobs/{id}/cancel',
    id: 'cancelBulkJob',
    summary: 'Cancels a bulk job that waits or runs.',
    details: 'Scope DELIVERY, read-write. Rows that are processed stay as they are.',
    responses: { 200: { means: 'The cancelled job.', body: json('BulkJob') } },
    errors: [404, 409],
  },
];
