import type { ListPage } from '../../domain/ids/list-page.ts';
import { type Kysely, type Selectable, sql } from 'kysely';
import type { ReportFileFormat } from '../../domain/reporting/report-file-formats.ts';
import type { WebhookDeliveryStatus } from '../../domain/reporting/report-schedule.ts';
import type { Environment } from '../../domain/tenancy/workspace.ts';
import { lockCount } from '../../storage/sql/count-lock.ts';
import type { ReportSchedulesTable } from '../../storage/sql/report-schema.ts';
import type { Database } from '../../storage/sql/schema.ts';

/** A stored schedule. */
export type ScheduleRow = Selectable<ReportSchedulesTable>;

export function listSchedules(db: Kysely<Database>, workspaceId: number, limit: number): Promise<ScheduleRow[]> {
  return db
    .selectFrom('report_schedules')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .orderBy('name')
    .orderBy('id')
    .limit(limit)
    .execute();
}

/** In a transaction they stay so many until it ends. */
export async function countSchedules(db: Kysely<Database>, workspaceId: number): Promise<number> {
  await lockCount(db, `schedules of ${workspaceId}`);
  const { count } = await db
    .selectFrom('report_schedules')
    .select((eb) => eb.fn.countAll<bigint>().as('count'))
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirstOrThrow();
  return Number(count);
}

export function findSchedule(db: Kysely<Database>, workspaceId: number, id: bigint): Promise<ScheduleRow | undefined> {
  return db
    .selectFrom('report_schedules')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirst();
}

/** The same, locked until the end of the transaction. */
export function lockSchedule(db: Kysely<Database>, workspaceId: number, id: bigint): Promise<ScheduleRow | undefined> {
  return db
    .selectFrom('report_schedules')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
}

/** The stored fields of a schedule. */
export interface ScheduleColumns {
  readonly name: string;
  readonly query: unknown;
  readonly cron: string;
  readonly status: ScheduleRow['status'];
  readonly fileFormat: ReportFileFormat;
  readonly webhookUrl: string | null;
  readonly webhookSalt: string;
  readonly mailUserIds: readonly bigint[];
  readonly nextRunAt: Date | null;
}

export function insertSchedule(
  db: Kysely<Database>,
  workspaceId: number,
  columns: ScheduleColumns & { readonly createdBy: string },
): Promise<ScheduleRow> {
  return db
    .insertInto('report_schedules')
    .values({ workspace_id: workspaceId, created_by: columns.createdBy, ...stored(columns) })
    .returningAll()
    .executeTakeFirstOrThrow();
}

