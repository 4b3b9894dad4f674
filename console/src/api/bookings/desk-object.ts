import { type Campaign, CAMPAIGN_FIELDS, LINE_ITEM_FIELDS, type LineItem } from './desk-list.ts';
import { askGraphql } from '../transport/graphql.ts';
import type { Scope } from '../transport/scope.ts';
import { TARGETING_FIELDS, type TargetingTree } from './targeting.ts';

export type ReviewState = 'PENDING' | 'APPROVED' | 'REJECTED';

/** A creative of a line item. */
export interface Creative {
  readonly id: string;
  readonly name: string;
  readonly format: 'IMAGE' | 'HTML' | 'NATIVE' | 'VIDEO';
  readonly width: number;
  readonly height: number;
  readonly status: 'ACTIVE' | 'PAUSED' | 'ARCHIVED';
  readonly reviewState: ReviewState;
  readonly updatedAt: string;
}

const CREATIVES_SHOWN = 100;

/** A line item with its creatives; null when there is none of this id. */
export type LineItemDetail = LineItem & {
  readonly targeting: TargetingTree | null;
  readonly creatives: { readonly nodes: readonly Creative[]; readonly totalCount: number };
};

const LINE_ITEM = `query DeskLineItem($id: ID!) { lineItem(id: $id) { ${LINE_ITEM_FIELDS}
  targeting ${TARGETING_FIELDS}
  creatives(first: ${CREATIVES_SHOWN}) { nodes { id name format width height status reviewState updatedAt } totalCount } } }`;

/** Reads one line item; null when the network has none of this id. */
export async function loadLineItem(scope: Scope, id: string, signal: AbortSignal): Promise<LineItemDetail | null> {
  return (await askGraphql<{ lineItem: LineItemDetail | null }>(scope, LINE_ITEM, { id }, signal)).lineItem;
}

/** The name and version of an object as it is now; null when there is none of this id. */
export async function loadVersion(
  scope: Scope,
  kind: BookedKind,
  id: string,
): Promise<{ readonly name: string; readonly version: number } | null> {
  const query = `query DeskVersion($id: ID!) { found: ${kind}(id: $id) { name version } }`;
  return (await askGraphql<{ found: { name: string; version: number } | null }>(scope, query, { id })).found;
}

const CAMPAIGN = `query DeskCampaign($id: ID!) { campaign(id: $id) { ${CAMPAIGN_FIELDS} } }`;

/** Reads one campaign; null when the network has none of this id. */
export async function loadCampaign(scope: Scope, id: string, signal: AbortSignal): Promise<Campaign | null> {
  return (await askGraphql<{ campaign: Campaign | null }>(scope, CAMPAIGN, { id }, signal)).campaign;
}

export type BookedKind = 'lineItem' | 'campaign';
