import { askGraphql } from '../../transport/graphql.ts';
import type { Scope } from '../../transport/scope.ts';

/** An ad unit with the site whose pages have it. */
export interface PageUnit {
  readonly id: string;
  readonly name: string;
  readonly site: { readonly name: string; readonly domain: string } | null;
}

const SHOWN = 50;
const UNITS = `query PageUnits($filter: AdUnitFilter) {
  adUnits(filter: $filter, sort: { field: NAME }, first: ${SHOWN}) { nodes { id name site { name domain } } } }`;

/** Finds ad units by a part of their name. */
export async function findPageUnits(scope: Scope, search: string, signal: AbortSignal): Promise<readonly PageUnit[]> {
  const filter = { statuses: ['ACTIVE'], ...(search === '' ? {} : { search }) };
  type Body = { adUnits: { nodes: readonly PageUnit[] } };
  return (await askGraphql<Body>(scope, UNITS, { filter }, signal)).adUnits.nodes;
}
