import { askGraphql } from '../transport/graphql.ts';
import type { Scope } from '../transport/scope.ts';

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

/** Tabs of the table of line items, in their order. */
export const LINE_ITEM_TABS = ['DELIVERING', 'BEHIND', 'NOT_DELIVERING', 'UPCOMING', 'DRAFT', 'ENDED'] as const;
export type LineItemTab = (typeof LINE_ITEM_TABS)[number];

/** Why a line item stands where it stands; see the schema for each. */
export type StandingReason =
  | 'ARCHIVED'
  | 'DRAFT'
  | 'RESERVED'
  | 'COMPLETED'
  | 'FLIGHT_OVER'
  | 'PAUSED'
  | 'CAMPAIGN_STOPPED'
  | 'NOT_BEGUN'
  | 'NO_CREATIVE'
  | 'REVIEW_PENDING'
  | 'REVIEW_REJECTED'
  | 'QUIET'
  | 'AT_RISK'
  | 'BEHIND'
  | 'SERVING';

/** Where a line item stands, and why. */
export interface Standing {
  readonly tab: LineItemTab | null;
  readonly reason: StandingReason;
  readonly movedAt: string | null;
  /** Money that it may miss, as exact text. */
  readonly atRisk: string;
}

/** Events and money; money as exact text. */
export interface DeliveryFigures {
  readonly impressions: number;
  readonly viewableImpressions: number;
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
  /** Whether its counters still get the history of the environment. */
  readonly isHistoryLoading: boolean;
  readonly projected: { readonly low: number; readonly projected: number; readonly high: number } | null;
}

/** The counters of an object; null while they are unavailable. */
export interface Delivery {
  readonly today: DeliveryFigures;
  readonly lifetime: DeliveryFigures;
  readonly progress: GoalProgress | null;
}

/** The kinds of booked objects. */
export type BookedKind = 'lineItem' | 'campaign';

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

/** How often a user sees something in a time. */
export interface FrequencyCap {
  readonly event: string;
  readonly count: number;
  readonly window: 'MINUTE' | 'HOUR' | 'DAY' | 'WEEK' | 'MONTH' | 'LIFETIME';
  readonly every: number;
  readonly per: string;
}

/** A line item as tables show it. */
export interface LineItem extends BookedObject {
  readonly type: LineItemType;
  readonly price: string;
  readonly pricingModel: PricingModel;
  readonly timezone: string | null;
  readonly goal: Goal | null;
  readonly level: number;
  readonly labels: readonly string[];
  readonly frequencyCaps: readonly FrequencyCap[];
  readonly standing: Standing | null;
  readonly campaign:
    | (NamedObject &
        Pick<BookedObject, 'status' | 'version' | 'startsAt' | 'endsAt'> & { readonly advertiser: NamedObject | null })
    | null;
}

/** A campaign as tables show it. */
export interface Campaign extends BookedObject {
  readonly advertiser: NamedObject | null;
  readonly labels: readonly string[];
  readonly caps: DeliveryCaps;
}

/** Hard limits; null: none. Money as exact text. */
export interface DeliveryCaps {
  readonly impressionsPerDay: number | null;
  readonly impressionsLifetime: number | null;
  readonly clicksPerDay: number | null;
  readonly clicksLifetime: number | null;
  readonly spendPerDay: string | null;
  readonly spendLifetime: string | null;
}

/** The types of a line item, highest tier first. */
export const LINE_ITEM_TYPES = ['SPONSORSHIP', 'STANDARD', 'PRICE', 'HOUSE'] as const;
export type LineItemType = (typeof LINE_ITEM_TYPES)[number];

/** What lists are sorted by; the later ones only tables of line items. */
export type SortField =
  | 'ID'
  | 'NAME'
  | 'CREATED_AT'
  | 'UPDATED_AT'
  | 'STARTS_AT'
  | 'ENDS_AT'
  | 'PACE'
  | 'IMPRESSIONS'
  | 'SPEND';

/** The order of a list, as the server sorts. */
export interface ListSort {
  readonly field: SortField;
  readonly direction: 'ASC' | 'DESC';
}

