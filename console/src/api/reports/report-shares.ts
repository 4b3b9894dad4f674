import { askGraphql } from '../transport/graphql.ts';
import type { Scope } from '../transport/scope.ts';

/** A link to the report of a campaign. */
export interface ReportShare {
  readonly id: string;
  readonly name: string;
  readonly showsSpend: boolean;
  readonly createdAt: string;
  readonly expiresAt: string;
  readonly revokedAt: string | null;
  readonly opened: number;
}

const SHARE = 'id name showsSpend createdAt expiresAt revokedAt opened';

/** The links to the report of a campaign, newest first. */
export async function loadShares(scope: Scope, campaignId: string, signal: AbortSignal) {
  const query = `query TeamShares($campaignId: ID!) { reportShares(campaignId: $campaignId) { ${SHARE} } }`;
  return (await askGraphql<{ reportShares: readonly ReportShare[] }>(scope, query, { campaignId }, signal))
    .reportShares;
}

/** Makes a link; returns its path, which holds the secret. */
export async function shareReport(
  scope: Scope,
  share: { campaignId: string; name: string; days: number; showsSpend: boolean },
): Promise<string> {
  const query = `mutation TeamShare($campaignId: ID!, $name: String!, $days: Int, $showsSpend: Boolean) {
    shareCampaignReport(campaignId: $campaignId, name: $name, days: $days, showsSpend: $showsSpend) { url } }`;
  const { shareCampaignReport } = await askGraphql<{ shareCampaignReport: { url: string | null } | null }>(
    scope,
    query,
    share,
  );
  return shareCampaignReport?.url ?? '';
}

/** Makes a link useless. */
export async function revokeShare(scope: Scope, id: string): Promise<void> {
  await askGraphql(scope, 'mutation TeamUnshare($id: ID!) { revokeReportShare(id: $id) { share { id } } }', { id });
}

/** A link as the list of all links of an environment shows it. */
export interface ListedShare extends ReportShare {
  readonly campaignId: string;
  readonly campaignName: string;
  /** As the audit log names its caller. */
  readonly createdBy: string;
  /** The member with whose membership the link ends; null: nobody. */
  readonly ownerId: string | null;
  readonly ownerName: string | null;
  readonly lastOpenedAt: string | null;
}

/** A page of the links of an environment. */
export interface SharePage {
  readonly shares: readonly ListedShare[];
  /** Cursor of the next page; null: there is none. */
  readonly next: string | null;
}

/** Links of one page of their list. */
const SHARES_SHOWN = 50;

/** The links to reports of all campaigns, newest first. */
export async function loadAllShares(
  scope: Scope,
  { includesEnded, after }: { readonly includesEnded: boolean; readonly after: string | null },
  signal: AbortSignal,
): Promise<SharePage> {
  const query = `query ConsoleShares($after: String, $all: Boolean) {
    allReportShares(first: ${SHARES_SHOWN}, after: $after, includeEnded: $all) {
      pageInfo { hasNextPage endCursor }
      nodes { ${SHARE} campaignId campaignName createdBy ownerId ownerName lastOpenedAt } } }`;
  const variables = { after, all: includesEnded };
  const { allReportShares } = await askGraphql<{
    allReportShares: {
      readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
      readonly nodes: readonly ListedShare[];
    };
  }>(scope, query, variables, signal);
  const { pageInfo, nodes } = allReportShares;
  return { shares: nodes, next: pageInfo.hasNextPage ? pageInfo.endCursor : null };
}

/** Ties a link to the membership of the signed-in admin. */
export async function claimShare(scope: Scope, id: string): Promise<void> {
  await askGraphql(scope, 'mutation ConsoleClaimShare($id: ID!) { claimReportShare(id: $id) { share { id } } }', {
    id,
  });
}

/** Whether a link works at an instant, or why it does not. */
export function stateOfShare(share: ReportShare, nowMs: number): 'active' | 'revoked' | 'expired' {
  if (share.revokedAt !== null) return 'revoked';
  return Date.parse(share.expiresAt) <= nowMs ? 'expired' : 'active';
}
