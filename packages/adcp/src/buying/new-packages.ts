import { type CallApi, runGraphql } from '../api/call-api.ts';
import type { SellerContext } from '../api/seller-context.ts';
import { AdcpError } from '../protocol/adcp-error.ts';
import { BOOKING_MS, type PackageRequest, planPackage, type PlannedPackage } from '../selling/plan-package.ts';
import type { Product } from '../selling/products.ts';
import { associate, findCreatives } from './assign-creatives.ts';
import { bookItem, SET_ITEM, named } from './book.ts';
import { type MediaBuy, PACKAGES_MAX, type PackageTerms } from './media-buys.ts';
import { termsOf } from './package-terms.ts';

export const ITEMS = `query Items($filter: LineItemFilter, $first: Int!) {
  lineItems(filter: $filter, first: $first) { nodes { id: databaseId externalId } }
}`;

/** Packages that a buy gets while it runs. */
interface Addition {
  readonly buy: MediaBuy;
  readonly accountId: string;
  readonly requests: readonly PackageRequest[];
  readonly products: readonly Product[];
  readonly requestId: string;
}

/** A package that was added: a draft until {@link startAdded}. */
export interface Added {
  readonly id: string;
  readonly paused: boolean;
  readonly terms: PackageTerms;
}

/** Checks new packages against their products. @throws AdcpError that names the field */
export function planAdded({ agentUrl, nowMs }: SellerContext, { buy, requests, products }: Addition): PlannedPackage[] {
  const { startsAt, endsAt, lineItems } = buy.campaign;
  if (lineItems.nodes.length + requests.length > PACKAGES_MAX)
    throw new AdcpError('INVALID_REQUEST', `A buy has at most ${PACKAGES_MAX} packages.`, { field: 'new_packages' });
  const now = nowMs();
  const startsAtMs = Math.max(startsAt === null ? now : Date.parse(startsAt), now + BOOKING_MS);
  const flight = { startsAtMs, endsAtMs: endsAt === null ? Infinity : Date.parse(endsAt), isAsap: true };
  return requests.map((one, index) => {
    const field = `new_packages[${index}]`;
    const planned = planPackage(one, { products, agentUrl, flight, nowMs: now, field });
    if (planned.product.delivery === 'GUARANTEED')
      throw new AdcpError('REQUOTE_REQUIRED', 'A person of the publisher decides about guaranteed products.', {
        field: `${field}.product_id`,
        suggestion: 'Buy it as a media buy of its own.',
      });
    return planned;
  });
}

/**
 * Books new packages as drafts, with their creatives. What is refused in between is withdrawn; after a crash, the same request finds what it booked.
 *
 * @throws AdcpError that names the package
 */
export async function bookAdded(
  { call }: SellerContext,
  addition: Addition,
  planned: readonly PlannedPackage[],
): Promise<Added[]> {
  const { buy, accountId, requests, requestId } = addition;
  const assigned = requests.flatMap(({ creative_assignments: list = [] }) => list.map((one) => one.creative_id));
  const creatives = await findCreatives(call, accountId, assigned);
  const externalIds = requests.map((_one, index) => `adcp-${requestId}-p${index}`);
  const before = await findItems(call, externalIds);
  const ids: string[] = [];
  try {
    for (const [index, { booking }] of planned.entries()) {
      const externalId = externalIds[index] ?? '';
      const input = { ...booking, campaignId: buy.campaign.id, externalId };
      ids.push(before.get(externalId) ?? (await bookItem(call, input, `new_packages[${index}]`)));
    }
    await associate(
      call,
      requests.flatMap(({ creative_assignments: list = [] }, index) =>
        list.flatMap(({ creative_id: id, weight }) => {
          const creative = creatives.get(id);
          return creative === undefined
            ? []
            : [{ lineItemId: ids[index] ?? '', libraryCreativeId: creative.id, weight }];
        }),
      ),
    );
  } catch (error) {
    await withdrawAdded(call, ids);
    throw error;
  }
  return requests.map((one, index) => ({
    id: ids[index] ?? '',
    paused: one.paused === true,
    terms: termsOf(one, planned[index] as PlannedPackage, creatives),
  }));
}

/** Makes added packages live, or paused. */
export async function startAdded(call: CallApi, added: readonly Added[]): Promise<void> {
  for (const [index, { id, paused }] of added.entries())
    await named(`new_packages[${index}]`, () => setStatus(call, id, paused ? 'PAUSED' : 'ACTIVE'));
}

/** Archives drafts that were added. */
export async function withdrawAdded(call: CallApi, ids: readonly string[]): Promise<void> {
  for (const id of ids) await setStatus(call, id, 'ARCHIVED');
}

function setStatus(call: CallApi, id: string, status: string): Promise<unknown> {
  return runGraphql(call, { query: SET_ITEM, variables: { id, input: { status } } });
}

async function findItems(call: CallApi, externalIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
  interface Items {
    readonly lineItems: { readonly nodes: readonly { readonly id: string; readonly externalId: string }[] };
  }
  const variables = { filter: { externalIds }, first: externalIds.length };
  const { lineItems } = await runGraphql<Items>(call, { query: ITEMS, variables });
  return new Map(lineItems.nodes.map(({ id, externalId }) => [externalId, id]));
}
