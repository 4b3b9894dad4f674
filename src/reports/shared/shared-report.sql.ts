import { type Kysely, sql } from 'kysely';
import { digestOfShare, isShareToken } from '../../domain/reporting/share-link.ts';
import type { Goal } from '../../domain/booking/line-item.ts';
import type { Database } from '../../storage/sql/schema.ts';

/** The campaign that a link shows. */
export interface SharedCampaign {
  readonly workspaceId: number;
  readonly shareId: bigint;
  readonly campaignId: string;
  readonly name: string;
  readonly advertiser: string;
  readonly network: string;
  readonly currency: string;
  readonly timezone: string;
  readonly showsSpend: boolean;
  readonly expiresAt: Date;
  readonly startsAt: Date | null;
  readonly endsAt: Date | null;
  readonly lineItems: readonly SharedLineItem[];
}

/** A line item of a shared campaign. */
export interface SharedLineItem {
  readonly id: string;
  readonly name: string;
  readonly goal: Goal | null;
}

const LINE_ITEMS_MAX = 500;

/** The campaign of a link that works now; null for any other text. The digest is looked up, so that no comparison tells how near a guess is. */
export async function openShare(db: Kysely<Database>, token: string, now: Date): Promise<SharedCampaign | null> {
  if (!isShareToken(token)) return null;
  const row = await db
    .selectFrom('report_shares')
    .innerJoin('campaigns', (join) =>
      join
        .onRef('campaigns.workspace_id', '=', 'report_shares.workspace_id')
        .onRef('campaigns.id', '=', 'report_shares.campaign_id'),
    )
    .innerJoin('advertisers', (join) =>
      join
        .onRef('advertisers.workspace_id', '=', 'campaigns.workspace_id')
        .onRef('advertisers.id', '=', 'campaigns.advertiser_id'),
    )
    .innerJoin('workspaces', 'workspaces.id', 'report_shares.workspace_id')
    .innerJoin('networks', 'networks.id', 'workspaces.network_id')
    .select([
      'report_shares.workspace_id',
      'report_shares.id',
      'report_shares.campaign_id',
      'report_shares.shows_spend',
      'report_shares.expires_at',
      'campaigns.name',
      'campaigns.starts_at',
      'campaigns.ends_at',
      'advertisers.name as advertiser',
      'networks.name as network',
      'networks.currency',
      'networks.timezone',
    ])
    .where('report_shares.token_hash', '=', digestOfShare(token))
    .where('report_shares.revoked_at', 'is', null)
    .where('report_shares.expires_at', '>', now)
    .where('networks.status', '!=', 'SUSPENDED')
    .executeTakeFirst();
  if (row === undefined) return null;
  const lineItems = await db
    .selectFrom('line_items')
    .select(['id', 'name', 'goal'])
    .where('workspace_id', '=', row.workspace_id)
    .where('campaign_id', '=', row.campaign_id)
    .orderBy('id')
    .limit(LINE_ITEMS_MAX)
    .execute();
  return {
    workspaceId: row.workspace_id,
    shareId: row.id,
    campaignId: String(row.campaign_id),
    name: row.name,
    advertiser: row.advertiser,
    network: row.network,
    currency: row.currency,
    timezone: row.timezone,
    showsSpend: row.shows_spend,
    expiresAt: row.expires_at,
    startsAt: row.starts_at,
    endsAt: row.ends_at,
    lineItems: lineItems.map(({ id, name, goal }) => ({ id: String(id), name, goal })),
  };
}

/** Counts that a link was opened. */
export async function recordOpening(db: Kysely<Database>, campaign: SharedCampaign, now: Date): Promise<void> {
  await db
    .updateTable('report_shares')
    .set({ opened: sql<number>`least(opened + 1, 2000000000)`, last_opened_at: now })
    .where('workspace_id', '=', campaign.workspaceId)
    .where('id', '=', campaign.shareId)
    .execute();
}
