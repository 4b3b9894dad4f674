import type { ListPage } from '../ids/list-page.ts';
import type { Principal } from '../tenancy/principal.ts';
import type { ReportFileFormat } from './report-file-formats.ts';
import type { ReportTaskStatus } from './report-task.ts';

/** PAUSED schedules keep everything but do not run. */
export const SCHEDULE_STATUSES = ['ACTIVE', 'PAUSED'] as const;
export type ScheduleStatus = (typeof SCHEDULE_STATUSES)[number];

/** The state of the message to a schedule's webhook: NONE is wanted, PENDING is (re)tried, DELIVERED was taken, FAILED given up. */
export const DELIVERY_STATUSES = ['NONE', 'PENDING', 'DELIVERED', 'FAILED'] as const;
export type WebhookDeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** A saved query that runs by a rule. */
export interface ReportSchedule {
  readonly id: string;
  readonly name: string;
  /** A query of the Reports API; relative dateRanges are read when it runs. */
  readonly query: unknown;
  /** Five fields: minute, hour, day of month, month, weekday; in `timezone`. */
  readonly cron: string;
  /** IANA name: the network's. */
  readonly timezone: string;
  readonly status: ScheduleStatus;
  /** Of the files in mails and behind the links of its runs. */
  readonly fileFormat: ReportFileFormat;
  readonly webhookUrl: string | null;
  /** Addresses of members who get each result by mail; members who leave the network are dropped. */
  readonly mailTo: readonly string[];
  /** Null while PAUSED, and when the rule has no further instant. */
  readonly nextRunAt: Date | null;
  readonly version: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** One run of a schedule. */
export interface ReportRun {
  readonly id: string;
  readonly scheduleId: string;
  /** The instant of the rule, which relative dates of the query refer to. */
  readonly scheduledFor: Date;
  readonly status: ReportTaskStatus;
  readonly progress: number;
  readonly startedAt: Date | null;
  readonly endedAt: Date | null;
  readonly rowCount: number | null;
  readonly errorMessage: string | null;
  /** In the form of the schedule; null unless DONE and not expired. */
  readonly downloadUrl: string | null;
  readonly deliveryStatus: WebhookDeliveryStatus;
  readonly deliveryAttempts: number;
  readonly deliveryError: string | null;
}

/** The fields of a schedule; on change, absent members stay unchanged. */
export interface ReportScheduleInput {
  readonly name?: string | undefined;
  readonly query?: unknown;
  readonly cron?: string | undefined;
  readonly status?: ScheduleStatus | undefined;
  /** Default: CSV. */
  readonly fileFormat?: ReportFileFormat | undefined;
  /** Addresses of members, at most 20; empty: no mail. */
  readonly mailTo?: readonly string[] | undefined;
  /** Null removes it. */
  readonly webhookUrl?: string | null | undefined;
  /** Makes a new secret; the old one signs nothing from then on. */
  readonly rotateSecret?: boolean | undefined;
}

/** A schedule as it was changed. */
export interface ReportScheduleChange {
  readonly before: ReportSchedule | null;
  readonly after: ReportSchedule;
  /** The secret that webhook messages are signed with: shown when it is made, never again. */
  readonly webhookSecret: string | null;
}

/**
 * Scheduled reports, as the management API offers them. `Connection` is the connection or transaction that the call is part of.
 * Every call sees the caller's workspace only; ids of others are `not_found`.
 */
export interface ReportSchedules<Connection> {
  /** At most 100, by name. */
  list(connection: Connection, caller: Principal): Promise<ReportSchedule[]>;
  /** Null when there is none. */
  find(connection: Connection, caller: Principal, id: string): Promise<ReportSchedule | null>;
  /** Newest first. */
  runs(
    connection: Connection,
    caller: Principal,
    of: { readonly scheduleId: string; readonly page: ListPage },
  ): Promise<ReportRun[]>;
  /** @throws PlacardError `validation_failed` naming each wrong field */
  create(connection: Connection, caller: Principal, input: ReportScheduleInput): Promise<ReportScheduleChange>;
  /** @throws PlacardError `not_found`, `conflict`, `validation_failed` */
  update(
    connection: Connection,
    caller: Principal,
    change: { readonly id: string; readonly version: number | null; readonly input: ReportScheduleInput },
  ): Promise<ReportScheduleChange>;
  /** Deletes the schedule and its runs; finished files go when they expire. @throws PlacardError `not_found` */
  remove(connection: Connection, caller: Principal, id: string): Promise<ReportSchedule>;
  /** Runs it now, beside its rule. @throws PlacardError `not_found`, `overloaded` */
  run(connection: Connection, caller: Principal, id: string): Promise<ReportRun>;
}
