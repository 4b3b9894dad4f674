import { type Kysely, type Selectable, sql } from 'kysely';
import type { ReportTaskFilter } from '../../domain/reporting/report-task.ts';
import type { Environment } from '../../domain/tenancy/workspace.ts';
import { lockCount } from '../../storage/sql/count-lock.ts';
import type { ReportTasksTable } from '../../storage/sql/report-schema.ts';
import type { Database } from '../../storage/sql/schema.ts';
import type { StoredPlan } from './report-plan.ts';

/** A stored task. */
export type ReportTaskRow = Selectable<ReportTasksTable>;

/** The fields of a new task. */
export interface NewReportTask {
  readonly token: string;
  readonly definitionName: string;
  readonly name: string;
  readonly plan: StoredPlan;
  readonly externalId: string | null;
  readonly externalType: string | null;
  readonly createdBy: string;
  /** Set for a task that cannot begin: it is FAILED from the start. */
  readonly errorMessage?: string;
}

/** Definition name of tasks that schedules make; the legacy operations do not show them. */
export const SCHEDULED_DEFINITION = 'scheduled_query';

/** Adds a task to the queue. */
export function insertTask(db: Kysely<Database>, workspaceId: number, task: NewReportTask): Promise<ReportTaskRow> {
  return db
    .insertInto('report_tasks')
    .values({
      workspace_id: workspaceId,
      token: task.token,
      definition_name: task.definitionName,
      name: task.name,
      plan: JSON.stringify(task.plan),
      external_id: task.externalId,
      external_type: task.externalType,
      created_by: task.createdBy,
      ...(task.errorMessage === undefined
        ? {}
        : { status: 'FAILED' as const, error_message: task.errorMessage, ended_at: sql<Date>`now()` }),
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Counts the tasks of a workspace that have not ended. In a transaction, no task is added until it ends. */
export async function countOpenTasks(db: Kysely<Database>, workspaceId: number): Promise<number> {
  await lockCount(db, `open reports of ${workspaceId}`);
  const { open } = await db
    .selectFrom('report_tasks')
    .select((eb) => eb.fn.countAll<bigint>().as('open'))
    .where('workspace_id', '=', workspaceId)
    .where('status', 'in', ['PENDING', 'PROCESSING'])
    .executeTakeFirstOrThrow();
  return Number(open);
}

export function findTask(db: Kysely<Database>, workspaceId: number, id: number): Promise<ReportTaskRow | undefined> {
  return db
    .selectFrom('report_tasks')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .where('definition_name', '<>', SCHEDULED_DEFINITION)
    .executeTakeFirst();
}

export function findTaskByToken(
  db: Kysely<Database>,
  workspaceId: number,
  token: string,
): Promise<ReportTaskRow | undefined> {
  return db
    .selectFrom('report_tasks')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('token', '=', token)
    .executeTakeFirst();
}

/** A task by the secret token of its files alone, for those who were given it by this program, with its network. */
export function findTaskOfFile(
  db: Kysely<Database>,
  token: string,
): Promise<(ReportTaskRow & { readonly network_id: bigint }) | undefined> {
  return db
    .selectFrom('report_tasks')
    .innerJoin('workspaces', 'workspaces.id', 'report_tasks.workspace_id')
    .selectAll('report_tasks')
    .select('workspaces.network_id')
    .where('token', '=', token)
    .executeTakeFirst();
}

/** Newest first. */
export function listTasks(
  db: Kysely<Database>,
  workspaceId: number,
  filter: ReportTaskFilter,
): Promise<ReportTaskRow[]> {
  let query = db
    .selectFrom('report_tasks')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('definition_name', '<>', SCHEDULED_DEFINITION);
  if (filter.externalType !== null) query = query.where('external_type', '=', filter.externalType);
  if (filter.externalId !== null) query = query.where('external_id', '=', filter.externalId);
  if (filter.status !== null) query = query.where('status', '=', filter.status);
  if (filter.beforeId !== null) query = query.where('id', '<', filter.beforeId);
  return query.orderBy('id', 'desc').limit(filter.limit).execute();
}

/** The time zone that a workspace's network reports in. */
export async function readTimezone(db: Kysely<Database>, workspaceId: number): Promise<string> {
  const row = await db
    .selectFrom('workspaces as w')
    .innerJoin('networks as n', 'n.id', 'w.network_id')
    .select('n.timezone')
    .where('w.id', '=', workspaceId)
    .executeTakeFirst();
  return row?.timezone ?? 'UTC';
}

/** The bounds of the queue. Durations are in milliseconds. */
export interface QueueLimits {
  /** An owner that has not renewed its lease for this long has lost its task. */
  readonly leaseMs: number;
  /** Tries of one task, the first one included. */
  readonly attemptsMax: number;
  /** Tasks of one network that run at once, over all processes. */
  readonly runningPerNetworkMax: number;
  /** How long finished reports are kept. */
  readonly keptMs: number;
}

/** A task that this owner is to work on. */
export interface ClaimedTask {
  readonly id: number;
  readonly workspaceId: number;
  readonly networkId: string;
  readonly environment: Environment;
  readonly token: string;
  readonly attempt: number;
  readonly progress: number;
  readonly plan: StoredPlan;
}

/** The number of an advisory lock that nothing else uses: claims are made one after another, so that limits hold. */
const CLAIM_LOCK = 7_251_930_466_120n;

const inMs = (ms: number) => sql`now() + make_interval(secs => ${ms / 1_000})`;

/**
 * Takes the oldest task that may run: one that waits, or one whose owner has not renewed its lease. Networks with their share
 * running are passed over. Null when there is none, or another process is claiming at this moment.
 */
export function claimTask(db: Kysely<Database>, owner: string, limits: QueueLimits): Promise<ClaimedTask | null> {
  return db.transaction().execute(async (transaction) => {
    const lock = await sql<{ got: boolean }>`SELECT pg_try_advisory_xact_lock(${CLAIM_LOCK}) AS got`.execute(
      transaction,
    );
    if (lock.rows[0]?.got !== true) return null;
    const { rows } = await sql<ClaimRow>`
      WITH candidate AS (
        SELECT t.workspace_id, t.id, w.network_id, w.environment
        FROM report_tasks t JOIN workspaces w ON w.id = t.workspace_id
        WHERE t.status IN ('PENDING', 'PROCESSING') AND (t.lease_until IS NULL OR t.lease_until < now())
          AND t.attempts < ${limits.attemptsMax}
          AND (SELECT count(*) FROM report_tasks r JOIN workspaces rw ON rw.id = r.workspace_id
               WHERE rw.network_id = w.network_id AND r.status = 'PROCESSING' AND r.lease_owner IS NOT NULL
                 AND r.lease_until >= now()) < ${limits.runningPerNetworkMax}
        ORDER BY t.created_at, t.id LIMIT 1
        FOR UPDATE OF t SKIP LOCKED)
      UPDATE report_tasks t
      SET status = 'PROCESSING', attempts = t.attempts + 1, lease_owner = ${owner}, lease_until = ${inMs(limits.leaseMs)},
        started_at = coalesce(t.started_at, now())
      FROM candidate c WHERE t.workspace_id = c.workspace_id AND t.id = c.id
      RETURNING t.id, t.workspace_id, t.token, t.attempts, t.progress, t.plan, c.network_id, c.environment`.execute(
      transaction,
    );
    const row = rows[0];
    return row === undefined ? null : toClaimed(row);
  });
}

interface ClaimRow {
  readonly id: number;
  readonly workspace_id: number;
  readonly token: string;
  readonly attempts: number;
  readonly progress: number;
  readonly plan: StoredPlan;
  readonly network_id: bigint;
  readonly environment: Environment;
}

function toClaimed(row: ClaimRow): ClaimedTask {
  return {
    id: row.id,
    workspaceId: row.workspace_id,
    networkId: String(row.network_id),
    environment: row.environment,
    token: row.token,
    attempt: row.attempts,
    progress: row.progress,
    plan: row.plan,
  };
}

/** The owner of a task: every change checks it, so that an owner that has lost its lease changes nothing. */
export interface TaskLease {
  readonly workspaceId: number;
  readonly id: number;
  readonly owner: string;
}

const held = (db: Kysely<Database>, { workspaceId, id, owner }: TaskLease) =>
  db
    .updateTable('report_tasks')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .where('lease_owner', '=', owner)
    .where('status', '=', 'PROCESSING');

/** Renews a lease and records progress, which never decreases. False: another owner has the task. */
export async function renewTask(
  db: Kysely<Database>,
  lease: TaskLease,
  state: { readonly progress: number; readonly leaseMs: number },
): Promise<boolean> {
  const { numUpdatedRows } = await held(db, lease)
    .set({
      lease_until: sql<Date>`${inMs(state.leaseMs)}`,
      progress: sql<number>`greatest(progress, ${state.progress}::int)`,
    })
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** The sizes of a finished report. */
export interface TaskOutcome {
  readonly rowCount: number;
  readonly csvBytes: number;
  readonly rawBytes: number;
}

/** Sets a task to DONE. False: another owner has the task. */
export async function finishTask(
  db: Kysely<Database>,
  lease: TaskLease,
  outcome: TaskOutcome & { readonly keptMs: number },
): Promise<boolean> {
  const { numUpdatedRows } = await held(db, lease)
    .set({
      status: 'DONE',
      progress: 100,
      row_count: BigInt(outcome.rowCount),
      csv_bytes: BigInt(outcome.csvBytes),
      raw_bytes: BigInt(outcome.rawBytes),
      ended_at: sql<Date>`now()`,
      expires_at: sql<Date>`${inMs(outcome.keptMs)}`,
      lease_owner: null,
      lease_until: null,
    })
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Sets a task to FAILED, with the reason for its network. */
export async function failTask(db: Kysely<Database>, lease: TaskLease, message: string): Promise<boolean> {
  const { numUpdatedRows } = await held(db, lease)
    .set({
      status: 'FAILED',
      error_message: message,
      ended_at: sql<Date>`now()`,
      lease_owner: null,
      lease_until: null,
    })
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Returns a task to the queue, for another try after `waitMs`. `isCounted` false: this try does not count (a server that stops). */
export async function releaseTask(
  db: Kysely<Database>,
  lease: TaskLease,
  how: { readonly waitMs: number; readonly isCounted: boolean },
): Promise<void> {
  await held(db, lease)
    .set({
      lease_owner: null,
      lease_until: sql<Date>`${inMs(how.waitMs)}`,
      ...(how.isCounted ? {} : { attempts: sql<number>`attempts - 1` }),
    })
    .execute();
}

/** Why a task ended without a worker. */
export const SUSPENDED_MESSAGE = 'The report was cancelled because the network was suspended.';
export const GIVEN_UP_MESSAGE = 'The report could not be made: the server ended while it worked on it, several times.';

/** Ends the open tasks of suspended networks, and those whose tries are used up. Returns how many. */
export async function endHopelessTasks(db: Kysely<Database>, attemptsMax: number): Promise<number> {
  const suspended = await sql`
    UPDATE report_tasks t SET status = 'FAILED', error_message = ${SUSPENDED_MESSAGE}, ended_at = now(),
      lease_owner = NULL, lease_until = NULL
    FROM workspaces w JOIN networks n ON n.id = w.network_id
    WHERE w.id = t.workspace_id AND n.status = 'SUSPENDED' AND t.status IN ('PENDING', 'PROCESSING')`.execute(db);
  const given = await sql`
    UPDATE report_tasks SET status = 'FAILED', error_message = ${GIVEN_UP_MESSAGE}, ended_at = now(),
      lease_owner = NULL, lease_until = NULL
    WHERE status = 'PROCESSING' AND attempts >= ${attemptsMax} AND lease_until < now()`.execute(db);
  return Number((suspended.numAffectedRows ?? 0n) + (given.numAffectedRows ?? 0n));
}

/** A task that ended and may have files. */
type EndedTask = Pick<ReportTaskRow, 'workspace_id' | 'id' | 'token' | 'attempts'>;

/** Finished reports whose time is over, oldest first, over all workspaces. */
export function listExpiredTasks(db: Kysely<Database>, max: number): Promise<EndedTask[]> {
  return endedWithFiles(db, 'DONE', max).where('expires_at', '<', sql<Date>`now()`).orderBy('expires_at').execute();
}

/** Failed tasks that were begun and whose files may still be there, oldest first, over all workspaces. */
export function listFailedTasks(db: Kysely<Database>, max: number): Promise<EndedTask[]> {
  return endedWithFiles(db, 'FAILED', max).where('attempts', '>', 0).orderBy('ended_at').execute();
}

function endedWithFiles(db: Kysely<Database>, status: 'DONE' | 'FAILED', max: number) {
  return db
    .selectFrom('report_tasks')
    .select(['workspace_id', 'id', 'token', 'attempts'])
    .where('status', '=', status)
    .where('files_deleted_at', 'is', null)
    .limit(max);
}

/** The bytes of a workspace's finished reports, both forms together, and when the first of them expires (null: there is none). */
export async function readKeptReports(
  db: Kysely<Database>,
  workspaceId: number,
): Promise<{ readonly bytes: number; readonly nextExpiry: Date | null }> {
  const row = await db
    .selectFrom('report_tasks')
    .select(({ fn }) => [
      sql<string>`coalesce(sum(csv_bytes + raw_bytes), 0)`.as('bytes'),
      fn.min('expires_at').as('next_expiry'),
    ])
    .where('workspace_id', '=', workspaceId)
    .where('status', '=', 'DONE')
    .where('files_deleted_at', 'is', null)
    .where('expires_at', '>', sql<Date>`now()`)
    .executeTakeFirstOrThrow();
  return { bytes: Number(row.bytes), nextExpiry: row.next_expiry };
}

/** Records that a report's files are deleted; its download is gone from then on. */
export async function recordFilesDeleted(db: Kysely<Database>, workspaceId: number, id: number): Promise<void> {
  await db
    .updateTable('report_tasks')
    .set({ files_deleted_at: sql<Date>`now()` })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .execute();
}

/** Deletes tasks that ended long ago, over all workspaces, at most `max` at a time. */
export async function deleteOldTasks(db: Kysely<Database>, keptMs: number, max: number): Promise<number> {
  const { numAffectedRows } = await sql`
    DELETE FROM report_tasks WHERE (workspace_id, id) IN (
      SELECT workspace_id, id FROM report_tasks
      WHERE ended_at < now() - make_interval(secs => ${keptMs / 1_000})
        AND (status = 'FAILED' OR files_deleted_at IS NOT NULL)
      ORDER BY ended_at LIMIT ${max})`.execute(db);
  return Number(numAffectedRows ?? 0n);
}

/** Which of these files' tasks still need them: DONE by that try, or worked on in that try. */
export async function listNeededFiles(db: Kysely<Database>, tokens: readonly string[]): Promise<ReadonlySet<string>> {
  if (tokens.length === 0) return new Set();
  const rows = await db
    .selectFrom('report_tasks')
    .select(['token', 'attempts'])
    .where('token', 'in', tokens)
    .where('status', 'in', ['DONE', 'PROCESSING'])
    .where('files_deleted_at', 'is', null)
    .execute();
  return new Set(rows.map(({ token, attempts }) => `${token}.${attempts}`));
}
