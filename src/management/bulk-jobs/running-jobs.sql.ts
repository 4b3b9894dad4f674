import { type Kysely, sql, type Transaction } from 'kysely';
import type { Database } from '../../storage/sql/schema.ts';
import type { BulkJobKey, BulkJobRow } from './bulk-jobs.sql.ts';

/**
 * Claims the job that has waited longest: one that waits, of a network that runs none, or one whose process is silent. No other process
 * claims it within `leaseMs`, even if this process dies.
 */
export async function claimJob(db: Kysely<Database>, leaseMs: number): Promise<BulkJobRow | undefined> {
  try {
    const { rows } = await sql<BulkJobRow>`
      WITH due AS (
        SELECT j.workspace_id, j.id FROM bulk_jobs j
        WHERE (j.state = 'running' AND (j.leased_until IS NULL OR j.leased_until <= now()))
          OR (j.state = 'waiting' AND NOT EXISTS (
            SELECT FROM bulk_jobs o
            WHERE o.network_id = j.network_id AND (o.state = 'running'
              OR (o.state = 'waiting' AND (o.received_at, o.workspace_id, o.id) < (j.received_at, j.workspace_id, j.id)))))
        ORDER BY coalesce(j.leased_until, j.received_at), j.id LIMIT 1
        FOR UPDATE OF j SKIP LOCKED)
      UPDATE bulk_jobs j
      SET state = 'running', leased_until = now() + ${inMs(leaseMs)}, tries = j.tries + 1,
        started_at = coalesce(j.started_at, now())
      FROM due WHERE j.workspace_id = due.workspace_id AND j.id = due.id
      RETURNING j.*`.execute(db);
    return rows[0];
  } catch (error) {
    // Another process has just begun another job of the network.
    if ((error as { constraint?: unknown }).constraint === 'bulk_jobs_running') return undefined;
    throw error;
  }
}

const inMs = (ms: number) => sql<Date>`make_interval(secs => ${ms / 1_000})`;

/** Ends the claim: any process may claim the job after `pauseMs`. */
export async function releaseJob(db: Kysely<Database>, job: BulkJobKey, pauseMs: number): Promise<void> {
  await db
    .updateTable('bulk_jobs')
    .set({ leased_until: sql<Date>`now() + ${inMs(pauseMs)}` })
    .where('workspace_id', '=', job.workspaceId)
    .where('id', '=', job.id)
    .where('state', '=', 'running')
    .execute();
}

/** The lines of one portion; undefined when there are none to process. */
export async function readInput(
  trx: Transaction<Database>,
  job: BulkJobKey,
  number: number,
): Promise<{ readonly first_line: number; readonly input: Buffer } | undefined> {
  const row = await trx
    .selectFrom('bulk_job_portions')
    .select(['first_line', 'input'])
    .where('workspace_id', '=', job.workspaceId)
    .where('job_id', '=', job.id)
    .where('number', '=', number)
    .executeTakeFirst();
  return row === undefined || row.input === null ? undefined : { ...row, input: row.input };
}

/** The outcome of the rows of a portion. */
export interface ProcessedPortion {
  readonly number: number;
  readonly results: string;
  readonly succeeded: number;
  readonly failed: number;
  /** Of the input, which is deleted. */
  readonly inputBytes: number;
}

/** Stores the results of a portion instead of its input, and the progress of its job. */
export async function recordPortion(
  trx: Transaction<Database>,
  job: BulkJobKey,
  portion: ProcessedPortion,
  leaseMs: number,
): Promise<void> {
  const { number, results, succeeded, failed, inputBytes } = portion;
  await trx
    .updateTable('bulk_job_portions')
    .set({ input: null, results })
    .where('workspace_id', '=', job.workspaceId)
    .where('job_id', '=', job.id)
    .where('number', '=', number)
    .execute();
  await trx
    .updateTable('bulk_jobs')
    .set({
      processed_portions: number + 1,
      succeeded: sql<number>`succeeded + ${succeeded}`,
      failed: sql<number>`failed + ${failed}`,
      stored_bytes: sql<bigint>`stored_bytes + ${Buffer.byteLength(results) - inputBytes}`,
      tries: 0,
      leased_until: sql<Date>`now() + ${inMs(leaseMs)}`,
    })
    .where('workspace_id', '=', job.workspaceId)
    .where('id', '=', job.id)
    .execute();
}
