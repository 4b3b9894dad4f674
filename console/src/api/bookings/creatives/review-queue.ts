import { askGraphql } from '../../transport/graphql.ts';
import type { Scope } from '../../transport/scope.ts';
import type { DeliveryStatus, NamedChoice } from '../desk-list.ts';
import type { Creative } from '../desk-object.ts';

/** The kinds of creatives that are reviewed: of one line item, and of the library. */
export type ReviewedKind = 'creative' | 'libraryCreative';

/** A creative that waits for its review, with all that a reviewer looks at. */
export interface PendingCreative extends Pick<Creative, 'id' | 'name' | 'format' | 'width' | 'height' | 'updatedAt'> {
  readonly kind: ReviewedKind;
  readonly version: number;
  readonly clickUrl: string;
  readonly preview: { readonly url: string };
  readonly scan: {
    readonly hosts: readonly string[];
    readonly warnings: readonly { readonly code: string; readonly message: string }[];
  };
  readonly lineItems: readonly (NamedChoice & { readonly status: DeliveryStatus })[];
}

/** The creatives that have waited longest, and how many wait. */
export interface ReviewQueue {
  readonly creatives: readonly PendingCreative[];
  readonly count: number;
}

const USES_SHOWN = 20;
const PENDING = 'filter: { statuses: [ACTIVE], reviewStates: [PENDING] }';
const FIELDS = `id name version format width height updatedAt clickUrl preview { url }
  scan { hosts warnings { code message } }`;
const QUERY = `query ReviewQueue($first: Int!) {
  creatives(${PENDING}, where: { libraryCreativeId: { eq: null } }, sort: { field: UPDATED_AT }, first: $first) {
    nodes { ${FIELDS} lineItem { id name status } } totalCount }
  libraryCreatives(${PENDING}, sort: { field: UPDATED_AT }, first: $first) {
    nodes { ${FIELDS} associations(first: ${USES_SHOWN}) { nodes { lineItem { id name status } } } } totalCount } }`;

type LineItem = PendingCreative['lineItems'][number];
type Found = Omit<PendingCreative, 'kind' | 'lineItems'>;

interface Body {
  readonly creatives: {
    readonly nodes: readonly (Found & { readonly lineItem: LineItem | null })[];
    readonly totalCount: number;
  };
  readonly libraryCreatives: {
    readonly nodes: readonly (Found & {
      readonly associations: { readonly nodes: readonly { readonly lineItem: LineItem | null }[] };
    })[];
    readonly totalCount: number;
  };
}

/** Reads the queue of the review. What follows a creative of the library is reviewed there. */
export async function loadReviewQueue(scope: Scope, first: number, signal: AbortSignal): Promise<ReviewQueue> {
  const body = await askGraphql<Body>(scope, QUERY, { first }, signal);
  const isThere = (item: LineItem | null): item is LineItem => item !== null;
  const own = body.creatives.nodes.map(
    ({ lineItem, ...rest }): PendingCreative => ({
      ...rest,
      kind: 'creative',
      lineItems: [lineItem].filter(isThere),
    }),
  );
  const ofLibrary = body.libraryCreatives.nodes.map(
    ({ associations, ...rest }): PendingCreative => ({
      ...rest,
      kind: 'libraryCreative',
      lineItems: associations.nodes.map(({ lineItem }) => lineItem).filter(isThere),
    }),
  );
  return {
    creatives: [...own, ...ofLibrary]
      .toSorted((one, other) => Date.parse(one.updatedAt) - Date.parse(other.updatedAt))
      .slice(0, first),
    count: body.creatives.totalCount + body.libraryCreatives.totalCount,
  };
}

/** A decision on a creative; back to waiting undoes it. */
export interface ReviewDecision {
  readonly reviewState: 'APPROVED' | 'REJECTED' | 'PENDING';
  readonly reviewReason?: string;
}

/** Decides on a creative as it was shown. @returns its new version @throws ApiProblem `conflict` where it changed meanwhile */
export async function decideReview(
  scope: Scope,
  { kind, id, version }: Pick<PendingCreative, 'kind' | 'id' | 'version'>,
  decision: ReviewDecision,
): Promise<number> {
  const type = kind === 'creative' ? 'Creative' : 'LibraryCreative';
  const query = `mutation ReviewDecide($id: ID!, $version: Int!, $input: Update${type}Input!) {
    decided: update${type}(id: $id, version: $version, input: $input) { ${kind} { version } } }`;
  type Decided = { decided: Readonly<Record<string, { readonly version: number }>> };
  const { decided } = await askGraphql<Decided>(scope, query, { id, version, input: decision });
  return decided[kind]?.version ?? version + 1;
}
