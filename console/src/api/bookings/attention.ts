import { say } from '../../messages/say.ts';
import { loadLimitUse, loadStorageUse } from '../account/usage.ts';
import { askGraphql } from '../transport/graphql.ts';
import type { Scope } from '../transport/scope.ts';
import { sendJson } from '../transport/send.ts';
import { LINE_ITEM_FIELDS, type LineItem, type StandingReason } from './desk-list.ts';

/** How many are read of those with money at risk, and of those that end soon: more than a person deals with at a time. */
const AT_RISK_SHOWN = 50;
const ENDING_SHOWN = 20;
const SOON_MS = 3 * 86_400_000;

/** The reasons for which somebody has to look at a line item. */
const TROUBLES = [
  'AT_RISK',
  'BEHIND',
  'QUIET',
  'NO_CREATIVE',
  'REVIEW_PENDING',
  'REVIEW_REJECTED',
] as const satisfies readonly StandingReason[];

/** A line item that may need a person, and what members did about it. */
export type WatchedItem = LineItem & {
  readonly attention: {
    readonly snoozedUntil: string | null;
    readonly handedTo: Colleague | null;
    readonly handedBy: Colleague | null;
    readonly handedAt: string | null;
  };
};

interface Colleague {
  readonly id: string;
  readonly name: string;
}

/** A limit or quota with its use. */
export interface UsedLimit {
  readonly title: string;
  readonly used: number;
  readonly limit: number;
  /** A sentence that replaces the used part. */
  readonly sentence?: string;
}

/** The line items and limits that are looked at. */
export interface Watched {
  readonly lineItems: readonly WatchedItem[];
  readonly limits: readonly UsedLimit[];
}

/** The line items and limits that may need a person, the number of line items that were not read, and the number that the member has snoozed. */
export interface WatchedDesk extends Watched {
  readonly more: number;
  readonly snoozed: number;
}

/** Only what concerns one campaign, or the campaigns of one advertiser. */
export interface WatchedPart {
  readonly kind: 'campaign' | 'advertiser';
  readonly id: string;
}

const TABLE = `nodes { ${LINE_ITEM_FIELDS}
  attention { snoozedUntil handedTo { id name } handedBy { id name } handedAt } } totalCount`;
/** The line items in trouble, the most money at risk first, and those that end soon. */
const LINE_ITEMS = `query DeskWatched($trouble: LineItemTableFilter!, $soon: LineItemTableFilter!, $paused: LineItemTableFilter!, $snoozed: LineItemTableFilter!) {
  trouble: lineItemTable(filter: $trouble, sort: AT_RISK, descending: true, first: ${AT_RISK_SHOWN}) { ${TABLE} }
  ending: lineItemTable(filter: $soon, sort: ENDS_AT, first: ${ENDING_SHOWN}) { ${TABLE} }
  paused: lineItemTable(filter: $paused, sort: ENDS_AT, first: ${ENDING_SHOWN}) { ${TABLE} }
  withSnoozed: lineItemTable(filter: $snoozed, first: 1) { totalCount } }`;

interface TableBody {
  readonly nodes: readonly WatchedItem[];
  readonly totalCount: number;
}

/** Which line items are looked at: all, or those of a part of the network. */
export function watchedFilters(part: WatchedPart | null, soon: string, withSnoozed: boolean) {
  const all = part === null ? {} : { [part.kind === 'campaign' ? 'campaignIds' : 'advertiserIds']: [part.id] };
  const awake = { ...all, isSnoozed: withSnoozed };
  return {
    trouble: { ...awake, reasons: TROUBLES },
    soon: { ...awake, reasons: ['SERVING'], endsBefore: soon },
    paused: { ...awake, reasons: ['PAUSED'], endsBefore: soon },
    snoozed: { ...all, reasons: TROUBLES },
  };
}

/** Who looks, and at what. */
interface WatchRequest {
  readonly nowMs: number;
  readonly isOperator: boolean;
  readonly part: WatchedPart | null;
  /** Whether line items that the member has snoozed are shown too. */
  readonly withSnoozed: boolean;
}

/** Reads what may need a person. Limits are of the network, so that a part of it has none. */
export async function loadWatched(
  scope: Scope,
  { nowMs, isOperator, part, withSnoozed }: WatchRequest,
  signal: AbortSignal,
): Promise<WatchedDesk> {
  const filters = watchedFilters(part, new Date(nowMs + SOON_MS).toISOString(), withSnoozed);
  type Body = Readonly<Record<'trouble' | 'ending' | 'paused', TableBody>> & { withSnoozed: { totalCount: number } };
  const [tables, limits, disk] = await Promise.all([
    askGraphql<Body>(scope, LINE_ITEMS, filters, signal),
    part === null ? loadLimits(scope, signal) : [],
    isOperator && part === null ? loadDisk(signal) : [],
  ]);
  const { trouble, ending, paused } = tables;
  const found = [trouble, ending, paused];
  return {
    lineItems: found.flatMap(({ nodes }) => nodes),
    limits: [...limits, ...disk],
    more: found.reduce((sum, { nodes, totalCount }) => sum + totalCount - nodes.length, 0),
    snoozed: withSnoozed
      ? trouble.nodes.filter(({ attention }) => attention.snoozedUntil !== null).length
      : tables.withSnoozed.totalCount - trouble.totalCount,
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

/** Snoozes a line item for the signed-in member; null: the line item comes back now. */
export async function snoozeItem(scope: Scope, lineItemId: string, until: string | null): Promise<void> {
  const query = `mutation DeskSnooze($lineItemId: ID!, $until: DateTime) {
    snoozeAttention(lineItemId: $lineItemId, until: $until) { lineItem { id } } }`;
  await askGraphql(scope, query, { lineItemId, until });
}

/** Hands a line item to a colleague; null: nobody looks after it. */
export async function handItem(scope: Scope, lineItemId: string, toId: string | null): Promise<void> {
  const query = `mutation DeskHandOver($lineItemId: ID!, $toId: ID) {
    handOverAttention(lineItemId: $lineItemId, toId: $toId) { lineItem { id } } }`;
  await askGraphql(scope, query, { lineItemId, toId });
}
