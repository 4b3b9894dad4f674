import { askGraphql } from '../../transport/graphql.ts';
import { translateFault } from '../../transport/problem.ts';
import type { Scope } from '../../transport/scope.ts';
import type { ObjectKind, ObjectResult, ObjectUpdate, UpdateOptions } from '../object-updates.ts';

/** A creative of the library, as a person chooses it. */
export interface LibraryChoice {
  readonly id: string;
  readonly name: string;
  readonly width: number | null;
  readonly height: number | null;
  readonly advertiser: { readonly name: string } | null;
}

const CHOICES_SHOWN = 30;
const CHOICES = `query LibraryChoices($filter: LibraryCreativeFilter) {
  libraryCreatives(filter: $filter, sort: { field: NAME }, first: ${CHOICES_SHOWN}) {
    nodes { id name width height advertiser { name } } } }`;

/** Finds creatives of the library that serve, by a part of their name. */
export async function findLibraryCreatives(
  scope: Scope,
  search: string,
  signal: AbortSignal,
): Promise<readonly LibraryChoice[]> {
  const filter = { statuses: ['ACTIVE'], ...(search === '' ? {} : { search }) };
  type Body = { libraryCreatives: { nodes: readonly LibraryChoice[] } };
  return (await askGraphql<Body>(scope, CHOICES, { filter }, signal)).libraryCreatives.nodes;
}

/** A creative of the library in one line item. */
export interface LibraryUse {
  readonly id: string;
  readonly version: number;
  readonly lineItemId: string;
}

const PAGE_MAX = 100;
const USES = `query LibraryUses($ids: [ID!], $after: String) {
  creatives(filter: { libraryCreativeIds: $ids, statuses: [ACTIVE] }, sort: { field: ID }, first: ${PAGE_MAX}, after: $after) {
    nodes { id version lineItemId } pageInfo { hasNextPage endCursor } } }`;
/** A network has at most so many line items in one change. */
const USES_MAX = 20_000;

/** All line items that a creative of the library serves in, with what it is there; at most {@link USES_MAX}. */
export async function loadLibraryUses(
  scope: Scope,
  libraryCreativeId: string,
  signal: AbortSignal,
): Promise<readonly LibraryUse[]> {
  const uses: LibraryUse[] = [];
  type Body = {
    creatives: {
      nodes: readonly LibraryUse[];
      pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
    };
  };
  for (let after: string | null = null; uses.length < USES_MAX; ) {
    const { creatives }: Body = await askGraphql<Body>(scope, USES, { ids: [libraryCreativeId], after }, signal);
    uses.push(...creatives.nodes);
    after = creatives.pageInfo.endCursor;
    if (!creatives.pageInfo.hasNextPage) break;
  }
  return uses;
}

const ASSOCIATE = `mutation DeskAssociate($inputs: [AssociateCreativeInput!]!, $validateOnly: Boolean) {
  associateCreatives(inputs: $inputs, mode: ROW_BY_ROW, validateOnly: $validateOnly) { results {
    index code message problems { path code message } warnings { path code message } made: creative { id version } } } }`;
/** The most pairs of one call; the server takes 500. */
const PAIRS_MAX = 200;

interface AssociateResult extends Omit<ObjectResult, 'id' | 'version' | 'madeId'> {
  readonly index: number;
  readonly made: { readonly id: string; readonly version: number } | null;
}

/** Lets creatives of the library serve in line items, each by itself. @param updates of line items, with `libraryCreativeId` */
export async function associateMany(
  scope: Scope,
  _kind: ObjectKind,
  updates: readonly ObjectUpdate[],
  { validateOnly, signal, onProgress }: UpdateOptions,
): Promise<readonly ObjectResult[]> {
  const results: ObjectResult[] = [];
  for (let at = 0; at < updates.length; at += PAIRS_MAX) {
    const part = updates.slice(at, at + PAIRS_MAX);
    const inputs = part.map(({ id, input }) => ({ lineItemId: id, libraryCreativeId: input['libraryCreativeId'] }));
    type Body = { associateCreatives: { results: readonly AssociateResult[] } };
    const { associateCreatives } = await askGraphql<Body>(scope, ASSOCIATE, { inputs, validateOnly }, signal);
    results.push(...associateCreatives.results.map((result) => resultOf(part[result.index]?.id ?? '', result)));
    onProgress?.(results.length);
  }
  return results;
}

function resultOf(id: string, { index: _index, made, ...result }: AssociateResult): ObjectResult {
  return {
    ...result,
    id,
    problems: result.problems.map(translateFault),
    warnings: result.warnings.map(translateFault),
    version: made?.version ?? null,
    ...(made === null ? {} : { madeId: made.id }),
  };
}

/** A line item that a creative may be assigned to. */
export interface AssignableItem {
  readonly id: string;
  readonly name: string;
  readonly version: number;
}

const ASSIGNABLE = `query AssignableItems($filter: LineItemFilter!) {
  lineItems(filter: $filter, sort: { field: NAME }, first: ${CHOICES_SHOWN}) { nodes { id name version } } }`;

/** Finds line items of an advertiser by a part of their name or by their id: a creative of the library serves in no other. */
export async function findAssignable(
  scope: Scope,
  { advertiserId, search }: { readonly advertiserId: string; readonly search: string },
  signal: AbortSignal,
): Promise<readonly AssignableItem[]> {
  const statuses = ['DRAFT', 'RESERVED', 'ACTIVE', 'PAUSED'];
  const filter = { advertiserIds: [advertiserId], statuses, ...(search === '' ? {} : { search }) };
  type Body = { lineItems: { nodes: readonly AssignableItem[] } };
  return (await askGraphql<Body>(scope, ASSIGNABLE, { filter }, signal)).lineItems.nodes;
}
