import { type CallApi, runGraphql } from '../api/call-api.ts';
import type { PlacardFormat } from './formats.ts';
import type { PlacardPricing } from './pricing-models.ts';

/** Most products that a network offers to agents here. */
const PRODUCTS_MAX = 1_000;
/** Targeting makes a product costly to read. */
const PRODUCT_PAGE = 25;

/** A way to pay for a product. Money is decimal text in the currency of the network. */
export interface PriceOption {
  readonly id: string;
  readonly pricingModel: PlacardPricing | 'CPA';
  /** Fixed price; null: the buyer bids at least `floor`. */
  readonly price: string | null;
  readonly floor: string | null;
  readonly sharePercent: number | null;
  readonly minimumSpend: string | null;
  /** The accounts that it is for; empty: all. */
  readonly advertiserIds: readonly string[];
}

/** A targeting expression as the management API has it. */
export interface TargetingNode {
  readonly all?: readonly TargetingNode[] | null;
  readonly any?: readonly TargetingNode[] | null;
  readonly not?: TargetingNode | null;
  readonly test?: { readonly dimension: string; readonly operator: string; readonly values: readonly string[] } | null;
}

/** A product that agents can buy. */
export interface Product {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly delivery: 'GUARANTEED' | 'NON_GUARANTEED';
  readonly channels: readonly string[];
  readonly targeting: TargetingNode | null;
  readonly formats: readonly {
    readonly format: PlacardFormat;
    readonly sizes: readonly { readonly width: number; readonly height: number }[];
  }[];
  readonly buyerDimensions: readonly string[];
  readonly priceOptions: readonly PriceOption[];
  readonly minimumSpend: string | null;
  readonly minimumDays: number | null;
  readonly maximumDays: number | null;
  readonly leadTimeHours: number;
  readonly cancellationNoticeDays: number;
  readonly measurement: { readonly terms: string | null } | null;
  readonly creativePolicy: {
    readonly coBranding: string;
    readonly landingPage: string;
    readonly templatesAvailable: boolean;
    readonly provenanceRequired: boolean;
  } | null;
  readonly offeredToBuyers: boolean;
  readonly offeredAdvertiserIds: readonly string[];
}

export interface Site {
  readonly id: string;
  readonly name: string;
  readonly domain: string;
}

/** What of a network its products are about. */
export interface Portfolio {
  readonly currency: string;
  readonly timezone: string;
  readonly sites: readonly Site[];
}

const PRODUCT_FIELDS = `id: databaseId name description delivery channels formats { format sizes { width height } } buyerDimensions
  priceOptions { id pricingModel price floor sharePercent minimumSpend advertiserIds }
  minimumSpend minimumDays maximumDays leadTimeHours cancellationNoticeDays measurement { terms }
  creativePolicy { coBranding landingPage templatesAvailable provenanceRequired } offeredToBuyers offeredAdvertiserIds
  targeting { ...node all { ...node any { ...node } not { ...node } } any { ...node } not { ...node } }`;
const TARGETING_NODE = `fragment node on Targeting { test { dimension operator values } }`;

export const PRODUCTS = `query Products($first: Int, $after: String) {
  advertisingProducts(first: $first, after: $after, filter: { statuses: [ACTIVE] }) {
    nodes { ${PRODUCT_FIELDS} }
    pageInfo { hasNextPage endCursor }
  }
} ${TARGETING_NODE}`;

export const PORTFOLIO = `query Portfolio { offering { currency timezone sites { id name domain } } }`;

interface Connection<T> {
  readonly nodes: readonly T[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
}

async function readPages<T>(
  call: CallApi,
  query: string,
  { name, first, max }: { readonly name: string; readonly first: number; readonly max: number },
): Promise<T[]> {
  const nodes: T[] = [];
  let after: string | null = null;
  do {
    const variables: Record<string, unknown> = { first, after };
    const data: Record<string, Connection<T>> = await runGraphql(call, { query, variables });
    const page: Connection<T> | undefined = data[name];
    nodes.push(...(page?.nodes ?? []));
    after = page?.pageInfo.hasNextPage === true ? page.pageInfo.endCursor : null;
  } while (after !== null && nodes.length < max);
  return nodes;
}

/** The products that agents may buy, by id. With an account, those offered to it, and only with its price options. */
export async function readProducts(call: CallApi, accountId: string | null): Promise<Product[]> {
  const all = await readPages<Product>(call, PRODUCTS, {
    name: 'advertisingProducts',
    first: PRODUCT_PAGE,
    max: PRODUCTS_MAX,
  });
  return all
    .filter((one) => one.offeredToBuyers && isFor(one.offeredAdvertiserIds, accountId))
    .map((one) => ({
      ...one,
      priceOptions: one.priceOptions.filter(
        ({ advertiserIds, pricingModel }) => isFor(advertiserIds, accountId) && pricingModel !== 'CPA',
      ),
    }))
    .filter(({ priceOptions }) => priceOptions.length > 0);
}

/** Without an account there are only offers for everybody. */
function isFor(advertiserIds: readonly string[], accountId: string | null): boolean {
  return advertiserIds.length === 0 || (accountId !== null && advertiserIds.includes(accountId));
}

/** The currency, days and sites of a network. */
export async function readPortfolio(call: CallApi): Promise<Portfolio> {
  return (await runGraphql<{ offering: Portfolio }>(call, { query: PORTFOLIO })).offering;
}

/** Values that a targeting requires of a dimension; null: it does not restrict the dimension by itself. */
export function requiredValues(targeting: TargetingNode | null, dimension: string): readonly string[] | null {
  const { test, all, any } = targeting ?? {};
  if (test?.dimension === dimension && test.operator === 'IS') return test.values;
  for (const part of all ?? []) {
    const values = requiredValues(part, dimension);
    if (values !== null) return values;
  }
  const parts = (any ?? []).map((part) => requiredValues(part, dimension));
  const isRestricted = parts.length > 0 && parts.every((values) => values !== null);
  return isRestricted ? parts.flatMap((values) => values ?? []) : null;
}
