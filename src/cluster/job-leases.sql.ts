import { type Kysely, sql } from 'kysely';
import { PAUSE_LEASE } from '../storage/marks/pause-lease.ts';
import type { Database } from '../storage/sql/schema.ts';

/** A process that may run jobs. */
export interface JobRunner {
  /** Names the process; never used twice. */
  readonly runnerId: string;
  readonly nodeId: string;
  readonly part: 'core' | 'jobs';
}

/** A lease as its holder has it. */
export interface HeldLease {
  readonly name: string;
  /** Since the last run ended, by PostgreSQL's clock, in milliseconds; null: not known. */
  readonly ranAgoMs: number | null;
}

/** A lease as it is listed. */
export interface ListedLease {
  readonly name: string;
  readonly nodeId: string;
  readonly takenAt: Date;
  /** False: nobody runs the job at present. */
  readonly isHeld: boolean;
}

/** Processes that have been silent for longer are deleted. */
const RUNNERS_KEPT_HOURS = 24;

/** Says that this process is there. @returns whether another process runs jobs and nothing else */
export async function reportRunner(db: Kysely<Database>, runner: JobRunner, leaseMs: number): Promise<boolean> {
  await db
    .insertInto('job_runners')
    .values({ runner_id: runner.runnerId, node_id: runner.nodeId, part: runner.part })
    .onConflict((conflict) => conflict.column('runner_id').doUpdateSet({ seen_at: sql<Date>`now()` }))
    .execute();
  await db
    .deleteFrom('job_runners')
    .where('seen_at', '<', sql<Date>`now() - ${RUNNERS_KEPT_HOURS} * interval '1 hour'`)
    .execute();
  const other = await db
    .selectFrom('job_runners')
    .select('runner_id')
    .where('part', '=', 'jobs')
    .where('runner_id', '<>', runner.runnerId)
    .where('seen_at', '>', sql<Date>`now() - ${leaseMs} * interval '1 millisecond'`)
    .limit(1)
    .executeTakeFirst();
  return other !== undefined;
}

/** Renews the leases that this process holds, and takes those that have ended, all by PostgreSQL's clock. @returns the ones it holds now */
export async function claimLeases(
  db: Kysely<Database>,
  names: readonly string[],
  { runnerId, nodeId }: JobRunner,
  leaseMs: number,
): Promise<HeldLease[]> {
  if (names.length === 0) return [];
  const until = sql<Date>`now() + ${leaseMs} * interval '1 millisecond'`;
  // In one order, so that two processes never wait for each other.
  const values = names.toSorted().map((name) => ({ name, runner_id: runnerId, node_id: nodeId, held_until: until }));
  const rows = await db
    .insertInto('job_leases')
    .values(values)
    .onConflict((conflict) =>
      conflict
        .column('name')
        .doUpdateSet({
          runner_id: runnerId,
          node_id: nodeId,
          held_until: until,
          taken_at: sql<Date>`CASE WHEN job_leases.runner_id = ${runnerId} THEN job_leases.taken_at ELSE now() END`,
        })
        .where((eb) =>
          eb.or([eb('job_leases.runner_id', '=', runnerId), eb('job_leases.held_until', '<=', sql<Date>`now()`)]),
        ),
    )
    .returning(['name', sql<number | null>`(extract(epoch FROM now() - ran_at) * 1000)::float8`.as('ran_ago_ms')])
    .execute();
  return rows.map((row) => ({ name: row.name, ranAgoMs: row.ran_ago_ms }));
}

/** Writes down that a run has ended. */
export async function recordRun(db: Kysely<Database>, name: string, runnerId: string): Promise<void> {
  await db
    .updateTable('job_leases')
    .set({ ran_at: sql<Date>`now()` })
    .where('name', '=', name)
    .where('runner_id', '=', runnerId)
    .execute();
}

/** When a job of a period last ended well, in whichever process; null: never. */
export async function readLastRun(db: Kysely<Database>, name: string): Promise<Date | null> {
  const row = await db.selectFrom('job_leases').select('ran_at').where('name', '=', name).executeTakeFirst();
  return row?.ran_at ?? null;
}

/** Ends leases of this process: others take them at their next look. */
export async function releaseLeases(db: Kysely<Database>, names: readonly string[], runnerId: string): Promise<void> {
  if (names.length === 0) return;
  await db
    .updateTable('job_leases')
    .set({ held_until: sql<Date>`now()` })
    .where('name', 'in', names)
    .where('runner_id', '=', runnerId)
    .execute();
}

/** This process ends. */
export async function forgetRunner(db: Kysely<Database>, runnerId: string): Promise<void> {
  await db.deleteFrom('job_runners').where('runner_id', '=', runnerId).execute();
}

/** Whether jobs that tell others of the installation wait. */
export async function isPausedByRestore(db: Kysely<Database>): Promise<boolean> {
  const row = await db.selectFrom('job_leases').select('name').where('name', '=', PAUSE_LEASE).executeTakeFirst();
  return row !== undefined;
}

/** Lets them run. @returns whether they waited */
export async function endPauseOfRestore(db: Kysely<Database>): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom('job_leases').where('name', '=', PAUSE_LEASE).executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Every job that was ever run, with its last holder. */
export async function listLeases(db: Kysely<Database>): Promise<ListedLease[]> {
  const rows = await db
    .selectFrom('job_leases')
    .select(['name', 'node_id', 'taken_at', sql<boolean>`held_until > now()`.as('is_held')])
    .where('name', '<>', PAUSE_LEASE)
    .orderBy('name')
    .execute();
  return rows.map((row) => ({ name: row.name, nodeId: row.node_id, takenAt: row.taken_at, isHeld: row.is_held }));
}

/** Ends a lease of work that is done once, and forgets it. */
export async function deleteLease(db: Kysely<Database>, name: string, runnerId: string): Promise<void> {
  await db.deleteFrom('job_leases').where('name', '=', name).where('runner_id', '=', runnerId).execute();
}
