import { say } from '../../messages/say.ts';
import { LINE_ITEM_FIELDS, type LineItem } from './desk-list.ts';
import { askGraphql } from '../transport/graphql.ts';
import type { Scope } from '../transport/scope.ts';
import { sendJson } from '../transport/send.ts';
import { loadLimitUse, loadStorageUse } from '../account/usage.ts';

/** How many of each kind are read: more than a person deals with at a time. */
const OF_A_KIND = 20;
const CREATIVES_MAX = 50;

/** What may need a person, and how many more there are than were read. */
export interface WatchedDesk extends Watched {
  readonly more: number;
}

/** Only what concerns one campaign, or the campaigns of one advertiser. */
export interface WatchedPart {
  readonly kind: 'campaign' | 'advertiser';
  readonly id: string;
}

const TABLE = `nodes { ${LINE_ITEM_FIELDS} } totalCount`;
/** The line items in a tab of trouble, the furthest behind first, and those that end soon. */
const LINE_ITEMS = `query DeskWatched($all: LineItemTableFilter!, $active: LineItemTableFilter!, $soon: LineItemTableFilter!, $paused: LineItemTableFilter!) {
  behind: lineItemTable(tab: BEHIND, sort: PACE, filter: $all, first: ${OF_A_KIND}) { ${TABLE} }
  stopped: lineItemTable(tab: NOT_DELIVERING, sort: UPDATED_AT, descending: true, filter: $active, first: ${OF_A_KIND}) { ${TABLE} }
  ending: lineItemTable(tab: DELIVERING, sort: ENDS_AT, filter: $soon, first: ${OF_A_KIND}) { ${TABLE} }
  paused: lineItemTable(tab: NOT_DELIVERING, sort: ENDS_AT, filter: $paused, first: ${OF_A_KIND}) { ${TABLE} } }`;
const CREATIVES = `query DeskReviews($where: CreativeWhere) { creatives(
  filter: { statuses: [ACTIVE], reviewStates: [PENDING, REJECTED] }, where: $where, sort: { field: ID, direction: DESC }, first: ${CREATIVES_MAX}) {
    nodes { id name version reviewState lineItem { id name status } } } }`;
const SOON_MS = 3 * 86_400_000;

interface TableBody {
  readonly nodes: readonly LineItem[];
  readonly totalCount: number;
}

/** Which line items and creatives are looked at: all, or those of a part of the network. */
export function watchedFilters(part: WatchedPart | null, soon: string) {
  const all = part === null ? {} : { [part.kind === 'campaign' ? 'campaignIds' : 'advertiserIds']: [part.id] };
  return {
    lineItems: {
      all,
      active: { ...all, statuses: ['ACTIVE'] },
      soon: { ...all, endsBefore: soon },
      paused: { ...all, statuses: ['PAUSED'], endsBefore: soon },
    },
    creatives: part === null ? {} : { where: { lineItem: { campaign: campaignWhere(part) } } },
  };
}

function campaignWhere({ kind, id }: WatchedPart) {
  return kind === 'campaign' ? { id: { eq: id } } : { advertiserId: { eq: id } };
}

/** Reads what may need a person. Limits are of the network, so that a part of it has none. */
export async function loadWatched(
  scope: Scope,
  {
    nowMs,
    isOperator,
    part,
  }: { readonly nowMs: number; readonly isOperator: boolean; readonly part: WatchedPart | null },
  signal: AbortSignal,
): Promise<WatchedDesk> {
  const { lineItems, creatives } = watchedFilters(part, new Date(nowMs + SOON_MS).toISOString());
  const [tables, reviews, limits, disk] = await Promise.all([
    askGraphql<Readonly<Record<string, TableBody>>>(scope, LINE_ITEMS, lineItems, signal),
    askGraphql<{ creatives: { nodes: readonly ReviewedCreative[] } }>(scope, CREATIVES, creatives, signal),
    part === null ? loadLimits(scope, signal) : [],
    isOperator && part === null ? loadDisk(signal) : [],
  ]);
  const found = Object.values(tables);
  return {
    lineItems: found.flatMap(({ nodes }) => nodes),
    creatives: reviews.creatives.nodes,
    limits: [...limits, ...disk],
    more: found.reduce((sum, { nodes, totalCount }) => sum + totalCount - nodes.length, 0),
  };
}

/** Limits of calls, and quotas of storage. */
async function loadLimits(scope: Scope, signal: AbortSignal): Promise<readonly UsedLimit[]> {
  const [calls, storage] = await Promise.all([loadLimitUse(scope, signal), loadStorageUse(scope, signal)]);
  return [
    ...calls.flatMap(({ name, used, limit }) => (used === null ? [] : [{ title: say(`limit.${name}`), used, limit }])),
    ...storage.map(({ title, used, limit }) => ({ title, used, limit })),
  ];
}

/** The disk of the machine, when it is nearly full. */
async function loadDisk(signal: AbortSignal): Promise<readonly UsedLimit[]> {
  type Check = { readonly name: string; readonly ok: boolean; readonly degraded?: boolean };
  const { checks = [] } = await sendJson<{ checks?: readonly Check[] }>('/readyz', { signal });
  const isLow = checks.some(({ name, ok, degraded }) => name === 'disk space' && (!ok || degraded === true));
  return isLow ? [{ title: say('attention.disk'), used: 1, limit: 1, sentence: say('attention.disk_low') }] : [];
}

/** A creative that does not pass review, with its line item. */
export interface ReviewedCreative {
  readonly id: string;
  readonly name: string;
  readonly version: number;
  readonly reviewState: 'PENDING' | 'REJECTED';
  readonly lineItem: { readonly id: string; readonly name: string; readonly status: LineItem['status'] } | null;
}

/** A limit or quota with its use. */
export interface UsedLimit {
  readonly title: string;
  readonly used: number;
  readonly limit: number;
  /** What to say instead of the part that is used. */
  readonly sentence?: string;
}

/** What is looked at. */
export interface Watched {
  readonly lineItems: readonly LineItem[];
  readonly creatives: readonly ReviewedCreative[];
  readonly limits: readonly UsedLimit[];
}
