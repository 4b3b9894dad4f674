import { askGraphql } from './graphql.ts';
import type { Scope } from './scope.ts';

/** The statuses of a line item or campaign, in the order of its life. */
export const DELIVERY_STATUSES = ['DRAFT', 'RESERVED', 'ACTIVE', 'PAUSED', 'COMPLETED', 'ARCHIVED'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

export type GoalStatus = 'NOT_STARTED' | 'ON_TRACK' | 'AHEAD' | 'BEHIND' | 'AT_RISK' | 'REACHED' | 'MISSED';
export type GoalKind = 'IMPRESSIONS' | 'VIEWABLE_IMPRESSIONS' | 'CLICKS' | 'CONVERSIONS';
export type PricingModel = 'CPM' | 'VCPM' | 'CPC' | 'CPA' | 'CPCV' | 'FLAT';

export interface Goal {
  readonly amount: number;
  readonly kind: GoalKind;
  readonly period: 'DAY' | 'LIFETIME';
}

/** Events and money; money as exact text. */
export interface DeliveryFigures {
  readonly impressions: number;
  readonly clicks: number;
  readonly spend: string;
}

/** The progress to a goal; see the schema for each member. */
export interface GoalProgress {
  readonly delivered: number;
  readonly goal: number;
  readonly percent: number;
  readonly expected: number | null;
  readonly pacingPercent: number | null;
  readonly status: GoalStatus | null;
  readonly projected: { readonly low: number; readonly projected: number; readonly high: number } | null;
}

/** The counters of an object; null while they are unavailable. */
export interface Delivery {
  readonly today: DeliveryFigures;
  readonly lifetime: DeliveryFigures;
  readonly progress: GoalProgress | null;
}

/** What every booked object of the desk has. Instants are ISO 8601. */
export interface BookedObject {
  readonly id: string;
  readonly name: string;
  readonly status: DeliveryStatus;
  readonly version: number;
  readonly startsAt: string | null;
  readonly endsAt: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly updatedBy: string;
  readonly delivery: Delivery | null;
}

interface NamedObject {
  readonly id: string;
  readonly name: string;
}

/** A line item as tables show it. */
export interface LineItem extends BookedObject {
  readonly type: 'SPONSORSHIP' | 'STANDARD' | 'PRICE' | 'HOUSE';
  readonly price: string;
  readonly pricingModel: PricingModel;
  readonly timezone: string | null;
  readonly goal: Goal | null;
  readonly campaign:
    | (NamedObject & Pick<BookedObject, 'status' | 'startsAt' | 'endsAt'> & { readonly advertiser: NamedObject | null })
    | null;
}

/** A campaign as tables show it. */
export interface Campaign extends BookedObject {
  readonly advertiser: NamedObject | null;
}

/** The order of a list, as the server sorts. */
export interface ListSort {
  readonly field: 'ID' | 'NAME' | 'CREATED_AT' | 'UPDATED_AT';
  readonly direction: 'ASC' | 'DESC';
}

/** Which objects; absent narrows nothing. */
export interface ListFilter {
  readonly search?: string;
  readonly statuses?: readonly DeliveryStatus[];
  readonly campaignIds?: readonly string[];
  readonly advertiserIds?: readonly string[];
  readonly ids?: readonly string[];
}

/** One page of a list. */
export interface ListPage<Row> {
  readonly rows: readonly Row[];
  readonly endCursor: string | null;
  /** Over all pages; null on later pages, which do not count again. */
  readonly totalCount: number | null;
}

/** Which page of which list. */
export interface PageRequest {
  readonly filter: ListFilter;
  readonly sort: ListSort;
  readonly first: number;
  readonly after: string | null;
}

const FIGURES = 'today { impressions clicks spend } lifetime { impressions clicks spend }';
const PROGRESS = `delivery { ${FIGURES} progress {
  delivered goal percent expected pacingPercent status projected { low projected high } } }`;
const BOOKED = 'id name status version startsAt endsAt createdAt updatedAt updatedBy';

/** The members of {@link LineItem}. */
export const LINE_ITEM_FIELDS = `${BOOKED} type price pricingModel timezone goal { amount kind period } ${PROGRESS}
  campaign { id name status startsAt endsAt advertiser { id name } }`;
/** The members of {@link Campaign}. */
export const CAMPAIGN_FIELDS = `${BOOKED} delivery { ${FIGURES} progress { delivered } } advertiser { id name }`;

interface ConnectionBody<Row> {
  readonly nodes: readonly Row[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
  readonly totalCount?: number;
}

function pageQuery(list: 'lineItems' | 'campaigns', type: string, fields: string): string {
  return `query Desk_${list}($filter: ${type}Filter, $sort: SortInput, $first: Int, $after: String, $counted: Boolean!) {
  ${list}(filter: $filter, sort: $sort, first: $first, after: $after) {
    nodes { ${fields} } pageInfo { hasNextPage endCursor } totalCount @include(if: $counted) } }`;
}

const LINE_ITEMS = pageQuery('lineItems', 'LineItem', LINE_ITEM_FIELDS);
const CAMPAIGNS = pageQuery('campaigns', 'Campaign', CAMPAIGN_FIELDS);

function toPage<Row>({ nodes, pageInfo, totalCount }: ConnectionBody<Row>): ListPage<Row> {
  return {
    rows: nodes,
    endCursor: pageInfo.hasNextPage ? pageInfo.endCursor : null,
    totalCount: totalCount ?? null,
  };
}

/** Most campaigns of one advertiser that a list of line items is filtered by: as many as the server accepts. */
const CAMPAIGNS_MAX = 500;

/** Reads a page of line items. Those of an advertiser are found by its campaigns. */
export async function loadLineItems(
  scope: Scope,
  request: PageRequest,
  signal?: AbortSignal,
): Promise<ListPage<LineItem>> {
  const { advertiserIds, ...filter } = request.filter;
  const narrowed =
    advertiserIds === undefined || filter.campaignIds !== undefined
      ? filter
      : { ...filter, campaignIds: await listCampaignIds(scope, advertiserIds, signal) };
  const variables = { ...request, filter: narrowed, counted: request.after === null };
  return toPage(
    (await askGraphql<{ lineItems: ConnectionBody<LineItem> }>(scope, LINE_ITEMS, variables, signal)).lineItems,
  );
}

/** Reads a page of campaigns. */
export async function loadCampaigns(
  scope: Scope,
  request: PageRequest,
  signal?: AbortSignal,
): Promise<ListPage<Campaign>> {
  const { campaignIds, ...filter } = request.filter;
  const narrowed = campaignIds === undefined ? filter : { ...filter, ids: campaignIds };
  const variables = { ...request, filter: narrowed, counted: request.after === null };
  return toPage(
    (await askGraphql<{ campaigns: ConnectionBody<Campaign> }>(scope, CAMPAIGNS, variables, signal)).campaigns,
  );
}

const CAMPAIGN_IDS = `query DeskCampaignIds($advertiserIds: [ID!], $after: String) {
  campaigns(filter: { advertiserIds: $advertiserIds }, sort: { field: ID, direction: DESC }, first: 100, after: $after) {
    nodes { id } pageInfo { hasNextPage endCursor } } }`;

async function listCampaignIds(
  scope: Scope,
  advertiserIds: readonly string[],
  signal: AbortSignal | undefined,
): Promise<readonly string[]> {
  const ids: string[] = [];
  let after: string | null = null;
  do {
    const body: { campaigns: ConnectionBody<{ id: string }> } = await askGraphql(
      scope,
      CAMPAIGN_IDS,
      { advertiserIds, after },
      signal,
    );
    const page = toPage(body.campaigns);
    ids.push(...page.rows.map(({ id }) => id));
    after = page.endCursor;
  } while (after !== null && ids.length < CAMPAIGNS_MAX);
  return ids.slice(0, CAMPAIGNS_MAX);
}

/** One choice of a filter. */
export interface NamedChoice {
  readonly id: string;
  readonly name: string;
}

const CHOICES_SHOWN = 20;

/** Campaigns or advertisers whose name contains a text, and the one that is chosen already. */
export async function loadChoices(
  scope: Scope,
  kind: 'campaigns' | 'advertisers',
  { search, chosenId }: { readonly search: string; readonly chosenId: string | null },
  signal: AbortSignal,
): Promise<readonly NamedChoice[]> {
  const type = kind === 'campaigns' ? 'CampaignFilter' : 'AdvertiserFilter';
  const query = `query DeskChoices($found: ${type}, $chosen: ${type}) {
    found: ${kind}(filter: $found, sort: { field: NAME }, first: ${CHOICES_SHOWN}) { nodes { id name } }
    chosen: ${kind}(filter: $chosen, first: 1) { nodes { id name } } }`;
  const variables = {
    found: search === '' ? {} : { search },
    chosen: { ids: chosenId === null ? [] : [chosenId] },
  };
  type Body = Record<'found' | 'chosen', { nodes: readonly NamedChoice[] }>;
  const { found, chosen } = await askGraphql<Body>(scope, query, variables, signal);
  return [...chosen.nodes, ...found.nodes.filter(({ id }) => chosen.nodes.every((one) => one.id !== id))];
}
