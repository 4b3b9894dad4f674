import { randomBytes } from 'node:crypto';
import type { Kysely } from 'kysely';
import { PlacardError } from '../../domain/errors.ts';
import type { Database } from '../../storage/sql/schema.ts';
import type { TenantScope } from '../compile/compile-query.olap.ts';
import type { StoredPlan } from '../legacy/report-plan.ts';
import { reportBytesLeft } from '../legacy/report-space.ts';
import { countOpenTasks, insertTask, SCHEDULED_DEFINITION } from '../legacy/report-tasks.sql.ts';
import { readNetworkIndex } from '../model/network-indexes.ts';
import { planSavedQuery } from './saved-query.ts';
import { insertRun, type ScheduleRow } from './schedules.sql.ts';

/** One run that is to begin. */
export interface RunStart {
  readonly schedule: ScheduleRow;
  readonly tenant: TenantScope;
  /** The network's. */
  readonly timezone: string;
  readonly scheduledFor: Date;
  readonly createdBy: string;
  /** The quota of a workspace for all finished reports, in bytes. */
  readonly bytesMax: number;
}

/** Scheduled tasks of one workspace that may wait at a time. */
const OPEN_MAX = 200;

/** What a run will do. */
export interface PlannedRun {
  readonly plan: StoredPlan;
  /** Why it cannot run; null: it can. */
  readonly problem: string | null;
}

/** Reads the query of a schedule as it is at the run. It takes no lock, so that a query is never read inside a transaction that holds one. */
export function planRun(
  db: Kysely<Database>,
  { schedule, tenant, timezone, scheduledFor }: RunStart,
): Promise<PlannedRun> {
  return orProblem(schedule, async () => {
    const index = await readNetworkIndex(db, tenant.workspaceId);
    const clock = { nowMs: scheduledFor.getTime(), timezoneDefault: timezone, tenant, index };
    return { plan: planSavedQuery(schedule.query, clock), problem: null };
  });
}

/**
 * Puts a planned run into the queue of reports. A query that cannot run (any more), and a queue that is full, make a run that has FAILED, so
 * that it shows. Returns the id of the run.
 */
export async function startRun(db: Kysely<Database>, start: RunStart, planned: PlannedRun): Promise<bigint> {
  const { schedule, tenant, scheduledFor } = start;
  const { plan, problem } = planned.problem === null ? await admitRun(db, start, planned.plan) : planned;
  const task = await insertTask(db, tenant.workspaceId, {
    token: randomBytes(24).toString('base64url'),
    definitionName: SCHEDULED_DEFINITION,
    name: schedule.name,
    plan,
    externalId: String(schedule.id),
    externalType: 'schedule',
    createdBy: start.createdBy,
    ...(problem === null ? {} : { errorMessage: problem }),
  });
  const isToDeliver = schedule.webhook_url !== null;
  const isToMail = schedule.mail_user_ids.length > 0;
  const run = { scheduleId: schedule.id, taskId: task.id, scheduledFor, isToDeliver, isToMail };
  return insertRun(db, tenant.workspaceId, run);
}

function admitRun(
  db: Kysely<Database>,
  { schedule, tenant: { workspaceId }, bytesMax }: RunStart,
  plan: StoredPlan,
): Promise<PlannedRun> {
  return orProblem(schedule, async () => {
    await reportBytesLeft(db, { workspaceId, bytesMax });
    const isFull = (await countOpenTasks(db, workspaceId)) >= OPEN_MAX;
    return { plan, problem: isFull ? `The network has ${OPEN_MAX} reports waiting already.` : null };
  });
}

async function orProblem(schedule: ScheduleRow, work: () => Promise<PlannedRun>): Promise<PlannedRun> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof PlacardError)) throw error;
    return { plan: schedule.query as StoredPlan, problem: error.message };
  }
}
