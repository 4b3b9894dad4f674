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
}

/** A page, newest first. */
export interface AuditPage {
  readonly entries: readonly AuditEntry[];
  readonly endCursor: string | null;
  readonly hasNextPage: boolean;
}

const PAGE = `query ConsoleAudit($first: Int, $after: String, $filter: AuditFilter) {
  auditLog(first: $first, after: $after, filter: $filter) {
    edges { node { sequence at environment actor remoteAddress action objectKind objectId details hash } }
    pageInfo { hasNextPage endCursor } } }`;

/** Reads a page of the network's log. */
export async function loadAuditPage(
  scope: Scope,
  filter: AuditFilter,
  page: { after: string | null; first: number },
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
