import { askGraphql } from '../transport/graphql.ts';
import type { Scope } from '../transport/scope.ts';
import type { NamedChoice } from './desk-list.ts';

/** Kinds of objects that others name by their ids. */
export const NAMED_KINDS = [
  'adUnits',
  'areas',
  'sites',
  'segments',
  'deals',
  'advertisingProducts',
  'activities',
  'advertisers',
  'campaigns',
  'lineItems',
  'libraryCreatives',
  'teams',
] as const;
export type NamedKind = (typeof NAMED_KINDS)[number];

/** Ids of objects by their kinds. */
export type NamedIds = Readonly<Partial<Record<NamedKind, readonly string[]>>>;

/** The most names of a kind that one query reads. */
const NAMES_MAX = 100;

/** Reads the names of objects; those that the network does not have are absent. @returns the names by kind and id, see {@link nameKey} */
export async function loadNames(
  scope: Scope,
  ids: NamedIds,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, string>> {
  const asked = NAMED_KINDS.filter((kind) => (ids[kind] ?? []).length > 0);
  if (asked.length === 0) return new Map();
  const query = `query Names(${asked.map((kind) => `$${kind}: [ID!]`).join(', ')}) {
    ${asked.map((kind) => `${kind}(filter: { ids: $${kind} }, first: ${NAMES_MAX}) { nodes { id name } }`).join('\n')} }`;
  const variables = Object.fromEntries(asked.map((kind) => [kind, [...(ids[kind] ?? [])].slice(0, NAMES_MAX)]));
  type Body = Readonly<Partial<Record<NamedKind, { nodes: readonly NamedChoice[] }>>>;
  const found = await askGraphql<Body>(scope, query, variables, signal);
  return new Map(
    asked.flatMap((kind) => (found[kind]?.nodes ?? []).map(({ id, name }) => [nameKey(kind, id), name] as const)),
  );
}

/** The key of a name. */
export function nameKey(kind: NamedKind, id: string): string {
  return `${kind}/${id}`;
}
