import { type Kysely, sql } from 'kysely';
import type { Database } from '../../storage/sql/schema.ts';
import type { NoticeStatus } from '../../storage/sql/team-schema.ts';

/** A decided request whose caller is to be told. */
export interface DueNotice {
  readonly workspace_id: number;
  readonly id: bigint;
  readonly network_id: bigint;
  readonly environment: 'production' | 'staging';
  readonly tool: string;
  readonly state: 'COMPLETED' | 'REJECTED';
  readonly reason: string | null;
  readonly campaign_id: bigint | null;
  readonly idempotency_key: string;
  readonly decided_at: Date;
  readonly notice_target: Buffer;
  /** With this try. */
  readonly notice_attempts: number;
}

/**
 * Claims notices that are due, one of each workspace, so that a slow receiver of one network keeps no other one waiting. A try counts when it is
 * claimed: it is taken again after the lease when its process dies. Notices of suspended networks wait.
 */
export async function claimNotices(db: Kysely<Database>, max: number, leaseMs: number): Promise<DueNotice[]> {
  const { rows } = await sql<DueNotice>`
    WITH first AS (
      SELECT DISTINCT ON (r.workspace_id) r.workspace_id, r.id, r.notice_next_at, w.network_id, w.environment
      FROM agent_requests r JOIN workspaces w ON w.id = r.workspace_id JOIN networks n ON n.id = w.network_id
      WHERE r.notice_status = 'PENDING' AND r.notice_next_at <= now() AND n.status <> 'SUSPENDED'
      ORDER BY r.workspace_id, r.notice_next_at),
    due AS (SELECT * FROM first ORDER BY notice_next_at LIMIT ${max})
    UPDATE agent_requests r
    SET notice_attempts = r.notice_attempts + 1, notice_next_at = now() + make_interval(secs => ${leaseMs / 1_000})
    FROM due
    WHERE r.workspace_id = due.workspace_id AND r.id = due.id AND r.notice_status = 'PENDING' AND r.notice_next_at <= now()
    RETURNING r.workspace_id, r.id, due.network_id, due.environment, r.tool, r.state, r.reason, r.campaign_id, r.idempotency_key,
      r.decided_at, r.notice_target, r.notice_attempts`.execute(db);
  return rows;
}

/** Notes how a try ended. A notice that is over forgets its address and its secrets. */
export async function recordNotice(
  db: Kysely<Database>,
  { workspace_id: workspaceId, id }: Pick<DueNotice, 'workspace_id' | 'id'>,
  outcome: { readonly status: NoticeStatus; readonly retryMs: number | null },
): Promise<void> {
  const { status, retryMs } = outcome;
  await db
    .updateTable('agent_requests')
    .set({
      notice_status: status,
      notice_next_at: retryMs === null ? null : sql<Date>`now() + make_interval(secs => ${retryMs / 1_000})`,
      ...(retryMs === null ? { notice_target: null } : {}),
    })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .execute();
}
