import { ApiRefusal, type CallApi, runGraphql } from '../api/call-api.ts';
import { AdcpError } from '../protocol/adcp-error.ts';

/** A campaign with its line items to book. */
interface Booking {
  readonly advertiserId: string;
  /** Makes a repetition after a crash find the campaign instead of making a second one. */
  readonly externalId: string;
  readonly name: string;
  readonly orderNumber: string | null;
  readonly startsAt: string;
  readonly endsAt: string;
  /** Line items, as `bookProduct` takes them. */
  readonly items: readonly Readonly<Record<string, unknown>>[];
}

export const FIND = `query Find($filter: CampaignFilter) {
  campaigns(filter: $filter, first: 1) {
    nodes { id: databaseId status lineItems(first: 50) { nodes { id: databaseId externalId } } }
  }
}`;
export const CREATE = `mutation Create($input: CreateCampaignInput!) {
  createCampaign(input: $input) { campaign { id: databaseId } }
}`;
export const BOOK = `mutation Book($input: BookProductInput!) { bookProduct(input: $input) { lineItem { id: databaseId } } }`;
export const SET_CAMPAIGN = `mutation SetCampaign($id: ID!, $version: Int, $input: UpdateCampaignInput!) {
  updateCampaign(id: $id, version: $version, input: $input) { campaign { id: databaseId } }
}`;
export const SET_ITEM = `mutation SetItem($id: ID!, $version: Int, $input: UpdateLineItemInput!) {
  updateLineItem(id: $id, version: $version, input: $input) { lineItem { id: databaseId version } }
}`;

interface Found {
  readonly campaigns: {
    readonly nodes: readonly {
      readonly id: string;
      readonly lineItems: { readonly nodes: readonly { readonly id: string; readonly externalId: string | null }[] };
    }[];
  };
}

/** A booking that was made: all of it is a draft. */
export interface Booked {
  readonly campaignId: string;
  /** In the order of the packages. */
  readonly itemIds: readonly string[];
}

/**
 * Books a campaign with its line items as drafts. What is refused in between is withdrawn.
 *
 * @throws AdcpError that names the package
 */
export async function book(call: CallApi, { items, ...campaign }: Booking): Promise<Booked> {
  const filter = { externalIds: [campaign.externalId], advertiserIds: [campaign.advertiserId] };
  const [before] = (await runGraphql<Found>(call, { query: FIND, variables: { filter } })).campaigns.nodes;
  const campaignId = before?.id ?? (await createCampaign(call, campaign));
  try {
    const itemIds: string[] = [];
    for (const [index, item] of items.entries()) {
      const externalId = `${campaign.externalId}-p${index}`;
      const made = before?.lineItems.nodes.find((one) => one.externalId === externalId);
      itemIds.push(made?.id ?? (await bookItem(call, { ...item, campaignId, externalId }, `packages[${index}]`)));
    }
    return { campaignId, itemIds };
  } catch (error) {
    await runGraphql(call, { query: SET_CAMPAIGN, variables: { id: campaignId, input: { status: 'ARCHIVED' } } });
    throw error;
  }
}

async function createCampaign(call: CallApi, campaign: Omit<Booking, 'items'>): Promise<string> {
  interface Made {
    readonly createCampaign: { readonly campaign: { readonly id: string } };
  }
  const input = { ...campaign, status: 'DRAFT' };
  return (await named('', () => runGraphql<Made>(call, { query: CREATE, variables: { input } }))).createCampaign
    .campaign.id;
}

/** Books one line item as a draft, and returns its id. @throws AdcpError that names the package */
export async function bookItem(
  call: CallApi,
  input: Readonly<Record<string, unknown>>,
  field: string,
): Promise<string> {
  interface Made {
    readonly bookProduct: { readonly lineItem: { readonly id: string } };
  }
  const { bookProduct } = await named(field, () => runGraphql<Made>(call, { query: BOOK, variables: { input } }));
  return bookProduct.lineItem.id;
}

/** Makes drafts live, or paused: those are never live before. */
export async function start(
  call: CallApi,
  { campaignId, itemIds }: Booked,
  paused: { readonly campaign: boolean; readonly items: readonly boolean[] },
): Promise<void> {
  const set = (query: string, id: string, status: string) =>
    named('', () => runGraphql(call, { query, variables: { id, input: { status } } }));
  for (const [index, id] of itemIds.entries())
    await set(SET_ITEM, id, paused.items[index] === true ? 'PAUSED' : 'ACTIVE');
  await set(SET_CAMPAIGN, campaignId, paused.campaign ? 'PAUSED' : 'ACTIVE');
}

/** Names of the management API's fields in the protocol. */
const FIELDS: Readonly<Record<string, string>> = {
  productId: 'product_id',
  priceOptionId: 'pricing_option_id',
  bid: 'bid_price',
  budget: 'budget',
  quantity: 'impressions',
  startsAt: 'start_time',
  endsAt: 'end_time',
  targeting: 'targeting_overlay',
  frequencyCaps: 'targeting_overlay.frequency_cap',
  status: 'paused',
};

/** Runs a write; names the field of a problem as the buyer knows it. @throws AdcpError */
export async function named<T>(field: string, write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (!(error instanceof ApiRefusal) || error.code === 'conflict') throw error;
    const [problem] = error.problems;
    const name = FIELDS[/^input\.(\w+)/.exec(problem?.path ?? '')?.[1] ?? ''];
    const at = [field, name].filter((one) => one !== undefined && one !== '').join('.');
    const code = problem?.code === 'spend_limit' ? 'BUDGET_EXCEEDED' : 'VALIDATION_ERROR';
    throw new AdcpError(code, problem?.message ?? error.message, at === '' ? {} : { field: at });
  }
}
