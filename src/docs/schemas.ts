/**
 * The bodies of the API, by the name that the description gives them. Each schema lives in the module that owns the route, beside what checks
 * it: where no schema checks, the file says what does and why, and `agreement.test.ts` holds the two together.
 */
import type { z } from 'zod';
import { AdsAnswer, AdsRequest } from '../delivery/ad-request/ads.schema.ts';
import { BidRequest, BidResponse } from '../delivery/openrtb/bid.schema.ts';
import { ActivityAnswer, ActivityEvent } from '../events/activities/activity.schema.ts';
import { ErrorBody, Health } from '../http/shared/error-body.schema.ts';
import { BulkJob, BulkJobList } from '../management/bulk-jobs/bulk-job.schema.ts';
import { GraphqlAnswer, GraphqlRequest } from '../management/schema/request.schema.ts';
import { SegmentUploadAnswer } from '../management/resources/segment/segment-upload.schema.ts';
import { UploadedFile } from '../management/resources/upload/upload.schema.ts';
import {
  ReportAnswer,
  ReportDryRun,
  ReportError,
  ReportMeta,
  ReportRequest,
  ReportStatements,
} from '../reports/load/load.schema.ts';
import { ReportFilter, ReportQuery } from '../reports/query/query.schema.ts';

/** Every named body. */
export const SCHEMAS: Readonly<Record<string, z.ZodType>> = {
  BidRequest,
  BidResponse,
  AdsRequest,
  AdsAnswer,
  ActivityEvent,
  ActivityAnswer,
  ErrorBody,
  ReportError,
  ReportFilter,
  ReportQuery,
  ReportRequest,
  ReportStatements,
  ReportAnswer,
  ReportDryRun,
  ReportMeta,
  GraphqlRequest,
  GraphqlAnswer,
  UploadedFile,
  SegmentUploadAnswer,
  BulkJob,
  BulkJobList,
  Health,
};
