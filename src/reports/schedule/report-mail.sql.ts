import { type Kysely, sql } from 'kysely';
import type { MailQueue } from '../../mail/mail-queue.ts';
import { addressInFormat } from '../../domain/reporting/report-file-formats.ts';
import type { Environment } from '../../domain/tenancy/workspace.ts';
import { pathPrefix } from '../../domain/tenancy/workspace.ts';
import type { Database } from '../../storage/sql/schema.ts';
import { findRun, type RunRow } from './schedules.sql.ts';

/** How mails of ended runs are made. */
export interface ReportMailDeps {
  readonly mail: MailQueue;
  readonly publicUrl: string;
  /** A larger file is not attached, nor is the file of a report whose CSV is larger. */
  readonly attachedBytesMax: number;
}

interface DueRun {
  readonly workspace_id: number;
  readonly id: bigint;
  readonly name: string;
  readonly network_id: bigint;
  readonly network_name: string;
  readonly environment: Environment;
  readonly mail_user_ids: readonly bigint[];
  readonly attempts: number;
  readonly csv_bytes: bigint | null;
}

/** Those of the addresses that belong to members of a network: only members may get its reports. */
export async function findMembers(
  db: Kysely<Database>,
  networkId: string,
  emails: readonly string[],
): Promise<{ id: bigint; email: string }[]> {
  if (emails.length === 0) return [];
  return members(db, BigInt(networkId)).where('users.email', 'in', emails).execute();
}

/** The present addresses of those among these users who are members of a network now; by address. */
export async function readMemberAddresses(
  db: Kysely<Database>,
  networkId: string | bigint,
  userIds: readonly bigint[],
): Promise<{ id: bigint; email: string }[]> {
  if (userIds.length === 0) return [];
  return members(db, BigInt(networkId)).where('users.id', 'in', userIds).orderBy('users.email').execute();
}

const members = (db: Kysely<Database>, networkId: bigint) =>
  db
    .selectFrom('memberships')
    .innerJoin('users', 'users.id', 'memberships.user_id')
    .select(['users.id', 'users.email'])
    .where('memberships.network_id', '=', networkId)
    .where('users.disabled_at', 'is', null);

/**
 * Queues the mails of one ended run, all of them or none, and records that; false when no run is due. A user who is not a member any more
 * when the run ends gets none.
 */
export function mailEndedRun(db: Kysely<Database>, deps: ReportMailDeps, now: Date): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    const { rows } = await sql<DueRun>`
      SELECT r.workspace_id, r.id, s.name, s.mail_user_ids, w.network_id, n.name AS network_name, w.environment,
        t.attempts, t.csv_bytes
      FROM report_runs r
        JOIN report_tasks t ON t.workspace_id = r.workspace_id AND t.id = r.task_id
        JOIN report_schedules s ON s.workspace_id = r.workspace_id AND s.id = r.schedule_id
        JOIN workspaces w ON w.id = r.workspace_id JOIN networks n ON n.id = w.network_id
      WHERE r.mail_status = 'PENDING' AND t.status IN ('DONE', 'FAILED')
      ORDER BY r.id LIMIT 1 FOR UPDATE OF r SKIP LOCKED`.execute(trx);
    const [due] = rows;
    if (due === undefined) return false;
    const run = await findRun(trx, due.workspace_id, due.id);
    const networkId = String(due.network_id);
    const content = describeForMail(due, run, deps);
    for (const { email } of await readMemberAddresses(trx, networkId, due.mail_user_ids)) {
      const about = `reportRun:${due.workspace_id}/${due.id}`;
      await deps.mail.queueWithinLimits(trx, { to: email, networkId, about, content }, now);
    }
    await trx
      .updateTable('report_runs')
      .set({ mail_status: 'QUEUED' })
      .where('workspace_id', '=', due.workspace_id)
      .where('id', '=', due.id)
      .execute();
    return true;
  });
}

function describeForMail(due: DueRun, run: RunRow, { publicUrl, attachedBytesMax }: ReportMailDeps) {
  const isDone = run.status === 'DONE' && run.files_deleted_at === null;
  const isSmall = due.csv_bytes !== null && due.csv_bytes <= BigInt(attachedBytesMax);
  const fileName = due.name.replaceAll(/[^\p{L}\p{N} ._-]+/gu, '_').slice(0, 80) || 'report';
  const format = run.file_format;
  const address = `${publicUrl}${pathPrefix(due.environment)}/reports/runs/${run.token}/`;
  return {
    kind: 'report',
    name: due.name,
    network: { id: String(due.network_id), name: due.network_name },
    scheduledFor: run.scheduled_for.toISOString(),
    rowCount: run.row_count === null ? null : Number(run.row_count),
    link: isDone ? addressInFormat(address, format) : null,
    errorMessage: run.error_message,
    file: isDone && isSmall ? { token: run.token, attempt: due.attempts, fileName, format } : null,
  } as const;
}
