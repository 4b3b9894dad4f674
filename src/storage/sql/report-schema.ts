import type { ColumnType, Generated } from 'kysely';
import type { ReportTaskStatus } from '../../domain/report-task.ts';

type Json<T> = ColumnType<T, string, string>;
type NullableInt8 = ColumnType<bigint | null, bigint | number | null | undefined, bigint | number | null>;
type Instant = ColumnType<Date | null, Date | string | null | undefined, Date | string | null>;

/** The queue of legacy report tasks, and what became of them. Owned by the reports room. */
export interface ReportTasksTable {
  workspace_id: number;
  id: Generated<number>;
  token: string;
  definition_name: string;
  name: string;
  /** The checked plan: what is to be computed, its dates resolved. */
  plan: Json<unknown>;
  external_id: string | null;
  external_type: string | null;
  created_by: string;
  status: ColumnType<ReportTaskStatus, ReportTaskStatus | undefined, ReportTaskStatus>;
  progress: ColumnType<number, number | undefined, number>;
  attempts: ColumnType<number, number | undefined, number>;
  /** Who works on it; null while it waits. */
  lease_owner: string | null;
  /** When the owner has to have renewed it; without an owner: when it may be tried again. */
  lease_until: Instant;
  error_message: string | null;
  row_count: NullableInt8;
  csv_bytes: NullableInt8;
  raw_bytes: NullableInt8;
  created_at: ColumnType<Date, Date | undefined, never>;
  started_at: Instant;
  ended_at: Instant;
  expires_at: Instant;
  /** When its files were deleted. */
  files_deleted_at: Instant;
}

/** The tables of legacy and scheduled reports. */
export interface ReportTables {
  report_tasks: ReportTasksTable;
}