export function updateSchedule(
  db: Kysely<Database>,
  workspaceId: number,
  id: bigint,
  columns: ScheduleColumns,
): Promise<ScheduleRow> {
  return db
    .updateTable('report_schedules')
    .set({ ...stored(columns), version: sql<number>`version + 1`, updated_at: sql<Date>`now()` })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

function stored(columns: ScheduleColumns) {
  return {
    name: columns.name,
    query: JSON.stringify(columns.query),
    cron: columns.cron,
    status: columns.status,
    file_format: columns.fileFormat,
    webhook_url: columns.webhookUrl,
    webhook_salt: columns.webhookSalt,
    mail_user_ids: columns.mailUserIds,
    next_run_at: columns.nextRunAt,
  };
}

export function deleteSchedule(
  db: Kysely<Database>,
  workspaceId: number,
  id: bigint,
): Promise<ScheduleRow | undefined> {
  return db
    .deleteFrom('report_schedules')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst();
}

/** A schedule whose instant has come, with what it runs by. */
export interface DueSchedule extends ScheduleRow {
  readonly network_id: bigint;
  readonly timezone: string;
}

/** The schedule that has been due longest, of networks that are not suspended. Those that others hold are passed over. */
export async function findDueSchedule(db: Kysely<Database>, now: Date): Promise<DueSchedule | undefined> {
  return db
    .selectFrom('report_schedules as s')
    .innerJoin('workspaces as w', 'w.id', 's.workspace_id')
    .innerJoin('networks as n', 'n.id', 'w.network_id')
    .selectAll('s')
    .select(['w.network_id', 'n.timezone'])
    .where('s.status', '=', 'ACTIVE')
    .where('s.next_run_at', '<=', now)
    .where('n.status', '<>', 'SUSPENDED')
    .orderBy('s.next_run_at')
    .limit(1)
    .forUpdate('s')
    .skipLocked()
    .executeTakeFirst();
}

/** Moves a schedule to its next instant. A member did not make this change, so the version stays. */
export async function moveSchedule(
  db: Kysely<Database>,
  workspaceId: number,
  id: bigint,
  nextRunAt: Date | null,
): Promise<void> {
  await db
    .updateTable('report_schedules')
    .set({ next_run_at: nextRunAt })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .execute();
}

/** Records that a task is the run of a schedule. */
export async function insertRun(
  db: Kysely<Database>,
  workspaceId: number,
  run: {
    readonly scheduleId: bigint;
    readonly taskId: number;
    readonly scheduledFor: Date;
    readonly isToDeliver: boolean;
    readonly isToMail: boolean;
  },
): Promise<bigint> {
  const { id } = await db
    .insertInto('report_runs')
    .values({
      workspace_id: workspaceId,
      schedule_id: run.scheduleId,
      task_id: run.taskId,
      scheduled_for: run.scheduledFor,
      delivery_status: run.isToDeliver ? 'PENDING' : 'NONE',
      delivery_at: run.isToDeliver ? sql<Date>`now()` : null,
      mail_status: run.isToMail ? 'PENDING' : 'NONE',
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

const runs = (db: Kysely<Database>, workspaceId: number) =>
  db
    .selectFrom('report_runs as r')
    .innerJoin('report_tasks as t', (join) =>
      join.onRef('t.workspace_id', '=', 'r.workspace_id').onRef('t.id', '=', 'r.task_id'),
    )
    .innerJoin('report_schedules as s', (join) =>
      join.onRef('s.workspace_id', '=', 'r.workspace_id').onRef('s.id', '=', 'r.schedule_id'),
    )
    .select([
      'r.id',
      'r.schedule_id',
      'r.scheduled_for',
      'r.delivery_status',
      'r.delivery_attempts',
      'r.delivery_error',
      's.file_format',
      't.token',
      't.status',
      't.progress',
      't.started_at',
      't.ended_at',
      't.row_count',
      't.error_message',
      't.expires_at',
      't.files_deleted_at',
    ])
    .where('r.workspace_id', '=', workspaceId);

/** A run with its task, and the present form of its schedule's files. */
export type RunRow = Awaited<ReturnType<typeof listRuns>>[number];

/** Newest first. */
export function listRuns(db: Kysely<Database>, workspaceId: number, scheduleId: bigint, { limit, after }: ListPage) {
  return runs(db, workspaceId)
    .where('r.schedule_id', '=', scheduleId)
    .$if(after !== null, (query) =>
      query.where(
        sql<boolean>`(r.scheduled_for, r.id) < (SELECT scheduled_for, id FROM report_runs
          WHERE workspace_id = ${workspaceId} AND schedule_id = ${scheduleId} AND id = ${after})`,
      ),
    )
    .orderBy('r.scheduled_for', 'desc')
    .orderBy('r.id', 'desc')
    .limit(limit)
    .execute();
}

export function findRun(db: Kysely<Database>, workspaceId: number, id: bigint): Promise<RunRow> {
  return runs(db, workspaceId).where('r.id', '=', id).executeTakeFirstOrThrow();
}

/** A message that is to be sent. */
export interface DueDelivery {
  readonly workspace_id: number;
  readonly id: bigint;
  readonly schedule_id: bigint;
  readonly delivery_attempts: number;
  readonly name: string;
  readonly webhook_url: string | null;
  readonly webhook_salt: string;
  readonly network_id: bigint;
  readonly environment: Environment;
}

/** Claims due messages of ended runs. No other process claims them within `leaseMs`, even if this process dies. */
export async function claimDeliveries(db: Kysely<Database>, max: number, leaseMs: number): Promise<DueDelivery[]> {
  const { rows } = await sql<DueDelivery>`
    WITH due AS (
      SELECT r.workspace_id, r.id
      FROM report_runs r JOIN report_tasks t ON t.workspace_id = r.workspace_id AND t.id = r.task_id
      WHERE r.delivery_status = 'PENDING' AND r.delivery_at <= now() AND t.status IN ('DONE', 'FAILED')
      ORDER BY r.delivery_at LIMIT ${max}
      FOR UPDATE OF r SKIP LOCKED)
    UPDATE report_runs r
    SET delivery_attempts = r.delivery_attempts + 1, delivery_at = now() + make_interval(secs => ${leaseMs / 1_000})
    FROM due, report_schedules s, workspaces w
    WHERE r.workspace_id = due.workspace_id AND r.id = due.id AND s.workspace_id = r.workspace_id AND s.id = r.schedule_id
      AND w.id = r.workspace_id
    RETURNING r.workspace_id, r.id, r.schedule_id, r.delivery_attempts, s.name, s.webhook_url, s.webhook_salt, w.network_id,
      w.environment`.execute(db);
  return rows;
}

/** Records the result of a try; with `retryMs` null it is not tried again. */
export async function recordDelivery(
  db: Kysely<Database>,
  workspaceId: number,
  id: bigint,
  outcome: { readonly status: WebhookDeliveryStatus; readonly error: string | null; readonly retryMs: number | null },
): Promise<void> {
  const { retryMs } = outcome;
  await db
    .updateTable('report_runs')
    .set({
      delivery_status: outcome.status,
      delivery_error: outcome.error,
      delivery_at: retryMs === null ? null : sql<Date>`now() + make_interval(secs => ${retryMs / 1_000})`,
    })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .execute();
}
