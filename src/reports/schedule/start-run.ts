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

/**
 * Puts a run into the queue of reports. A query that cannot run (any more), and a queue that is full, make a run that has FAILED, so that
 * it shows. Returns the id of the run.
 */
export async function startRun(db: Kysely<Database>, start: RunStart): Promise<bigint> {
  const { schedule, tenant, scheduledFor } = start;
  const { plan, problem } = await planRun(db, start);
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

async function planRun(
  db: Kysely<Database>,
  { schedule, tenant, timezone, scheduledFor, bytesMax }: RunStart,
): Promise<{ plan: StoredPlan; problem: string | null }> {
  try {
    const index = await readNetworkIndex(db, tenant.workspaceId);
    const clock = { nowMs: scheduledFor.getTime(), timezoneDefault: timezone, tenant, index };
    const plan = planSavedQuery(schedule.query, clock);
    await reportBytesLeft(db, { workspaceId: tenant.workspaceId, bytesMax });
    const isFull = (await countOpenTasks(db, tenant.workspaceId)) >= OPEN_MAX;
    return { plan, problem: isFull ? `The network has ${OPEN_MAX} reports waiting already.` : null };
  } catch (error) {
    if (!(error instanceof PlacardError)) throw error;
    return { plan: schedule.query as StoredPlan, problem: error.message };
  }
}
