import { type CallApi, runGraphql } from '../api/call-api.ts';
import { named } from './book.ts';

/** Placard's weights are 1…1000; the protocol's are 0…100, and 0 is a creative that is assigned and paused. */
const WEIGHT_UNIT = 10;
/** The protocol's names of review states. */
export const REVIEW_STATUSES = { APPROVED: 'approved', PENDING: 'pending_review', REJECTED: 'rejected' } as const;

/** A creative that a buyer assigns to a package. */
export interface Assigned {
  readonly creative_id: string;
  readonly weight?: number | undefined;
}

export const LIBRARY = `query Library($filter: LibraryCreativeFilter, $first: Int!, $after: String) {
  libraryCreatives(filter: $filter, first: $first, after: $after) {
    nodes { id: databaseId externalId name status reviewState reviewReason format width height createdAt updatedAt }
    pageInfo { hasNextPage endCursor }
  }
}`;
export const ASSOCIATE = `mutation Associate($inputs: [AssociateCreativeInput!]!) {
  associateCreatives(inputs: $inputs) { creatives { id: databaseId status } }
}`;
export const SET_STATUS = `mutation SetStatus($id: ID!, $status: CreativeStatus!) {
  updateCreative(id: $id, input: { status: $status }) { creative { id: databaseId } }
}`;
export const DISSOCIATE = `mutation Dissociate($inputs: [CreativePairInput!]!) {
  dissociateCreatives(inputs: $inputs) { creatives { id: databaseId } }
}`;

/** A creative of an account. */
export interface LibraryCreative {
  readonly id: string;
  readonly externalId: string | null;
  readonly name: string;
  readonly status: string;
  readonly reviewState: 'APPROVED' | 'PENDING' | 'REJECTED';
  readonly reviewReason: string | null;
  readonly format: string;
  readonly width: number;
  readonly height: number;
  readonly createdAt: string;
  readonly updatedAt: string;
}

interface LibraryPage {
  readonly libraryCreatives: {
    readonly nodes: readonly LibraryCreative[];
    readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
  };
}

const PAGE = 100;
const CREATIVES_MAX = 5_000;

/** Creatives of an account by filter, oldest first. */
export async function readLibrary(
  call: CallApi,
  filter: Readonly<Record<string, unknown>>,
): Promise<LibraryCreative[]> {
  const found: LibraryCreative[] = [];
  let after: string | null = null;
  do {
    const variables: Record<string, unknown> = { filter, first: PAGE, after };
    const { libraryCreatives: page }: LibraryPage = await runGraphql<LibraryPage>(call, { query: LIBRARY, variables });
    found.push(...page.nodes);
    after = page.pageInfo.hasNextPage ? page.pageInfo.endCursor : null;
  } while (after !== null && found.length < CREATIVES_MAX);
  return found;
}

/** The external id of a buyer's creative: two buyers may give their creatives the same id. */
export function ownExternalId(accountId: string, creativeId: string): string {
  return `${accountId}/${creativeId}`;
}

/** The buyer's id of a creative; ours for one that a person made. */
export function buyersId({ id, externalId }: { readonly id: string; readonly externalId: string | null }): string {
  return /^\d+\/(.+)$/s.exec(externalId ?? '')?.[1] ?? externalId ?? id;
}

/** The creatives of an account that have these ids of the buyer, by them. */
export async function findCreatives(
  call: CallApi,
  accountId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, LibraryCreative>> {
  if (ids.length === 0) return new Map();
  const externalIds = [...new Set(ids)].map((id) => ownExternalId(accountId, id));
  const found = await readLibrary(call, { advertiserIds: [accountId], externalIds, statuses: ['ACTIVE'] });
  return new Map(found.map((one) => [buyersId(one), one]));
}

/** An assignment whose creative is known. */
interface Pair {
  readonly lineItemId: string;
  readonly libraryCreativeId: string;
  readonly weight?: number | undefined;
}

interface Associated {
  readonly associateCreatives: { readonly creatives: readonly { readonly id: string; readonly status: string }[] };
}

/** Puts creatives into line items, and pauses those of weight 0. Repeating it changes nothing. */
export async function associate(call: CallApi, pairs: readonly Pair[]): Promise<void> {
  if (pairs.length === 0) return;
  const inputs = pairs.map(({ lineItemId, libraryCreativeId, weight }) => ({
    lineItemId,
    libraryCreativeId,
    ...(weight === undefined || weight === 0 ? {} : { weight: Math.max(1, Math.round(weight * WEIGHT_UNIT)) }),
  }));
  const { associateCreatives: made } = await named('', () =>
    runGraphql<Associated>(call, { query: ASSOCIATE, variables: { inputs } }),
  );
  for (const [index, { id, status }] of made.creatives.entries()) {
    const weight = pairs[index]?.weight;
    const wanted = weight === undefined ? status : weight === 0 ? 'PAUSED' : 'ACTIVE';
    if (status !== wanted)
      await named('', () => runGraphql(call, { query: SET_STATUS, variables: { id, status: wanted } }));
  }
}

/** The protocol's weight of a creative in a package. */
export function weightOf({ status, weight }: { readonly status: string; readonly weight: number }): number {
  return status === 'PAUSED' ? 0 : weight / WEIGHT_UNIT;
}

/** Takes creatives out of line items. */
export async function dissociate(call: CallApi, pairs: readonly Omit<Pair, 'weight'>[]): Promise<void> {
  if (pairs.length === 0) return;
  const inputs = pairs.map(({ lineItemId, libraryCreativeId }) => ({ lineItemId, libraryCreativeId }));
  await named('', () => runGraphql(call, { query: DISSOCIATE, variables: { inputs } }));
}
