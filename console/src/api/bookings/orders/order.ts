import { askGraphql } from '../../transport/graphql.ts';
import type { Scope } from '../../transport/scope.ts';
import {
  type Campaign,
  CAMPAIGN_FIELDS,
  type LineItem,
  loadLineItems,
  type NamedChoice,
  WINDOW_MAX,
} from '../desk-list.ts';
import type { CustomValue } from '../line-item-settings.ts';

/** A campaign with all that it says of itself as an order. People are e-mail addresses. */
export interface Order extends Campaign {
  readonly orderNumber: string | null;
  readonly owner: string | null;
  readonly salesperson: string | null;
  readonly team: NamedChoice | null;
  readonly teamId: string | null;
  readonly contacts: readonly string[];
  readonly notes: string;
  readonly externalId: string | null;
  readonly customFields: Readonly<Record<string, CustomValue>>;
}

const ORDER = `query DeskOrder($id: ID!) { campaign(id: $id) { ${CAMPAIGN_FIELDS}
  orderNumber owner salesperson team { id name } teamId contacts notes externalId customFields } }`;

/** Reads one campaign; null when the network has none of this id. */
export async function loadOrder(scope: Scope, id: string, signal: AbortSignal): Promise<Order | null> {
  return (await askGraphql<{ campaign: Order | null }>(scope, ORDER, { id }, signal)).campaign;
}

/** Fields to set, by name. */
export type OrderInput = Readonly<Record<string, unknown>>;

interface SavedOrder {
  readonly id: string;
  readonly version: number;
}

/** Creates a campaign, or changes one at the version that was read. @param at null creates one */
export async function saveOrder(scope: Scope, input: OrderInput, at: SavedOrder | null): Promise<SavedOrder> {
  const query =
    at === null
      ? `mutation OrderCreate($input: CreateCampaignInput!) { done: createCampaign(input: $input) { campaign { id version } } }`
      : `mutation OrderUpdate($input: UpdateCampaignInput!, $id: ID!, $version: Int) {
          done: updateCampaign(id: $id, version: $version, input: $input) { campaign { id version } } }`;
  const { done } = await askGraphql<{ done: { campaign: SavedOrder } }>(scope, query, { input, ...at });
  return done.campaign;
}

/** The most line items of an order that are read. */
const ITEMS_MAX = 500;

/** The line items of a campaign that are read, and the number of all of them. */
export interface OrderItems {
  readonly rows: readonly LineItem[];
  readonly total: number;
}

/** Reads the line items of a campaign by their start, at most {@link ITEMS_MAX}; archived line items are left out. */
export async function loadOrderItems(scope: Scope, campaignId: string, signal: AbortSignal): Promise<OrderItems> {
  const statuses = ['DRAFT', 'RESERVED', 'ACTIVE', 'PAUSED', 'COMPLETED'] as const;
  const request = {
    tab: null,
    filter: { campaignIds: [campaignId], statuses },
    sort: { field: 'STARTS_AT', direction: 'ASC' } as const,
    first: WINDOW_MAX,
  };
  const rows: LineItem[] = [];
  let total = 0;
  for (let offset = 0; offset < ITEMS_MAX; offset += WINDOW_MAX) {
    const window = await loadLineItems(scope, { ...request, offset }, signal);
    rows.push(...window.rows);
    total = window.total ?? total;
    if (window.rows.length < WINDOW_MAX) break;
  }
  return { rows, total };
}
