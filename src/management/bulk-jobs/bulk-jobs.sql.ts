import { type Kysely, type Selectable, sql, type Transaction } from 'kysely';
import type { Principal } from '../../domain/tenancy/principal.ts';
import { quotaExceeded, QUOTAS } from '../../domain/tenancy/quota.ts';
import type { BulkJobsTable } from '../../storage/sql/bulk-job-schema.ts';
import { lockCount } from '../../storage/sql/count-lock.ts';
import type { Database } from '../../storage/sql/schema.ts';

/** A stored job. */
export type BulkJobRow = Selectable<BulkJobsTable>;

/** A job by its key. */
export interface BulkJobKey {
  readonly workspaceId: number;
  readonly id: bigint;
}

/** An upload that has sent no portion for so long is over; it may have ended with its process. */
const ABANDONED_MINUTES = 30;
const OPEN_STATES = ['receiving', 'waiting', 'running'] as const;
const ENDED_STATES = ['completed', 'failed', 'cancelled'] as const;

/**
 * Begins a job whose rows come next. Where the workspace has no space for more results, its oldest ended jobs are deleted.
 * @throws PlacardError `quota_exceeded`
 */
export function beginJob(
  db: Kysely<Database>,
  job: { readonly caller: Principal; readonly resource: string; readonly validateOnly: boolean },
): Promise<bigint> {
  const { workspaceId, networkId } = job.caller;
  return db.transaction().execute(async (trx) => {
    await lockCount(trx, `bulk_jobs of ${workspaceId}`);
    await deleteAbandoned(trx, workspaceId);
    await makeSpace(trx, workspaceId);
    const { open, bytes } = await trx
      .selectFrom('bulk_jobs')
      .select(({ fn }) => [
        fn.countAll<bigint>().filterWhere('state', 'in', OPEN_STATES).as('open'),
        sql<string>`coalesce(sum(stored_bytes), 0)`.as('bytes'),
      ])
      .where('workspace_id', '=', workspaceId)
      .executeTakeFirstOrThrow();
    requireQuota('bulkJobs', Number(open));
    requireQuota('bulkJobBytes', Number(bytes));
    const { id } = await trx
      .insertInto('bulk_jobs')
      .values({
        workspace_id: workspaceId,
        network_id: networkId,
        resource: job.resource,
        validate_only: job.validateOnly,
        state: 'receiving',
        caller: JSON.stringify(job.caller),
        error_code: null,
        error_message: null,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    return id;
  });
}

function requireQuota(name: 'bulkJobs' | 'bulkJobBytes', used: number): void {
  const limit = QUOTAS[name].fixed;
  if (used >= limit) throw quotaExceeded(name, { used, limit }, 'Wait until jobs have ended, or cancel one.');
}

async function deleteAbandoned(db: Kysely<Database>, workspaceId: number): Promise<void> {
  await db
    .deleteFrom('bulk_jobs')
    .where('workspace_id', '=', workspaceId)
    .where('state', '=', 'receiving')
    .where('received_at', '<', sql<Date>`now() - make_interval(mins => ${ABANDONED_MINUTES})`)
    .execute();
}

async function makeSpace(db: Kysely<Database>, workspaceId: number): Promise<void> {
  await sql`
    DELETE FROM bulk_jobs j
    USING (
      SELECT id, sum(stored_bytes) OVER (ORDER BY id DESC) AS kept FROM bulk_jobs WHERE workspace_id = ${workspaceId}) k
    WHERE j.workspace_id = ${workspaceId} AND j.id = k.id AND k.kept >= ${QUOTAS.bulkJobBytes.fixed}
      AND j.state IN (${sql.join(ENDED_STATES)})`.execute(db);
}

/** Some lines of a job, as they were uploaded. */
export interface UploadedPortion {
  /** From 0. */
  readonly number: number;
  readonly firstLine: number;
  readonly rows: number;
  readonly input: Buffer;
}

/** Adds a portion to a job that is being uploaded. False: there is no such job any more. @throws PlacardError `quota_exceeded` */
export function addPortion(db: Kysely<Database>, job: BulkJobKey, portion: UploadedPortion): Promise<boolean> {
  const { number, firstLine, rows, input } = portion;
  return db.transaction().execute(async (trx) => {
    const updated = await trx
      .updateTable('bulk_jobs')
      .set({
        rows: sql<number>`rows + ${rows}`,
        portions: number + 1,
        stored_bytes: sql<bigint>`stored_bytes + ${input.length}`,
        received_at: sql<Date>`now()`,
      })
      .where('workspace_id', '=', job.workspaceId)
      .where('id', '=', job.id)
      .where('state', '=', 'receiving')
      .returning('id')
      .executeTakeFirst();
    if (updated === undefined) return false;
    const { bytes } = await trx
      .selectFrom('bulk_jobs')
      .select(sql<string>`coalesce(sum(stored_bytes), 0)`.as('bytes'))
      .where('workspace_id', '=', job.workspaceId)
      .executeTakeFirstOrThrow();
    requireQuota('bulkJobBytes', Number(bytes) - input.length);
    const key = { workspace_id: job.workspaceId, job_id: job.id, number };
    await trx
      .insertInto('bulk_job_portions')
      .values({ ...key, first_line: firstLine, input, results: null })
      .execute();
    return true;
  });
}

/** All rows are there: the job waits for its turn. Undefined: there is no such job any more. */
export function submitJob(db: Kysely<Database>, job: BulkJobKey): Promise<BulkJobRow | undefined> {
  return db
    .updateTable('bulk_jobs')
    .set({ state: 'waiting' })
    .where('workspace_id', '=', job.workspaceId)
    .where('id', '=', job.id)
    .where('state', '=', 'receiving')
    .returningAll()
    .executeTakeFirst();
}

/** Forgets a job whose upload failed. */
export async function dropUpload(db: Kysely<Database>, job: BulkJobKey): Promise<void> {
  await db
    .deleteFrom('bulk_jobs')
    .where('workspace_id', '=', job.workspaceId)
    .where('id', '=', job.id)
    .where('state', '=', 'receiving')
    .execute();
}

/** One job; undefined for one that is absent, foreign, or still being uploaded. */
export function findJob(db: Kysely<Database>, job: BulkJobKey): Promise<BulkJobRow | undefined> {
  return db
    .selectFrom('bulk_jobs')
    .selectAll()
    .where('workspace_id', '=', job.workspaceId)
    .where('id', '=', job.id)
    .where('state', '<>', 'receiving')
    .executeTakeFirst();
}

/** The same, locked until the end of the transaction. */
export function lockJob(trx: Transaction<Database>, job: BulkJobKey): Promise<BulkJobRow | undefined> {
  return trx
    .selectFrom('bulk_jobs')
    .selectAll()
    .where('workspace_id', '=', job.workspaceId)
    .where('id', '=', job.id)
    .where('state', '<>', 'receiving')
    .forUpdate()
    .executeTakeFirst();
}

/** The newest jobs, those first; with `before`, only older ones. */
export function listJobs(
  db: Kysely<Database>,
  workspaceId: number,
  page: { readonly limit: number; readonly before: bigint | null },
): Promise<BulkJobRow[]> {
  let query = db
    .selectFrom('bulk_jobs')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('state', '<>', 'receiving');
  if (page.before !== null) query = query.where('id', '<', page.before);
  return query.orderBy('id', 'desc').limit(page.limit).execute();
}

/** The results of one portion; undefined when it is not processed yet. */
export async function readResults(db: Kysely<Database>, job: BulkJobKey, number: number): Promise<string | undefined> {
  const row = await db
    .selectFrom('bulk_job_portions')
    .select('results')
    .where('workspace_id', '=', job.workspaceId)
    .where('job_id', '=', job.id)
    .where('number', '=', number)
    .executeTakeFirst();
  return row?.results ?? undefined;
}

/** How a job ends. */
export type JobEnd =
  | { readonly state: 'completed' | 'cancelled' }
  | { readonly state: 'failed'; readonly code: string; readonly message: string };

/** Ends a job; what is left of its input is deleted. Results stay. */
export async function endJob(trx: Transaction<Database>, job: BulkJobKey, end: JobEnd): Promise<BulkJobRow> {
  await trx
    .updateTable('bulk_job_portions')
    .set({ input: null })
    .where('workspace_id', '=', job.workspaceId)
    .where('job_id', '=', job.id)
    .where('input', 'is not', null)
    .execute();
  const { code, message } = end.state === 'failed' ? end : { code: null, message: null };
  const kept = trx
    .selectFrom('bulk_job_portions')
    .select(sql<bigint>`coalesce(sum(octet_length(results)), 0)`.as('bytes'))
    .where('workspace_id', '=', job.workspaceId)
    .where('job_id', '=', job.id);
  return trx
    .updateTable('bulk_jobs')
    .set({
      state: end.state,
      error_code: code,
      error_message: message,
      leased_until: null,
      finished_at: sql<Date>`now()`,
      stored_bytes: kept,
    })
    .where('workspace_id', '=', job.workspaceId)
    .where('id', '=', job.id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/**
 * Deletes jobs of any workspace that ended before an instant, and uploads that began before it.
 * @returns how many there were, at most `max`
 */
export async function deleteOldJobs(db: Kysely<Database>, before: Date, max: number): Promise<number> {
  const { numAffectedRows } = await sql`
    DELETE FROM bulk_jobs j
    USING (
      SELECT workspace_id, id FROM bulk_jobs
      WHERE coalesce(finished_at, received_at) < ${before} AND state NOT IN ('waiting', 'running') LIMIT ${max}) o
    WHERE j.workspace_id = o.workspace_id AND j.id = o.id`.execute(db);
  return Number(numAffectedRows ?? 0n);
}
