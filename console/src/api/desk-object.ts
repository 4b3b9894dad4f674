import { type Campaign, CAMPAIGN_FIELDS, LINE_ITEM_FIELDS, type LineItem } from './desk-list.ts';
import { askGraphql } from './graphql.ts';
import type { FieldProblem } from './problem.ts';
import type { Scope } from './scope.ts';
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

const EMBEDDED: Readonly<Record<string, string>> = {
  goal: '{ amount kind period }',
  frequencyCaps: '{ event count window every per }',
  targeting: TARGETING_FIELDS,
};

/** Some fields of a line item as they are now, with who changed it last; null when there is none of this id. */
export async function loadLineItemFields(
  scope: Scope,
  id: string,
  names: readonly string[],
  signal: AbortSignal,
): Promise<{
  readonly version: number;
  readonly updatedAt: string;
  readonly updatedBy: string;
  readonly fields: Readonly<Record<string, unknown>>;
} | null> {
  const selected = names.map((name) => `${name} ${EMBEDDED[name] ?? ''}`).join(' ');
  const query = `query DeskFields($id: ID!) { lineItem(id: $id) { version updatedAt updatedBy ${selected} } }`;
  type Found = { version: number; updatedAt: string; updatedBy: string } & Readonly<Record<string, unknown>>;
  const { lineItem } = await askGraphql<{ lineItem: Found | null }>(scope, query, { id }, signal);
  return lineItem === null ? null : { ...lineItem, fields: lineItem };
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

/** Fields to set, and the version that was read. */
export interface BookedUpdate {
  readonly id: string;
  readonly version: number;
  readonly input: Readonly<Record<string, unknown>>;
}

/** The outcome for one of several objects. `version`: after the change; null when it was not changed. */
export interface BookedResult {
  readonly id: string;
  /** Null: it is valid. */
  readonly code: string | null;
  readonly message: string | null;
  readonly problems: readonly FieldProblem[];
  readonly warnings: readonly FieldProblem[];
  readonly version: number | null;
}

interface BulkBody {
  readonly results: readonly (Omit<BookedResult, 'id' | 'version'> & {
    readonly index: number;
    readonly object: { readonly version: number } | null;
  })[];
}

/** The most objects of one call; the server takes 500, and progress is shown between calls. */
export const UPDATES_MAX = 200;

/** How a list of changes is made. */
export interface UpdateOptions {
  readonly validateOnly: boolean;
  readonly signal?: AbortSignal;
  /** Told how many objects are done. */
  onProgress?: (count: number) => void;
}

/** Changes objects, each by itself; or only validates that. Any number, {@link UPDATES_MAX} a call, one call after the other. */
export async function updateBooked(
  scope: Scope,
  kind: BookedKind,
  updates: readonly BookedUpdate[],
  options: UpdateOptions,
): Promise<readonly BookedResult[]> {
  const results: BookedResult[] = [];
  for (let at = 0; at < updates.length; at += UPDATES_MAX) {
    results.push(...(await updateOnce(scope, kind, updates.slice(at, at + UPDATES_MAX), options)));
    options.onProgress?.(results.length);
  }
  return results;
}

async function updateOnce(
  scope: Scope,
  kind: BookedKind,
  updates: readonly BookedUpdate[],
  { validateOnly, signal }: UpdateOptions,
): Promise<readonly BookedResult[]> {
  const [field, type] = kind === 'lineItem' ? ['updateLineItems', 'LineItem'] : ['updateCampaigns', 'Campaign'];
  const query = `mutation DeskUpdates($updates: [Update${type}Entry!]!, $validateOnly: Boolean) {
    done: ${field}(updates: $updates, mode: ROW_BY_ROW, validateOnly: $validateOnly) { results {
      index code message problems { path code message } warnings { path code message } object: ${kind} { version } } } }`;
  const { done } = await askGraphql<{ done: BulkBody }>(scope, query, { updates, validateOnly }, signal);
  return done.results.map(({ index, object, ...result }) => ({
    ...result,
    id: updates[index]?.id ?? '',
    version: object?.version ?? null,
  }));
}