/** Which objects; absent narrows nothing. */
export interface ListFilter {
  readonly search?: string;
  readonly statuses?: readonly DeliveryStatus[];
  readonly campaignIds?: readonly string[];
  readonly advertiserIds?: readonly string[];
  readonly ids?: readonly string[];
  readonly labels?: readonly string[];
  /** Only of tables of line items. */
  readonly types?: readonly LineItemType[];
  /** ISO 8601; only of tables of line items. */
  readonly endsBefore?: string;
  /** Only of tables of line items. */
  readonly levels?: readonly number[];
  /** The dimension and values that the targeting tests; only of tables of line items. */
  readonly targets?: { readonly dimension: string; readonly values?: readonly string[] };
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

const COUNTS = '{ impressions viewableImpressions clicks spend }';
const FIGURES = `today ${COUNTS} lifetime ${COUNTS}`;
const PROGRESS = `delivery { ${FIGURES} progress {
  delivered goal percent expected pacingPercent status isHistoryLoading projected { low projected high } } }`;
const BOOKED = 'id name status version startsAt endsAt createdAt updatedAt updatedBy';

/** The members of {@link LineItem}. */
export const LINE_ITEM_FIELDS = `${BOOKED} type price pricingModel timezone level labels
  goal { amount kind period } frequencyCaps { event count window every per } standing { tab reason movedAt atRisk } ${PROGRESS}
  campaign { id name status version startsAt endsAt advertiser { id name } }`;
/** The members of {@link Campaign}. */
export const CAMPAIGN_FIELDS = `${BOOKED} labels
  caps { impressionsPerDay impressionsLifetime clicksPerDay clicksLifetime spendPerDay spendLifetime }
  delivery { ${FIGURES} progress { delivered } } advertiser { id name }`;

interface ConnectionBody<Row> {
  readonly nodes: readonly Row[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
  readonly totalCount?: number;
}

function toPage<Row>({ nodes, pageInfo, totalCount }: ConnectionBody<Row>): ListPage<Row> {
  return {
    rows: nodes,
    endCursor: pageInfo.hasNextPage ? pageInfo.endCursor : null,
    totalCount: totalCount ?? null,
  };
}

/** Which window of the table of line items. `tab` null: all tabs. */
export interface WindowRequest {
  readonly tab: LineItemTab | null;
  readonly filter: ListFilter;
  readonly sort: ListSort;
  readonly offset: number;
  readonly first: number;
}

/** The rows of a window; the total only of the window at the top, which is counted. */
export interface TableWindow<Row> {
  readonly rows: readonly Row[];
  readonly total: number | null;
}

/** Members that changes of many line items need. */
export type BulkRow = Pick<
  LineItem,
  | 'id'
  | 'name'
  | 'status'
  | 'version'
  | 'startsAt'
  | 'endsAt'
  | 'price'
  | 'pricingModel'
  | 'level'
  | 'goal'
  | 'labels'
  | 'frequencyCaps'
  | 'timezone'
>;

const BULK_FIELDS = `id name status version startsAt endsAt price pricingModel level timezone labels
  goal { amount kind period } frequencyCaps { event count window every per }`;

function windowQuery(name: string, fields: string): string {
  return `query ${name}($tab: LineItemTab, $filter: LineItemTableFilter, $sort: LineItemTableSort, $descending: Boolean,
    $offset: Int, $first: Int, $counted: Boolean!) {
  table: lineItemTable(tab: $tab, filter: $filter, sort: $sort, descending: $descending, offset: $offset, first: $first) {
    nodes { ${fields} } totalCount @include(if: $counted) } }`;
}

const LINE_ITEMS = windowQuery('DeskLineItems', LINE_ITEM_FIELDS);
const BULK_ROWS = windowQuery('DeskBulkRows', BULK_FIELDS);

async function loadWindow<Row>(
  scope: Scope,
  query: string,
  { tab, filter, sort, offset, first }: WindowRequest,
  signal?: AbortSignal,
): Promise<TableWindow<Row>> {
  const order = { sort: sort.field, descending: sort.direction === 'DESC' };
  const variables = { tab, filter, ...order, offset, first, counted: offset === 0 };
  type Body = { table: { nodes: readonly Row[]; totalCount?: number } };
  const { table } = await askGraphql<Body>(scope, query, variables, signal);
  return { rows: table.nodes, total: table.totalCount ?? null };
}

/** Reads a window of the table of line items. */
export function loadLineItems(
  scope: Scope,
  request: WindowRequest,
  signal?: AbortSignal,
): Promise<TableWindow<LineItem>> {
  return loadWindow(scope, LINE_ITEMS, request, signal);
}

/** The largest window. */
export const WINDOW_MAX = 100;

/** Reads what a change of many needs of all line items that match, at most `max`, and says how many have been read. */
export async function loadBulkRows(
  scope: Scope,
  request: Pick<WindowRequest, 'tab' | 'filter'>,
  read: { readonly max: number; onProgress?: (count: number) => void; readonly signal?: AbortSignal },
): Promise<readonly BulkRow[]> {
  const { max, onProgress, signal } = read;
  const rows = new Map<string, BulkRow>();
  const sort = { field: 'ID', direction: 'ASC' } as const;
  for (let offset = 0; offset < max; offset += WINDOW_MAX) {
    const first = Math.min(WINDOW_MAX, max - offset);
    const found = await loadWindow<BulkRow>(scope, BULK_ROWS, { ...request, sort, offset, first }, signal);
    for (const row of found.rows) rows.set(row.id, row);
    onProgress?.(rows.size);
    if (found.rows.length < first) break;
  }
  return [...rows.values()];
}

/** How many line items each tab has. */
export async function loadTabCounts(
  scope: Scope,
  filter: ListFilter,
  signal: AbortSignal,
): Promise<ReadonlyMap<LineItemTab, number>> {
  const query = 'query DeskTabs($filter: LineItemTableFilter) { tabs: lineItemTabs(filter: $filter) { tab count } }';
  type Body = { tabs: readonly { tab: LineItemTab; count: number }[] };
  const { tabs } = await askGraphql<Body>(scope, query, { filter }, signal);
  return new Map(tabs.map(({ tab, count }) => [tab, count]));
}

/** What campaigns are sorted by. */
const CAMPAIGN_SORTS: readonly SortField[] = ['ID', 'NAME', 'CREATED_AT', 'UPDATED_AT'];

/** The filter of a table as campaigns have it. */
export function campaignFilter({ campaignIds, ...filter }: ListFilter): object {
  return campaignIds === undefined ? filter : { ...filter, ids: campaignIds };
}

/** Reads a page of campaigns. */
export async function loadCampaigns(
  scope: Scope,
  request: PageRequest,
  signal?: AbortSignal,
): Promise<ListPage<Campaign>> {
  const { filter, sort } = request;
  const order = CAMPAIGN_SORTS.includes(sort.field) ? sort : ({ field: 'ID', direction: 'DESC' } as const);
  return loadCampaignPage(scope, CAMPAIGN_FIELDS, { ...request, sort: order, filter: campaignFilter(filter) }, signal);
}

/** Reads some members of a page of campaigns, by a filter as campaigns have it. */
export async function loadCampaignPage<Row>(
  scope: Scope,
  fields: string,
  request: Omit<PageRequest, 'filter'> & { readonly filter: object },
  signal?: AbortSignal,
): Promise<ListPage<Row>> {
  const query = `query DeskCampaigns($filter: CampaignFilter, $sort: SortInput, $first: Int, $after: String, $counted: Boolean!) {
    campaigns(filter: $filter, sort: $sort, first: $first, after: $after) {
      nodes { ${fields} } pageInfo { hasNextPage endCursor } totalCount @include(if: $counted) } }`;
  const variables = { ...request, counted: request.after === null };
  type Body = { readonly campaigns: ConnectionBody<Row> };
  return toPage((await askGraphql<Body>(scope, query, variables, signal)).campaigns);
}

/** One choice of a filter. */
export interface NamedChoice {
  readonly id: string;
  readonly name: string;
}

const CHOICES_SHOWN = 20;

/** Kinds of objects that are chosen by name, with the filter of each. */
const CHOICE_FILTERS = {
  campaigns: 'CampaignFilter',
  advertisers: 'AdvertiserFilter',
  lineItems: 'LineItemFilter',
  sites: 'SiteFilter',
  adUnits: 'AdUnitFilter',
  segments: 'SegmentFilter',
} as const;
export type ChoiceKind = keyof typeof CHOICE_FILTERS;

/** Objects whose name contains a text, and the one that is chosen already. */
export async function loadChoices(
  scope: Scope,
  kind: ChoiceKind,
  { search, chosenId }: { readonly search: string; readonly chosenId: string | null },
  signal: AbortSignal,
): Promise<readonly NamedChoice[]> {
  const type = CHOICE_FILTERS[kind];
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
