import { type Kysely, type Selectable, type SelectQueryBuilder, sql } from 'kysely';
import type { Database } from '../../../storage/sql/schema.ts';
import type { ReportSharesTable } from '../../../storage/sql/team-schema.ts';

/** A stored link, with the names of its campaign and of the member with whose membership it ends. */
export type ReportShareRow = Selectable<ReportSharesTable> & {
  readonly campaign_name: string;
  readonly owner_name: string | null;
};

function selectShares(
  db: Kysely<Database>,
  workspaceId: number,
): SelectQueryBuilder<Database, 'report_shares', ReportShareRow> {
  return db
    .selectFrom('report_shares')
    .selectAll('report_shares')
    .select((eb) => [
      eb
        .selectFrom('campaigns')
        .select('campaigns.name')
        .whereRef('campaigns.workspace_id', '=', 'report_shares.workspace_id')
        .whereRef('campaigns.id', '=', 'report_shares.campaign_id')
        .$asScalar()
        .$notNull()
        .as('campaign_name'),
      eb
        .selectFrom('users')
        .select('users.name')
        .whereRef('users.id', '=', 'report_shares.owner_id')
        .$asScalar()
        .as('owner_name'),
    ])
    .where('report_shares.workspace_id', '=', workspaceId);
}

/** The links of a campaign, newest first. */
export function listShares(
  db: Kysely<Database>,
  { workspaceId, campaignId, limit }: { workspaceId: number; campaignId: bigint; limit: number },
): Promise<ReportShareRow[]> {
  return selectShares(db, workspaceId)
    .where('report_shares.campaign_id', '=', campaignId)
    .orderBy('report_shares.id', 'desc')
    .limit(limit)
    .execute();
}

/** Links of a workspace: all, or those that work at an instant. */
export interface SharesOf {
  readonly workspaceId: number;
  /** Null: ended ones too. */
  readonly workingAt: Date | null;
}

/** A page of the links of a workspace, newest first. @param of.before only links with a lower id; null: from the newest */
export function listAllShares(
  db: Kysely<Database>,
  of: SharesOf & { readonly before: bigint | null; readonly limit: number },
): Promise<ReportShareRow[]> {
  const { workspaceId, workingAt, before } = of;
  return selectShares(db, workspaceId)
    .$if(workingAt !== null, (query) => query.where(worksAt(workingAt ?? new Date(0))))
    .$if(before !== null, (query) => query.where('report_shares.id', '<', before ?? 0n))
    .orderBy('report_shares.id', 'desc')
    .limit(of.limit)
    .execute();
}

/** How many links of a workspace there are. */
export async function countShares(db: Kysely<Database>, { workspaceId, workingAt }: SharesOf): Promise<number> {
  const row = await db
    .selectFrom('report_shares')
    .select(({ fn }) => fn.countAll<bigint>().as('shares'))
    .where('workspace_id', '=', workspaceId)
    .$if(workingAt !== null, (query) => query.where(worksAt(workingAt ?? new Date(0))))
    .executeTakeFirstOrThrow();
  return Number(row.shares);
}

function worksAt(instant: Date) {
  return sql<boolean>`report_shares.revoked_at IS NULL AND report_shares.expires_at > ${instant}`;
}

/** Keeps a link. */
export async function insertShare(
  db: Kysely<Database>,
  share: {
    readonly workspaceId: number;
    readonly campaignId: bigint;
    readonly digest: Buffer;
    readonly name: string;
    readonly showsSpend: boolean;
    readonly createdBy: string;
    /** Id of a user; null: nobody's. */
    readonly ownerId: string | null;
    readonly createdAt: Date;
    readonly expiresAt: Date;
  },
): Promise<ReportShareRow> {
  const { workspaceId } = share;
  const { id } = await db
    .insertInto('report_shares')
    .values({
      workspace_id: workspaceId,
      campaign_id: share.campaignId,
      token_hash: share.digest,
      name: share.name,
      shows_spend: share.showsSpend,
      created_by: share.createdBy,
      owner_id: share.ownerId,
      created_at: share.createdAt,
      expires_at: share.expiresAt,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return selectShares(db, workspaceId).where('report_shares.id', '=', id).executeTakeFirstOrThrow();
}

/** A link, locked until the transaction ends; undefined when there is none. */
export async function lockShare(
  db: Kysely<Database>,
  { workspaceId, id }: { readonly workspaceId: number; readonly id: bigint },
): Promise<ReportShareRow | undefined> {
  return selectShares(db, workspaceId).where('report_shares.id', '=', id).forUpdate().executeTakeFirst();
}

/** Makes a link useless from `now` on; one that has ended stays as it is. */
export async function endShare(
  db: Kysely<Database>,
  { workspaceId, id, now }: { readonly workspaceId: number; readonly id: bigint; readonly now: Date },
): Promise<void> {
  await db
    .updateTable('report_shares')
    .set({ revoked_at: now })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .execute();
}

/** Ties a link to the membership of another user. */
export async function changeOwner(
  db: Kysely<Database>,
  { workspaceId, id, ownerId }: { readonly workspaceId: number; readonly id: bigint; readonly ownerId: string },
): Promise<void> {
  await db
    .updateTable('report_shares')
    .set({ owner_id: ownerId })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .execute();
}
