import { z } from 'zod';
import { type CallApi, runGraphql } from '../api/call-api.ts';
import { AdcpError, renderError } from '../protocol/adcp-error.ts';
import { listStored, type StoredRequest } from '../selling/agent-requests.ts';

/** Most packages of one buy. */
export const PACKAGES_MAX = 50;
/** Most buys of a key that are looked through. */
const BUYS_MAX = 1_000;
const PAGE = 100;

/** A creative that is assigned to a package. */
export interface AssignedCreative {
  readonly id: string;
  readonly status: string;
  readonly reviewState: 'APPROVED' | 'PENDING' | 'REJECTED';
  readonly reviewReason: string | null;
  readonly weight: number;
  readonly libraryCreative: { readonly id: string; readonly externalId: string | null } | null;
}

/** A line item, which is a package. */
export interface LineItem {
  readonly id: string;
  readonly name: string;
  readonly version: number;
  readonly status: 'ACTIVE' | 'ARCHIVED' | 'COMPLETED' | 'DRAFT' | 'PAUSED' | 'RESERVED';
  readonly type: string;
  readonly pricingModel: string;
  readonly price: string;
  readonly pacing: 'EVEN' | 'ASAP' | 'FRONT_LOADED';
  readonly startsAt: string | null;
  readonly endsAt: string | null;
  readonly updatedAt: string;
  readonly advertisingProductId: string | null;
  /** The price option that it was booked by; null for one that a person booked otherwise. */
  readonly priceOptionId: string | null;
  readonly budget: string | null;
  readonly goal: { readonly kind: string; readonly target: number | string } | null;
  readonly delivery: {
    readonly lifetime: {
      readonly impressions: number | string;
      readonly clicks: number | string;
      readonly spend: string;
    };
  } | null;
  readonly creatives: { readonly nodes: readonly AssignedCreative[] };
}

/** A campaign, which is a media buy. */
export interface Campaign {
  readonly id: string;
  readonly name: string;
  readonly version: number;
  readonly status: LineItem['status'];
  readonly advertiserId: string;
  readonly orderNumber: string | null;
  readonly startsAt: string | null;
  readonly endsAt: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly lineItems: { readonly nodes: readonly LineItem[] };
}

/** A package's terms that the line item itself does not have. */
export interface PackageTerms {
  readonly context?: unknown;
  readonly overlay?: unknown;
  readonly formatIds?: unknown;
  /** Whether its price is a bid. */
  readonly isAuction?: boolean;
  readonly cancellation?: Cancellation;
  /** Creatives that the buyer assigned before they existed. */
  readonly awaited?: readonly { readonly creative_id: string; readonly weight?: number | undefined }[];
}

interface Cancellation {
  readonly canceled_at: string;
  readonly canceled_by: 'buyer';
  readonly reason?: string;
}

/** A buy's terms that the campaign itself does not have. */
export interface BuyTerms {
  readonly context?: unknown;
  readonly cancellation?: Cancellation;
  /** By the id of the line item. */
  readonly packages: Readonly<Record<string, PackageTerms>>;
}

/** A media buy: the campaign, and what agents asked for it. */
export interface MediaBuy {
  readonly campaign: Campaign;
  readonly terms: BuyTerms;
  /** The request that made it; null for one that a person booked. */
  readonly made: StoredRequest | null;
}

export const BuyStatus = z.enum([
  'pending_creatives',
  'pending_start',
  'active',
  'paused',
  'completed',
  'rejected',
  'canceled',
]);
export type BuyStatus = z.infer<typeof BuyStatus>;

const CREATIVE = 'id: databaseId status reviewState reviewReason weight libraryCreative { id: databaseId externalId }';
const LINE_ITEM = `id: databaseId name version status type pricingModel price pacing startsAt endsAt updatedAt advertisingProductId
  priceOptionId budget goal { kind target } delivery { lifetime { impressions clicks spend } }
  creatives(first: 25) { nodes { ${CREATIVE} } }`;
export const CAMPAIGN = `query Buy($id: ID!, $packages: Int!) {
  campaign(id: $id) { id: databaseId name version status advertiserId orderNumber startsAt endsAt createdAt updatedAt
    lineItems(first: $packages) { nodes { ${LINE_ITEM} } } }
}`;
export const CAMPAIGNS = `query Buys($filter: CampaignFilter, $first: Int!, $after: String) {
  campaigns(filter: $filter, first: $first, after: $after, sort: { field: ID, direction: DESC }) {
    nodes { id: databaseId status advertiserId endsAt } pageInfo { hasNextPage endCursor }
  }
}`;

/** A campaign of a list. */
export interface ListedCampaign {
  readonly id: string;
  readonly status: Campaign['status'];
  readonly advertiserId: string;
  readonly endsAt: string | null;
}

