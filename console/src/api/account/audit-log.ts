import { askGraphql } from '../transport/graphql.ts';
import type { Scope } from '../transport/scope.ts';

/** One thing that happened. `details` holds `before`, `after` and further facts. */
export interface AuditEntry {
  readonly sequence: string;
  readonly at: string;
  readonly environment: 'PRODUCTION' | 'STAGING' | null;
  readonly actor: string;
  readonly remoteAddress: string;
  readonly action: string;
  readonly objectKind: string;
  readonly objectId: string;
  readonly details: Readonly<Record<string, unknown>>;
  /** The change of many objects that it is a part of; null: it stands alone. */
  readonly changeSet: string | null;
  /** How many parts that change has, of this kind and by this actor. */
  readonly changeSetSize: number;
  readonly hash: string;
}

/** Which entries; absent narrows nothing. Instants are ISO 8601. */
export interface AuditFilter {
  readonly actor?: string;
  readonly actorContains?: string;
  readonly action?: string;
  readonly objectKind?: string;
  readonly objectId?: string;
  readonly from?: string;
  readonly to?: string;
  /** Parts of this change of many objects. */
  readonly changeSet?: string;
}

/** A page, newest first. */
export interface AuditPage {
  readonly entries: readonly AuditEntry[];
  readonly endCursor: string | null;
  readonly hasNextPage: boolean;
}

const PAGE = `query ConsoleAudit($first: Int, $after: String, $filter: AuditFilter, $fold: Boolean) {
  auditLog(first: $first, after: $after, filter: $filter, foldChangeSets: $fold) {
    edges { node { sequence at environment actor remoteAddress action objectKind objectId details changeSet changeSetSize hash } }
    pageInfo { hasNextPage endCursor } } }`;

/** Reads a page of the network's log. `fold`: a change of many objects is one entry. */
export async function loadAuditPage(
  scope: Scope,
  filter: AuditFilter,
  page: { readonly after: string | null; readonly first: number; readonly fold?: boolean },
  signal: AbortSignal,
): Promise<AuditPage> {
  const { auditLog } = await askGraphql<{
    auditLog: { edges: readonly { node: AuditEntry }[]; pageInfo: { hasNextPage: boolean; endCursor: string | null } };
  }>(scope, PAGE, { ...page, filter }, signal);
  return { entries: auditLog.edges.map(({ node }) => node), ...auditLog.pageInfo };
}

/** One changed field of an entry. */
export interface AuditChange {
  readonly field: string;
  /** undefined: the field was not there. */
  readonly before: unknown;
  readonly after: unknown;
}

/** The differences between `before` and `after`, field by field; nested objects by path. */
export function listChanges(details: Readonly<Record<string, unknown>>): AuditChange[] {
  const before = flatten(details['before']);
  const after = flatten(details['after']);
  return [...new Set([...before.keys(), ...after.keys()])]
    .map((field) => ({ field, before: before.get(field), after: after.get(field) }))
    .filter((change) => JSON.stringify(change.before) !== JSON.stringify(change.after));
}

/** Facts of an entry beside its before and after. */
export function listFacts(details: Readonly<Record<string, unknown>>): [string, unknown][] {
  return Object.entries(details).filter(([name]) => name !== 'before' && name !== 'after');
}

function flatten(value: unknown, path = '', into = new Map<string, unknown>()): Map<string, unknown> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    for (const [name, member] of Object.entries(value)) flatten(member, path === '' ? name : `${path}.${name}`, into);
  } else if (value !== undefined) into.set(path === '' ? 'value' : path, value);
  return into;
}
