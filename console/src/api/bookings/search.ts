import type { SearchedKind } from '../../../../sdk/client/src/schema.ts';
import { askGraphql } from '../transport/graphql.ts';
import type { Scope } from '../transport/scope.ts';
import type { DeliveryStatus } from './desk-list.ts';

export type { SearchedKind };

/** The kinds of objects that a search finds. */
const SEARCHED_KINDS: Readonly<Record<SearchedKind, true>> = {
  LINE_ITEM: true,
  CAMPAIGN: true,
  ADVERTISER: true,
  CREATIVE: true,
  LIBRARY_CREATIVE: true,
  AREA: true,
  TARGETING_PRESET: true,
  TEAM: true,
  DEAL: true,
  SITE: true,
  AD_UNIT: true,
  SEGMENT: true,
  ACTIVITY: true,
  KEY_VALUE: true,
  PRODUCT: true,
  FLOOR: true,
};

export function isSearchedKind(kind: unknown): kind is SearchedKind {
  return typeof kind === 'string' && Object.hasOwn(SEARCHED_KINDS, kind);
}

/** An object that a search found. */
export interface SearchHit {
  readonly kind: SearchedKind;
  readonly id: string;
  readonly name: string;
  readonly status: DeliveryStatus;
  readonly version: number;
  readonly code: string | null;
  readonly parentName: string | null;
}

const HITS = 12;

/** Finds objects by name, id, external id, code or the values of custom fields. @param kinds null: all */
export async function searchObjects(
  scope: Scope,
  { text, kinds }: { readonly text: string; readonly kinds: readonly SearchedKind[] | null },
  signal: AbortSignal,
): Promise<readonly SearchHit[]> {
  const query = `query ConsoleSearch($text: String!, $kinds: [SearchedKind!]) {
    search(text: $text, kinds: $kinds, first: ${HITS}) { kind id name status version code parentName } }`;
  return (await askGraphql<{ search: readonly SearchHit[] }>(scope, query, { text, kinds }, signal)).search;
}
