import type { ColumnType, Generated } from 'kysely';
import type { Principal } from '../../domain/tenancy/principal.ts';

type Instant = ColumnType<Date | null, Date | string | null | undefined, Date | string | null>;
type Moment = ColumnType<Date, Date | string | undefined, Date | string>;

/** `receiving`: its rows are still being uploaded; nobody sees it yet. */
export type BulkJobState = 'receiving' | 'waiting' | 'running' | 'completed' | 'failed' | 'cancelled';

/** Jobs that upsert many objects. Owned by the management module. */
export interface BulkJobsTable {
  workspace_id: number;
  id: ColumnType<bigint, never, never>;
  network_id: ColumnType<bigint, bigint | string, never>;
  /** Its plural in the API: `lineItems`. */
  resource: string;
  validate_only: boolean;
  state: BulkJobState;
  /** Who submitted it, with the permissions of that moment. */
  caller: ColumnType<Principal, string, never>;
  rows: Generated<number>;
  portions: Generated<number>;
  processed_portions: Generated<number>;
  succeeded: Generated<number>;
  failed: Generated<number>;
  /** Of all portions: input that is not processed yet, and results. */
  stored_bytes: ColumnType<bigint, bigint | number | undefined, bigint | number>;
  /** How often it was claimed since a portion was last processed. */
  tries: Generated<number>;
  error_code: string | null;
  error_message: string | null;
  /** A process works on it until then. */
  leased_until: Instant;
  created_at: Moment;
  /** When its last portion was uploaded. */
  received_at: Moment;
  started_at: Instant;
  finished_at: Instant;
}

/** The rows of bulk jobs, some hundred at a time. */
export interface BulkJobPortionsTable {
  workspace_id: number;
  job_id: bigint;
  /** From 0. */
  number: number;
  /** The number of its first line in the upload, from 1. */
  first_line: number;
  /** Its lines, as they were sent; null once they are processed. */
  input: Buffer | null;
  /** NDJSON, one line for each row; null until they are processed. */
  results: string | null;
}

/** The tables of bulk jobs. */
export interface BulkJobTables {
  bulk_jobs: BulkJobsTable;
  bulk_job_portions: BulkJobPortionsTable;
}
