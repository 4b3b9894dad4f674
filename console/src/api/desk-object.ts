import { type Campaign, CAMPAIGN_FIELDS, type DeliveryStatus, LINE_ITEM_FIELDS, type LineItem } from './desk-list.ts';
import { askGraphql } from './graphql.ts';
import type { FieldProblem } from './problem.ts';
import type { Scope } from './scope.ts';

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
  readonly creatives: { readonly nodes: readonly Creative[]; readonly totalCount: number };
};

const LINE_ITEM = `query DeskLineItem($id: ID!) { lineItem(id: $id) { ${LINE_ITEM_FIELDS}
  creatives(first: ${CREATIVES_SHOWN}) { nodes { id name format width height status reviewState updatedAt } totalCount } } }`;

/** Reads one line item; null when the network has none of this id. */
export async function loadLineItem(scope: Scope, id: string, signal: AbortSignal): Promise<LineItemDetail | null> {
  return (await askGraphql<{ lineItem: LineItemDetail | null }>(scope, LINE_ITEM, { id }, signal)).lineItem;
}

const CAMPAIGN = `query DeskCampaign($id: ID!) { campaign(id: $id) { ${CAMPAIGN_FIELDS} } }`;

/** Reads one campaign; null when the network has none of this id. */
export async function loadCampaign(scope: Scope, id: string, signal: AbortSignal): Promise<Campaign | null> {
  return (await askGraphql<{ campaign: Campaign | null }>(scope, CAMPAIGN, { id }, signal)).campaign;
}

export type BookedKind = 'lineItem' | 'campaign';

/** A status to set, and the version that was read. */
export interface StatusUpdate {
  readonly id: string;
  readonly version: number;
  readonly status: DeliveryStatus;
}

/** The outcome for one of several objects. `version`: after the change; null when it was not changed. */
export interface StatusResult {
  readonly id: string;
  /** Null: it is valid. */
  readonly code: string | null;
  readonly message: string | null;
  readonly problems: readonly FieldProblem[];
  readonly warnings: readonly FieldProblem[];
  readonly version: number | null;
}

interface BulkBody {
  readonly results: readonly (Omit<StatusResult, 'id' | 'version'> & {
    readonly index: number;
    readonly object: { readonly version: number } | null;
  })[];
}

/** The most objects of one call. */
export const UPDATES_MAX = 500;

/** Sets statuses, each object by itself; or only validates that. At most {@link UPDATES_MAX}. */
export async function updateStatuses(
  scope: Scope,
  kind: BookedKind,
  updates: readonly StatusUpdate[],
  options: { readonly validateOnly: boolean; readonly signal?: AbortSignal },
): Promise<readonly StatusResult[]> {
  const [field, type] = kind === 'lineItem' ? ['updateLineItems', 'LineItem'] : ['updateCampaigns', 'Campaign'];
  const query = `mutation DeskStatuses($updates: [Update${type}Entry!]!, $validateOnly: Boolean) {
    done: ${field}(updates: $updates, mode: ROW_BY_ROW, validateOnly: $validateOnly) { results {
      index code message problems { path code message } warnings { path code message } object: ${kind} { version } } } }`;
  const entries = updates.map(({ id, version, status }) => ({ id, version, input: { status } }));
  const variables = { updates: entries, validateOnly: options.validateOnly };
  const { done } = await askGraphql<{ done: BulkBody }>(scope, query, variables, options.signal);
  return done.results.map(({ index, object, ...result }) => ({
    ...result,
    id: updates[index]?.id ?? '',
    version: object?.version ?? null,
  }));
}
