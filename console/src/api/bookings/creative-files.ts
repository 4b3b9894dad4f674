import { askGraphql } from '../transport/graphql.ts';
import { type FieldProblem, translateFault } from '../transport/problem.ts';
import type { Scope } from '../transport/scope.ts';
import { TARGETING_FIELDS, type TargetingTree } from './targeting.ts';
import { uploadBody } from '../transport/upload.ts';

/** Width and height in CSS pixels. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/** An uploaded file; facts that its bytes do not say are null. */
export interface UploadedAsset {
  readonly url: string;
  readonly contentType: string;
  readonly sizeBytes: number;
  readonly width: number | null;
  readonly height: number | null;
  readonly durationMs: number | null;
  /** Of a sound, kbit/s. */
  readonly bitrateKbps: number | null;
}

/**
 * Uploads a file of a creative.
 * @param onProgress told of the share that was sent, 0…1
 * @throws ApiProblem
 */
export function uploadAsset(scope: Scope, file: Blob, onProgress: (share: number) => void): Promise<UploadedAsset> {
  const upload = { path: '/assets', contentType: 'application/octet-stream', body: file };
  return uploadBody(scope, upload, onProgress);
}

/** A line item, as far as creatives are matched with it. */
export interface StudioLineItem {
  readonly id: string;
  readonly name: string;
  readonly status: string;
  readonly targeting: TargetingTree | null;
  readonly creatives: { readonly nodes: readonly (Size & { readonly clickUrl: string; readonly status: string })[] };
}

/** A campaign with its line items and the sizes of ad units. */
export interface StudioCampaign {
  readonly name: string;
  readonly advertiserId: string;
  readonly lineItems: { readonly nodes: readonly StudioLineItem[]; readonly totalCount: number };
}

/** Line items with their targeting cost much: a page of more exceeds what one query may cost. */
const LINE_ITEMS_A_PAGE = 25;
const LINE_ITEM_PAGES_MAX = 8;

const LINE_ITEM = `id name status targeting ${TARGETING_FIELDS}
  creatives(first: 20) { nodes { width height clickUrl status } }`;
const CAMPAIGN = `query StudioCampaign($id: ID!, $after: String) { campaign(id: $id) { name advertiserId
  lineItems(first: ${LINE_ITEMS_A_PAGE}, after: $after) { totalCount pageInfo { hasNextPage endCursor }
    nodes { ${LINE_ITEM} } } } }`;

/** Reads a campaign with its first 200 line items; null when there is none of this id. */
export async function loadStudioCampaign(
  scope: Scope,
  id: string,
  signal: AbortSignal,
): Promise<StudioCampaign | null> {
  interface Page extends StudioCampaign {
    readonly lineItems: StudioCampaign['lineItems'] & {
      readonly pageInfo: { hasNextPage: boolean; endCursor: string };
    };
  }
  const nodes: StudioLineItem[] = [];
  let after: string | null = null;
  for (let page = 1; ; page += 1) {
    const variables: { id: string; after: string | null } = { id, after };
    const { campaign } = await askGraphql<{ campaign: Page | null }>(scope, CAMPAIGN, variables, signal);
    if (campaign === null) return null;
    const { pageInfo, totalCount } = campaign.lineItems;
    nodes.push(...campaign.lineItems.nodes);
    if (!pageInfo.hasNextPage || page === LINE_ITEM_PAGES_MAX) return { ...campaign, lineItems: { nodes, totalCount } };
    after = pageInfo.endCursor;
  }
}

/** Finds line items of a campaign by a part of their name or by their id, for campaigns that have more than are read. At most 25. */
export async function findStudioLineItems(
  scope: Scope,
  campaignId: string,
  search: string,
): Promise<readonly StudioLineItem[]> {
  const query = `query StudioFind($filter: LineItemFilter!) {
    lineItems(filter: $filter, sort: { field: NAME }, first: ${LINE_ITEMS_A_PAGE}) { nodes { ${LINE_ITEM} } } }`;
  type Body = { lineItems: { nodes: readonly StudioLineItem[] } };
  const filter = { campaignIds: [campaignId], search };
  return (await askGraphql<Body>(scope, query, { filter })).lineItems.nodes;
}

const AD_UNITS_A_PAGE = 100;

const AD_UNITS = `query StudioAdUnits($ids: [ID!]) { adUnits(first: ${AD_UNITS_A_PAGE}, filter: {ids: $ids}) {
  nodes { id sizes { width height } } } }`;

/** The sizes of ad units by their ids. */
export async function loadAdUnitSizes(
  scope: Scope,
  ids: readonly string[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, readonly Size[]>> {
  const found = new Map<string, readonly Size[]>();
  for (let from = 0; from < ids.length; from += AD_UNITS_A_PAGE) {
    const page = { ids: ids.slice(from, from + AD_UNITS_A_PAGE) };
    type Body = { readonly adUnits: { readonly nodes: readonly { readonly id: string; readonly sizes: Size[] }[] } };
    const { adUnits } = await askGraphql<Body>(scope, AD_UNITS, page, signal);
    for (const { id, sizes } of adUnits.nodes) found.set(id, sizes);
  }
  return found;
}

/** A creative that is not saved yet, as the API takes it. */
export interface NewCreative extends Size {
  readonly advertiserId: string;
  readonly name: string;
  readonly clickUrl: string;
  readonly content: object;
}

/** The outcome of one new creative. `id`: null while it was only validated, or refused. */
export interface CreatedCreative {
  readonly id: string | null;
  readonly message: string | null;
  readonly problems: readonly FieldProblem[];
  readonly warnings: readonly FieldProblem[];
}

const CREATE = `mutation StudioCreate($inputs: [CreateLibraryCreativeInput!]!, $validateOnly: Boolean!) {
  createLibraryCreatives(inputs: $inputs, mode: ROW_BY_ROW, validateOnly: $validateOnly) { results {
    message problems { path code message } warnings { path code message } libraryCreative { id } } } }`;

/** Creates creatives in the library of their advertiser, or only validates them; the outcomes are in the order of the creatives. */
export async function createLibraryCreatives(
  scope: Scope,
  inputs: readonly NewCreative[],
  validateOnly: boolean,
): Promise<readonly CreatedCreative[]> {
  type Result = Omit<CreatedCreative, 'id'> & { readonly libraryCreative: { readonly id: string } | null };
  const { createLibraryCreatives: made } = await askGraphql<{
    createLibraryCreatives: { readonly results: readonly Result[] };
  }>(scope, CREATE, { inputs, validateOnly });
  return made.results.map(({ libraryCreative, ...result }) => ({
    ...result,
    problems: result.problems.map(translateFault),
    warnings: result.warnings.map(translateFault),
    id: libraryCreative?.id ?? null,
  }));
}

const ASSOCIATE = `mutation StudioAssociate($inputs: [AssociateCreativeInput!]!) {
  associateCreatives(inputs: $inputs) { creatives { id } } }`;

/** Lets library creatives serve in line items, all or none. @throws ApiProblem */
export async function associateCreatives(
  scope: Scope,
  inputs: readonly { readonly libraryCreativeId: string; readonly lineItemId: string }[],
): Promise<void> {
  await askGraphql(scope, ASSOCIATE, { inputs });
}
