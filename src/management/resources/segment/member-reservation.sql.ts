import { type Kysely, sql, type Transaction } from 'kysely';
import { quotaExceeded } from '../../../domain/tenancy/quota.ts';
import { lockCount } from '../../../storage/sql/count-lock.ts';
import { USER_KEPT_DAYS } from '../../../storage/sql/quota-usage.sql.ts';
import type { Database } from '../../../storage/sql/schema.ts';

/** How many members one statement reserves. */
const CHUNK = 20_000;
/** A reservation that is not renewed for this long belongs to a process that ended; it no longer counts. */
const KEPT_MS = 3_600_000;

/** The segment of the members, and their quota. */
export interface MemberQuota {
  readonly workspaceId: number;
  readonly segmentId: bigint;
  readonly uploadId: string;
  /** Whether the upload replaces the present members of the segment at its end. */
  readonly replaces: boolean;
  readonly membersMax: number;
}

/** The added members, and the users that are new to all segments. */
export interface MemberCount {
  readonly members: number;
  readonly users: number;
}

/**
 * The quota that one upload may still use. It reserves members in chunks; stored members and the reservations of all uploads
 * together stay within the quota.
 */
export class MemberReservation {
  readonly #db: Kysely<Database>;
  readonly #quota: MemberQuota;
  readonly #nowMs: () => number;
  #acquired: MemberCount = { members: 0, users: 0 };
  #reserved: MemberCount = { members: 0, users: 0 };

  constructor(db: Kysely<Database>, quota: MemberQuota, nowMs: () => number) {
    this.#db = db;
    this.#quota = quota;
    this.#nowMs = nowMs;
  }

  /** Reserves members before they are written. @throws PlacardError `quota_exceeded` when they do not fit; then none may be written */
  async acquire(more: MemberCount): Promise<void> {
    const acquired = { members: this.#acquired.members + more.members, users: this.#acquired.users + more.users };
    const fits = acquired.members <= this.#reserved.members && acquired.users <= this.#reserved.users;
    if (!fits) await this.#reserve(acquired);
    this.#acquired = acquired;
  }

  async #reserve(needed: MemberCount): Promise<void> {
    const { workspaceId, segmentId, uploadId, membersMax } = this.#quota;
    await this.#db.transaction().execute(async (trx) => {
      const others = await this.#countOthers(trx);
      const left = Math.min(membersMax - others.members - needed.members, membersMax - others.users - needed.users);
      if (left < 0) {
        const used = Math.max(others.members, others.users);
        const advice = 'Replace segments with smaller ones, or ask the operator for more.';
        throw quotaExceeded('segmentMembers', { used, limit: membersMax }, advice);
      }
      const ahead = Math.min(left, CHUNK);
      const reserved = { members: needed.members + ahead, users: needed.users + ahead };
      const expires_at = new Date(this.#nowMs() + KEPT_MS);
      await trx
        .insertInto('segment_reservations')
        .values({ workspace_id: workspaceId, upload_id: uploadId, segment_id: segmentId, ...reserved, expires_at })
        .onConflict((conflict) =>
          conflict.columns(['workspace_id', 'upload_id']).doUpdateSet({ ...reserved, expires_at }),
        )
        .execute();
      this.#reserved = reserved;
    });
  }

  /** Counts stored members and the reservations of other uploads. No other upload reserves until the transaction ends. */
  async #countOthers(trx: Transaction<Database>): Promise<MemberCount> {
    const { workspaceId, segmentId, uploadId, replaces } = this.#quota;
    await lockCount(trx, `segment members of ${workspaceId}`);
    const now = new Date(this.#nowMs());
    const kept = replaces ? sql`id <> ${segmentId}` : sql`true`;
    const running = sql`workspace_id = ${workspaceId} AND upload_id <> ${uploadId} AND expires_at > ${now}`;
    const { rows } = await sql<{ members: string; users: string }>`SELECT
      (SELECT coalesce(sum(member_count), 0) FROM segments WHERE workspace_id = ${workspaceId} AND ${kept})
        + (SELECT coalesce(sum(members), 0) FROM segment_reservations WHERE ${running}) AS members,
      (SELECT coalesce(sum(users), 0) FROM segment_users
         WHERE workspace_id = ${workspaceId} AND day > current_date - ${USER_KEPT_DAYS}::int)
        + (SELECT coalesce(sum(users), 0) FROM segment_reservations WHERE ${running}) AS users`.execute(trx);
    return { members: Number(rows[0]?.members ?? 0), users: Number(rows[0]?.users ?? 0) };
  }
}

/** Ends a reservation and counts the upload's new users. The same transaction counts the members on the segment. */
export async function endReservation(
  trx: Transaction<Database>,
  { workspaceId, uploadId }: Pick<MemberQuota, 'workspaceId' | 'uploadId'>,
  { users, at }: { readonly users: number; readonly at: Date },
): Promise<void> {
  await lockCount(trx, `segment members of ${workspaceId}`);
  await trx
    .deleteFrom('segment_reservations')
    .where('workspace_id', '=', workspaceId)
    .where((eb) => eb.or([eb('upload_id', '=', uploadId), eb('expires_at', '<', at)]))
    .execute();
  if (users === 0) return;
  await trx
    .insertInto('segment_users')
    .values({ workspace_id: workspaceId, day: at.toISOString().slice(0, 10), users })
    .onConflict((conflict) =>
      conflict.columns(['workspace_id', 'day']).doUpdateSet({ users: sql<bigint>`segment_users.users + ${users}` }),
    )
    .execute();
  await sql`DELETE FROM segment_users WHERE workspace_id = ${workspaceId}
    AND day <= current_date - ${USER_KEPT_DAYS}::int`.execute(trx);
}
