import type { Kysely, Selectable } from 'kysely';
import type { Database } from '../../../storage/sql/schema.ts';
import type { ReportSharesTable } from '../../../storage/sql/team-schema.ts';

/** A stored link. */
export type ReportShareRow = Selectable<ReportSharesTable>;

/** The links of a campaign, newest first. */
export function listShares(
  db: Kysely<Database>,
  { workspaceId, campaignId, limit }: { workspaceId: number; campaignId: bigint; limit: number },
): Promise<ReportShareRow[]> {
  return db
    .selectFrom('report_shares')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('campaign_id', '=', campaignId)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
}

/** How many links of a workspace work. */
export async function countLiveShares(db: Kysely<Database>, workspaceId: number, now: Date): Promise<number> {
  const row = await db
    .selectFrom('report_shares')
    .select(({ fn }) => fn.countAll<bigint>().as('shares'))
    .where('workspace_id', '=', workspaceId)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirstOrThrow();
  return Number(row.shares);
}

/** Keeps a link. */
export function insertShare(
  db: Kysely<Database>,
  share: {
    readonly workspaceId: number;
    readonly campaignId: bigint;
    readonly digest: Buffer;
    readonly name: string;
    readonly showsSpend: boolean;
    readonly createdBy: string;
    readonly createdAt: Date;
    readonly expiresAt: Date;
  },
): Promise<ReportShareRow> {
  return db
    .insertInto('report_shares')
    .values({
      workspace_id: share.workspaceId,
      campaign_id: share.campaignId,
      token_hash: share.digest,
      name: share.name,
      shows_spend: share.showsSpend,
      created_by: share.createdBy,
      created_at: share.createdAt,
      expires_at: share.expiresAt,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Makes a link useless at once; undefined when there is none. */
export function revokeShare(
  db: Kysely<Database>,
  { workspaceId, id, now }: { workspaceId: number; id: bigint; now: Date },
): Promise<ReportShareRow | undefined> {
  return db
    .updateTable('report_shares')
    .set((eb) => ({ revoked_at: eb.fn.coalesce(eb.ref('revoked_at'), eb.val(now)) }))
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst();
}
