import type { ColumnType, Generated } from 'kysely';
import type { ReportFileFormat } from '../../domain/reporting/report-file-formats.ts';
import type { ScheduleStatus, WebhookDeliveryStatus } from '../../domain/reporting/report-schedule.ts';
import type { ReportTaskStatus } from '../../domain/reporting/report-task.ts';

type Json<T> = ColumnType<T, string, string>;
type NullableInt8 = ColumnType<bigint | null, bigint | number | null | undefined, bigint | number | null>;
type Instant = ColumnType<Date | null, Date | string | null | undefined, Date | string | null>;

/** The queue of legacy report tasks and their results. Owned by the reports module. */
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

/** Saved queries that run by a rule. Owned by the reports module. */
export interface ReportSchedulesTable {
  workspace_id: number;
  id: ColumnType<bigint, never, never>;
  name: string;
  query: Json<unknown>;
  cron: string;
  status: ScheduleStatus;
  webhook_url: string | null;
  /** The salt of the webhook's secret: both this and the installation's own secret give the webhook's. */
  webhook_salt: string;
  /** The form of its files. */
  file_format: ColumnType<ReportFileFormat, ReportFileFormat | undefined, ReportFileFormat>;
  /** Members who get each result by mail. */
  mail_user_ids: ColumnType<bigint[], readonly bigint[] | undefined, readonly bigint[]>;
  next_run_at: Instant;
  created_by: string;
  version: Generated<number>;
  created_at: ColumnType<Date, Date | undefined, never>;
  updated_at: ColumnType<Date, Date | undefined, Date>;
}

/** One run of a schedule: its task, and the state of its message. Deleted with its task. */
export interface ReportRunsTable {
  workspace_id: number;
  id: ColumnType<bigint, never, never>;
  schedule_id: ColumnType<bigint, bigint, never>;
  task_id: number;
  scheduled_for: ColumnType<Date, Date, never>;
  delivery_status: WebhookDeliveryStatus;
  delivery_attempts: ColumnType<number, number | undefined, number>;
  delivery_error: string | null;
  /** When to try (again). */
  delivery_at: Instant;
  /** QUEUED: the mails are in the outbox, which sends them. */
  mail_status: ColumnType<'NONE' | 'PENDING' | 'QUEUED', 'NONE' | 'PENDING' | undefined, 'QUEUED'>;
}

/** Views and dashboards that members save in the Lens. Owned by the console module. */
export interface SavedViewsTable {
  workspace_id: number;
  id: Generated<bigint>;
  owner_user_id: ColumnType<bigint, string, never>;
  kind: 'view' | 'dashboard';
  name: string;
  shared: boolean;
  body: ColumnType<unknown, string, string>;
  version: Generated<number>;
  created_at: ColumnType<Date, Date, never>;
  updated_at: ColumnType<Date, Date, Date>;
}

type WrittenOnce = ColumnType<bigint, bigint | number | string, never>;

/** Calls of `importHistory` that added hours. The management module writes them, the events module books them. */
export interface HistoryImportsTable {
  workspace_id: number;
  id: ColumnType<bigint, never, never>;
  /** The caller's name of the system that delivered. */
  source: string;
  /** How many rows of `imported_hours` it added. */
  hours: number;
  first_hour: ColumnType<Date, Date, never>;
  last_hour: ColumnType<Date, Date, never>;
  /** The sums of its rows. */
  requests: WrittenOnce;
  impressions: WrittenOnce;
  clicks: WrittenOnce;
  conversions: WrittenOnce;
  revenue_nanos: ColumnType<string, string, never>;
  created_at: ColumnType<Date, Date, never>;
  created_by: string;
  /** When events and counters had all of it; null: not yet. */
  booked_at: Instant;
  /** When the sample of opportunities had its requests; null: not yet. */
  sampled_at: Instant;
}

/** What another ad server delivered in one hour. Ids are 0 where it had none, or none that is known here. */
export interface ImportedHoursTable {
  workspace_id: number;
  source: string;
  hour: ColumnType<Date, Date, never>;
  line_item_id: WrittenOnce;
  creative_id: WrittenOnce;
  ad_unit_id: WrittenOnce;
  import_id: WrittenOnce;
  requests: WrittenOnce;
  impressions: WrittenOnce;
  clicks: WrittenOnce;
  conversions: WrittenOnce;
  revenue_nanos: WrittenOnce;
}

/** The tables of legacy and scheduled reports, and of saved views. */
export interface ReportTables {
  history_imports: HistoryImportsTable;
  imported_hours: ImportedHoursTable;
  report_schedules: ReportSchedulesTable;
  report_runs: ReportRunsTable;
  report_tasks: ReportTasksTable;
  saved_views: SavedViewsTable;
}