interface CampaignPage {
  readonly campaigns: {
    readonly nodes: readonly ListedCampaign[];
    readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
  };
}

/** Campaigns that are buys, newest first. Drafts are none yet: they wait for a person. */
export async function listCampaigns(call: CallApi, advertiserIds: readonly string[] | null): Promise<ListedCampaign[]> {
  const found: ListedCampaign[] = [];
  let after: string | null = null;
  const statuses = ['ACTIVE', 'PAUSED', 'COMPLETED', 'ARCHIVED'];
  do {
    const filter = { statuses, ...(advertiserIds === null ? {} : { advertiserIds }) };
    const variables: Record<string, unknown> = { filter, first: PAGE, after };
    const { campaigns }: CampaignPage = await runGraphql<CampaignPage>(call, { query: CAMPAIGNS, variables });
    found.push(...campaigns.nodes);
    after = campaigns.pageInfo.hasNextPage ? campaigns.pageInfo.endCursor : null;
  } while (after !== null && found.length < BUYS_MAX);
  return found;
}

/** One buy; null where the key reaches none with this id. A campaign that waits for a person is none yet. */
export async function findBuy(call: CallApi, id: string): Promise<MediaBuy | null> {
  if (!/^\d{1,19}$/.test(id)) return null;
  const { campaign } = await runGraphql<{ campaign: Campaign | null }>(call, {
    query: CAMPAIGN,
    variables: { id, packages: PACKAGES_MAX },
  });
  if (campaign === null) return null;
  const requests = await listStored(call, {
    campaignIds: [id],
    tools: ['create_media_buy', 'update_media_buy'],
    first: PAGE,
  });
  const made = requests.find(({ tool }) => tool === 'create_media_buy') ?? null;
  // The newest terms are the present ones.
  const terms = requests.find((one) => one.terms !== null)?.terms as BuyTerms | undefined;
  const buy = { campaign, made, terms: terms ?? { packages: {} } };
  if (campaign.status === 'DRAFT' && made?.state !== 'REJECTED') return null;
  return buy;
}

/** A buy of an account. @throws AdcpError `MEDIA_BUY_NOT_FOUND`, also for one of another account */
export async function requireBuy(call: CallApi, id: string, accountId: string): Promise<MediaBuy> {
  const buy = await findBuy(call, id);
  if (buy === null || buy.campaign.advertiserId !== accountId)
    throw new AdcpError('MEDIA_BUY_NOT_FOUND', 'The account has no such media buy.', { field: 'media_buy_id' });
  return buy;
}

/** The error of a list of buys about an id that the account has not. */
export function missingBuy(id: string): object {
  const message = `The account has no media buy ${JSON.stringify(id.slice(0, 60))}.`;
  return renderError(new AdcpError('MEDIA_BUY_NOT_FOUND', message, { field: 'media_buy_ids' }));
}

/** Whether a package is canceled: by the buyer, or archived by the publisher. */
export function isCanceled({ terms }: MediaBuy, { id, status }: LineItem): boolean {
  return status === 'ARCHIVED' || terms.packages[id]?.cancellation !== undefined;
}

/** Creatives of a package that are in use. */
export function creativesOf({ creatives }: LineItem): AssignedCreative[] {
  return creatives.nodes.filter(({ status }) => status !== 'ARCHIVED');
}

/** The packages of a buy that are not canceled. */
export function livePackages(buy: MediaBuy): LineItem[] {
  return buy.campaign.lineItems.nodes.filter((item) => !isCanceled(buy, item));
}

/** The status of a buy, by that of its campaign, its creatives and its flight. */
export function statusOf(buy: MediaBuy, nowMs: number): BuyStatus {
  const { campaign, made, terms } = buy;
  if (made?.state === 'REJECTED') return 'rejected';
  if (campaign.status === 'ARCHIVED' || terms.cancellation !== undefined) return 'canceled';
  if (campaign.status === 'COMPLETED') return 'completed';
  if (campaign.endsAt !== null && Date.parse(campaign.endsAt) <= nowMs) return 'completed';
  if (campaign.status === 'PAUSED') return 'paused';
  const packages = livePackages(buy);
  if (packages.length > 0 && packages.every(({ status }) => status === 'PAUSED')) return 'paused';
  if (!packages.some((one) => creativesOf(one).length > 0)) return 'pending_creatives';
  if (campaign.startsAt !== null && Date.parse(campaign.startsAt) > nowMs) return 'pending_start';
  return 'active';
}

/** Grows with every change of the buy or one of its packages. */
export function revisionOf({ campaign }: MediaBuy): number {
  return campaign.lineItems.nodes.reduce((sum, { version }) => sum + version, campaign.version);
}
